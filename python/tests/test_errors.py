"""Errors are exceptions with the library's own messages."""
import pytest

import attend
from attend import errors
from attend._attend import ffi
from conftest import GOLDEN


def test_every_status_has_an_exception():
    names = {name.removeprefix("ATTEND_") for name in ffi.typeof("enum attend_status").relements}
    assert names - {"OK"} == set(errors.BY_STATUS)


def test_a_missing_file_is_an_oserror(tmp_path):
    with pytest.raises(OSError, match="missing: cannot be opened") as caught:
        attend.load(tmp_path / "missing")
    assert isinstance(caught.value, attend.FileError) and caught.value.status == "IO"


def test_a_file_that_is_no_model(tmp_path):
    (tmp_path / "text").write_text("no model")
    with pytest.raises(attend.FormatError):
        attend.load(tmp_path / "text")


def test_a_wrong_line_is_named(model):
    with pytest.raises(attend.DataError, match="input:2: holds a line end") as caught:
        model.translate(["a", "b\nc"])
    assert caught.value.item == 1 and caught.value.reason.startswith("holds")


def test_wrong_options_have_the_librarys_message(model):
    with pytest.raises(ValueError, match="`beam` takes a whole number from 1 to 100, not '0'"):
        model.translate("a", beam=0)
    with pytest.raises(attend.UsageError, match="unknown option `baem`; did you mean `beam`?"):
        model.translate("a", baem=3)
    with pytest.raises(attend.UsageError, match="nbest"):
        model.translate("a", nbest=7, beam=2)


def test_wrong_options_of_an_iterator_are_raised_at_once(model):
    with pytest.raises(attend.UsageError):
        model.translate(iter([]), beam=0)


def test_what_is_no_text(model):
    with pytest.raises(TypeError, match="not int"):
        model.translate([1])
    with pytest.raises(ValueError, match="NUL"):
        model.translate("a\0b")


def test_the_model_is_still_usable_after_an_error(model):
    with pytest.raises(attend.DataError):
        model.translate("a\nb")
    assert model.translate("a b").text == "b a"


def test_lists_are_called_by_their_names():
    with pytest.raises(attend.DataError, match="^hyp has 1 lines and ref has 2"):
        attend.evaluate(["a"], ["a", "b"])
    with pytest.raises(attend.UsageError, match="^train tgt:1: holds a line end"):
        attend.train([("a", "b\nc")])


def test_styles_are_checked(model):
    translation = model.translate("a b")
    with pytest.raises(attend.UsageError, match="a style has no colour"):
        translation.plot(colour="red")
    with pytest.raises(attend.UsageError, match="there is no view 'map'"):
        translation.plot(view="map")
    with pytest.raises(attend.UsageError, match="written as .svg, .png, .pdf, .html$"):
        translation.save("map.jpeg")


def test_missing_attention(tmp_path, demo_pairs):
    blind = attend.train(demo_pairs[:100], attention="none", emb=8, hidden=8, max_updates=2, threads=1, split="none")
    translation = blind.translate("mai ghar")
    assert translation.attention is None and translation._repr_html_() is None and not blind.attends
    with pytest.raises(attend.UsageError, match="no attention to show"):
        translation.plot()


def test_a_model_needs_a_file():
    with pytest.raises(attend.UsageError):
        attend.load()
    assert attend.load(str(GOLDEN)).path == str(GOLDEN)
