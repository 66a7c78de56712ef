"""Models and PyTorch networks say the same, both ways."""

import numpy as np
import pytest

import attend

torch = pytest.importorskip("torch", reason="python3-torch is missing; install it with: make deps GROUP=parity")
nn = torch.nn
pytestmark = pytest.mark.slow

import attend.torch  # noqa: E402

PAIRS = [("mai ghar ja", "I am home"), ("ghar", "home"), ("tum kahan ja rahe ho", "where are you")]


def ids(vocabulary, text, first=(), last=()):
    place = {token: i for i, token in enumerate(vocabulary)}
    return torch.tensor([place[token] for token in (*first, *text.split(), *last)])


def forward(network, pairs):
    """Log-probability of every target token, and weights, for each pair."""
    source = [ids(network.source_vocabulary, text, last=["</s>"]) for text, _ in pairs]
    target = [ids(network.target_vocabulary, text, ["<s>"]) for _, text in pairs]
    wanted = [ids(network.target_vocabulary, text, last=["</s>"]) for _, text in pairs]
    with torch.no_grad():
        logits, weights = network(source, target)
    for i, row in enumerate(wanted):
        said = torch.log_softmax(logits[i], 1)[torch.arange(len(row)), row]
        yield said.numpy(), weights[i, : len(row), : len(source[i])].numpy()


def assert_same(model, network, pairs=PAIRS, tolerance=2e-5):
    for found, (scores, weights) in zip(model.score(*map(list, zip(*pairs))), forward(network, pairs)):
        np.testing.assert_allclose(found.token_scores, scores, atol=tolerance)
        if found.attention is not None:
            np.testing.assert_allclose(found.attention, weights, atol=tolerance)


SHAPES = [
    {},
    dict(cell="lstm", encoder_layers=2, decoder_layers=2, start="copy"),
    dict(placement="luong", attention="general", input_feeding=True, readout="linear"),
    dict(placement="luong", attention="dot", cell="lstm", start="mean"),
    dict(attention="scaled_dot", unidirectional=True, decoder_layers=2, start="zero"),
    dict(cell="tanh", unidirectional=True, attention_size=7, readout_size=5),
    dict(tie="target"),
    dict(attention="none"),
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_model_and_its_network_say_the_same(tmp_path, shape):
    model = attend.train(PAIRS * 20, model=tmp_path / "model.safetensors", tokenizer="spaces", split="none", emb=6,
                         hidden=10, max_updates=20, threads=1, lr=0.05, ema=0, **shape)  # fmt: skip
    network = attend.torch.to_torch(model)
    assert_same(model, network)
    again = attend.torch.from_torch(network, tmp_path / "again.safetensors")
    assert_same(again, network)
    assert [t.text for t in again.translate([s for s, _ in PAIRS])] == [t.text for t in model.translate([s for s, _ in PAIRS])]


class Tutorial(nn.Module):
    """An encoder-decoder as people write it: a GRU that reads the source, one that attends to it by a score with
    biases everywhere, and an output layer that reads the state."""

    def __init__(self, kind, source, target, emb=6, hidden=9):
        super().__init__()
        self.source, self.target = source, target
        self.enc_emb, self.dec_emb = nn.Embedding(len(source), emb), nn.Embedding(len(target), emb)
        self.encoder = kind(emb, hidden, batch_first=True)
        self.decoder = kind(emb + hidden, hidden, batch_first=True)
        self.Wa, self.Ua, self.Va = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, 1)
        self.out = nn.Linear(hidden, len(target))

    def forward(self, source, target):
        keys, state = self.encoder(self.enc_emb(source[None]))
        logits, weights = [], []
        for word in target:
            top = (state[0] if isinstance(state, tuple) else state)[-1]
            score = self.Va(torch.tanh(self.Wa(top)[:, None] + self.Ua(keys)))[:, :, 0]
            weight = torch.softmax(score, 1)
            context = torch.einsum("bs,bsh->bh", weight, keys)
            x = torch.cat([self.dec_emb(word)[None], context], 1)
            y, state = self.decoder(x[:, None], state)
            logits.append(self.out(y[:, 0]))
            weights.append(weight)
        return torch.cat(logits), torch.cat(weights)


@pytest.mark.parametrize("kind", [nn.GRU, nn.LSTM])
def test_a_network_of_others_becomes_a_model(tmp_path, kind):
    torch.manual_seed(3)
    source = ["<s>", "</s>", *"mai ghar ja tum kahan rahe ho".split()]  # no <unk>, and another order than ours
    target = ["</s>", *"I am home where".split(), "<unk>", "<s>", "are", "you"]
    tutorial = Tutorial(kind, source, target).eval()
    network = attend.torch.Network.assemble(
        source_vocabulary=source, target_vocabulary=target, encoder_embedding=tutorial.enc_emb, encoder=tutorial.encoder,
        decoder_embedding=tutorial.dec_emb, decoder=tutorial.decoder, output=tutorial.out, query=tutorial.Wa,
        key=tutorial.Ua, v=tutorial.Va)  # fmt: skip
    model = attend.torch.from_torch(network, tmp_path / "tutorial.safetensors")
    assert model.network["start"] == "copy" and model.vocabulary() == source[2:]
    for text, said in PAIRS:
        found = model.score(text, said)
        with torch.no_grad():
            logits, weights = tutorial(ids(source, text, last=["</s>"]), ids(target, said, ["<s>"]))
        wanted = torch.log_softmax(logits, 1)[torch.arange(len(logits)), ids(target, said, last=["</s>"])]
        np.testing.assert_allclose(found.token_scores, wanted.numpy(), atol=2e-5)
        np.testing.assert_allclose(found.attention, weights.numpy(), atol=2e-5)


def test_what_plain_modules_cannot_be_is_refused(tmp_path):
    shapes = [dict(heads=2, attention="dot"), dict(coverage=True), dict(layer_norm=True), dict(placement="conditional")]
    for shape in shapes:
        model = attend.train(PAIRS, model=tmp_path / "model.safetensors", overwrite=True, emb=4, hidden=4, max_updates=1,
                             threads=1, split="none", tokenizer="spaces", **shape)  # fmt: skip
        with pytest.raises(attend.UsageError, match="cannot be plain PyTorch modules"):
            attend.torch.to_torch(model)
    with pytest.raises(attend.UsageError, match="lacks </s>"):
        attend.torch._order(["<s>", "a"])


def test_settings_are_those_of_the_library():
    """Every option of a network is known here: as one that modules have, or as one that must be off or does not matter."""
    known = {*attend.torch.NETWORK, *attend.torch.OFF, *attend.torch.FIXED}
    # Other attentions; strokes; another encoder.
    idle = {"span", "gaussians", "positions", "location-filters", "location-reach", "monotonic-order", "mixtures", "stroke-floor",
            "encoder-heads", "encoder-ff", "encoder-activation", "encoder-positions"}  # fmt: skip
    options = {name.replace("_", "-") for name in attend.settings.Settings("train").values("network")}
    assert options - idle <= known, options - idle - known
