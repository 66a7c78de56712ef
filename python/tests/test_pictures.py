"""Pictures are the program's; notebooks show the interactive page."""
import html.parser

import pytest

import attend
from conftest import GOLDEN


class Frames(html.parser.HTMLParser):
    """The attributes of every element of a text, and the text outside them."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.outside = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.outside += data


def test_svg_and_page_equal_the_programs(model, program, tmp_path):
    for ending in ("svg", "html"):
        program("plot", "--model", GOLDEN, "--output", tmp_path / f"program.{ending}", "a b c")
        model.translate("a b c").save(tmp_path / f"python.{ending}")
        assert (tmp_path / f"python.{ending}").read_bytes() == (tmp_path / f"program.{ending}").read_bytes()


def test_png_and_pdf(model, tmp_path):
    try:
        attend.modules.load("paint")
    except ImportError as error:
        pytest.skip(str(error))
    picture = model.translate("a b c").plot(view="links", dark=True)
    assert picture.png(scale=1).startswith(b"\x89PNG") and picture.pdf().startswith(b"%PDF")
    picture.save(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(model):
    translation = model.translate("a b c")
    shown = translation._repr_html_()
    both = Frames(shown + model.translate("d e f")._repr_html_())
    assert [tag for tag, _ in both.elements] == ["iframe", "iframe"] and not both.outside
    attributes = both.elements[0][1]
    assert attributes["srcdoc"] == translation.page()
    assert attributes["sandbox"] == "allow-scripts"


def test_hostile_text_stays_in_the_frame(words):
    hostile = '"><script>alert(1)</script></iframe>'
    shown = Frames(words.translate(hostile)._repr_html_())
    assert len(shown.elements) == 1 and not shown.outside


def test_many_translations_on_one_page(model):
    translations = model.translate(["a b c", "d e f"])
    assert "d e f"[::-1] in attend.page(translations)
    assert attend.plot(translations, title="both").svg().count("both") >= 1
    assert attend.plot(translations)._repr_svg_().startswith("<?xml")


def test_styles(model):
    translation = model.translate("a b c", nbest=2)
    assert translation.plot(scale=attend.scales()[1]).svg() != translation.plot().svg()
    assert translation.alternatives[0].plot().svg() != translation.plot().svg()
    assert "c" in translation.terminal(width=40)


def test_learning_curves(tmp_path, demo_pairs):
    log = tmp_path / "run.log"
    attend.train(demo_pairs[:60], demo_pairs[:9], emb=8, hidden=8, max_epochs=2, threads=1, log=log)
    assert "run" in attend.curves(log).svg()
