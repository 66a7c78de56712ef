"""Write tests/parity/*.txt: what PyTorch computes for tiny models and layers.

Run `make parity`, or: /usr/bin/python3 tools/make_parity.py OUTDIR

The models of src/model are built here from PyTorch's modules, in double precision and with padding
and masks, so that they share neither code nor layout with ours. Two runs write the same
bytes. seq2seq.txt has one model in detail, for src/train/parity_test.c; family.txt has a summary of
many, for src/train/family_test.c.

A file is a list of tensors: `name rows cols`, then `rows` times `cols` numbers, rounded at the
eleventh digit of the tensor's largest. It starts with what all models share:
    source.I target.I    ids of sentence I, without <s> and </s>
    frames.I             (S, width) frames of source I, for models of frames; only in family.txt
    training             learning rate, norm for clipping, label smoothing
    sizes                source and target vocabulary, E, H, A, R
Each model starts with a line `= NAME OPTION VALUE ...`, options of src/model/config.c; one with
source_width reads frames instead of tokens; one with `tie all` has the target's vocabulary on both sides. Parameters are not stored: starting_values()
below computes them from path and index.

In detail (P is our name of a parameter; RUN is `smoothed` or `plain`, without label smoothing):
    annotation.I         (S, C) of sentence I, </s> included; like the next two before training
    weight.I logits.I    (T, S) and (T, V) under teacher forcing, </s> included
    RUN/gradient/P       of the loss per target word, before training; of `plain` a summary
    RUN/norm             (1, UPDATES) of the gradient before it is clipped, at each update
    RUN/loss             (1, UPDATES + 1) per target word, before each update and at the end
    RUN/final/P          summary of parameter P after all updates; of `smoothed` only
In summary, with smoothing:
    weight.I             (T, G S), of the sentence SHOWN only; heads side by side; of hard attention
                         the posterior given all words
    prior.I steps        only of hard attention: (T, S) given the words before; the first loss without
                         smoothing
    loss norm            as above; norm of the first gradient only
    key                  path_key() of every parameter, in the order of ours
    gradient             (parameters, 3) summaries of the first gradient, in the same order
A summary of numbers x is their norm, sum x_i cos(0.9 i) and sum x_i sin(1.1 i + 0.5).
"""
import math
import os
import sys
from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F

BOS, EOS = 1, 2
LR, CLIP, SMOOTHING = 0.01, 1.0, 0.1

# The order of lengths differs between the sides; tokens repeat; 0 is <unk>; some ids never occur.
SOURCE = [[3, 4, 5], [6], [7, 8, 0, 9, 7], [12, 3]]
TARGET = [[3, 4], [5, 16, 7, 3], [18], [8, 9, 0, 4, 4, 3]]
SHOWN = 0
# Frames: odd and even lengths. Multiples of 1/64, so that they are the same numbers in float.
WIDTH_OF_FRAMES = 3
FRAMES = [[[round(64 * math.sin(1.7 * (20 * i + WIDTH_OF_FRAMES * t + k))) / 64
            for k in range(WIDTH_OF_FRAMES)] for t in range(S)] for i, S in enumerate((7, 1, 4, 6))]

JUMPS = 6  # of hard attention of the first order
NEVER = -1e9  # the logarithm of 0, with a gradient of 0

DEFAULTS = {
    "attention": "additive", "heads": 1, "coverage": False, "copy": False, "span": 5, "gaussians": 3,
    "positions": 6, "placement": "bahdanau", "input-feeding": False, "cell": "gru",
    "encoder-layers": 1, "decoder-layers": 1, "unidirectional": False, "residual": False,
    "start": "last", "readout": "tanh", "tie": "none", "source_width": 0, "pyramid": 0,
    "location-filters": 10, "location-reach": 10, "skip": False, "encoder": "recurrent",
    "encoder-heads": 4, "encoder-ff": 0, "encoder-activation": "relu",
    "encoder-positions": "sinusoidal", "monotonic-order": 0}
# All different. H and A exceed the eight floats of a SIMD register, the target vocabulary exceeds
# the sixteen columns that a thread takes at least.
VOCAB = (13, 19)
SIZES = ("emb", "hidden", "attention-size", "readout-size")
DETAIL_SIZES = dict(zip(SIZES, (3, 9, 10, 4)))
FAMILY_SIZES = dict(zip(SIZES, (5, 10, 9, 4)))


# ---- The model ----

