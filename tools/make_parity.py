"""Write tests/parity/seq2seq.txt: what PyTorch computes for a tiny model.

Run `make parity`, or: /usr/bin/python3 tools/make_parity.py OUTDIR

The model of src/model/decoder.h is built here from PyTorch's own parts, in double precision and
with padding and masks, so that it shares neither code nor layout with ours. Two runs write the
same bytes. src/train/parity_test.c reads the file.

The file is a list of tensors: a line `name rows cols`, then `rows` lines of `cols` numbers, which
are rounded at the eleventh digit of the tensor's largest.
    config               source and target vocabulary, E, H, A, R, learning rate, norm to clip to
    source.I target.I    ids of sentence I, without <s> and </s>
    initial/P            parameter P before training; P is our name of it
    annotation.I         (S, C) of sentence I, </s> included; like the next two before training
    weight.I logits.I    (T, S) and (T, V) under teacher forcing, </s> included
    RUN/smoothing        of the labels; RUN is `smoothed` or `plain`
    RUN/gradient/P       of the loss per target word, before training
    RUN/norm             (1, UPDATES) of the gradient before it is clipped, at each update
    RUN/loss             (1, UPDATES + 1) summed over the words, before each update and at the end
    RUN/final/P          parameter P after all updates
To keep the file small `plain` has no final/P, and gradients of both ends of the model only.
"""
import math
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

# All different. H and A exceed the eight floats of a SIMD register, the target vocabulary exceeds
# the sixteen columns that a thread takes at least.
SOURCE_VOCAB, TARGET_VOCAB, E, H, A, R = 13, 19, 3, 9, 10, 4
C = 2 * H
BOS, EOS = 1, 2
UPDATES, LR, CLIP = 10, 0.01, 1.0
# Parameters start uniform in [-0.7, 0.7], but for these. With such an output layer some gradients
# are longer than CLIP and some are not.
WIDE = {"output.weight": 2.5, "output.bias": 1.5}

# The order of lengths differs between the sides; tokens repeat; 0 is <unk>; some ids never occur.
SOURCE = [[3, 4, 5], [6], [7, 8, 0, 9, 7], [12, 3]]
TARGET = [[3, 4], [5, 16, 7, 3], [18], [8, 9, 0, 4, 4, 3]]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.source_embedding = nn.Embedding(SOURCE_VOCAB, E)
        self.encoder = nn.GRU(E, H, bidirectional=True, batch_first=True)
        self.target_embedding = nn.Embedding(TARGET_VOCAB, E)
        self.start = nn.Linear(H, H)
        self.cell = nn.GRUCell(E + C, H)
        self.query = nn.Linear(H, A)
        self.key = nn.Linear(C, A, bias=False)
        self.v = nn.Linear(A, 1, bias=False)
        self.readout = nn.Linear(H + C + E, R)
        self.output = nn.Linear(R, TARGET_VOCAB)
        self.start_values()

    def start_values(self):
        """Values of three decimals: short to write, and the file has exactly what is used."""
        for name, p in self.named_parameters():
            wide = WIDE.get(name, 0.7)
            p.data = torch.round((torch.rand_like(p) * 2 - 1) * wide * 1000) / 1000
            if "bias_hh" in name:
                freeze_second_bias(p)

    def encode(self, source):
        length = torch.tensor([len(s) for s in source])
        padded = nn.utils.rnn.pad_sequence(source, batch_first=True)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.source_embedding(padded), length, batch_first=True, enforce_sorted=False)
        annotation, _ = nn.utils.rnn.pad_packed_sequence(self.encoder(packed)[0], batch_first=True)
        mask = torch.arange(padded.shape[1])[None, :] < length[:, None]
        return annotation, mask

    def attend(self, state, annotation, mask):
        score = self.v(torch.tanh(self.query(state)[:, None, :] + self.key(annotation)))[:, :, 0]
        return torch.softmax(score.masked_fill(~mask, float("-inf")), dim=1)

    def forward(self, source, target_in):
        """Annotations (B, S, C), weights (B, T, S) and logits (B, T, V), all padded."""
        annotation, mask = self.encode(source)
        embedded = self.target_embedding(nn.utils.rnn.pad_sequence(target_in, batch_first=True))
        state = torch.tanh(self.start(annotation[:, 0, H:]))
        weights, logits = [], []
        for t in range(embedded.shape[1]):
            word = embedded[:, t]
            weight = self.attend(state, annotation, mask)
            context = torch.einsum("bs,bsc->bc", weight, annotation)
            state = self.cell(torch.cat([word, context], dim=1), state)
            weights.append(weight)
            readout = torch.tanh(self.readout(torch.cat([state, context, word], dim=1)))
            logits.append(self.output(readout))
        return annotation, torch.stack(weights, dim=1), torch.stack(logits, dim=1)


def freeze_second_bias(bias):
    """PyTorch adds two biases to r and to z, we add one: the second stays 0."""
    keep = torch.cat([torch.zeros(2 * H), torch.ones(H)])
    bias.data *= keep
    bias.register_hook(lambda grad: grad * keep)


# ---- Our names and layouts ----

def gru_input(weight):
    """Rows r z n of PyTorch to our columns n r z."""
    r, z, n = weight.split(H)
    return torch.cat([n, r, z]).T


def gru_bias(input_bias, state_bias):
    """[b_n | b_r | b_z | c_n]"""
    r, z, n = input_bias.split(H)
    r_second, z_second, n_second = state_bias.split(H)
    return torch.cat([n, r + r_second, z + z_second, n_second])


