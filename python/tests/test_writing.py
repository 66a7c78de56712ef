"""Models whose target is ink write by hand, as the program does."""
import numpy as np
import pytest

import attend

LETTERS = {"-": [(0, 50), (50, 50)], "|": [(20, 0), (20, 100)], "L": [(0, 0), (0, 100), (50, 100)]}


@pytest.fixture(scope="module")
def hand(tmp_path_factory):
    """A model that has seen strings of three letters, and a file of ink with its text."""
    folder = tmp_path_factory.mktemp("ink")
    texts = [a + b for a in LETTERS for b in LETTERS] * 3
    for i, text in enumerate(texts):
        strokes = [[f"{80 * at + x} {-y - i}" for x, y in LETTERS[letter]] for at, letter in enumerate(text)]
        (folder / f"{i}.ink").write_text("".join(".PEN_DOWN\n" + "\n".join(s) + "\n.PEN_UP\n" for s in strokes))
    (folder / "paths").write_text("".join(f"{i}.ink\n" for i in range(len(texts))))
    (folder / "texts").write_text("".join(text + "\n" for text in texts))
    model = attend.train(train_src=folder / "texts", train_tgt=folder / "paths", src_tokenizer="char", tgt_tokenizer="ink",
                         emb=8, hidden=16, mixtures=3, lr=0.01, batch_sentences=3, max_epochs=6, split="none", threads=1, model=folder / "hand.safetensors")  # fmt: skip
    return model, folder / "5.ink", texts[5]


@pytest.fixture(scope="module")
def written(hand):
    """Some strokes. A model that has seen so little may also write none."""
    found = (hand[0].write("LL", seed=seed) for seed in range(100))
    return next(writing for writing in found if len(writing.strokes) >= 10)


def test_ink_is_the_programs(hand, program):
    model, _, _ = hand
    assert model.writes
    wanted = program("translate", "--model", model.path, "--seed", "3", "--bias", "1", lines=["L|"])
    assert model.write("L|", seed=3, bias=1).inkml().splitlines() == wanted
    assert model.write("L|", seed=4, bias=1).inkml().splitlines() != wanted
    assert [w.text for w in model.write(["L", "-"])] == ["L", "-"] and model.write([]) == []


def test_arrays_of_a_writing(hand, written):
    assert written.source_tokens == ["L", "L", "</s>"]
    assert written.strokes.shape[1] == 3 and written.strokes.dtype == np.float32 and not written.strokes.flags.writeable
    assert set(np.unique(written.strokes[:, 2])) <= {0, 1}
    assert written.attention.shape == (len(written.strokes), 3)
    cut = [hand[0].write("LL", max_length=0.02, seed=seed) for seed in range(100)]
    assert written.complete and max(len(writing.strokes) for writing in cut) <= 6 and not all(writing.complete for writing in cut)


def test_pictures_of_a_writing(written, tmp_path):
    assert "<polyline" in written.plot().svg()
    assert written._repr_html_().startswith("<iframe")
    for ending, holds in {".svg": "<svg", ".html": "<html", ".inkml": "<ink"}.items():
        written.save(tmp_path / f"out{ending}")
        assert holds in (tmp_path / f"out{ending}").read_text()
    with pytest.raises(attend.UsageError, match="written as"):
        written.save(tmp_path / "out.gif")


def test_given_ink_is_scored(hand, tmp_path, program):
    model, ink, text = hand
    (found,) = model.score_ink([text], [ink], threads=1)
    (tmp_path / "text").write_text(text + "\n")
    (tmp_path / "path").write_text(f"{ink}\n")
    (line,) = program("score", "--model", model.path, "--src", tmp_path / "text", "--tgt", tmp_path / "path")
    assert found.log_probability == pytest.approx(float(line.split()[0]), rel=1e-4)
    assert found.stroke_scores.sum() == pytest.approx(found.log_probability, rel=1e-4)
    assert len(found.stroke_scores) == len(found.strokes) + 1


def test_wrong_calls_are_refused(hand, model):
    hand_model, ink, _ = hand
    with pytest.raises(attend.Error):
        model.write("a b c")
    with pytest.raises(attend.UsageError, match="use `write`"):
        hand_model.translate("L")
    with pytest.raises(attend.UsageError, match="use `write`"):
        hand_model.explain("L")
    with pytest.raises(attend.UsageError, match="bias"):
        hand_model.write("L", bias=-1)
    with pytest.raises(attend.UsageError, match="beam"):
        hand_model.write("L", beam=3)
    with pytest.raises(attend.UsageError, match="2 texts and 1 files"):
        hand_model.score_ink(["L", "-"], [ink])
    with pytest.raises(attend.FileError):
        hand_model.score_ink(["L"], ["missing.ink"])
    assert not model.writes
