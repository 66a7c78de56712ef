#!/usr/bin/env python3
"""PyTorch peer for the benchmark: attention-based RNN encoder-decoder on CPU.

The model (Bahdanau et al. 2015, with the reset-after GRU that nn.GRU uses):

  encoder   bidirectional GRU (or LSTM) over source embeddings, h_j = [fwd_j; bwd_j]
  start     s_0 = tanh(W_0 . backward state at the first source position)
  step t    e_tj  = v . tanh(W s_{t-1} + U h_j)          (U h_j computed once)
            a_t   = softmax over the real (unpadded) positions of e_t
            c_t   = sum_j a_tj h_j
            s_t   = GRU([emb(y_{t-1}); c_t], s_{t-1})
  readout   o_t   = tanh(W1 s_t + W2 c_t + W3 emb(y_{t-1}))   all steps in one GEMM
            p(y_t)= softmax(W_o o_t)                           all steps in one GEMM

Other scores (--attention), with A = H the key size:
  dot         e_tj = s_{t-1} . k_j,            k_j = fwd_j + bwd_j (no parameters)
  scaled_dot  the same divided by sqrt(H)
  cosine      g * cos(s_{t-1}, k_j), the scalar g is learned (starts at 8)
  general     e_tj = s_{t-1} . U h_j           (U h_j computed once)
  none        c_t is the fixed vector [last fwd state; first bwd state]

What was done to be fast in PyTorch, all of it within ordinary autograd code:
  * everything that does not depend on the recurrence is hoisted out of the loop
    into one GEMM (input gates of the embeddings, keys, readout, logits);
  * the two products with s_{t-1} (recurrent gates and attention query) share one GEMM;
  * per-step slices come from unbind(), whose backward is one stack() (indexing
    inside the loop would make autograd zero-fill a full-size gradient every step);
  * padded target positions are dropped before the readout and the V-sized softmax;
  * weight gradients of the products inside the loop are not accumulated step by
    step but computed by one GEMM after the backward sweep (--wgrad deferred), in
    the encoder too, which is therefore written out (--encoder loop; --encoder
    packed is the usual bidirectional nn.GRU on a packed sequence, a bit slower);
  * Adam works in cache-sized chunks with the clip factor folded in (--adam chunked).

Each of these can be switched back to the textbook form by a flag, so that the
difference can be measured.  Only torch and numpy are needed.

`encoder` measures nn.TransformerEncoder alone, forward and backward, on length-sorted batches.
`translate` takes a model file of attend (additive attention, GRU, one layer, float,
--tokenizer spaces), so that both sides multiply the same numbers.
"""

import os
import sys


def _threads_from_argv(argv, default="2"):
    """The thread count must reach OpenBLAS/BLIS/libgomp before torch is loaded:
    a pthread OpenBLAS does not listen to torch.set_num_threads()."""
    for i, a in enumerate(argv):
        if a == "--threads" and i + 1 < len(argv):
            return argv[i + 1]
        if a.startswith("--threads="):
            return a.split("=", 1)[1]
    return default


for _var in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[_var] = _threads_from_argv(sys.argv)

import argparse
import collections
import json
import math
import random
import resource
import time
from typing import List, Optional, Tuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

UNK, BOS, EOS = 0, 1, 2
PAD = -1  # marks padding in the outputs; in the inputs it reads any row, and is masked
SPECIALS = ["<unk>", "<s>", "</s>"]
SCORES = ["additive", "dot", "general", "scaled_dot", "cosine", "none"]


# --------------------------------------------------------------------------- data

def read_lines(path):
    with open(path, encoding="utf-8") as f:
        return [line.split() for line in f]


def build_vocab(files, size):
    """The `size - 4` most frequent pieces of all the files together, ties by piece."""
    count = collections.Counter()
    for lines in files:
        for line in lines:
            count.update(line)
    best = sorted(count.items(), key=lambda kv: (-kv[1], kv[0]))[: size - len(SPECIALS)]
    return SPECIALS + [w for w, _ in best]


def encode(lines, vocab):
    index = {w: i for i, w in enumerate(vocab)}
    return [[index.get(w, UNK) for w in line] for line in lines]


