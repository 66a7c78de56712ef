"""Translators: models with working memory and threads. `Model` keeps and shares them; few programs need their own."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import modules
from ._attend import ffi, lib
from ._memory import Texts, c_floats, c_text, new
from .errors import UsageError, call
from .markup import Line, Markup
from .settings import Settings, Value
from .translation import Translation

if TYPE_CHECKING:
    from .model import Model

#: Weights that replace the model's own: (target step, source token, weight), counted from 0.
Focus = Iterable[tuple[int, int, float]]


# Options that have no row in a table, because the program has other names for them.
FIELDS = ("each_head", "allow_unk")


def c_focus(focus: Focus | str | None) -> tuple[Any, int]:
    """`struct attend_focus[]` and its length, from triples or from text as people write it: "1:5=1"."""
    if focus is None:
        return ffi.NULL, 0
    if isinstance(focus, str):
        out, count = ffi.new("struct attend_focus **"), ffi.new("int *")
        call(lib.attend_focus_parse, out, count, c_text(focus))
        return ffi.gc(out[0], lib.attend_array_free), count[0]
    triples = list(focus)
    return ffi.new("struct attend_focus[]", triples), len(triples)


class Constraint:
    """What every translation of a call must contain, and where the model must look."""

    def __init__(self, prefix: str | None = None, require: Sequence[str] = (), focus: Focus | str | None = None):
        self._prefix, self._require = c_text(prefix), list(require)
        self._focus, self._focus_count = c_focus(focus)

    def struct(self, terms: Sequence[str]) -> tuple[Any, Any]:
        """The constraint of one line with these terms, and what must live as long as it is used."""
        phrases = Texts((self._require + list(terms))[: max(len(self._require), lib.ATTEND_MAX_PHRASES)])
        struct = ffi.new("struct attend_constraint *")
        struct.prefix = self._prefix
        struct.require, struct.require_count = phrases.array, phrases.count
        struct.focus, struct.focus_count = self._focus, self._focus_count
        return struct[0], (struct, phrases)


def is_frames(source: Any) -> bool:
    return isinstance(source, np.ndarray)


class Translator:
    """The translator of one set of options. It serves one thread at a time; a model gives each thread its own."""

    def __init__(self, model: Model, options: dict[str, Value], banned: Sequence[str] = ()):
        fields = {name: options[name] for name in FIELDS if name in options}
        settings = Settings("translate", {name: options[name] for name in options if name not in fields})
        handles = model.handles
        struct = settings["translator"]
        struct.spans = True
        for name, value in fields.items():
            setattr(struct, name, bool(value))
        models = ffi.new("const struct attend_model *[]", handles)
        out = ffi.new("struct attend_translator **")
        call(lib.attend_translator_new, out, models, len(handles), struct)
        # The models must outlive the translator, whatever Python's garbage collector frees first.
        self.handle: Any = ffi.gc(out[0], lambda pointer, _needs=(handles, settings): lib.attend_translator_free(pointer))
        if model.frames:
            call(lib.attend_translator_files, self.handle, ffi.NULL, modules.frame_modules())
        if banned:
            texts = Texts(banned)
            call(lib.attend_translator_ban, self.handle, texts.array, texts.count)

    def lines(self, model: Model, lines: Sequence[Any], constraint: Constraint, markup: Markup) -> list[Translation]:
        """Translate texts, or paths if the model reads frames."""
        parsed = [markup.parse(line) if markup.used else None for line in lines]
        texts = Texts([line.text if line else source for line, source in zip(parsed, lines)])
        made = [constraint.struct(line.terms if line else ()) for line in parsed]
        constraints = ffi.new("struct attend_constraint[]", [struct for struct, _ in made])
        out = ffi.new("struct attend_translation[]", len(lines))
        call(lib.attend_translate_constrained, self.handle, texts.array, constraints, len(lines), out)
        return self._take(model, lines, out, parsed)

    def arrays(self, model: Model, arrays: Sequence[Any]) -> list[Translation]:
        """Translate frames that the caller made."""
        values = [np.ascontiguousarray(frames, dtype=np.float32) for frames in arrays]
        out = ffi.new("struct attend_translation[]", len(values))
        call(lib.attend_translate_frames, self.handle, c_frames(values), len(values), out)
        return self._take(model, values, out, [None] * len(values))

    def force(self, model: Model, sources: Sequence[Any], targets: Sequence[str], pieces: bool) -> list[Translation]:
        """Run the model on given targets."""
        given, wanted = Texts(sources), Texts(targets)
        out = ffi.new("struct attend_translation[]", given.count)
        function = lib.attend_force_pieces if pieces else lib.attend_force
        call(function, self.handle, given.array, wanted.array, given.count, out)
        return self._take(model, sources, out, [None] * given.count)

    def _take(self, model: Model, sources: Sequence[Any], out: Any, parsed: Sequence[Line | None]) -> list[Translation]:
        found = [Translation.take(out[i], model, source) for i, source in enumerate(sources)]
        for line, translation in zip(parsed, found):
            if line:
                translation.put_back(line)
        return found


def c_frames(values: Sequence[Any]) -> Any:
    """`struct attend_frames[]` of contiguous float32 arrays, which must outlive it."""
    for frames in values:
        if frames.ndim != 2:
            raise UsageError(f"frames are an array of (rows, width), not of {frames.ndim} dimensions")
    rows = [(*frames.shape, c_floats(frames)) for frames in values]
    return ffi.new("struct attend_frames[]", rows)


def source_text(source: Any) -> Any:
    """A line, without the line end that it has if it comes from a file, or a path."""
    if isinstance(source, str):
        return source.removesuffix("\n").removesuffix("\r")
    if isinstance(source, os.PathLike):
        return source
    raise TypeError(f"a source is a text, a path or an array, not {type(source).__name__}")
