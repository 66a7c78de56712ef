"""Ready models are found by name, in the folders of the program."""
import shutil

import pytest

import attend
from conftest import GOLDEN


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


def test_a_build_folder_knows_its_sources(tmp_path, monkeypatch):
    (tmp_path / "CMakeCache.txt").write_text("A:BOOL=ON\nCMAKE_HOME_DIRECTORY:INTERNAL=/project\n")
    monkeypatch.setattr(attend.modules, "library", lambda: tmp_path / "python" / "attend" / "_attend.so")
    monkeypatch.setenv("ATTEND_MODELS", "/mine:/yours")
    assert [str(folder) for folder in attend.ready.folders()] == ["/mine", "/yours", "/project/models"]


def test_an_installed_library_has_its_models_beside_it(tmp_path, monkeypatch):
    models = tmp_path / "share" / "attend" / "models"
    models.mkdir(parents=True)
    monkeypatch.setattr(attend.modules, "library", lambda: tmp_path / "lib" / "x86_64" / "libattend.so")
    monkeypatch.delenv("ATTEND_MODELS", raising=False)
    assert models in attend.ready.folders()