class Batch:
    """One padded mini-batch; rows sorted by falling source length (for packing).

    src      (S, B) source ids, EOS at the end of each
    y_in     (T, B) <s> y_1 .. y_n
    y_out    (T, B) y_1 .. y_n </s>
    mask     (B, S) 0 for real positions, -inf for padding (added to the scores)
    rows     indices of the real positions in y_out.view(-1)
    """

    def __init__(self, src, tgt=None):
        order = sorted(range(len(src)), key=lambda i: -len(src[i]))
        self.order = order
        lens = [len(src[i]) + 1 for i in order]
        S, B = lens[0], len(src)
        s = np.zeros((S, B), dtype=np.int64)
        mask = np.zeros((B, S), dtype=np.float32)
        flip = np.zeros((S, B), dtype=np.int64)  # position j <-> len-1-j, padding stays
        for b, i in enumerate(order):
            n = lens[b]
            s[: n - 1, b] = src[i]
            s[n - 1, b] = EOS
            mask[b, n:] = -np.inf
            flip[:n, b] = np.arange(n - 1, -1, -1)
            flip[n:, b] = np.arange(n, S)
        self.src = torch.from_numpy(s)
        self.lens = torch.tensor(lens)
        self.mask = torch.from_numpy(mask)
        self.flip = torch.from_numpy(flip)
        self.n_src = sum(len(x) for x in src)  # pieces of the file, EOS not counted
        if tgt is not None:
            T = max(len(t) for t in tgt) + 1
            y_in = np.zeros((T, B), dtype=np.int64)
            y_out = np.full((T, B), PAD, dtype=np.int64)
            for b, i in enumerate(order):
                n = len(tgt[i])
                y_in[0, b] = BOS
                y_in[1: n + 1, b] = tgt[i]
                y_out[:n, b] = tgt[i]
                y_out[n, b] = EOS
            self.y_in = torch.from_numpy(y_in)
            flat = torch.from_numpy(y_out).view(-1)
            self.rows = (flat != PAD).nonzero().squeeze(1)
            self.y = flat[self.rows]
            self.n_tgt = sum(len(t) for t in tgt)
            self.y_cells = T * B


def make_batches(src, tgt, size):
    """Length-sorted batches: target length first (the decoder loop is the expensive
    part and runs over padded targets), then source length (the encoder is packed)."""
    keep = [i for i in range(len(src)) if src[i] and tgt[i]]
    keep.sort(key=lambda i: (len(tgt[i]), len(src[i])))
    groups = [keep[k: k + size] for k in range(0, len(keep), size)]
    return [Batch([src[i] for i in g], [tgt[i] for i in g]) for g in groups]


# ---------------------------------------------------------- deferred weight gradients

class WgradStore:
    """Gathers (input, output gradient) pairs of a weight used at every step, so that
    its gradient becomes one GEMM with K = steps*batch instead of one per step."""

    def __init__(self):
        self.items = {}

    def add(self, weight, x, g):
        self.items.setdefault(weight, []).append((x, g))

    def flush(self):
        for weight, pairs in self.items.items():
            x = torch.cat([p[0] for p in pairs])
            g = torch.cat([p[1] for p in pairs])
            dw = g.t().mm(x)
            weight.grad = dw if weight.grad is None else weight.grad.add_(dw)
        self.items.clear()


STORE = WgradStore()


class DeferredMM(torch.autograd.Function):
    """base + x W^T whose backward leaves dW to STORE.flush()."""

    @staticmethod
    def forward(ctx, base, x, weight):
        ctx.save_for_backward(x)
        ctx.weight = weight
        return torch.addmm(base, x, weight.t())

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        STORE.add(ctx.weight, x, g)
        gbase = g if ctx.needs_input_grad[0] else None
        return gbase, g.mm(ctx.weight.detach()), None


# -------------------------------------------------------------------------- decoder

