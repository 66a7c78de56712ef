"""Writing by hand: what a model whose target is ink makes of a text."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import picture
from ._attend import ffi, lib
from ._memory import Texts, array, take_text, to_str, to_texts
from .errors import UsageError, call
from .picture import CStyle, Picture
from .settings import Settings
from .translation import Floats

if TYPE_CHECKING:
    from .model import Model

FRAME_HEIGHT = 420  # pixels of the page in a notebook


class Writing:
    """The trace of a pen for a text: written by a model, or given and scored by it.

    Arrays are views of the library's memory: nothing is copied, they cannot be written to, and they stay valid when the
    writing and the model are gone.
    """

    def __init__(self, struct: Any):
        self._struct = ffi.gc(ffi.new("struct attend_writing *", struct), lib.attend_writing_release)

    @property
    def text(self) -> str:
        return to_str(self._struct.text)

    @property
    def complete(self) -> bool:
        """False if the length limit cut it off."""
        return bool(self._struct.complete)

    @property
    def source_tokens(self) -> list[str]:
        """The tokens of the text as the model read them, `</s>` last."""
        return to_texts(self._struct.source, self._struct.source_count)

    @property
    def strokes(self) -> Floats:
        """(strokes, 3): dx and dy from the point before, with y down and the height of a line as the unit, and 1 where
        the pen is lifted after this point."""
        return self._array(self._struct.stroke, self._struct.count, 3)

    @property
    def attention(self) -> Floats | None:
        """The weights, (strokes, source tokens). None for a model without attention."""
        if self._struct.weight == ffi.NULL:
            return None
        return self._array(self._struct.weight, self._struct.count, self._struct.source_count)

    @property
    def log_probability(self) -> float:
        """Of given ink: the logarithm of its density, in units in which a stroke varies by 1; it may be above 0."""
        return float(self._struct.log_probability)

    @property
    def stroke_scores(self) -> Floats | None:
        """Of given ink: the share of each stroke in `log_probability`, and last that of the end."""
        if self._struct.stroke_score == ffi.NULL:
            return None
        return self._array(self._struct.stroke_score, self._struct.count + 1)

    def _array(self, pointer: Any, *shape: int) -> Floats:
        values = array(self._struct, pointer, shape)
        return np.empty(shape, np.float32) if values is None else values

    # ---- Pictures ----

    def plot(self, **style: Any) -> Picture:
        """A picture of the ink."""
        return Picture(lib.attend_picture_writing(self._trace(), 1, CStyle(style).struct))

    def page(self, **style: Any) -> str:
        """A self-contained HTML page on which the pen moves and the tokens that it looks at light up."""
        return take_text(lib.attend_writing_page(self._trace(), 1, CStyle(style).struct))

    def inkml(self) -> str:
        """The ink as an InkML document of the W3C."""
        return take_text(lib.attend_writing_inkml(self._trace(), 1))

    def save(self, path: str | os.PathLike[str], **style: Any) -> None:
        """Write it to a file, in the format of its ending: .svg, .png, .pdf, .html or .inkml."""
        texts: picture.Writers = {".html": lambda: self.page(**style), ".inkml": self.inkml}
        picture.save_as(path, {**self.plot(**style).writers(), **texts})

    def _trace(self) -> Any:
        return ffi.new("struct attend_trace *", lib.attend_writing_trace(self._struct))

    def _repr_html_(self) -> str:
        return picture.in_frame(self.page(), FRAME_HEIGHT)

    def __repr__(self) -> str:
        return f"Writing({self.text!r}, {self._struct.count} strokes)"


def write(model: Model, texts: Sequence[str], seed: int, max_length: float, options: dict[str, Any]) -> list[Writing]:
    """Write texts by hand."""
    settings, given = Settings("write", options), Texts(texts)
    settings["writer"].seed, settings["writer"].max_length = seed, max_length
    out = ffi.new("struct attend_writing[]", max(given.count, 1))
    call(lib.attend_write, model.handle, given.array, given.count, settings["writer"], ffi.NULL, out)
    return [Writing(out[i]) for i in range(given.count)]


def given_ink(model: Model, texts: Sequence[str], paths: Iterable[str | os.PathLike[str]], threads: int) -> list[Writing]:
    """How likely the model is to write this ink for these texts."""
    given, files = Texts(texts), Texts(list(paths))
    if given.count != files.count:
        raise UsageError(f"there are {given.count} texts and {files.count} files of ink")
    ink = ffi.new("struct attend_given_ink *", (given.array, files.array, given.count, ffi.NULL, threads, ffi.NULL))
    out = ffi.new("struct attend_writing[]", max(given.count, 1))
    call(lib.attend_write_given, model.handle, ink, out)
    return [Writing(out[i]) for i in range(given.count)]
