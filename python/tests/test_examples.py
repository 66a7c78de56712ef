"""The examples, the notebook and the program of the README run as they are printed."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import attend

from conftest import ROOT

PACKAGE = str(Path(attend.__file__).parents[1])
EXAMPLES = ROOT / "python" / "examples"


def blocks(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def run(code, folder):
    """Run a program in a folder; returns what it prints."""
    environment = dict(os.environ, PYTHONPATH=PACKAGE)
    command = [sys.executable, "-B", "-W", "error", "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def folder(tmp_path, words):
    """A folder with a model where the pages expect the demo's, and with the demo's pairs."""
    (tmp_path / "build" / "demo").mkdir(parents=True)
    shutil.copy(words.path, tmp_path / "build" / "demo" / "hindi-english.safetensors")
    (tmp_path / "demo").symlink_to(ROOT / "demo")
    return tmp_path


def test_the_two_lines_of_the_readme(tmp_path):
    """Exactly as printed, with a ready model; the digits may differ a little on other processors."""
    page = (ROOT / "README.md").read_text()
    (program,) = blocks(ROOT / "README.md")
    assert len(program.splitlines()) == 2
    shown = re.search(r"^ +(\[\[.*?\]\])$", page, re.MULTILINE | re.DOTALL)[1]
    weights = [[[float(x) for x in row.split()] for row in re.findall(r"[\d. ]{9,}", text)] for text in (run(program, tmp_path), shown)]
    np.testing.assert_allclose(*weights, atol=0.02)


def test_the_page_on_python(folder):
    """Its programs, one after another."""
    programs = blocks(ROOT / "docs" / "python.md")
    assert len(programs) > 5
    run("\n".join(programs), folder)


@pytest.mark.slow
def test_words_learns_roman_numerals(tmp_path):
    printed = run((EXAMPLES / "words.py").read_text(), tmp_path)
    assert "1994 is MCMXCIV" in printed
    assert float(re.search(r"right: ([\d.]+)%", printed)[1]) > 95


def test_the_notebook_is_committed_without_outputs():
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.outputs or cell.execution_count for cell in notebook.cells if cell.cell_type == "code")


@pytest.mark.slow
def test_the_notebook_runs(tmp_path, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    monkeypatch.setenv("PYTHONPATH", PACKAGE)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.data for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
             if output.output_type == "execute_result"]  # fmt: skip
    assert any("<iframe srcdoc" in data.get("text/html", "") for data in shown)
    assert any("<svg" in data.get("image/svg+xml", "") for data in shown)