class Model(nn.Module):
    def __init__(self, options):
        super().__init__()
        o = self.o = SimpleNamespace(
            **{key.replace("-", "_"): x for key, x in {**DEFAULTS, **options}.items()})
        self.V = (VOCAB[1], VOCAB[1]) if o.tie == "all" else VOCAB
        self.E, self.H, self.A, self.R = o.emb, o.hidden, o.attention_size, o.readout_size
        self.transformer = o.encoder == "transformer"
        self.C = self.H if o.unidirectional or self.transformer else 2 * self.H
        self.hard = o.attention == "monotonic"
        self.luong, self.conditional = (o.placement == name for name in ("luong", "conditional"))
        if o.source_width:
            self.frames = nn.Linear(o.source_width, self.E)
        else:
            self.source_embedding = nn.Embedding(self.V[0], self.E)
        self.target_embedding = (
            self.source_embedding if o.tie == "all" else nn.Embedding(self.V[1], self.E))
        if self.transformer:
            self.make_transformer()
        else:
            self.make_encoder()
        self.make_recurrence()
        self.make_attention()
        self.make_readout()
        starting_values(self)

    def joins(self, l):
        """Whether encoder layer l reads pairs of the rows below."""
        return 0 < l <= self.o.pyramid

    def input_width(self, l):
        return 2 * self.C if self.joins(l) else self.C if l else self.E

    def make_encoder(self):
        layer = {"gru": nn.GRU, "lstm": nn.LSTM, "tanh": nn.RNN}[self.o.cell]
        self.encoder = nn.ModuleList(
            layer(self.input_width(l), self.H, bidirectional=not self.o.unidirectional,
                  batch_first=True) for l in range(self.o.encoder_layers))

    def make_transformer(self):
        o = self.o
        activation = {"relu": F.relu, "gelu": lambda x: F.gelu(x, approximate="tanh")}
        if self.E != self.H:
            self.input = nn.Linear(self.E, self.H)
        if o.encoder_positions == "learned":
            self.positions = nn.Embedding(o.positions, self.H)
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(
                self.H, o.encoder_heads, o.encoder_ff or 4 * self.H, 0.0,
                activation[o.encoder_activation], batch_first=True, norm_first=True)
            for _ in range(o.encoder_layers))
        self.norm = nn.LayerNorm(self.H)

    def make_recurrence(self):
        o = self.o
        cell = {"gru": nn.GRUCell, "lstm": nn.LSTMCell, "tanh": nn.RNNCell}[o.cell]
        entering = {"luong": self.H * o.input_feeding, "bahdanau": self.C, "conditional": 0}
        beside = self.C + self.E if o.skip else 0
        self.cells = nn.ModuleList(
            cell(self.H + beside if l else self.E + entering[o.placement], self.H)
            for l in range(o.decoder_layers))
        if self.conditional:
            self.second = cell(self.C, self.H)
        self.start = nn.ModuleList()
        if o.start in ("last", "mean"):
            self.start.extend(nn.Linear(self.C if o.start == "mean" else self.H, self.H)
                              for _ in range(o.decoder_layers))

    def make_attention(self):
        o = self.o
        jumps = JUMPS if o.monotonic_order else 0
        queries = {"additive": self.A, "location_aware": self.A, "local": self.A,
                   "location": o.positions, "window": 3 * o.gaussians, "monotonic": jumps}
        keys = {"additive": self.A, "location_aware": self.A, "general": self.H, "local": self.H,
                "monotonic": self.H + jumps}
        if queries.get(o.attention):
            self.query = nn.Linear(self.H, queries[o.attention])
        if o.attention in keys:
            self.key = nn.Linear(self.C, keys[o.attention], bias=False)
        if o.attention == "location_aware":
            self.filters = nn.Parameter(
                torch.zeros(o.location_filters, 1, 2 * o.location_reach + 1))
            self.W_location = nn.Parameter(torch.zeros(o.location_filters, self.A))
        if o.attention in ("additive", "location_aware", "local"):
            self.v = nn.Parameter(torch.zeros(self.A))
        if o.coverage:
            self.u = nn.Parameter(torch.zeros(self.A))
        if o.attention == "cosine":
            self.g = nn.Parameter(torch.zeros(o.heads))

    def make_readout(self):
        RR = self.R * (2 if self.o.readout == "maxout" else 1)
        if self.luong:
            self.vector = nn.Linear(self.H + self.C, self.H, bias=False)
        beside = self.H * (self.o.decoder_layers - 1) if self.o.skip else 0
        self.readout = nn.Linear(self.H if self.luong else self.H + self.C + self.E + beside, RR)
        self.output = nn.Linear(self.R, self.V[1])
        if self.o.tie != "none":
            self.output.weight = self.target_embedding.weight
        if self.o.copy:
            self.gate = nn.Linear(self.R, 1)

    def encode(self, source):
        """Annotations, their mask, and for each layer the state that has read all words."""
        length = torch.tensor([len(s) for s in source])
        padded = nn.utils.rnn.pad_sequence(source, batch_first=True)
        x = (self.frames if self.o.source_width else self.source_embedding)(padded)
        return (self.look if self.transformer else self.recur)(x, length)

    def look(self, x, length):
        """A transformer's encoder, which leaves no states."""
        place = torch.arange(x.shape[1])
        mask = place[None, :] < length[:, None]
        if self.E != self.H:
            x = self.input(x)
        if self.o.encoder_positions == "learned":
            p = self.positions(place.clamp(max=self.o.positions - 1))
        else:
            even = torch.arange(self.H) // 2 * 2
            angle = place[:, None] * 10000 ** (-even / self.H)
            p = torch.where(torch.arange(self.H) % 2 == 0, torch.sin(angle), torch.cos(angle))
        x = x * (1 if self.o.source_width else math.sqrt(self.E)) + p
        for layer in self.encoder:
            x = layer(x, src_key_padding_mask=~mask)
        return self.norm(x), mask, None

    def recur(self, x, length):
        last = []
        for l, layer in enumerate(self.encoder):
            if self.joins(l):  # rows past the end of a sentence are 0 already
                x = F.pad(x, (0, 0, 0, x.shape[1] % 2)).unflatten(1, (-1, 2)).flatten(2)
                length = (length + 1) // 2
            packed = nn.utils.rnn.pack_padded_sequence(
                x, length, batch_first=True, enforce_sorted=False)
            packed, end = layer(packed)
            y, _ = nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
            last.append([part[-1] for part in (end if self.o.cell == "lstm" else (end,))])
            x = y + x if self.o.residual and l and not self.joins(l) else y
        mask = torch.arange(x.shape[1])[None, :] < length[:, None]
        return x, mask, last

    def start_states(self, annotation, mask, last):
        o, B = self.o, annotation.shape[0]
        if o.start == "copy":
            return last
        length = mask.sum(1)
        if o.start == "mean":
            h = (annotation * mask[:, :, None]).sum(1) / length[:, None]
        else:
            ahead = o.unidirectional or self.transformer
            place = length - 1 if ahead else torch.zeros_like(length)
            h = annotation[torch.arange(B), place, -self.H:]
        zero = torch.zeros(B, self.H)
        first = [torch.tanh(layer(h)) for layer in self.start] or [zero] * o.decoder_layers
        return [[s, zero] if o.cell == "lstm" else [s] for s in first]

    def score(self, state, annotation, mask, carry):
        """e (B, G, S) and what the next step gets."""
        o, B, S = self.o, annotation.shape[0], annotation.shape[1]
        if o.attention == "additive":
            before = carry if carry is not None else torch.zeros(B, S)
            inner = self.query(state)[:, None, :] + self.key(annotation)
            if o.coverage:
                inner = inner + before[:, :, None] * self.u
            return (torch.tanh(inner) @ self.v)[:, None, :], carry
        if o.attention == "location_aware":
            before = carry if carry is not None else torch.zeros(B, S)
            seen = F.conv1d(before[:, None, :], self.filters, padding=o.location_reach)
            inner = self.query(state)[:, None, :] + self.key(annotation)
            inner = inner + seen.transpose(1, 2) @ self.W_location
            return (torch.tanh(inner) @ self.v)[:, None, :], carry
        if o.attention == "location":
            known = self.query(state)[:, :S]
            return F.pad(known, (0, S - known.shape[1]), value=-math.inf)[:, None, :], carry
        if o.attention == "window":
            return self.window_score(state, carry, S)
        if o.attention in ("general", "local", "monotonic"):
            key = self.key(annotation)[:, :, :self.H]
        else:
            key = annotation.reshape(B, S, -1, self.H).sum(2)
        key = key.reshape(B, S, o.heads, -1)
        state_part = state.reshape(B, o.heads, -1)
        e = torch.einsum("bgn,bsgn->bgs", state_part, key)
        if o.attention == "scaled_dot":
            e = e / math.sqrt(self.H / o.heads)
        if o.attention == "cosine":
            e = self.g[:, None] * F.cosine_similarity(
                state_part[:, :, None, :], key.transpose(1, 2), dim=3, eps=1e-12)
        if o.attention == "local":
            center = (mask.sum(1) - 1) * torch.sigmoid(torch.tanh(self.query(state)) @ self.v)
            off = torch.arange(S)[None, :] - center[:, None]
            e = e - (off ** 2 / (2 * (o.span / 2) ** 2))[:, None, :]
            e = e.masked_fill((off.abs() > o.span)[:, None, :], -math.inf)
        return e, carry

    def window_score(self, state, carry, S):
        log_w, wide, step = self.query(state).chunk(3, dim=1)
        b = F.softplus(wide + math.log(math.exp(0.5) - 1))
        m = F.softplus(step + math.log(math.e - 1)) + (0 if carry is None else carry)
        off = m[:, :, None] - 1 - torch.arange(S)
        return torch.logsumexp(log_w[:, :, None] - b[:, :, None] * off ** 2, 1, keepdim=True), m

    def attend(self, state, annotation, mask, carry):
        """Context (B, C), weights (B, G, S) and what the next step gets."""
        B, S = annotation.shape[:2]
        if self.o.attention == "none":
            end = annotation[torch.arange(B), mask.sum(1) - 1, :self.H]
            return torch.cat([end, annotation[:, 0, self.H:]], 1), torch.ones(B, 1, 1), None
        e, carry = self.score(state, annotation, mask, carry)
        weight = torch.softmax(e.masked_fill(~mask[:, None, :], -math.inf), dim=2)
        if self.o.coverage:
            carry = weight[:, 0] + (0 if carry is None else carry)
        if self.o.attention == "location_aware":
            carry = weight[:, 0]
        part = annotation.reshape(B, S, self.o.heads, -1)
        return torch.einsum("bgs,bsgn->bgn", weight, part).reshape(B, -1), weight, carry

    def through_cell(self, cell, x, state):
        new = cell(x, tuple(state) if self.o.cell == "lstm" else state[0])
        return list(new) if self.o.cell == "lstm" else [new]

    def through_layers(self, x, states, below=0, beside=None):
        """Top output and new states of the layers from `below` on, and with skip links, when all
        layers but the first read `beside` too, what each of them reads from the layer below."""
        after, read = [], []
        for l, state in enumerate(states, below):
            inner = x
            if l and self.o.skip:
                read.append(x)
                inner = torch.cat([x, beside], 1)
            after.append(self.through_cell(self.cells[l], inner, state))
            x = after[-1][0] + x if self.o.residual and l else after[-1][0]
        return x, after, read

    def forward(self, source, target_in):
        """Annotations (B, S, C), weights (B, T, G, S) and logits (B, T, V), all padded."""
        annotation, mask, last = self.encode(source)
        embedded = self.target_embedding(nn.utils.rnn.pad_sequence(target_in, batch_first=True))
        states = self.start_states(annotation, mask, last)
        carry, r, weights, logits = None, torch.zeros(len(source), self.H), [], []
        steps = []  # of hard attention: transitions, and what is said at each position
        for word in embedded.unbind(1):
            asked = states[-1][0]
            if self.luong:
                x = torch.cat([word, r], 1) if self.o.input_feeding else word
                top, states, _ = self.through_layers(x, states)
                asked = top
                context, weight, carry = self.attend(top, annotation, mask, carry)
                r = torch.tanh(self.vector(torch.cat([top, context], 1)))
                parts = None
                o = self.readout(r)
            elif self.conditional:
                asking = self.through_cell(self.cells[0], word, states[0])
                asked = asking[0]
                context, weight, carry = self.attend(asking[0], annotation, mask, carry)
                first = self.through_cell(self.second, context, asking)
                top, others, read = self.through_layers(
                    first[0], states[1:], 1, torch.cat([context, word], 1))
                states = [first, *others]
                parts = [word, *read]
                o = self.readout(torch.cat([top, context, *parts], 1))
            else:
                context, weight, carry = self.attend(states[-1][0], annotation, mask, carry)
                top, states, read = self.through_layers(
                    torch.cat([word, context], 1), states, 0, torch.cat([context, word], 1))
                parts = [word, *read]
                o = self.readout(torch.cat([top, context, *parts], 1))
            weights.append(weight)
            logits.append(self.say(self.read(o), weight, source))
            if self.hard:
                steps.append((self.transitions(asked, annotation, mask),
                              self.say_everywhere(top, annotation, parts)))
        if self.hard:
            return annotation, *(torch.stack(x, dim=1) for x in zip(*steps))
        return annotation, torch.stack(weights, dim=1), torch.stack(logits, dim=1)

    def say(self, o, weight, source):
        """Logits (B, V); with copying the logarithms of the mixed probabilities."""
        if not self.o.copy:
            return self.output(o)
        word = nn.utils.rnn.pad_sequence(source, batch_first=True)
        copied = torch.zeros(len(source), self.V[1]).scatter_add(1, word, weight.mean(1))
        g = torch.sigmoid(self.gate(o))
        return torch.log(g * torch.softmax(self.output(o), 1) + (1 - g) * copied)

    # ---- Hard attention ----

    def transitions(self, state, annotation, mask):
        """log P(a_t = j | a_{t-1} = i), (B, S, S); of i past the end of a sentence, anything."""
        S = annotation.shape[1]
        i, j = torch.arange(S)[:, None], torch.arange(S)[None, :]
        s = self.score(state, annotation, mask, None)[0].expand(-1, S, -1)
        if self.o.monotonic_order:
            jump = (j - i).clamp(0, JUMPS - 1)
            s = s + self.query(state)[:, jump]
            s = s + self.key(annotation)[:, :, self.H:].gather(2, jump.expand(len(s), -1, -1))
        ahead = (j >= i) & mask[:, None, :] | (j == i)
        return torch.log_softmax(s.masked_fill(~ahead, NEVER), 2)

    def say_everywhere(self, top, annotation, parts):
        """log P(y_t = k | a_t = j), (B, S, V)."""
        each = lambda x: x[:, None, :].expand(-1, annotation.shape[1], -1)
        if self.luong:
            o = self.readout(torch.tanh(self.vector(torch.cat([each(top), annotation], 2))))
        else:
            o = self.readout(torch.cat([each(top), annotation, *map(each, parts)], 2))
        return torch.log_softmax(self.output(self.read(o)), 2)

    def read(self, o):
        if self.o.readout == "maxout":
            return o.unflatten(-1, (self.R, 2)).amax(-1)
        return torch.tanh(o) if self.o.readout == "tanh" else o


