"""Texts and arrays between Python and C: who owns them, and for how long."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._attend import ffi, lib
from .errors import call

StrPath = str | os.PathLike[str]


def to_text(pointer: Any) -> str | None:
    """A text that stays the library's."""
    return None if pointer == ffi.NULL else str(ffi.string(pointer).decode("utf-8", "replace"))


def to_str(pointer: Any) -> str:
    """A text that is never NULL."""
    return to_text(pointer) or ""


def to_texts(pointer: Any, count: int) -> list[str]:
    """An array of texts, none of which is NULL."""
    return [] if pointer == ffi.NULL else [to_str(pointer[i]) for i in range(count)]


def take_text(pointer: Any) -> str:
    """A text that the library made for the caller; it is freed."""
    if pointer == ffi.NULL:
        raise MemoryError("out of memory")
    try:
        return str(ffi.string(pointer).decode("utf-8", "replace"))
    finally:
        lib.attend_text_free(pointer)


def c_text(text: StrPath | None) -> Any:
    """A text or a path for C, which lives as long as the result does; None is NULL."""
    if text is None:
        return ffi.NULL
    coded = text.encode() if isinstance(text, str) else os.fsencode(text)
    if b"\0" in coded:
        raise ValueError("a text contains a NUL character")
    return ffi.new("char[]", coded)


class Texts:
    """An array of texts for C: `array` and `count`, which live as long as this object."""

    def __init__(self, texts: Sequence[StrPath | None]):
        self._texts = [c_text(text) for text in texts]
        self.array = ffi.new("const char *[]", self._texts or 1)
        self.count = len(self._texts)


def new(kind: str, free: Any, function: Any, *arguments: Any, **options: Any) -> Any:
    """Make an object by a function whose first argument is where to put it; `free` gets it in the end."""
    out = ffi.new(f"{kind} **")
    call(function, out, *arguments, **options)
    return ffi.gc(out[0], free)


class _Memory:
    """Lets NumPy see memory of the library, and keeps its owner alive while an array does."""

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...], kind: str):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape, "typestr": kind}


def array(owner: Any, pointer: Any, shape: tuple[int, ...]) -> NDArray[Any] | None:
    """An array over memory of the library, without copying it; it cannot be written to. None for NULL."""
    if pointer == ffi.NULL:
        return None
    kind = np.dtype({"float": np.float32, "double": np.float64}[ffi.typeof(pointer).item.cname]).str
    address = int(ffi.cast("uintptr_t", pointer))
    return np.asarray(_Memory(owner, address, shape, kind))


def c_floats(values: Any) -> Any:
    """A pointer to the numbers of a contiguous float32 array, which must outlive it."""
    return ffi.cast("const float *", ffi.from_buffer(values))