def gru(path, of, layer, suffix=""):
    def part(name):
        return of(getattr(layer, name + suffix))

    w_input = gru_input(part("weight_ih"))
    parts = {
        "W_input": w_input[:E],
        "W_context": w_input[E:],  # the decoder's only
        "U_state": part("weight_hh").T,
        "bias": gru_bias(part("bias_ih"), part("bias_hh")),
    }
    return {f"{path}.{name}": x for name, x in parts.items() if x.numel()}


def ours(model, of):
    """`of` each parameter, its value or gradient, by our names."""
    w_state, w_context, w_input = of(model.readout.weight).T.split([H, C, E])
    return {
        "encoder.embedding.table": of(model.source_embedding.weight),
        **gru("encoder.forward.gru", of, model.encoder, "_l0"),
        **gru("encoder.backward.gru", of, model.encoder, "_l0_reverse"),
        "decoder.embedding.table": of(model.target_embedding.weight),
        "decoder.start.W": of(model.start.weight).T,
        "decoder.start.b": of(model.start.bias),
        **gru("decoder.gru", of, model.cell),
        "decoder.attention.W_query": of(model.query.weight).T,
        "decoder.attention.b_query": of(model.query.bias),
        "decoder.attention.W_key": of(model.key.weight).T,
        "decoder.attention.v": of(model.v.weight),
        "decoder.readout.W_state": w_state,
        "decoder.readout.W_context": w_context,
        "decoder.readout.W_input": w_input,
        "decoder.readout.b": of(model.readout.bias),
        "decoder.output.W": of(model.output.weight).T,
        "decoder.output.b": of(model.output.bias),
    }


ENDS = (
    "encoder.embedding.table", "decoder.embedding.table", "decoder.output.W", "decoder.output.b")


# ---- What is computed ----

def value(parameter):
    return parameter.detach().clone()


def gradient(parameter):
    return parameter.grad.clone()


def batch():
    source = [torch.tensor(ids + [EOS]) for ids in SOURCE]
    target_in = [torch.tensor([BOS] + ids) for ids in TARGET]
    target_out = [torch.tensor(ids + [EOS]) for ids in TARGET]
    return source, target_in, target_out


def activations(model):
    source, target_in, target_out = batch()
    with torch.no_grad():
        annotation, weight, logits = model(source, target_in)
    tensors = {}
    for i, (x, y) in enumerate(zip(source, target_out)):
        tensors[f"annotation.{i}"] = annotation[i, :len(x)]
        tensors[f"weight.{i}"] = weight[i, :len(y), :len(x)]
        tensors[f"logits.{i}"] = logits[i, :len(y)]
    return tensors


def summed_loss(model, smoothing):
    source, target_in, target_out = batch()
    _, _, logits = model(source, target_in)
    padded = nn.utils.rnn.pad_sequence(target_out, batch_first=True, padding_value=-100)
    return F.cross_entropy(logits.flatten(0, 1), padded.flatten(), reduction="sum",
                           ignore_index=-100, label_smoothing=smoothing)


def train(model, smoothing):
    words = sum(len(ids) + 1 for ids in TARGET)
    adam = torch.optim.Adam(model.parameters(), lr=LR, betas=(0.9, 0.999), eps=1e-8)
    losses, norms, first_gradient = [], [], None
    for _ in range(UPDATES):
        adam.zero_grad()
        loss = summed_loss(model, smoothing)
        (loss / words).backward()
        first_gradient = first_gradient or ours(model, gradient)
        losses.append(loss.item())
        norms.append(nn.utils.clip_grad_norm_(model.parameters(), CLIP).item())
        adam.step()
    losses.append(summed_loss(model, smoothing).item())
    return {"smoothing": [smoothing], "loss": losses, "norm": norms}, first_gradient


def run(smoothing, name):
    """Tensors of one run from the initial parameters, which are the same for each."""
    torch.manual_seed(1)
    model = Model()
    tensors = {f"initial/{p}": x for p, x in ours(model, value).items()}
    tensors.update(activations(model))
    numbers, first_gradient = train(model, smoothing)
    tensors.update({f"{name}/{key}": x for key, x in numbers.items()})
    tensors.update({f"{name}/gradient/{p}": x for p, x in first_gradient.items()})
    tensors.update({f"{name}/final/{p}": x for p, x in ours(model, value).items()})
    for p, x in model.named_parameters():
        assert "bias_hh" not in p or not x[:2 * H].any(), f"{p} was trained"
    return tensors


def kept_of_plain(name):
    if not name.startswith("plain/") or name.startswith("plain/final/"):
        return False
    return "gradient/" not in name or name.endswith(ENDS)


# ---- The file ----

def shortest(x, decimals):
    text = f"{x:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def write(path, tensors):
    with open(path, "w", encoding="ascii", newline="\n") as file:
        for name, tensor in tensors.items():
            rows = torch.atleast_2d(torch.as_tensor(tensor))
            largest = rows.abs().max().item()
            decimals = max(0, 10 - math.floor(math.log10(largest))) if largest else 0
            print(name, *rows.shape, file=file)
            for row in rows.tolist():
                print(*(shortest(x, decimals) for x in row), file=file)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_parity.py OUTDIR")
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    tensors = {"config": [SOURCE_VOCAB, TARGET_VOCAB, E, H, A, R, LR, CLIP]}
    for side, sentences in (("source", SOURCE), ("target", TARGET)):
        tensors.update({f"{side}.{i}": ids for i, ids in enumerate(sentences)})
    tensors.update(run(0.1, "smoothed"))
    plain = run(0.0, "plain")
    tensors.update({name: x for name, x in plain.items() if kept_of_plain(name)})
    write(os.path.join(sys.argv[1], "seq2seq.txt"), tensors)


if __name__ == "__main__":
    main()
