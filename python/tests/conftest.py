"""What the tests share. ATTEND is the program; tests that compare with it are skipped without it."""
import os
import subprocess
from pathlib import Path

import pytest

import attend

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "data" / "model-v1.safetensors"  # reverses letters from a to h


@pytest.fixture(scope="session")
def model():
    return attend.load(GOLDEN)


@pytest.fixture(scope="session")
def lines():
    """Lines of different lengths, an empty one among them."""
    letters = "a b c d e f g h".split()
    return [" ".join(letters[i % 8 :: 1 + i % 3][: i % 6]) for i in range(60)]


@pytest.fixture(scope="session")
def program():
    """Run `attend ARGUMENTS...` on lines; returns its output lines."""
    path = os.environ.get("ATTEND")
    if not path:
        pytest.skip("ATTEND does not name the program")

    def run(*arguments, lines=()):
        text = "".join(line + "\n" for line in lines)
        command = [path, *map(str, arguments)]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()

    return run


@pytest.fixture(scope="session")
def demo_pairs():
    """Pairs of the demo's corpus."""
    texts = [(ROOT / "demo" / f"train.{side}").read_text().splitlines()[:600] for side in ("hi", "en")]
    return list(zip(*texts))


@pytest.fixture(scope="session")
def words(tmp_path_factory, demo_pairs):
    """A model of words that has learned next to nothing."""
    path = tmp_path_factory.mktemp("model") / "words.safetensors"
    return attend.train(demo_pairs, model=path, emb=16, hidden=24, max_epochs=3, threads=1, tokenizer="spaces", split="none")
