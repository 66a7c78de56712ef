"""Models as plain PyTorch modules, and plain PyTorch modules as models. Needs PyTorch; nothing else in attend does.

    network = attend.torch.to_torch(attend.load("my.safetensors"))    # to train, probe or prune it in PyTorch
    model = attend.torch.from_torch(network, "again.safetensors")     # to translate, plot and serve it here

A network of your own is made of its parts by Network.assemble().
"""
from __future__ import annotations

import copy
import json
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from . import _model_file as files
from ._torch_layout import fold_biases, is_state, views
from .errors import UsageError
from .model import Model, load

SPECIAL = ("<unk>", "<s>", "</s>")
PAD = "<pad>"

CELLS: dict[str, tuple[Any, Any]] = {
    "gru": (nn.GRU, nn.GRUCell),
    "lstm": (nn.LSTM, nn.LSTMCell),
    "tanh": (nn.RNN, nn.RNNCell),
}
# Options that plain modules have, with the values that they may have here; the others must be off.
SUPPORTED = {
    "attention": ("additive", "dot", "scaled_dot", "general", "none"),
    "placement": ("bahdanau", "luong"),
    "readout": ("tanh", "linear"),
}
OFF = {"heads": 1, "coverage": False, "copy": False, "residual": False, "layer-norm": False, "skip": False,
       "pyramid": 0, "source_width": 0, "target_width": 0, "encoder": "recurrent"}  # fmt: skip
NETWORK = ("source_vocab", "target_vocab", "attention", "placement", "input-feeding", "cell", "encoder-layers",
           "decoder-layers", "unidirectional", "emb", "hidden", "attention-size", "start", "readout", "readout-size", "tie")  # fmt: skip
# What the library wants to know of every model, although plain modules do not have it.
FIXED = {"heads": 1, "coverage": False, "copy": False, "span": 5, "gaussians": 3, "positions": 1, "residual": False,
         "layer-norm": False}  # fmt: skip


