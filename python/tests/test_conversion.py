"""Converted models are those of `attend convert`."""
import numpy as np
import pytest

import attend


def test_int8_is_the_programs(tmp_path, model, lines, program):
    program("convert", "--int8", "--source-lang", "xx", "--model", model.path, "--output", tmp_path / "wanted")
    small = attend.convert(model, tmp_path / "small.safetensors", int8=True, source_lang="xx")
    assert small.int8 and not model.int8 and small.source_language == "xx" and small.target_language == model.target_language
    assert (tmp_path / "small.safetensors").read_bytes() == (tmp_path / "wanted").read_bytes()
    assert [t.text for t in small.translate(lines)] == [t.text for t in model.translate(lines)]


def test_calibration_changes_the_confidence_alone(tmp_path, model, lines):
    """As if every third answer were wrong, of which the model knows nothing."""
    lines = [line for line in lines if line]
    right = [i % 3 > 0 for i in range(len(lines))]

    def nll(translations):
        said = np.clip([t.confidence if good else 1 - t.confidence for t, good in zip(translations, right)], 1e-12, 1)
        return -np.log(said).mean()

    before = model.translate(lines)
    calibration = attend.calibrate(before, right)
    assert (calibration.lines, calibration.right) == (len(lines), sum(right))
    assert calibration.before.nll == pytest.approx(nll(before), rel=0.01) and calibration.after.nll < calibration.before.nll
    assert "<svg" in calibration.plot().svg() and str(calibration)
    calibrated = attend.convert(model, tmp_path / "calibrated.safetensors", calibration=calibration)
    after = calibrated.translate(lines)
    assert calibrated.calibrated and not model.calibrated
    assert [t.text for t in after] == [t.text for t in before] and nll(after) < nll(before)


def test_wrong_conversions_are_refused(tmp_path, model):
    with pytest.raises(attend.UsageError, match="choose another output file"):
        attend.convert(model, model.path, int8=True)
    with pytest.raises(attend.UsageError):
        attend.convert(model, tmp_path / "out", source_lang="not a language")
    with pytest.raises(attend.FileError):
        attend.convert(tmp_path / "missing", tmp_path / "out", int8=True)
    with pytest.raises(ValueError):
        attend.calibrate([], [True])
    with pytest.raises(attend.DataError):
        attend.calibrate([], [])