class Decoder(nn.Module):
    """The recurrent part: attention and cell.  Scriptable with torch.jit.script."""

    __constants__ = ["H", "G", "A", "score", "lstm", "context"]

    def __init__(self, E, H, score, cell, context):
        super().__init__()
        self.H, self.score, self.lstm = H, score, cell == "lstm"
        self.context = context
        self.G = (4 if self.lstm else 3) * H
        self.A = H if score == "additive" else 0  # width of the projected query
        self.w_e = nn.Linear(E, self.G)                    # gates from emb(y)
        self.w_c = nn.Linear(2 * H, self.G, bias=False)    # gates from the context
        self.w_s = nn.Linear(H, self.G + self.A)           # gates and query from s
        self.keys = nn.Linear(2 * H, H, bias=False)        # U
        self.v = nn.Parameter(torch.empty(H).uniform_(-0.05, 0.05))
        self.g = nn.Parameter(torch.tensor(8.0))
        if score in ("dot", "scaled_dot", "cosine", "none"):
            self.keys = nn.Identity()
        if score != "additive":
            self.v = None
        if score != "cosine":
            self.g = None

    @torch.jit.ignore
    def make_keys(self, enc):
        """enc (B, S, 2H) -> keys (B, S, A), once per batch."""
        if self.score in ("additive", "general"):
            return self.keys(enc)
        k = enc[:, :, : self.H] + enc[:, :, self.H:]
        if self.score == "scaled_dot":
            k = k * (1.0 / math.sqrt(self.H))
        elif self.score == "cosine":
            k = F.normalize(k, dim=2)
        return k

    def attend(self, q, keys, enc, mask):
        # type: (Tensor, Tensor, Tensor, Tensor) -> Tensor
        """q (B, K, A) queries (K hypotheses per sentence) -> contexts (B, K, 2H)."""
        if self.score == "additive":
            v = self.v
            assert v is not None
            if q.size(1) == 1:
                e = torch.tanh(keys + q).matmul(v).unsqueeze(1)
            else:
                e = torch.tanh(keys.unsqueeze(1) + q.unsqueeze(2)).matmul(v)
        else:
            if self.score == "cosine":
                g = self.g
                assert g is not None
                q = F.normalize(q, dim=2) * g
            if q.size(1) == 1 and self.context == "mulsum":
                e = (keys * q).sum(2).unsqueeze(1)
            else:
                e = torch.bmm(q, keys.transpose(1, 2))
        a = torch.softmax(e + mask.unsqueeze(1), 2)
        if q.size(1) == 1 and self.context == "mulsum":
            return (a.transpose(1, 2) * enc).sum(1, keepdim=True)
        return torch.bmm(a, enc)

    def cell(self, gi, gh, s, c):
        # type: (Tensor, Tensor, Tensor, Tensor) -> Tuple[Tensor, Tensor]
        H = self.H
        if self.lstm:
            gates = gi + gh
            i, f, g, o = gates.chunk(4, 1)  # nn.LSTM's order
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            return torch.sigmoid(o) * torch.tanh(c), c
        rz = torch.sigmoid(gi[:, : 2 * H] + gh[:, : 2 * H])
        n = torch.tanh(torch.addcmul(gi[:, 2 * H:], rz[:, :H], gh[:, 2 * H:]))
        return torch.lerp(n, s, rz[:, H:]), c

    def step(self, pre, s, c, keys, enc, mask):
        # type: (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor) -> Tuple[Tensor, Tensor, Tensor]
        """One step for B*K rows; pre is the embedding's share of the gates."""
        p = F.linear(s, self.w_s.weight, self.w_s.bias)
        if self.score == "none":
            ctx = enc
        else:
            q = p[:, self.G:] if self.A > 0 else s
            B = keys.size(0)
            ctx = self.attend(q.reshape(B, s.size(0) // B, q.size(1)), keys, enc, mask)
            ctx = ctx.reshape(s.size(0), 2 * self.H)
        gi = torch.addmm(pre, ctx, self.w_c.weight.t())
        s, c = self.cell(gi, p[:, : self.G], s, c)
        return s, c, ctx

    def forward(self, pre, s, c, keys, enc, mask):
        # type: (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor) -> Tuple[Tensor, Tensor]
        """Teacher forcing: pre (T, B, G) -> states (T, B, H), contexts (T, B, 2H)."""
        states: List[torch.Tensor] = []
        contexts: List[torch.Tensor] = []
        for x in pre.unbind(0):
            s, c, ctx = self.step(x, s, c, keys, enc, mask)
            states.append(s)
            contexts.append(ctx)
        return torch.stack(states), torch.stack(contexts)

    @torch.jit.ignore
    def forward_deferred(self, pre, s, c, keys, enc, mask):
        """The same loop with deferred weight gradients (eager mode only)."""
        states, contexts = [], []
        bias = self.w_s.bias.expand(s.size(0), -1)
        B, G = s.size(0), self.G
        for x in pre.unbind(0):
            p = DeferredMM.apply(bias, s, self.w_s.weight)
            if self.score == "none":
                ctx = enc
            else:
                q = p[:, G:] if self.A > 0 else s
                ctx = self.attend(q.unsqueeze(1), keys, enc, mask).view(B, -1)
            gi = DeferredMM.apply(x, ctx, self.w_c.weight)
            s, c = self.cell(gi, p[:, :G], s, c)
            states.append(s)
            contexts.append(ctx)
        return torch.stack(states), torch.stack(contexts)


# ---------------------------------------------------------------------------- model

class Seq2Seq(nn.Module):
    def __init__(self, V, V_source, E, H, R, score="additive", cell="gru", encoder="packed",
                 context="bmm"):
        super().__init__()
        rnn = nn.LSTM if cell == "lstm" else nn.GRU
        self.encoder_kind, self.H, self.V, self.score, self.lstm = encoder, H, V, score, cell == "lstm"
        self.src_emb = nn.Embedding(V_source, E)
        self.tgt_emb = nn.Embedding(V, E)
        nn.init.normal_(self.src_emb.weight, std=0.05)
        nn.init.normal_(self.tgt_emb.weight, std=0.05)
        if encoder == "packed":
            self.enc = rnn(E, H, bidirectional=True)
        else:
            self.enc_f, self.enc_b = rnn(E, H), rnn(E, H)
        self.init = nn.Linear(H, H)
        self.dec = Decoder(E, H, score, cell, context)
        self.readout = nn.Linear(H + 2 * H + E, R)
        self.out = nn.Linear(R, V)
        self.loop = self.dec.forward  # replaced by the scripted or deferred form

    def encode(self, batch):
        """-> enc (B, S, 2H) (or the fixed context (B, 2H) for `none`), s_0, c_0."""
        x = self.src_emb(batch.src)
        if self.encoder_kind == "packed":
            packed = pack_padded_sequence(x, batch.lens)
            out, last = self.enc(packed)
            last = last[0] if self.lstm else last
            enc, _ = pad_packed_sequence(out, batch_first=True)
            fwd, bwd = last[0], last[1]
        else:
            # two padded unidirectional passes; the second one reads each sentence
            # backwards.  Padding follows the real tokens, so it never reaches them.
            H, idx = self.H, batch.flip.unsqueeze(2)
            run = self.run_loop if self.encoder_kind == "loop" else lambda rnn, x: rnn(x)[0]
            f = run(self.enc_f, x)
            b = run(self.enc_b, x.gather(0, idx.expand(-1, -1, x.size(2))))
            at = (batch.lens - 1, torch.arange(len(batch.lens)))
            fwd, bwd = f[at], b[at]
            b = b.gather(0, idx.expand(-1, -1, H))
            enc = torch.cat([f, b], 2).transpose(0, 1).contiguous()
        s = torch.tanh(self.init(bwd))
        c = torch.zeros_like(s)
        if self.score == "none":
            enc = torch.cat([fwd, bwd], 1)
        return enc, s, c

    def run_loop(self, rnn, x):
        """nn.GRU/nn.LSTM written out, with the deferred recurrent weight gradient."""
        pre = F.linear(x, rnn.weight_ih_l0, rnn.bias_ih_l0)
        bias = rnn.bias_hh_l0.expand(x.size(1), -1)
        s = c = x.new_zeros(x.size(1), self.H)
        out = []
        for g in pre.unbind(0):
            gh = DeferredMM.apply(bias, s, rnn.weight_hh_l0)
            s, c = self.dec.cell(g, gh, s, c)
            out.append(s)
        return torch.stack(out)

    def keys(self, enc):
        return enc if self.score == "none" else self.dec.make_keys(enc)

    def loss(self, batch):
        """Mean cross-entropy per real target token."""
        enc, s, c = self.encode(batch)
        emb = self.tgt_emb(batch.y_in)                       # (T, B, E)
        pre = self.dec.w_e(emb)                              # one GEMM for all steps
        S, C = self.loop(pre, s, c, self.keys(enc), enc, batch.mask)
        x = torch.cat([S, C, emb], 2).flatten(0, 1)
        if len(batch.rows) < x.size(0):
            x = x.index_select(0, batch.rows)
        o = torch.tanh(self.readout(x))
        return F.cross_entropy(self.out(o), batch.y)

    def logits(self, s, ctx, emb):
        return self.out(torch.tanh(self.readout(torch.cat([s, ctx, emb], 1))))


# ------------------------------------------------------------------------ optimizer

class ChunkedAdam:
    """Adam over cache-sized pieces of each parameter, clip factor folded in.

    Same update as torch.optim.Adam after clip_grad_norm_; the point is that the
    seven elementwise passes over a piece hit the cache instead of memory."""

    def __init__(self, params, lr, betas=(0.9, 0.999), eps=1e-8, chunk=1 << 17):
        self.params = [p for p in params if p.requires_grad]
        self.lr, self.betas, self.eps, self.chunk, self.t = lr, betas, eps, chunk, 0
        self.state = []
        for p in self.params:
            m, v = torch.zeros_like(p), torch.zeros_like(p)
            self.state.append((p.data.view(-1).split(chunk), m.view(-1).split(chunk),
                               v.view(-1).split(chunk)))
        self.buf = torch.empty(chunk)

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    @torch.no_grad()
    def step(self, max_norm):
        norm = torch.stack([p.grad.norm() for p in self.params if p.grad is not None]).norm()
        clip = min(1.0, max_norm / (float(norm) + 1e-6))
        self.t += 1
        b1, b2 = self.betas
        step = self.lr / (1 - b1 ** self.t)
        root = 1.0 / math.sqrt(1 - b2 ** self.t)
        for p, (pw, pm, pv) in zip(self.params, self.state):
            if p.grad is None:
                continue
            for w, m, v, g in zip(pw, pm, pv, p.grad.reshape(-1).split(self.chunk)):
                m.mul_(b1).add_(g, alpha=(1 - b1) * clip)
                v.mul_(b2).addcmul_(g, g, value=(1 - b2) * clip * clip)
                d = torch.sqrt(v, out=self.buf[: v.numel()])
                d.mul_(root).add_(self.eps)
                w.addcdiv_(m, d, value=-step)


class TorchAdam:
    """torch.optim.Adam and clip_grad_norm_ behind the same two calls."""

    def __init__(self, params, lr, foreach):
        self.params = [p for p in params if p.requires_grad]
        self.opt = torch.optim.Adam(self.params, lr=lr, foreach=foreach)

    def zero_grad(self):
        self.opt.zero_grad(set_to_none=True)

    def step(self, max_norm):
        nn.utils.clip_grad_norm_(self.params, max_norm)
        self.opt.step()


# ------------------------------------------------------------------------- decoding

def top_candidates(x, n):
    """topk(n) over the last dimension of x (B, M), exact.  ATen's CPU topk copies
    every row into (value, index) pairs; with M = beam*V it pays to find the maxima
    of blocks first (vectorized) and look only into the n best blocks."""
    B, M = x.shape
    width = next((w for w in (128, 125, 100, 96, 80, 64) if M % w == 0), 0)
    if width == 0 or M // width <= n:
        return x.topk(n, 1)
    blocks = x.view(B, M // width, width)
    best = blocks.amax(2).topk(n, 1).indices
    inner = blocks.gather(1, best.unsqueeze(2).expand(-1, -1, width)).view(B, -1)
    val, pos = inner.topk(n, 1)
    idx = best.gather(1, torch.div(pos, width, rounding_mode="floor")) * width + pos % width
    return val, idx


def decode_greedy(model, batch, limit):
    """Greedy decoding of a batch; finished sentences leave the batch.
    limit (B,) is the largest number of pieces allowed for each sentence."""
    enc, s, c = model.encode(batch)
    keys, mask = model.keys(enc), batch.mask
    B = s.size(0)
    live = torch.arange(B)
    y = torch.full((B,), BOS, dtype=torch.long)
    out = [[] for _ in range(B)]
    done = torch.zeros(B, dtype=torch.bool)
    for t in range(int(limit.max())):
        emb = model.tgt_emb(y)
        s, c, ctx = model.dec.step(model.dec.w_e(emb), s, c, keys, enc, mask)
        y = model.logits(s, ctx, emb).argmax(1)
        for b, w, d in zip(live.tolist(), y.tolist(), done.tolist()):
            if not d and w != EOS:
                out[b].append(w)
        done |= (y == EOS) | (limit <= t + 1)
        left = int((~done).sum())
        if left == 0:
            break
        if left <= 0.8 * len(done):  # shrink when it pays for the copying
            keep = (~done).nonzero().squeeze(1)
            S = int(batch.lens[live[keep]].max())
            if model.score == "none":
                enc = keys = enc[keep]
            else:
                enc, keys = enc[keep, :S], keys[keep, :S]
            s, c, y, mask = s[keep], c[keep], y[keep], mask[keep, :S]
            live, limit, done = live[keep], limit[keep], done[keep]
    return out


def decode_beam(model, batch, limit, K, alpha=1.0):
    """Batched beam search.  Hypotheses that end in EOS are stored with their score
    divided by length**alpha and leave the beam; a sentence is finished when it has K
    such hypotheses, or at its length limit; finished sentences leave the batch."""
    enc, s, c = model.encode(batch)
    keys, mask, V = model.keys(enc), batch.mask, model.V
    B = s.size(0)
    live = torch.arange(B)
    s, c = s.repeat_interleave(K, 0), c.repeat_interleave(K, 0)
    none = model.score == "none"
    y = torch.full((B * K,), BOS, dtype=torch.long)
    score = torch.full((B, K), -math.inf)
    score[:, 0] = 0.0                       # all beams start equal: keep only one
    hist = torch.zeros(B, K, 0, dtype=torch.long)
    ended = [[] for _ in range(B)]          # (normalized score, pieces)
    for t in range(int(limit.max()) + 1):
        n = len(live)
        emb = model.tgt_emb(y)
        s, c, ctx = model.dec.step(model.dec.w_e(emb), s, c, keys,
                                   enc.repeat_interleave(K, 0) if none else enc, mask)
        logp = torch.log_softmax(model.logits(s, ctx, emb), 1).view(n, K, V)
        val, idx = top_candidates((logp + score.unsqueeze(2)).view(n, K * V), 2 * K)
        beam, word = torch.div(idx, V, rounding_mode="floor"), idx % V
        last = limit <= t                   # at the limit every candidate must end
        # hypotheses that end now, among the K best
        stop = ((word == EOS) | last.unsqueeze(1))[:, :K] & (val[:, :K] > -math.inf)
        for b, k in stop.nonzero().tolist():
            pieces = hist[b, beam[b, k]].tolist()
            if int(word[b, k]) != EOS and len(pieces) < int(limit[b]):
                pieces.append(int(word[b, k]))
            ended[int(live[b])].append((float(val[b, k]) / (t + 1) ** alpha, pieces))
        done = last | torch.tensor([len(ended[i]) >= K for i in live.tolist()])
        # the K best candidates that continue
        order = torch.where(word == EOS, 2 * K, 0) + torch.arange(2 * K)
        pick = order.argsort(1)[:, :K]
        score, word, beam = val.gather(1, pick), word.gather(1, pick), beam.gather(1, pick)
        score = score.masked_fill(word == EOS, -math.inf)
        hist = torch.cat([hist.gather(1, beam.unsqueeze(2).expand(-1, -1, t)),
                          word.unsqueeze(2)], 2)
        rows = (torch.arange(n).unsqueeze(1) * K + beam)
        keep = (~done).nonzero().squeeze(1)
        if len(keep) == 0:
            break
        if len(keep) < n:
            S = int(batch.lens[live[keep]].max())
            if none:
                enc = keys = enc[keep]
            else:
                enc, keys = enc[keep, :S], keys[keep, :S]
            mask, live, limit = mask[keep, :S], live[keep], limit[keep]
            score, word, hist, rows = score[keep], word[keep], hist[keep], rows[keep]
        rows = rows.view(-1)
        s, c, y = s.index_select(0, rows), c.index_select(0, rows), word.view(-1)
    return [max(e)[1] if e else [] for e in ended]


# ------------------------------------------------------------------------- commands

def peak_rss_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def blas_name():
    """Which BLAS library this process really mapped."""
    found = []
    with open("/proc/self/maps") as f:
        for line in f:
            path = line.split()[-1]
            if any(k in path for k in ("blas", "blis", "mkl")) and path not in found:
                found.append(path)
    return ",".join(p.replace("/usr/lib/x86_64-linux-gnu/", "") for p in found)


def setup(args):
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(not args.keep_denormals)
    torch.manual_seed(args.seed)
    random.seed(args.seed)


def build(args, V, V_source=None):
    model = Seq2Seq(V, V_source or V, args.emb, args.hidden, args.readout or args.emb, args.attention,
                    args.cell, args.encoder, args.context)
    if args.loop == "jit":
        scripted = torch.jit.script(model.dec)
        model.loop = scripted
    elif args.wgrad == "deferred":
        model.loop = model.dec.forward_deferred
    return model


def cmd_train(args):
    setup(args)
    src, tgt = read_lines(args.src), read_lines(args.tgt)
    vocab = build_vocab([src, tgt], args.vocab)  # joint, as the 8k pieces are joint
    V = args.vocab                               # layers keep the full size V
    batches = make_batches(encode(src, vocab), encode(tgt, vocab), args.batch)
    model = build(args, V)
    params = sum(p.numel() for p in model.parameters())
    opt = (ChunkedAdam(model.parameters(), args.lr) if args.adam == "chunked"
           else TorchAdam(model.parameters(), args.lr, args.adam == "foreach"))

    rng = random.Random(args.seed)
    order = []
    losses, seen = [], collections.Counter()
    prof = None
    for u in range(args.warmup + args.updates):
        if not order:
            order = list(range(len(batches)))
            rng.shuffle(order)
        batch = batches[order.pop()]
        if u == args.warmup:
            if args.profile:
                prof = torch.profiler.profile(
                    activities=[torch.profiler.ProfilerActivity.CPU])
                prof.__enter__()
            seen.clear()
            start = time.perf_counter()
        opt.zero_grad()
        t0 = time.perf_counter()
        loss = model.loss(batch)
        t1 = time.perf_counter()
        loss.backward()
        STORE.flush()
        t2 = time.perf_counter()
        opt.step(1.0)
        t3 = time.perf_counter()
        losses.append(loss.item())
        seen.update(src=batch.n_src, tgt=batch.n_tgt, sents=len(batch.order),
                    src_cells=batch.src.numel(), tgt_cells=batch.y_cells,
                    fwd=t1 - t0, bwd=t2 - t1, opt=t3 - t2)
        if args.log and (u + 1) % args.log == 0:
            print(u + 1, "loss %.3f" % (sum(losses[-args.log:]) / args.log), file=sys.stderr, flush=True)
    wall = time.perf_counter() - start
    if prof:
        prof.__exit__(None, None, None)
        print(prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=40,
                                        max_name_column_width=60), file=sys.stderr)
    n = args.updates
    print(json.dumps({
        "src_tokens_per_s": round(seen["src"] / wall, 1),
        "tgt_tokens_per_s": round(seen["tgt"] / wall, 1),
        "sents_per_s": round(seen["sents"] / wall, 1),
        "updates_per_s": round(n / wall, 4),
        "ms_forward": round(1e3 * seen["fwd"] / n, 1),
        "ms_backward": round(1e3 * seen["bwd"] / n, 1),
        "ms_optimizer": round(1e3 * seen["opt"] / n, 1),
        "loss_first": round(losses[0], 4), "loss_last": round(losses[-1], 4),
        "src_per_sent": round(seen["src"] / seen["sents"], 2),
        "tgt_per_sent": round(seen["tgt"] / seen["sents"], 2),
        "src_fill": round((seen["src"] + seen["sents"]) / seen["src_cells"], 3),
        "tgt_fill": round((seen["tgt"] + seen["sents"]) / seen["tgt_cells"], 3),
        "peak_rss_mb": round(peak_rss_mb()), "params": params, "vocab_types": len(vocab),
        "attention": args.attention, "cell": args.cell, "emb": args.emb,
        "hidden": args.hidden, "batch": args.batch, "threads": args.threads,
        "loop": args.loop, "wgrad": args.wgrad, "encoder": args.encoder,
        "context": args.context, "adam": args.adam, "denormals": args.keep_denormals,
        "torch": torch.__version__, "blas": blas_name()}), flush=True)


# ------------------------------------------------------------- a transformer encoder alone

class SelfAttentionEncoder(nn.Module):
    """nn.TransformerEncoder with the norm first, over embeddings and sinusoidal positions."""

    def __init__(self, V, args, longest):
        super().__init__()
        H = args.hidden
        self.emb = nn.Embedding(V, H)
        layer = nn.TransformerEncoderLayer(H, args.heads, args.ff, args.dropout,
                                           norm_first=True)
        self.stack = nn.TransformerEncoder(layer, args.layers, nn.LayerNorm(H))
        self.scale = math.sqrt(H)
        self.drop = nn.Dropout(args.dropout)
        angle = (torch.arange(longest)[:, None] /
                 10000 ** (torch.arange(0, H, 2)[None, :].float() / H))
        self.register_buffer("places", torch.stack([angle.sin(), angle.cos()], 2).reshape(longest, H))

    def forward(self, src, lens):
        S = src.size(0)
        x = self.drop(self.emb(src) * self.scale) + self.places[:S, None]
        padded = int(lens.min()) < S  # a mask costs time, and most sorted batches need none
        mask = torch.arange(S)[None, :] >= lens[:, None] if padded else None
        return self.stack(x, src_key_padding_mask=mask)


def source_batches(src, size):
    """Sorted by length, so that there is as little padding as can be: [(src (S, B), lens)]."""
    order = sorted(range(len(src)), key=lambda i: len(src[i]))
    out = []
    for k in range(0, len(order), size):
        rows = [src[i] + [EOS] for i in order[k: k + size]]
        lens = torch.tensor([len(row) for row in rows])
        padded = torch.zeros(int(lens.max()), len(rows), dtype=torch.long)
        for b, row in enumerate(rows):
            padded[: len(row), b] = torch.tensor(row)
        out.append((padded, lens))
    return out


def cmd_encoder(args):
    """Forward and backward, timed in CPU seconds of the process."""
    setup(args)
    src = [line for line in read_lines(args.src) if line]
    batches = source_batches(encode(src, build_vocab([src], args.vocab)), args.batch)
    model = SelfAttentionEncoder(args.vocab, args, max(len(s) for s, _ in batches)).train()
    random.shuffle(batches)
    words = cells = 0
    for u in range(args.warmup + args.updates):
        if u == args.warmup:
            words = cells = 0
            start = time.process_time()
        s, lens = batches[u % len(batches)]
        model.zero_grad(set_to_none=True)
        h = model(s, lens)
        h.backward(torch.ones_like(h))
        words += int(lens.sum())
        cells += s.numel()
    cpu = time.process_time() - start
    print(json.dumps({
        "words_per_cpu_s": round(words / cpu, 1), "fill": round(words / cells, 3),
        "peak_rss_mb": round(peak_rss_mb()), "torch": torch.__version__, "blas": blas_name()}),
        flush=True)


# ---------------------------------------------------------------- attend's model files

def read_safetensors(path):
    with open(path, "rb") as f:
        header = json.loads(f.read(int.from_bytes(f.read(8), "little")))
        data = f.read()
    kinds = {"F32": np.float32, "U8": np.uint8}
    config = json.loads(header.pop("__metadata__")["config"])
    return {name: np.frombuffer(data[slice(*t["data_offsets"])], kinds[t["dtype"]])
            .reshape(t["shape"]) for name, t in header.items()}, config


def vocabulary(bytes_):
    return bytes_.tobytes().decode().split("\n")[:-1]


def gates(weight, order, H):
    """Columns of gates in our order (of `order`) -> rows in nn.GRU's r z n."""
    w = weight.reshape(-1, weight.shape[-1])
    return np.concatenate([w[:, order.index(g) * H:][:, :H] for g in "rzn"], 1).T


def parameters(t, H):
    """attend's tensors under the names of Seq2Seq."""
    out = {"src_emb.weight": t["encoder.embedding.table"],
           "tgt_emb.weight": t["decoder.embedding.table"],
           "init.weight": t["decoder.start.0.W"].T, "init.bias": t["decoder.start.0.b"],
           "dec.keys.weight": t["decoder.attention.W_key"].T, "dec.v": t["decoder.attention.v"],
           "readout.weight": np.concatenate(
               [t["decoder.readout.W_" + k] for k in ("state", "context", "input")]).T,
           "readout.bias": t["decoder.readout.b"],
           "out.weight": t["decoder.output.W"].T, "out.bias": t["decoder.output.b"].copy()}
    out["out.bias"][[UNK, BOS]] = -1e9  # attend does not choose these either

    def biases(path):  # (n r z) of the input and c_n of the state
        b = t[path + ".bias"]
        return (gates(b[None, :3 * H], "nrz", H)[:, 0],
                np.concatenate([np.zeros(2 * H, np.float32), b[3 * H:]]))

    for ours, theirs in (("forward", "enc_f"), ("backward", "enc_b")):
        path = "encoder.0.%s.gru" % ours
        out[theirs + ".weight_ih_l0"] = gates(t[path + ".W_input"], "nrz", H)
        out[theirs + ".weight_hh_l0"] = gates(t[path + ".U_state"], "rzn", H)
        out[theirs + ".bias_ih_l0"], out[theirs + ".bias_hh_l0"] = biases(path)
    path = "decoder.0.gru"
    out["dec.w_e.weight"] = gates(t[path + ".W_input"], "nrz", H)
    out["dec.w_c.weight"] = gates(t[path + ".W_context"], "nrz", H)
    out["dec.w_e.bias"], state = biases(path)
    out["dec.w_s.weight"] = np.concatenate(
        [gates(t[path + ".U_state"], "rzn", H), t["decoder.attention.W_query"].T])
    out["dec.w_s.bias"] = np.concatenate([state, t["decoder.attention.b_query"]])
    return {k: torch.from_numpy(np.array(v)) for k, v in out.items()}


@torch.inference_mode()
def cmd_translate(args):
    setup(args)
    tensors, config = read_safetensors(args.model)
    args.emb, args.hidden, args.readout = config["emb"], config["hidden"], config["readout-size"]
    args.attention, args.cell, args.encoder = config["attention"], config["cell"], "loop"
    args.loop, args.wgrad = "eager", "step"
    source, vocab = (vocabulary(tensors[k]) for k in ("vocab.source", "vocab.target"))
    model = build(args, len(vocab), len(source))
    model.load_state_dict(parameters(tensors, args.hidden))
    model.eval()
    lines = read_lines(args.input)
    src = encode(lines, source)
    order = sorted(range(len(src)), key=lambda i: len(src[i]))
    groups = [order[k: k + args.batch] for k in range(0, len(order), args.batch)]
    out = [None] * len(src)

    def run(group):
        batch = Batch([src[i] for i in group])
        n = batch.lens - 1
        limit = torch.clamp((n.float() * args.max_ratio).long() + args.max_extra, min=1)
        res = (decode_greedy(model, batch, limit) if args.beam == 1
               else decode_beam(model, batch, limit, args.beam, args.alpha))
        for r, b in zip(res, batch.order):
            out[group[b]] = r

    if not args.no_warmup:
        run(groups[len(groups) // 2])
    start = time.perf_counter()
    for g in groups:
        run(g)
    wall = time.perf_counter() - start
    if args.output:
        with open(args.output, "w", encoding="utf-8") as f:
            for r in out:
                f.write(" ".join(vocab[w] if w < len(vocab) else SPECIALS[UNK] for w in r) + "\n")
    pieces = sum(len(r) for r in out)
    print(json.dumps({
        "beam": args.beam, "batch": args.batch, "threads": args.threads,
        "seconds": round(wall, 3), "sents_per_s": round(len(src) / wall, 1),
        "out_tokens_per_s": round(pieces / wall, 1),
        "src_tokens_per_s": round(sum(map(len, src)) / wall, 1),
        "out_per_sent": round(pieces / max(1, len(src)), 2),
        "peak_rss_mb": round(peak_rss_mb()), "attention": args.attention, "cell": args.cell,
        "emb": args.emb, "hidden": args.hidden,
        "torch": torch.__version__, "blas": blas_name()}), flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    sub = ap.add_subparsers(dest="cmd", required=True)
    tr, tl, en = (sub.add_parser(name) for name in ("train", "translate", "encoder"))
    for p in (tr, tl, en):
        p.add_argument("--threads", type=int, default=2)
        p.add_argument("--seed", type=int, default=1)
        p.add_argument("--batch", type=int, default=64)
        p.add_argument("--keep-denormals", action="store_true")
        p.add_argument("--context", choices=["bmm", "mulsum"], default="bmm",
                       help="how the weighted sum (and dot scores) are computed")
    tr.add_argument("--src", required=True)
    tr.add_argument("--tgt", required=True)
    tr.add_argument("--emb", type=int, default=256)
    tr.add_argument("--hidden", type=int, default=512)
    tr.add_argument("--readout", type=int, default=0, help="0: same as --emb")
    tr.add_argument("--vocab", type=int, default=8000)
    tr.add_argument("--updates", type=int, default=60)
    tr.add_argument("--warmup", type=int, default=10)
    tr.add_argument("--lr", type=float, default=1e-3)
    tr.add_argument("--attention", choices=SCORES, default="additive")
    tr.add_argument("--cell", choices=["gru", "lstm"], default="gru")
    tr.add_argument("--loop", choices=["eager", "jit"], default="eager")
    tr.add_argument("--wgrad", choices=["step", "deferred"], default="deferred")
    tr.add_argument("--encoder", choices=["packed", "padded", "loop"], default="loop",
                    help="packed: one bidirectional nn.GRU on a packed sequence; padded: two "
                    "nn.GRU; loop: written out with deferred weight gradients")
    tr.add_argument("--adam", choices=["single", "foreach", "chunked"], default="chunked")
    tr.add_argument("--profile", action="store_true", help="torch profiler, table on stderr")
    tr.add_argument("--log", type=int, default=0, help="print the loss every N updates")
    tl.add_argument("--model", required=True)
    tl.add_argument("--input", required=True)
    tl.add_argument("--output")
    tl.add_argument("--beam", type=int, default=1, help="1 is greedy")
    tl.add_argument("--alpha", type=float, default=1.0, help="length normalization")
    tl.add_argument("--max-ratio", type=float, default=1.5)
    tl.add_argument("--max-extra", type=int, default=10)
    tl.add_argument("--no-warmup", action="store_true", help="for timing the whole process")
    en.add_argument("--src", required=True)
    en.add_argument("--vocab", type=int, default=8000)
    en.add_argument("--hidden", type=int, default=256)
    en.add_argument("--layers", type=int, default=3)
    en.add_argument("--heads", type=int, default=4)
    en.add_argument("--ff", type=int, default=1024)
    en.add_argument("--dropout", type=float, default=0.2)
    en.add_argument("--updates", type=int, default=30)
    en.add_argument("--warmup", type=int, default=5)
    args = ap.parse_args()
    {"train": cmd_train, "translate": cmd_translate, "encoder": cmd_encoder}[args.cmd](args)


if __name__ == "__main__":
    main()
