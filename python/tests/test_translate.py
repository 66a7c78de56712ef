"""Translations are those of the program."""
import itertools
import json

import numpy as np
import pytest

import attend
from conftest import GOLDEN


def test_texts_and_scores_equal_the_programs(model, lines, program):
    found = model.translate(lines)
    assert [t.text for t in found] == program("translate", "--model", GOLDEN, lines=lines)
    wanted = [json.loads(line) for line in program("translate", "--model", GOLDEN, "--alignment", "json", lines=lines)]
    assert [t.tokens for t in found] == [w["target"] for w in wanted]
    assert [t.source_tokens for t in found] == [w["source"] for w in wanted]
    np.testing.assert_allclose([t.score for t in found], [w["score"] for w in wanted], rtol=1e-5)


def test_attention_equals_the_programs(model, lines, program):
    wanted = [json.loads(line) for line in program("translate", "--model", GOLDEN, "--alignment", "json", lines=lines)]
    for translation, line in zip(model.translate(lines), wanted):
        rows = np.array(line["attention"] or [], np.float32).reshape(translation.attention.shape)
        np.testing.assert_allclose(translation.attention, rows, atol=1e-6)
        assert translation.to_dict() == line


def test_attention_is_two_dimensional_float32_and_its_rows_sum_to_one(model):
    attention = model.translate("a b c").attention
    assert attention.dtype == np.float32 and attention.shape == (4, 4)
    np.testing.assert_allclose(attention.sum(axis=1), 1, rtol=1e-5)


def test_hard_alignment_equals_the_programs(model, lines, program):
    wanted = program("translate", "--model", GOLDEN, "--alignment", "hard", lines=lines)
    links = [" ".join(f"{s}-{t}" for s, t in found.alignment) for found in model.translate(lines)]
    assert links == [line.rpartition("||| ")[2] for line in wanted]


def test_options_reach_the_search(model, program):
    arguments = ["--sample", "--seed", 7, "--temperature", 2, "--threads", 1]
    wanted = program("translate", "--model", GOLDEN, *arguments, lines=["a b c d e f"])
    assert [model.translate("a b c d e f", sample=True, seed=7, temperature=2, threads=1).text] == wanted
    assert model.translate("a b c", beam=1).text == "c b a"


def test_alternatives_are_the_n_best_list(model, program):
    best = model.translate("a b c d", nbest=4)
    wanted = program("translate", "--model", GOLDEN, "--nbest", 4, lines=["a b c d"])
    assert [t.text for t in [best, *best.alternatives]] == [line.split(" ||| ")[1] for line in wanted]
    second = best.alternatives[0]
    assert second.attention.shape == (len(second.tokens), len(best.source_tokens))
    assert second.source_tokens == best.source_tokens
    assert 0 < second.share < best.share <= 1


def test_one_gives_one_a_list_a_list_and_an_iterable_an_iterator(model):
    assert model.translate("a b").text == "b a"
    assert [t.text for t in model.translate(("a b", "c d"))] == ["b a", "d c"]
    assert model.translate([]) == []
    found = model.translate(text for text in ["a b", "c d"])
    assert iter(found) is found and [str(t) for t in found] == ["b a", "d c"]


def test_lines_of_a_file_are_lines(model, tmp_path):
    (tmp_path / "lines").write_bytes(b"a b\r\n\nc d\n")
    with open(tmp_path / "lines", newline="") as file:
        assert [t.text for t in model.translate(file)] == ["b a", "", "d c"]


def test_an_iterator_reads_a_block_at_a_time(model):
    read = []

    def endless():
        for i in itertools.count():
            read.append(i)
            yield "a b c"

    found = model.translate(endless(), block=4)
    assert read == []
    assert next(found).text == "c b a" and len(read) == 4
    assert len(list(itertools.islice(found, 4))) == 4 and len(read) == 8


def test_constraints(model):
    assert model.translate("a b c", prefix="a").text.startswith("a")
    assert "h" in model.translate("a b c", require=["h"]).text
    assert "b" not in model.translate("a b c", banned=["b"]).text.split()
    assert model.translate("a b c", focus=[(0, 0, 1.0)]).text == model.translate("a b c", focus="1:1=1").text != "c b a"
    with pytest.raises(TypeError, match="`banned` takes a list"):
        model.translate("a", banned="b")


def test_glossary_and_placeholders(model):
    assert "h" in model.translate("a b c", glossary={"b": "h"}).text.split()
    assert "{name}" in model.translate("a b {name} c", tags="placeholders").text
    with pytest.raises(attend.DataError):
        model.translate("a", glossary={"": "h"})


def test_given_targets_are_scored(model, lines, program, tmp_path):
    best = model.translate("a b c d")
    forced = model.score("a b c d", best.text)
    assert forced.log_probability == pytest.approx(best.log_probability, rel=1e-5)
    np.testing.assert_allclose(forced.attention, best.attention, atol=1e-5)
    (tmp_path / "src").write_text("a b c\nd e\n")
    (tmp_path / "tgt").write_text("c b a\nd d\n")
    files = "--src", tmp_path / "src", "--tgt", tmp_path / "tgt"
    wanted = [json.loads(line) for line in program("score", "--model", GOLDEN, *files, "--json") if line.startswith("{")]
    found = model.score(["a b c", "d e"], ["c b a", "d d"])
    np.testing.assert_allclose([t.log_probability for t in found], [w["log_probability"] for w in wanted[:2]], rtol=1e-5)
    with pytest.raises(attend.UsageError, match="2 sources and 1 targets"):
        model.score(["a", "b"], ["a"])


def test_unknown_words_are_named(words):
    (unknown,) = words.translate("mai ghar xylophone").unknown
    assert unknown == ("xylophone", 9, 18)


def test_pieces_are_folded_into_words(model):
    folded = model.translate("a b c", nbest=2)
    assert folded.words().tokens == ["c", "b", "a", "</s>"]
    assert folded.alternatives[0].words().text == folded.alternatives[0].text


def test_an_ensemble_of_equal_models_says_the_same(model):
    pair = attend.load(GOLDEN, GOLDEN)
    assert pair.translate("a b c").score == pytest.approx(model.translate("a b c").score, abs=1e-5)


def test_an_empty_line(model):
    empty = model.translate("")
    assert empty.text == "" and empty.tokens == [] and empty.attention.shape[0] == 0 and empty.alignment == []


def test_a_model_describes_itself(words):
    assert words.network["hidden"] == 24 and words.network["attention"] == "additive"
    assert "mai" in words.vocabulary() and "I" in words.vocabulary(target=True)
    assert words.attends and not words.int8 and not words.frames and words.parameters > 1000
    assert "hidden: 24" in words.config() and "hidden" in words.describe()
    assert words.spells("I am") and not words.spells("xylophone")


@pytest.mark.parametrize("source", [None, 3, b"a b"])
def test_what_is_no_text_is_named(model, source):
    with pytest.raises(TypeError, match=f"a text, a path or an array, not {type(source).__name__}"):
        model.translate(source)