# ---- Our names, layouts and starting values ----

def slots(rows, order):
    """Gates of PyTorch's rows, in our order, as columns."""
    gates = rows.chunk({"nrz": 3, "rzn": 3, "ifgo": 4, "s": 1}[order])
    if order == "nrz":
        gates = [gates[2], gates[0], gates[1]]
    return [gate.T if gate.dim() == 2 else gate[None] for gate in gates]


def cell_blocks(path, kind, of, layer, parts, suffix=""):
    """W_input and what else enters (name: rows), U_state and bias of a cell."""
    order = {"gru": "nrz", "lstm": "ifgo", "tanh": "s"}[kind]
    into, state, bias, second = (of(getattr(layer, name + suffix)) for name in
                                 ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    blocks, at = {}, 0
    for name, rows in parts.items():
        blocks[f"{path}.{name}"] = slots(into[:, at:at + rows], order)
        at += rows
    blocks[f"{path}.U_state"] = slots(state, "rzn" if kind == "gru" else order)
    blocks[f"{path}.bias"] = slots(bias, order)
    if kind == "gru":
        blocks[f"{path}.bias"].append(slots(second, "rzn")[2])
    return blocks


def norm_blocks(path, of, norm):
    return {f"{path}.gain": [of(norm.weight)[None]], f"{path}.bias": [of(norm.bias)[None]]}


def transformer_blocks(model, of):
    blocks = {}
    if model.E != model.H:
        blocks["encoder.input.W"] = [of(model.input.weight).T]
        blocks["encoder.input.b"] = [of(model.input.bias)[None]]
    if model.o.encoder_positions == "learned":
        blocks["encoder.positions.table"] = [of(model.positions.weight)]
    for l, layer in enumerate(model.encoder):
        path, own = f"encoder.{l}", layer.self_attn
        parts = {"self": {"qkv": (own.in_proj_weight, own.in_proj_bias),
                          "out": (own.out_proj.weight, own.out_proj.bias)},
                 "ff": {"up": (layer.linear1.weight, layer.linear1.bias),
                        "down": (layer.linear2.weight, layer.linear2.bias)}}
        for (part, products), norm in zip(parts.items(), (layer.norm1, layer.norm2)):
            blocks.update(norm_blocks(f"{path}.norm_{part}", of, norm))
            for name, (weight, bias) in products.items():
                blocks[f"{path}.W_{name}"] = [of(weight).T]
                blocks[f"{path}.b_{name}"] = [of(bias)[None]]
    return {**blocks, **norm_blocks("encoder.norm", of, model.norm)}


def encoder_blocks(model, of):
    if model.transformer:
        return transformer_blocks(model, of)
    kind, blocks = model.o.cell, {}
    for l, layer in enumerate(model.encoder):
        parts = {"W_input": model.input_width(l)}
        blocks.update(cell_blocks(f"encoder.{l}.forward.{kind}", kind, of, layer, parts, "_l0"))
        if not model.o.unidirectional:
            blocks.update(cell_blocks(
                f"encoder.{l}.backward.{kind}", kind, of, layer, parts, "_l0_reverse"))
    return blocks


def decoder_blocks(model, of):
    kind, blocks = model.o.cell, {}
    for l, layer in enumerate(model.start):
        blocks[f"decoder.start.{l}.W"] = [of(layer.weight).T]
        blocks[f"decoder.start.{l}.b"] = [of(layer.bias)[None]]
    for l, cell in enumerate(model.cells):
        parts = {"W_input": model.H if l else model.E}
        if l == 0 and model.o.placement == "bahdanau":
            parts["W_context"] = model.C
        if l == 0 and model.o.input_feeding:
            parts["W_feed"] = model.H
        if l and model.o.skip:
            parts.update({"W_context": model.C, "W_word": model.E})
        blocks.update(cell_blocks(f"decoder.{l}.{kind}", kind, of, cell, parts))
        if l == 0 and model.conditional:
            blocks.update(cell_blocks(f"decoder.{l}.second.{kind}", kind, of, model.second,
                                      {"W_context": model.C}))
    return blocks


def attention_blocks(model, of):
    blocks, path = {}, "decoder.attention"
    if hasattr(model, "query"):
        blocks[f"{path}.W_query"] = [of(model.query.weight).T]
        blocks[f"{path}.b_query"] = [of(model.query.bias)[None]]
    if hasattr(model, "key"):
        blocks[f"{path}.W_key"] = [of(model.key.weight).T]
    blocks.update({f"{path}.{name}": [of(getattr(model, name))[None]]
                   for name in "vug" if hasattr(model, name)})
    blocks.update({f"{path}.{name}": [of(getattr(model, name)).reshape(1, -1)]
                   for name in ("filters", "W_location") if hasattr(model, name)})
    return blocks


def readout_blocks(model, of):
    read, blocks, path = of(model.readout.weight).T, {}, "decoder.readout"
    if model.luong:
        vector = of(model.vector.weight).T
        blocks["decoder.vector.W_state"] = [vector[:model.H]]
        blocks["decoder.vector.W_context"] = [vector[model.H:]]
        blocks[f"{path}.W_vector"] = [read]
    else:
        below = [f"{l}.W_state" for l in range(model.o.decoder_layers - 1) if model.o.skip]
        parts = zip(("W_state", "W_context", "W_input", *below),
                    read.split([model.H, model.C, model.E] + [model.H] * len(below)))
        blocks.update({f"{path}.{name}": [part] for name, part in parts})
    blocks[f"{path}.b"] = [of(model.readout.bias)[None]]
    if model.o.tie == "none":
        blocks["decoder.output.W"] = [of(model.output.weight).T]
    blocks["decoder.output.b"] = [of(model.output.bias)[None]]
    if model.o.copy:
        blocks["decoder.copy.w"] = [of(model.gate.weight)]
        blocks["decoder.copy.b"] = [of(model.gate.bias)[None]]
    return blocks


def ours(model, of):
    """By our names, `of` each parameter, its value or gradient: views, to be joined as columns."""
    if model.o.source_width:
        blocks = {"encoder.frames.W": [of(model.frames.weight).T],
                  "encoder.frames.b": [of(model.frames.bias)[None]]}
    else:
        blocks = {"encoder.embedding.table": [of(model.source_embedding.weight)]}
    blocks.update(encoder_blocks(model, of))
    if model.o.tie != "all":
        blocks["decoder.embedding.table"] = [of(model.target_embedding.weight)]
    return {**blocks, **decoder_blocks(model, of), **attention_blocks(model, of),
            **readout_blocks(model, of)}


def values(model):
    return {path: torch.cat(x, 1).clone() for path, x in ours(model, lambda p: p.data).items()}


def gradients(model):
    return {path: torch.cat(x, 1).clone() for path, x in ours(model, lambda p: p.grad).items()}


# Starting values of these have a larger range or another center than 0. With such an output layer
# some gradients are longer than CLIP and some are not; a cosine's sharpness starts near 8.
WIDTH = {"decoder.output.W": 1.2, "decoder.output.b": 1.0}
MIDDLE = {"decoder.attention.g": 8.0}


def path_key(path):
    key = 0
    for byte in path.encode():
        key = (131 * key + byte) % 9973
    return key


def starting_values(model):
    """Element i of our layout: a sine whose frequency grows, so that no matrix has a low rank."""
    for p in model.parameters():
        p.data.zero_()
    for path, blocks in ours(model, lambda p: p.data).items():
        rows, widths = blocks[0].shape[0], [block.shape[1] for block in blocks]
        i = torch.arange(rows * sum(widths), dtype=torch.float64)
        wave = torch.sin(1.3 * path_key(path) + 0.7 * i + 0.013 * i * i)
        x = (MIDDLE.get(path, 0) + WIDTH.get(path, 0.7) * wave).reshape(rows, -1)
        for block, part in zip(blocks, x.split(widths, 1)):
            block.copy_(part)
    for name, p in model.named_parameters():
        if "bias_hh" in name:
            freeze_second_bias(p, model.o.cell, model.H)


def freeze_second_bias(bias, cell, H):
    """PyTorch adds two biases to every gate, we only one except for the GRU's n: the second stays 0."""
    keep = torch.zeros_like(bias.data)
    if cell == "gru":
        keep[2 * H:] = 1
    assert not (bias.data * (1 - keep)).any()
    bias.register_hook(lambda grad: grad * keep)


# ---- What is computed ----

WORDS = sum(len(ids) + 1 for ids in TARGET)


def batch(model):
    if model.o.source_width:
        source = [torch.tensor(frames) for frames in FRAMES]
    else:
        source = [torch.tensor(ids + [EOS]) for ids in SOURCE]
    target_in = [torch.tensor([BOS] + ids) for ids in TARGET]
    target_out = [torch.tensor(ids + [EOS]) for ids in TARGET]
    return source, target_in, target_out


def activations(model, items, *names):
    source, target_in, target_out = batch(model)
    with torch.no_grad():
        annotation, weight, logits = model(source, target_in)
    tensors = {}
    for i in items:
        own = -(-len(source[i]) // 2 ** model.o.pyramid)
        S = 1 if model.o.attention == "none" else own
        T = len(target_out[i])
        tensors[f"annotation.{i}"] = annotation[i, :own]
        tensors[f"weight.{i}"] = weight[i, :T, :, :S].flatten(1)
        tensors[f"logits.{i}"] = logits[i, :T]
    return {key: x for key, x in tensors.items() if key.startswith(names)}


def sum_alignments(transition, word):
    """The priors log P(a_t = j | y_<t) (B, T, S) and log P(y_t | y_<t) (B, T), from
    log P(y_t | a_t = j) (B, T, S): the forward algorithm."""
    priors, scores, last = [], [], None
    for step, score in zip(transition.unbind(1), word.unbind(1)):
        prior = step[:, 0] if last is None else torch.logsumexp(last[:, :, None] + step, 1)
        both = prior + score
        priors.append(prior)
        scores.append(torch.logsumexp(both, 1))
        last = both - scores[-1][:, None]
    return torch.stack(priors, 1), torch.stack(scores, 1)


def hard_target(model):
    """y_t (B, T) and which of them there are."""
    target_out = batch(model)[2]
    padded = nn.utils.rnn.pad_sequence(target_out, batch_first=True, padding_value=EOS)
    length = torch.tensor([len(t) for t in target_out])
    return padded, torch.arange(padded.shape[1])[None, :] < length[:, None]


def hard_loss(model, smoothing):
    _, transition, says = model(*batch(model)[:2])
    y, there = hard_target(model)
    word = says.gather(3, y[:, :, None, None].expand(-1, -1, says.shape[2], 1))[..., 0]
    word = (1 - smoothing) * word + smoothing * says.mean(3)
    return -(sum_alignments(transition, word)[1] * there).sum() / WORDS


def hard_activations(model, items):
    """The posterior is the gradient of log P(y) with respect to log P(y_t | a_t = j)."""
    _, transition, says = (x.detach() for x in model(*batch(model)[:2]))
    y, there = hard_target(model)
    word = says.gather(3, y[:, :, None, None].expand(-1, -1, says.shape[2], 1))[..., 0]
    word.requires_grad_()
    priors, scores = sum_alignments(transition, word)
    (scores * there).sum().backward()
    tensors = {}
    for i in items:
        S, T = len(batch(model)[0][i]), int(there[i].sum())
        tensors[f"weight.{i}"] = word.grad[i, :T, :S]
        tensors[f"prior.{i}"] = priors[i, :T, :S].exp()
    return {**tensors, "steps": hard_loss(model, 0).item()}


def mean_loss(model, smoothing):
    if model.hard:
        return hard_loss(model, smoothing)
    source, target_in, target_out = batch(model)
    _, _, logits = model(source, target_in)
    padded = nn.utils.rnn.pad_sequence(target_out, batch_first=True, padding_value=-100)
    return F.cross_entropy(logits.flatten(0, 1), padded.flatten(), reduction="sum",
                           ignore_index=-100, label_smoothing=smoothing) / WORDS


def train(model, smoothing, updates):
    """Losses, norms and the first gradient."""
    adam = torch.optim.Adam(model.parameters(), lr=LR, betas=(0.9, 0.999), eps=1e-8)
    losses, norms, first = [], [], None
    for _ in range(updates):
        adam.zero_grad()
        loss = mean_loss(model, smoothing)
        loss.backward()
        first = first or gradients(model)
        losses.append(loss.item())
        norms.append(nn.utils.clip_grad_norm_(model.parameters(), CLIP).item())
        adam.step()
    losses.append(mean_loss(model, smoothing).item())
    return losses, norms, first


def summary(tensor):
    x = tensor.flatten()
    i = torch.arange(len(x), dtype=torch.float64)
    return [x.norm().item(), (x * torch.cos(0.9 * i)).sum().item(),
            (x * torch.sin(1.1 * i + 0.5)).sum().item()]


# ---- The model in detail ----

DETAIL_UPDATES = 10


def detail():
    model = Model(DETAIL_SIZES)
    tensors = activations(model, range(len(SOURCE)), "annotation", "weight", "logits")
    losses, norms, first = train(model, SMOOTHING, DETAIL_UPDATES)
    assert min(norms) < CLIP < max(norms), norms
    tensors.update({"smoothed/loss": losses, "smoothed/norm": norms})
    tensors.update({f"smoothed/gradient/{p}": x for p, x in first.items()})
    tensors.update({f"smoothed/final/{p}": summary(x) for p, x in values(model).items()})
    losses, norms, first = train(Model(DETAIL_SIZES), 0, DETAIL_UPDATES)
    tensors.update({"plain/loss": losses, "plain/norm": norms})
    tensors.update({f"plain/gradient/{p}": summary(x) for p, x in first.items()})
    return [("detail", {}, tensors)]


# ---- The family in summary ----

FAMILY_UPDATES = 5
EXTRAS = {
    "tanh-cell": {"cell": "tanh", "placement": "luong", "input-feeding": True},
    "residual-mean": {"encoder-layers": 3, "decoder-layers": 2, "residual": True, "start": "mean"},
    "residual-luong": {"encoder-layers": 2, "decoder-layers": 3, "residual": True, "cell": "lstm",
                       "placement": "luong", "input-feeding": True, "attention": "general"},
    "tied-target-maxout": {"tie": "target", "readout-size": 5, "readout": "maxout"},
    "tied-all-maxout": {"tie": "all", "readout-size": 5, "readout": "maxout", "placement": "luong"},
    "unidirectional": {"unidirectional": True, "attention": "dot", "cell": "lstm"},
    "start-zero-linear": {"start": "zero", "readout": "linear", "cell": "lstm"},
    "start-copy": {"start": "copy", "cell": "lstm", "encoder-layers": 2, "decoder-layers": 2},
    "start-copy-ahead": {"start": "copy", "unidirectional": True, "attention": "none"},
    "heads-scaled": {"heads": 2, "attention": "scaled_dot", "placement": "luong"},
    "heads-general": {"heads": 5, "attention": "general", "cell": "lstm"},
    "heads-cosine": {"heads": 2, "attention": "cosine"},
    "coverage": {"coverage": True, "placement": "luong", "input-feeding": True},
    "location": {"attention": "location", "positions": 4},
    "local": {"attention": "local", "span": 2, "placement": "luong"},
    "window": {"attention": "window", "gaussians": 2},
    "location-aware": {"attention": "location_aware", "location-filters": 2, "location-reach": 1,
                       "placement": "luong", "input-feeding": True},
    "frames": {"source_width": WIDTH_OF_FRAMES},
    "frames-pyramid": {"source_width": WIDTH_OF_FRAMES, "pyramid": 2, "encoder-layers": 4,
                       "decoder-layers": 4, "residual": True, "cell": "lstm", "start": "copy"},
    "frames-location-aware": {"source_width": WIDTH_OF_FRAMES, "pyramid": 1, "encoder-layers": 2,
                              "attention": "location_aware", "location-filters": 3,
                              "location-reach": 2, "unidirectional": True},
    "copy": {"copy": True},
    "copy-heads": {"copy": True, "heads": 2, "attention": "general", "placement": "luong",
                   "input-feeding": True},
    "copy-coverage-tied": {"copy": True, "coverage": True, "cell": "lstm", "tie": "all",
                           "readout-size": 5},
    "conditional": {"placement": "conditional"},
    "conditional-lstm": {"placement": "conditional", "cell": "lstm", "attention": "dot",
                         "copy": True, "encoder-layers": 2, "decoder-layers": 2, "start": "copy"},
    "conditional-residual": {"placement": "conditional", "decoder-layers": 3, "residual": True,
                             "coverage": True, "readout": "maxout", "start": "mean"},
    "skip": {"skip": True, "decoder-layers": 3},
    "skip-lstm": {"skip": True, "decoder-layers": 2, "encoder-layers": 2, "cell": "lstm",
                  "residual": True, "attention": "window", "gaussians": 2},
    "skip-conditional": {"skip": True, "decoder-layers": 3, "placement": "conditional"},
    "skip-heads": {"skip": True, "decoder-layers": 2, "placement": "conditional",
                   "attention": "general", "heads": 2, "readout": "maxout"},
    "conditional-heads": {"placement": "conditional", "cell": "tanh", "attention": "general",
                          "heads": 2, "tie": "all", "readout-size": 5},
    "transformer": {"encoder": "transformer", "encoder-heads": 2, "encoder-layers": 2},
    "transformer-learned": {"encoder": "transformer", "encoder-heads": 5, "encoder-ff": 7,
                            "encoder-activation": "gelu", "encoder-positions": "learned",
                            "positions": 4, "emb": 10, "attention": "scaled_dot", "heads": 2,
                            "placement": "luong"},
    "transformer-copy": {"encoder": "transformer", "encoder-heads": 1, "encoder-layers": 3,
                         "encoder-ff": 11, "copy": True, "cell": "lstm", "start": "mean",
                         "placement": "conditional"},
    "transformer-none": {"encoder": "transformer", "encoder-heads": 2, "attention": "none"},
    "monotonic": {"attention": "monotonic"},
    "monotonic-first": {"attention": "monotonic", "monotonic-order": 1, "placement": "luong",
                        "decoder-layers": 2, "readout": "maxout"},
    "monotonic-fed": {"attention": "monotonic", "placement": "luong", "input-feeding": True,
                      "cell": "lstm"},
    "monotonic-first-conditional": {"attention": "monotonic", "monotonic-order": 1,
                                    "placement": "conditional", "decoder-layers": 2, "skip": True},
    "monotonic-first-bahdanau": {"attention": "monotonic", "monotonic-order": 1, "tie": "target",
                                 "readout-size": 5, "readout": "linear", "encoder": "transformer",
                                 "encoder-heads": 2},
    "transformer-frames": {"encoder": "transformer", "encoder-heads": 2, "encoder-layers": 2,
                           "source_width": WIDTH_OF_FRAMES, "attention": "dot", "start": "zero"},
}


def family_options():
    """Every attention with the usual cells in both placements, input feeding in every other."""
    members, feeding = {}, False
    for attention in ("additive", "dot", "general", "scaled_dot", "cosine", "none"):
        for cell in ("gru", "lstm"):
            members[f"{attention}-{cell}-bahdanau"] = {"attention": attention, "cell": cell}
            chosen = {"attention": attention, "cell": cell, "placement": "luong"}
            if feeding:
                chosen["input-feeding"] = True
            members[f"{attention}-{cell}-luong{'-fed' if feeding else ''}"] = chosen
            feeding = not feeding
        feeding = not feeding
    return {**members, **EXTRAS}


def member(options):
    model = Model(options)
    show = hard_activations if model.hard else lambda m, i: activations(m, i, "weight")
    tensors = show(model, [SHOWN])
    losses, norms, first = train(model, SMOOTHING, FAMILY_UPDATES)
    tensors.update({"loss": losses, "norm": norms[:1]})
    tensors["key"] = [path_key(path) for path in first]
    tensors["gradient"] = [summary(x) for x in first.values()]
    assert len(set(tensors["key"])) == len(first), "two paths have the same key"
    return tensors


def family():
    for name, options in family_options().items():
        yield name, options, member({**FAMILY_SIZES, **options})


# ---- The files ----

def shortest(x, decimals):
    text = f"{x:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text.startswith(("0.", "-0.")):
        text = text.replace("0.", ".", 1)
    return "0" if text == "-0" else text


def write_tensor(file, name, tensor):
    rows = torch.atleast_2d(torch.as_tensor(tensor))
    largest = rows.abs().max().item()
    decimals = max(0, 10 - math.floor(math.log10(largest))) if largest else 0
    print(name, *rows.shape, end=" " if len(rows) == 1 else "\n", file=file)
    for row in rows.tolist():
        print(*(shortest(x, decimals) for x in row), file=file)


def write(path, sizes, models, frames=()):
    with open(path, "w", encoding="ascii", newline="\n") as file:
        for side, sentences in (("source", SOURCE), ("target", TARGET)):
            for i, ids in enumerate(sentences):
                write_tensor(file, f"{side}.{i}", ids)
        for i, rows in enumerate(frames):
            write_tensor(file, f"frames.{i}", rows)
        write_tensor(file, "training", [LR, CLIP, SMOOTHING])
        write_tensor(file, "sizes", [*VOCAB, *sizes.values()])
        for name, options, tensors in models:
            texts = (str(x).lower() for pair in options.items() for x in pair)
            print("=", name, *texts, file=file)
            for key, tensor in tensors.items():
                write_tensor(file, key, tensor)


# ---- The output of a pen: mixture.txt, for src/train/mixture_parity_test.c ----

def mixture_loss(y, stroke, end, K):
    """The loss of every row by PyTorch's distributions; y (N, 6 K + 2), stroke (N, 3), end (N)."""
    log_w, mx, my, lx, ly, r = y[:, :6 * K].unflatten(1, (6, K)).unbind(1)
    sx, sy, rho = 0.02 + torch.exp(lx), 0.02 + torch.exp(ly), 0.99 * torch.tanh(r)
    covariance = torch.stack([sx ** 2, rho * sx * sy, rho * sx * sy, sy ** 2], 2).unflatten(2, (2, 2))
    density = torch.distributions.MixtureSameFamily(
        torch.distributions.Categorical(logits=log_w),
        torch.distributions.MultivariateNormal(torch.stack([mx, my], 2), covariance))
    pen = F.binary_cross_entropy_with_logits(y[:, -2], stroke[:, 2], reduction="none")
    over = F.binary_cross_entropy_with_logits(y[:, -1], end, reduction="none")
    return over + (1 - end) * (pen - density.log_prob(stroke[:, :2]))


def mixture():
    """Tensors K, o, W, b, stroke and end (1, N), then loss (1, N) of the rows and the gradients."""
    N, R, K = 5, 4, 3
    columns = 6 * K + 2
    wave = lambda rows, cols, phase, width: width * torch.sin(
        phase + 0.7 * torch.arange(rows * cols) ** 1.1).reshape(rows, cols)
    o, W, b = wave(N, R, 0.3, 1.0), wave(R, columns, 1.1, 0.8), wave(1, columns, 2.2, 0.6)
    stroke, end = wave(N, 3, 0.9, 1.7), torch.tensor([0, 0, 1, 0, 0.0])
    stroke[:, 2] = (stroke[:, 2] > 0).to(stroke.dtype)
    leaves = {name: x.requires_grad_() for name, x in (("o", o), ("W", W), ("b", b))}
    loss = mixture_loss(o @ W + b, stroke, end, K)
    loss.sum().backward()
    return {"K": [K], **leaves, "stroke": stroke, "end": end, "loss": loss,
            **{f"d_{name}": x.grad for name, x in leaves.items()}}


def write_tensors(path, tensors):
    with open(path, "w", encoding="ascii", newline="\n") as file:
        for key, tensor in tensors.items():
            write_tensor(file, key, tensor)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_parity.py OUTDIR")
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    write(os.path.join(sys.argv[1], "seq2seq.txt"), DETAIL_SIZES, detail())
    write(os.path.join(sys.argv[1], "family.txt"), FAMILY_SIZES, family(), FRAMES)
    write_tensors(os.path.join(sys.argv[1], "mixture.txt"), mixture())


if __name__ == "__main__":
    main()
