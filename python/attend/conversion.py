"""Converting model files: int8, languages, and confidence that means what it says."""
from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import ready
from ._attend import ffi, lib
from ._memory import c_text, take_text
from .errors import call
from .model import Model, load
from .picture import CStyle, Picture

if TYPE_CHECKING:
    from .translation import Translation


@dataclass(frozen=True)
class Reliability:
    """How far a confidence can be trusted."""

    ece: float  #: expected calibration error: the mean distance of what it says from what is right, 0 to 1
    nll: float  #: mean of -log(confidence), or of -log(1 - confidence) for wrong answers


class Calibration:
    """What a test set says about the confidence of a model, and the scaling that mends it (attend/calibration.h)."""

    def __init__(self, struct: Any):
        self._struct = struct

    @property
    def lines(self) -> int:
        return int(self._struct.lines)

    @property
    def right(self) -> int:
        """Lines that were translated exactly."""
        return int(self._struct.right)

    @property
    def before(self) -> Reliability:
        """Of the confidence as it was."""
        return Reliability(self._struct.before.ece, self._struct.before.nll)

    @property
    def after(self) -> Reliability:
        """Of the scaled confidence, each tenth scaled by what the others say."""
        return Reliability(self._struct.after.ece, self._struct.after.nll)

    @property
    def scaling(self) -> Any:
        """`struct attend_scaling`."""
        return ffi.addressof(self._struct.scaling)

    def plot(self, **style: Any) -> Picture:
        """The reliability diagram."""
        return Picture(lib.attend_picture_calibration(self._struct, CStyle(style).struct))

    def __str__(self) -> str:
        return take_text(lib.attend_calibration_text(self._struct))


def calibrate(translations: Iterable[Translation], right: Iterable[bool]) -> Calibration:
    """Fit the confidence of translations to whether each was right; `convert(calibration=...)` writes it down."""
    answers = [
        (translation.log_probability, len(translation.tokens), translation.confidence, bool(good))
        for translation, good in zip(translations, right, strict=True)
    ]
    out = ffi.new("struct attend_calibration *")
    call(lib.attend_calibrate, out, ffi.new("struct attend_answer[]", answers or 1), len(answers))
    return Calibration(out)


def convert(
    model: Model | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    int8: bool = False,
    source_lang: str | None = None,
    target_lang: str | None = None,
    calibration: Calibration | None = None,
) -> Model:
    """Write a changed model to `path`, and load it.

    int8         round the matrices to int8: about a quarter of the size, and faster; training cannot start from it
    source_lang, target_lang  language codes
    calibration  of its confidence: see `calibrate`

    What is not given stays as it is. The same model gives the same bytes.
    """
    texts = c_text(source_lang), c_text(target_lang)
    conversion = ffi.new("struct attend_conversion *", (int8, *texts))
    if calibration is not None:
        conversion.calibration = calibration.scaling
    source = model.path if isinstance(model, Model) else ready.find(model)
    call(lib.attend_convert, c_text(source), c_text(os.fspath(path)), conversion)
    return load(path)
