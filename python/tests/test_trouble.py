"""Signs of trouble are those of `attend trouble`."""
import json

import pytest

import attend


def test_figures_equal_the_programs(tmp_path, words, demo_pairs, program):
    sources = [source for source, _ in demo_pairs[:20]]
    (tmp_path / "src").write_text("".join(line + "\n" for line in sources))
    wanted = [json.loads(line) for line in program("trouble", "--model", words.path, "--src", tmp_path / "src", "--json")]
    found = [translation.trouble() for translation in words.translate(sources)]
    assert len(wanted) == len(found) and sum(len(trouble.repeats) for trouble in found) > 0
    for line in wanted:
        trouble = found[line["line"] - 1]
        for name in ("score", "shortage", "repetition", "entropy", "dispersion"):
            assert getattr(trouble, name) == pytest.approx(line[name], rel=1e-3, abs=1e-3)
        assert trouble.coverage.shape == (len(sources[line["line"] - 1].split()),)
    assert [line["line"] for line in wanted] == sorted(
        range(1, 21), key=lambda number: (-round(found[number - 1].score, 6), number)
    )


def test_limits(words, demo_pairs):
    translation = words.translate(demo_pairs[0][0])
    everything = translation.trouble(missed=1e9, crowded=0)
    assert everything.missed == tuple(range(len(everything.coverage)))
    assert translation.trouble(missed=0).missed == ()


def test_nothing_is_wrong_with_a_right_translation(model):
    trouble = model.translate("a b c d").trouble()
    assert trouble.missed == () and trouble.repeats == () and trouble.score < 0.5


def test_without_attention(tmp_path, demo_pairs):
    model = attend.train(demo_pairs[:50], emb=4, hidden=8, max_epochs=1, threads=1, tokenizer="spaces", attention="none", split="none")
    with pytest.raises(attend.UsageError, match="no attention"):
        model.translate(demo_pairs[0][0]).trouble()
