"""Pictures and pages of attention."""
from __future__ import annotations

import html
import os
from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from . import modules
from ._attend import ffi, lib
from ._memory import c_text, take_text, to_str
from .errors import UsageError, call


Writers = dict[str, Callable[[], "str | bytes"]]  #: by ending, what makes the content of a file


class Style(TypedDict, total=False):
    """How pictures look: the keyword arguments of everything that draws."""

    title: str
    view: str  #: "heatmap", "links" or "salience"
    values: str  #: whether weights are printed as numbers: "auto", "always" or "never"
    dark: bool
    scale: str  #: a color scale: scales() has their names
    width: int  #: columns of the terminal; 0: lines of about 100


def scales() -> list[str]:
    """The names of the color scales, the default one first."""
    names, found = lib.attend_scale_names(), list[str]()
    while names[len(found)] != ffi.NULL:
        found.append(to_str(names[len(found)]))
    return found


def _choice(kind: str, given: str, enum: str) -> Any:
    try:
        return getattr(lib, f"ATTEND_{enum}_{given.upper()}")
    except AttributeError:
        raise UsageError(f"there is no {kind} {given!r}") from None


class CStyle:
    """`struct attend_style`, with the texts that it borrows."""

    def __init__(self, style: dict[str, Any]):
        unknown = set(style) - set(Style.__annotations__)
        if unknown:
            raise UsageError(f"a style has no {', '.join(sorted(unknown))}; it has {', '.join(Style.__annotations__)}")
        if "scale" in style and style["scale"] not in scales():
            raise UsageError(f"`scale` takes one of {', '.join(scales())}, not {style['scale']!r}")
        self._texts = c_text(style.get("title")), c_text(style.get("scale"))
        self.struct = ffi.new("struct attend_style *")
        self.struct.title, self.struct.scale = self._texts
        self.struct.view = _choice("view", style.get("view", "heatmap"), "VIEW")
        self.struct.values = _choice("way to print values", style.get("values", "auto"), "VALUES")
        self.struct.dark = style.get("dark", False)
        self.struct.width = style.get("width", 0)


class Picture:
    """A finished picture, in any format. Notebooks show it by themselves."""

    def __init__(self, pointer: Any):
        if pointer == ffi.NULL:
            raise MemoryError("out of memory for a picture")
        self._picture = ffi.gc(pointer, lib.attend_picture_free)

    def svg(self) -> str:
        """A standalone SVG document in which text stays text."""
        return take_text(lib.attend_picture_svg(self._picture))

    def png(self, scale: float = 0) -> bytes:
        """A PNG image; `scale` is the number of pixels for a unit, 2 unless given. Needs the module attend-paint.so."""
        return self._paint(lib.ATTEND_PAINT_PNG, scale)

    def pdf(self, scale: float = 0) -> bytes:
        """A PDF document in which text stays text. Needs the module attend-paint.so."""
        return self._paint(lib.ATTEND_PAINT_PDF, scale)

    def _paint(self, kind: int, scale: float) -> bytes:
        paint = modules.function("paint", "attend_paint")
        release = modules.function("paint", "attend_paint_free")
        data, size = ffi.new("unsigned char **"), ffi.new("size_t *")
        call(paint, self._picture, kind, scale, data, size)
        try:
            return bytes(ffi.buffer(data[0], size[0]))
        finally:
            release(data[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file, in the format of its ending: .svg, .png or .pdf."""
        save_as(path, self.writers())

    def writers(self) -> Writers:
        """What makes a file, by its ending."""
        return {".svg": self.svg, ".png": self.png, ".pdf": self.pdf}

    def _repr_svg_(self) -> str:
        return self.svg()


def save_as(path: str | os.PathLike[str], writers: Writers) -> None:
    """Write a file in the format of its ending."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in writers:
        raise UsageError(f"{os.fspath(path)}: this can be written as {', '.join(writers)}")
    save(path, writers[ending]())


def save(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file atomically: afterwards either the old or the new file is there, complete."""
    data = content.encode() if isinstance(content, str) else content
    call(lib.attend_plot_save_bytes, c_text(os.fspath(path)), ffi.from_buffer(data), len(data))


class Matrices:
    """Matrices for one picture. The translations that they are taken from must outlive it."""

    def __init__(self, structs: Sequence[Any], titles: Sequence[str | None] = (), views: Sequence[Any] = ()):
        self._titles = [c_text(title) for title in titles]
        self._views = list(views)
        self.count = len(structs)
        self.array = ffi.new("struct attend_matrix[]", list(structs))
        for i, title in enumerate(self._titles):
            self.array[i].title = title
        for i, view in enumerate(self._views):
            self.array[i].frames = view

    def picture(self, style: dict[str, Any]) -> Picture:
        return Picture(lib.attend_picture_matrices(self.array, self.count, CStyle(style).struct))

    def page(self, style: dict[str, Any]) -> str:
        return take_text(lib.attend_page(self.array, self.count, CStyle(style).struct))

    def terminal(self, style: dict[str, Any], color: bool) -> str:
        return take_text(lib.attend_terminal_matrices(self.array, self.count, CStyle(style).struct, color))


def in_frame(page: str, height: int) -> str:
    """A page inside another one. The frame has its own document, styles and names, so that several never collide, and
    its script can reach neither the notebook nor the network's cookies."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" loading="lazy" '
        f'style="width: 100%; height: {height}px; border: 0"></iframe>'
    )


def curves(*logs: str | os.PathLike[str], **style: Any) -> Picture:
    """The learning curves of training logs."""
    paths = [c_text(os.fspath(log)) for log in logs]
    out = ffi.new("struct attend_picture **")
    call(lib.attend_picture_logs, ffi.new("const char *[]", paths), len(paths), CStyle(style).struct, out)
    return Picture(out[0])
