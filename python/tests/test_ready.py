"""Ready models are found by name, in the folders of the program."""
import shutil

import pytest

import attend
from attend._attend import lib
from conftest import GOLDEN, ROOT

pytestmark = pytest.mark.skipif(not hasattr(lib, "attend_model_find"), reason="the library has no ready models")


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    shutil.copy(GOLDEN, tmp_path / "reverse.safetensors")
    monkeypatch.setenv("ATTEND_MODELS", f"/nowhere:{tmp_path}")
    return tmp_path


def test_a_name_is_a_model(shelf):
    assert attend.load("reverse").translate("a b c").text == "c b a"
    assert attend.load("reverse").path == str(shelf / "reverse.safetensors")


def test_unknown_names_have_the_librarys_message(shelf):
    with pytest.raises(attend.FileError, match="reverse"):
        attend.load("revers")


def test_the_program_finds_the_same(shelf, program):
    assert program("translate", "--model", "reverse", lines=["a b c"]) == [attend.load("reverse").translate("a b c").text]


def test_a_file_wins_over_a_name(shelf, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    shutil.copy(GOLDEN, tmp_path / "here")
    assert attend.load("here").path == "here"


def test_folders():
    assert ROOT / "models" in attend.ready.folders()
