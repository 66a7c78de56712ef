"""Models that read frames take files and arrays."""
import struct
import wave

import numpy as np
import pytest

import attend


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    """Files of arrays whose first column says the answer, and a model that was trained on them."""
    folder = tmp_path_factory.mktemp("arrays")
    rng = np.random.default_rng(1)
    rows = []
    for i in range(40):
        values = rng.normal(size=(6 + i % 5, 4)).astype(np.float32)
        np.save(folder / f"{i}.npy", values)
        rows.append(f"{i}.npy\t{'a b' if i % 2 else 'c'}\n")
    (folder / "train.tsv").write_text("".join(rows))
    model = attend.train(train=folder / "train.tsv", src_tokenizer="npy", tgt_tokenizer="spaces", emb=8, hidden=8,
                         max_epochs=2, threads=1)  # fmt: skip
    return folder, model


def test_an_array_is_translated_like_its_file(arrays):
    folder, model = arrays
    assert model.frames == "npy"
    from_file = model.translate(folder / "3.npy")
    from_array = model.translate(np.load(folder / "3.npy"))
    assert from_array.text == from_file.text
    np.testing.assert_array_equal(from_array.attention, from_file.attention)
    assert from_array.attention.shape[1] == 9
    assert [t.text for t in model.translate([np.load(folder / "3.npy")] * 2)] == [from_file.text] * 2


def test_pictures_of_frames(arrays):
    folder, model = arrays
    assert model.translate(folder / "3.npy").plot().svg() == model.translate(np.load(folder / "3.npy")).plot().svg()


def test_wrong_frames_are_refused(arrays, model):
    _, frames = arrays
    with pytest.raises(attend.UsageError, match="not of 1 dimensions"):
        frames.translate(np.zeros(3, np.float32))
    with pytest.raises(attend.Error):
        frames.translate(np.zeros((3, 7), np.float32))
    with pytest.raises(attend.UsageError):
        model.translate(np.zeros((3, 4), np.float32))
    with pytest.raises(attend.FileError):
        frames.translate("missing.npy")


def write_tone(path, pitch):
    samples = (8000 * np.sin(np.arange(2400) * pitch)).astype(int)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def test_sound(tmp_path, program):
    try:
        attend.modules.load("sound")
    except ImportError as error:
        pytest.skip(str(error))
    for i in range(8):
        write_tone(tmp_path / f"{i}.wav", 0.1 + 0.2 * (i % 2))
    (tmp_path / "train.tsv").write_text("".join(f"{i}.wav\t{'low high'.split()[i % 2]}\n" for i in range(8)))
    model = attend.train(train=tmp_path / "train.tsv", src_tokenizer="wav", tgt_tokenizer="spaces", emb=8, hidden=8,
                         max_epochs=1, threads=1, sound_bands=10, model=tmp_path / "sound.safetensors")  # fmt: skip
    found = model.translate(tmp_path / "1.wav")
    assert [found.text] == program("translate", "--model", model.path, lines=[str(tmp_path / "1.wav")])
    assert "<image" in found.plot().svg() or "<rect" in found.plot().svg()
