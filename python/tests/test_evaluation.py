"""Metrics and links are those of the program."""
import json

import pytest

import attend

HYP = ["the cat sat on a mat", "a dog", "it rains"]
REF = ["the cat sat on the mat", "the dog barks", "it rains"]


def write(folder, name, lines):
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines))
    return path


def test_metrics_equal_the_programs(tmp_path, program):
    names = attend.options("evaluate")["metric"].choices
    names = ",".join(name for name in names)
    files = "--hyp", write(tmp_path, "hyp", HYP), "--ref", write(tmp_path, "ref", REF)
    (line,) = program("eval", *files, "--metric", names, "--json")
    wanted = json.loads(line)["metrics"]
    found = attend.evaluate(HYP, REF, metric=names)
    assert {name: (score.score, score.signature) for name, score in found.items()} == {
        name: (score["score"], score["signature"]) for name, score in wanted.items()
    }
    assert len(found) >= 8


def test_intervals_and_comparisons(tmp_path):
    (score,) = attend.evaluate(HYP, [REF, REF], metric="bleu", confidence=True, compare=REF).values()
    assert score.low <= score.score <= score.high and score.other == pytest.approx(100) and score.p is not None
    assert float(score) == score.score and str(score).startswith("BLEU ")


def test_translations_are_evaluated_as_they_are(model):
    found = attend.evaluate(model.translate(["a b c", "d e"]), ["c b a", "e d"], metric="accuracy")
    assert found["accuracy"].score == 100


def test_links_equal_the_programs(tmp_path, words, demo_pairs, program):
    sources, targets = zip(*demo_pairs[:20])
    files = "--src", write(tmp_path, "src", sources), "--tgt", write(tmp_path, "tgt", targets)
    wanted = program("align", "--model", words.path, *files, "--words")
    found = attend.align(sources, targets, model=words, words=True)
    assert [" ".join(f"{s}-{t}" for s, t in links) for links in found] == wanted


def test_links_against_gold(tmp_path, program):
    given = write(tmp_path, "links", ["0-0 1-1"])
    found = attend.alignment_error(["a b"], ["c d"], ["0-0 1-0"], links=given)
    assert (found.precision, found.recall, found.links) == (0.5, 0.5, 2) and found.rate == pytest.approx(0.5)
    with pytest.raises(attend.UsageError, match="alignment_error"):
        attend.align(["a"], ["b"], gold=["0-0"], links=given)


def test_unknown_metrics_are_refused():
    with pytest.raises(attend.UsageError, match="bleux"):
        attend.evaluate(HYP, REF, metric="bleux")
