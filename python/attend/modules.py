"""The modules of the library, attend-<name>.so: what reads sound, images and YAML, learns subwords and paints pictures.

They are loaded when they are first needed, from `folder` if it is set, otherwise from the folder of the library or its
subfolder `attend`.
"""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ._attend import ffi, lib
from ._memory import c_text, to_str

#: Where to look for modules first; None: only beside the library.
folder: str | os.PathLike[str] | None = None

_loaded: dict[str, Any] = {}


def library() -> Path:
    """The file that the library is in: libattend.so, or the extension if the library is linked into it."""
    return Path(to_str(lib.attend_python_library())).resolve()


def places() -> list[Path]:
    """The folders in which modules are looked for."""
    beside = library().parent
    chosen = [Path(folder)] if folder is not None else []
    return [*chosen, beside, beside / "attend"]


def load(name: str) -> Any:
    """Load attend-<name>.so. An ImportError says where it was looked for, or why it cannot be loaded."""
    if name in _loaded:
        return _loaded[name]
    file = f"attend-{name}.so"
    for place in places():
        if (place / file).exists():
            module = lib.dlopen(c_text(place / file), lib.RTLD_NOW)
            if module == ffi.NULL:
                raise ImportError(to_str(lib.dlerror()), name=file)
            _loaded[name] = module
            return module
    raise ImportError(f"there is no {file} in {', '.join(map(str, places()))}", name=file)


def function(module: str, name: str) -> Any:
    """A function of a module, with the type that its header gives it."""
    address = lib.dlsym(load(module), c_text(name))
    if address == ffi.NULL:
        raise ImportError(f"attend-{module}.so has no {name}", name=module)
    return ffi.cast(f"{name}_fn *", address)


# The modules of a reader of frames, and the fields of struct attend_frame_modules that they fill.
FRAME_MODULES = {
    "sound": ("no_sound", {"sound_decode": "attend_sound_decode", "sound_power": "attend_sound_power"}),
    "image": ("no_image", {"image_decode": "attend_image_decode"}),
}


class FrameModules:
    """`struct attend_frame_modules` with every module that is there, and the reason for those that are not."""

    def __init__(self) -> None:
        self.struct = ffi.new("struct attend_frame_modules *")
        self._kept: list[Any] = []
        for module, (reason, functions) in FRAME_MODULES.items():
            try:
                for field, name in functions.items():
                    setattr(self.struct, field, function(module, name))
            except ImportError as error:
                self._kept.append(c_text(str(error)))
                setattr(self.struct, reason, self._kept[-1])


_frame_modules: list[FrameModules] = []


def frame_modules() -> Any:
    """The modules that read frames, loaded once; they live as long as the process."""
    if not _frame_modules:
        _frame_modules.append(FrameModules())
    return _frame_modules[0].struct