class Network(nn.Module):
    """The encoder-decoder with attention, made of PyTorch's own layers. Its sizes are those of `config`."""

    def __init__(self, config: dict[str, Any], source_vocabulary: Sequence[str], target_vocabulary: Sequence[str]):
        super().__init__()
        _check(config)
        self.config = {name: config[name] for name in NETWORK}
        self.source_vocabulary, self.target_vocabulary = list(source_vocabulary), list(target_vocabulary)
        emb, hidden, size = (config[name] for name in ("emb", "hidden", "attention-size"))
        rows = hidden if config["unidirectional"] else 2 * hidden
        self.encoder_embedding = nn.Embedding(config["source_vocab"], emb)
        self.decoder_embedding = nn.Embedding(config["target_vocab"], emb)
        layer, cell = CELLS[config["cell"]]
        self.encoder = layer(emb, hidden, config["encoder-layers"], batch_first=True,
                             bidirectional=not config["unidirectional"])  # fmt: skip
        entering = rows if self.is_bahdanau else hidden * config["input-feeding"]
        self.decoder = nn.ModuleList(cell(hidden if l else emb + entering, hidden) for l in range(config["decoder-layers"]))
        starts = config["decoder-layers"] if config["start"] in ("last", "mean") else 0
        self.start = nn.ModuleList(nn.Linear(rows if config["start"] == "mean" else hidden, hidden) for _ in range(starts))
        if config["attention"] == "additive":
            self.query, self.key = nn.Linear(hidden, size), nn.Linear(rows, size, bias=False)
            self.v = nn.Linear(size, 1, bias=False)
        if config["attention"] == "general":
            self.key = nn.Linear(rows, hidden, bias=False)
        if not self.is_bahdanau:
            self.vector = nn.Linear(hidden + rows, hidden, bias=False)
        self.readout = nn.Linear(hidden + rows + emb if self.is_bahdanau else hidden, config["readout-size"])
        self.output = nn.Linear(config["readout-size"], config["target_vocab"])

    @property
    def is_bahdanau(self) -> bool:
        return bool(self.config["placement"] == "bahdanau")

    # ---- Forward ----

    def forward(self, source: Sequence[Tensor], target: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
        """Logits (B, T, V) and weights (B, T, S). Sources end in `</s>`, targets begin with `<s>`; both are ids."""
        annotation, mask, last = self.encode(source)
        words = self.decoder_embedding(nn.utils.rnn.pad_sequence(list(target), batch_first=True))
        states, fed = self.start_states(annotation, mask, last), words.new_zeros(len(source), self.config["hidden"])
        logits, weights = [], []
        for word in words.unbind(1):
            states, fed, said, weight = self.step(word, states, fed, annotation, mask)
            logits.append(said)
            weights.append(weight)
        return torch.stack(logits, 1), torch.stack(weights, 1)

    def encode(self, source: Sequence[Tensor]) -> tuple[Tensor, Tensor, Any]:
        """Annotations (B, S, C), their mask (B, S), and the last states of the layers."""
        length = torch.tensor([len(ids) for ids in source])
        embedded = self.encoder_embedding(nn.utils.rnn.pad_sequence(list(source), batch_first=True))
        packed = nn.utils.rnn.pack_padded_sequence(embedded, length, batch_first=True, enforce_sorted=False)
        packed, last = self.encoder(packed)
        annotation, _ = nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
        return annotation, torch.arange(annotation.shape[1])[None] < length[:, None], last

    def start_states(self, annotation: Tensor, mask: Tensor, last: Any) -> list[Any]:
        layers, hidden, count = self.config["decoder-layers"], self.config["hidden"], len(annotation)
        lstm = self.config["cell"] == "lstm"
        zero = annotation.new_zeros(count, hidden)
        if self.config["start"] == "copy":  # the last direction of each layer
            parts = [part.unflatten(0, (self.config["encoder-layers"], -1))[:, -1] for part in (last if lstm else (last,))]
            return [tuple(part[l] for part in parts) if lstm else parts[0][l] for l in range(layers)]
        if self.config["start"] == "mean":
            read = (annotation * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        else:
            place = mask.sum(1) - 1 if self.config["unidirectional"] else torch.zeros(count, dtype=torch.long)
            read = annotation[torch.arange(count), place, -hidden:]
        first = [torch.tanh(layer(read)) for layer in self.start] or [zero] * layers
        return [(state, zero) for state in first] if lstm else first

    def step(self, word: Tensor, states: list[Any], fed: Tensor, annotation: Tensor, mask: Tensor) -> tuple[Any, ...]:
        """One step of the decoder: states, what is fed back, logits (B, V) and weights (B, S)."""
        if self.is_bahdanau:
            context, weight = self.attend(_visible(states[-1]), annotation, mask)
            top, states = self.through_layers(torch.cat([word, context], 1), states)
            read = self.readout(torch.cat([top, context, word], 1))
        else:
            top, states = self.through_layers(torch.cat([word, fed], 1) if self.config["input-feeding"] else word, states)
            context, weight = self.attend(top, annotation, mask)
            fed = torch.tanh(self.vector(torch.cat([top, context], 1)))
            read = self.readout(fed)
        said = self.output(torch.tanh(read) if self.config["readout"] == "tanh" else read)
        return states, fed, said, weight

    def through_layers(self, x: Tensor, states: list[Any]) -> tuple[Tensor, list[Any]]:
        after = []
        for cell, state in zip(self.decoder, states):
            after.append(cell(x, state))
            x = _visible(after[-1])
        return x, after

    def attend(self, state: Tensor, annotation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Context (B, C) and weights (B, S)."""
        kind, hidden = self.config["attention"], self.config["hidden"]
        if kind == "none":
            end = annotation[torch.arange(len(annotation)), mask.sum(1) - 1, :hidden]
            return torch.cat([end, annotation[:, 0, hidden:]], 1), mask.to(state.dtype)
        if kind == "additive":
            scores = self.v(torch.tanh(self.query(state)[:, None] + self.key(annotation)))[:, :, 0]
        else:
            keys = self.key(annotation) if kind == "general" else annotation.unflatten(2, (-1, hidden)).sum(2)
            scores = torch.einsum("bh,bsh->bs", state, keys)
        if kind == "scaled_dot":
            scores = scores / math.sqrt(hidden)
        weight = torch.softmax(scores.masked_fill(~mask, -math.inf), 1)
        return torch.einsum("bs,bsc->bc", weight, annotation), weight

    # ---- From parts ----

    @classmethod
    def assemble(
        cls,
        *,
        source_vocabulary: Sequence[str],
        target_vocabulary: Sequence[str],
        encoder_embedding: nn.Embedding,
        encoder: nn.RNNBase,
        decoder_embedding: nn.Embedding,
        decoder: nn.RNNBase | Sequence[nn.RNNCellBase],
        output: nn.Linear,
        attention: str = "additive",
        placement: str = "bahdanau",
        query: nn.Linear | None = None,
        key: nn.Linear | None = None,
        v: nn.Linear | None = None,
        vector: nn.Linear | None = None,
        readout: nn.Linear | None = None,
        readout_activation: str = "linear",
        start: str = "copy",
        start_layers: Sequence[nn.Linear] = (),
        input_feeding: bool = False,
    ) -> Network:
        """A network from the layers of another one, which are copied.

        Vocabularies list the tokens in the order of their ids, with `<s>` and `</s>` among them; `<unk>` and `<pad>`
        are optional. The decoder reads [word; context] (bahdanau) or [word; last vector] (luong with input_feeding).
        v . tanh(query(s) + key(h)) is the additive score; biases of key and v are taken over too. Without `readout`
        the output layer reads the state (bahdanau) or the vector (luong); with it, [state; context] or
        [state; context; word]. `start` says how the decoder starts: "copy" of the encoder's last states, "zero", or
        "last" or "mean" through `start_layers` and tanh.
        """
        cells = [decoder] if isinstance(decoder, nn.RNNCellBase) else decoder
        hidden = encoder.hidden_size
        config = {
            "source_vocab": len(source_vocabulary),
            "target_vocab": len(target_vocabulary),
            "attention": attention,
            "placement": placement,
            "input-feeding": input_feeding,
            "cell": next(name for name, kinds in CELLS.items() if isinstance(encoder, kinds[0])),
            "encoder-layers": encoder.num_layers,
            "decoder-layers": cells.num_layers if isinstance(cells, nn.RNNBase) else len(cells),
            "unidirectional": not encoder.bidirectional,
            "emb": encoder_embedding.embedding_dim,
            "hidden": hidden,
            "attention-size": query.out_features if query is not None else hidden,
            "start": start,
            "readout": readout_activation,
            "readout-size": readout.out_features if readout is not None else hidden,
            "tie": "none",
        }
        network = cls(config, source_vocabulary, target_vocabulary)
        network.encoder_embedding.load_state_dict(encoder_embedding.state_dict())
        network.decoder_embedding.load_state_dict(decoder_embedding.state_dict())
        network.encoder.load_state_dict(encoder.state_dict())
        _take_decoder(network, cells)
        _take_attention(network, query, key, v)
        if vector is not None:
            network.vector.load_state_dict({"weight": _no_bias(vector, "vector")})
        _take_readout(network, readout)
        for mine, given in zip(network.start, start_layers, strict=True):
            mine.load_state_dict(given.state_dict())
        network.output.load_state_dict(output.state_dict())
        return network.eval()


def _visible(state: Any) -> Any:
    """The part of a state that other layers see."""
    return state[0] if isinstance(state, tuple) else state


def _check(config: dict[str, Any]) -> None:
    """Whether plain modules can be this model."""
    for name, off in OFF.items():
        if config.get(name, off) != off:
            raise UsageError(f"a model with `{name.replace('-', '_')}` {config[name]} cannot be plain PyTorch modules")
    for name, values in SUPPORTED.items():
        if config[name] not in values:
            raise UsageError(f"`{name}` {config[name]!r} cannot be plain PyTorch modules; it can be {', '.join(values)}")


def _no_bias(layer: nn.Linear, name: str) -> Tensor:
    if layer.bias is not None and bool(layer.bias.any()):
        raise UsageError(f"`{name}` has a bias, which the model has no place for")
    return layer.weight


@torch.no_grad()
def _take_decoder(network: Network, cells: Any) -> None:
    for l, mine in enumerate(network.decoder):
        given = cells.state_dict() if isinstance(cells, nn.RNNBase) else cells[l].state_dict()
        suffix = f"_l{l}" if isinstance(cells, nn.RNNBase) else ""
        mine.load_state_dict({name: given[name + suffix] for name in mine.state_dict()})


@torch.no_grad()
def _take_attention(network: Network, query: Any, key: Any, v: Any) -> None:
    """The layers of the score. A bias of the key is one of the query; that of v changes every score alike."""
    if query is not None:
        network.query.load_state_dict({"weight": query.weight, "bias": network.query.bias.zero_()})
        for layer in (query, key):
            if layer.bias is not None:
                network.query.bias += layer.bias
    if key is not None:
        network.key.load_state_dict({"weight": key.weight if query is not None else _no_bias(key, "key")})
    if v is not None:
        network.v.load_state_dict({"weight": v.weight})


@torch.no_grad()
def _take_readout(network: Network, readout: nn.Linear | None) -> None:
    network.readout.weight.zero_()
    network.readout.bias.zero_()
    if readout is None:
        hidden = network.config["hidden"]
        network.readout.weight[:, :hidden] = torch.eye(hidden)
        return
    network.readout.weight[:, : readout.in_features] = readout.weight
    if readout.bias is not None:
        network.readout.bias.copy_(readout.bias)


# ---- Files ----


def to_torch(model: Model | str | os.PathLike[str]) -> Network:
    """The network of a model, in evaluation mode."""
    content = files.read(model.path if isinstance(model, Model) else model)
    config = json.loads(content.texts["config"])
    if any(tensor.dtype == np.int8 for tensor in content.tensors.values()):
        raise UsageError("a model with int8 weights cannot be plain PyTorch modules; take the one that it was made from")
    vocabularies = [bytes(content.tensors[f"vocab.{side}"]).decode().splitlines() for side in ("source", "target")]
    network = Network(config, *vocabularies)
    tensors = dict(content.tensors)
    if config["tie"] == "all":
        tensors["decoder.embedding.table"] = tensors["encoder.embedding.table"]
    if config["tie"] != "none":
        tensors["decoder.output.W"] = tensors["decoder.embedding.table"].T
    network.config["tie"] = "none"
    with torch.no_grad():
        for parameter in filter(is_state, network.named_parameters()):
            parameter[1].zero_()
        for path, blocks in views(network).items():
            ours = torch.tensor(tensors[path]).reshape(blocks[0].shape[0], -1)
            for block, part in zip(blocks, ours.split([block.shape[1] for block in blocks], 1)):
                block.copy_(part)
    return network.eval()


def _order(vocabulary: Sequence[str]) -> tuple[list[str], list[int | None]]:
    """Our order of a vocabulary, and where each of its tokens stands in the given one."""
    place = {token: i for i, token in enumerate(vocabulary)}
    missing = [token for token in SPECIAL[1:] if token not in place]
    if missing or len(place) < len(vocabulary):
        raise UsageError(f"a vocabulary lacks {' and '.join(missing)}" if missing else "a vocabulary has a token twice")
    tokens = [*SPECIAL, *(token for token in vocabulary if token not in (*SPECIAL, PAD))]
    return tokens, [place.get(token) for token in tokens]


def _rows(weight: Tensor, order: Sequence[int | None], missing: float) -> Tensor:
    """Rows in another order; a missing one has one value."""
    rows = [torch.full_like(weight[0], missing) if i is None else weight[i] for i in order]
    return torch.stack(rows)


def _in_our_order(network: Network) -> tuple[Network, list[str], list[str]]:
    """A copy whose vocabularies begin with `<unk> <s> </s>` and have no padding, and whose gates have one bias."""
    network = copy.deepcopy(network)
    source, source_order = _order(network.source_vocabulary)
    target, target_order = _order(network.target_vocabulary)
    network.encoder_embedding = nn.Embedding.from_pretrained(_rows(network.encoder_embedding.weight, source_order, 0))
    network.decoder_embedding = nn.Embedding.from_pretrained(_rows(network.decoder_embedding.weight, target_order, 0))
    network.output.weight = nn.Parameter(_rows(network.output.weight, target_order, 0))
    # An unknown word that the network does not have is as good as impossible.
    network.output.bias = nn.Parameter(_rows(network.output.bias[:, None], target_order, -1e4)[:, 0])
    network.config.update({"source_vocab": len(source), "target_vocab": len(target)})
    fold_biases(network)
    return network, source, target


@torch.no_grad()
def from_torch(network: Network, path: str | os.PathLike[str], tokenizer: str = "spaces") -> Model:
    """Write a network as a model file and load it. `tokenizer` ("spaces", "word" or "char") says how its tokens are
    found in text. Probabilities are the network's, but for those that it gave to `<pad>`."""
    network, source, target = _in_our_order(network)
    tensors = {name: torch.cat(blocks, 1).numpy() for name, blocks in views(network).items()}
    tensors = {name: tensor[0] if _is_vector(name) else tensor for name, tensor in tensors.items()}
    for side, tokens in (("source", source), ("target", target)):
        tensors[f"vocab.{side}"] = np.frombuffer("".join(token + "\n" for token in tokens).encode(), np.uint8)
    texts = {"format_version": "1", "config": json.dumps({**FIXED, **network.config}, separators=(",", ":")),
             "source_tokenizer": tokenizer, "target_tokenizer": tokenizer}  # fmt: skip
    files.write(path, files.Content(texts, tensors))
    return load(path)


def _is_vector(path: str) -> bool:
    return path.rpartition(".")[2] in ("bias", "b", "b_query", "v")
