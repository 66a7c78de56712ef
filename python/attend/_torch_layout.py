"""Where the parameters of PyTorch's layers are in a model: the same numbers under our names, as columns."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from .torch import Network

# The order of the gates: PyTorch's rows r, z, n are our columns n, r, z where the input enters. LSTM's do not differ.
GRU_INPUT = (2, 0, 1)

Blocks = dict[str, list[Tensor]]


def _columns(rows: Tensor, gates: int, order: tuple[int, ...] = ()) -> list[Tensor]:
    """Gates of PyTorch's rows as columns: views."""
    parts = rows.chunk(gates)
    parts = [parts[i] for i in order] if order else list(parts)
    return [part.T if part.dim() == 2 else part[None] for part in parts]


def _cell(path: str, kind: str, layer: nn.Module, suffix: str, parts: dict[str, int]) -> Blocks:
    """What enters a cell (name: rows), its U_state and its bias. Only a GRU's n has two biases."""
    gates = {"gru": 3, "lstm": 4, "tanh": 1}[kind]
    order = GRU_INPUT if kind == "gru" else ()
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    entering, state, bias, second = (getattr(layer, name + suffix).data for name in names)
    path = f"{path}.{kind}"
    widths = entering.split(list(parts.values()), 1)
    blocks = {f"{path}.{name}": _columns(part, gates, order) for name, part in zip(parts, widths)}
    blocks[f"{path}.U_state"] = _columns(state, gates)
    blocks[f"{path}.bias"] = _columns(bias, gates, order) + (_columns(second, 3)[2:] if kind == "gru" else [])
    return blocks


def _linear(path: str, layer: nn.Linear, weight: str = "W", bias: str = "b") -> Blocks:
    blocks = {f"{path}.{weight}": [layer.weight.data.T]}
    if layer.bias is not None:
        blocks[f"{path}.{bias}"] = [layer.bias.data[None]]
    return blocks


def _encoder(network: Network) -> Blocks:
    kind, blocks = network.config["cell"], {"encoder.embedding.table": [network.encoder_embedding.weight.data]}
    directions = {"forward": ""} if network.config["unidirectional"] else {"forward": "", "backward": "_reverse"}
    for l in range(network.config["encoder-layers"]):
        for name, suffix in directions.items():
            width = getattr(network.encoder, f"weight_ih_l{l}{suffix}").shape[1]
            blocks.update(_cell(f"encoder.{l}.{name}", kind, network.encoder, f"_l{l}{suffix}", {"W_input": width}))
    return blocks


def _decoder(network: Network) -> Blocks:
    config, blocks = network.config, {"decoder.embedding.table": [network.decoder_embedding.weight.data]}
    for l, layer in enumerate(network.start):
        blocks.update(_linear(f"decoder.start.{l}", layer))
    for l, cell in enumerate(network.decoder):
        width: int = cell.weight_ih.shape[1]
        parts = {"W_input": config["hidden"] if l else config["emb"]}
        if width > parts["W_input"]:
            parts["W_context" if network.is_bahdanau else "W_feed"] = width - parts["W_input"]
        blocks.update(_cell(f"decoder.{l}", config["cell"], cell, "", parts))
    return blocks


def _attention(network: Network) -> Blocks:
    blocks: Blocks = {}
    if hasattr(network, "query"):
        blocks.update(_linear("decoder.attention", network.query, "W_query", "b_query"))
    if hasattr(network, "key"):
        blocks.update(_linear("decoder.attention", network.key, "W_key"))
    if hasattr(network, "v"):
        blocks["decoder.attention.v"] = [network.v.weight.data]
    return blocks


def _split(layer: nn.Linear, path: str, parts: dict[str, int]) -> Blocks:
    """A layer that reads several vectors side by side, as one matrix each."""
    widths = layer.weight.data.T.split(list(parts.values()))
    return {f"{path}.{name}": [part] for name, part in zip(parts, widths)}


def _readout(network: Network) -> Blocks:
    config, path = network.config, "decoder.readout"
    hidden, emb = config["hidden"], config["emb"]
    rows = hidden if config["unidirectional"] else 2 * hidden
    if network.is_bahdanau:
        blocks = _split(network.readout, path, {"W_state": hidden, "W_context": rows, "W_input": emb})
    else:
        blocks = _split(network.vector, "decoder.vector", {"W_state": hidden, "W_context": rows})
        blocks[f"{path}.W_vector"] = [network.readout.weight.data.T]
    blocks[f"{path}.b"] = [network.readout.bias.data[None]]
    return {**blocks, **_linear("decoder.output", network.output)}


def views(network: Network) -> Blocks:
    """Every tensor of the model as views of the network's parameters, to be joined as columns. Biases of PyTorch that
    the model does not have must be 0 (fold_biases)."""
    return {**_encoder(network), **_decoder(network), **_attention(network), **_readout(network)}


def is_state(named: tuple[str, Any]) -> bool:
    """Whether a parameter is one of the second biases."""
    return "bias_hh" in named[0]


@torch.no_grad()
def fold_biases(network: Network) -> None:
    """Add the second bias of every gate to its first: PyTorch adds both. Only n of a GRU multiplies the second one."""
    parameters = dict(network.named_parameters())
    for name, second in filter(is_state, parameters.items()):
        first = parameters[name.replace("bias_hh", "bias_ih")]
        shared = 2 * network.config["hidden"] if network.config["cell"] == "gru" else len(second)
        first[:shared] += second[:shared]
        second[:shared] = 0
