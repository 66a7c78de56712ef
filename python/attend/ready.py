"""Ready models, found by their names: the folders in which the program looks for them too."""
from __future__ import annotations

import os
from pathlib import Path

from . import modules
from ._attend import ffi, lib
from ._memory import StrPath, Texts, c_text, take_text
from .errors import call

SOURCE = "CMAKE_HOME_DIRECTORY:INTERNAL="


def _source(build: Path) -> Path | None:
    """The source tree of a build folder, as CMake's cache has it; None for any other folder."""
    try:
        lines = (build / "CMakeCache.txt").read_text().splitlines()
    except OSError:
        return None
    return next((Path(line.removeprefix(SOURCE)) for line in lines if line.startswith(SOURCE)), None)


def folders() -> list[Path]:
    """Where ready models are: the folders of ATTEND_MODELS (with colons between), then those that were installed with
    the library, or `models` of the source tree if the library was not installed."""
    chosen = [Path(folder) for folder in os.environ.get("ATTEND_MODELS", "").split(":") if folder]
    above = modules.library().parents
    source = next(filter(None, map(_source, above)), None)
    if source is not None:
        return [*chosen, source / "models"]
    installed = (folder / "share" / "attend" / "models" for folder in above)
    return [*chosen, *(folder for folder in installed if folder.is_dir())]


def find(model: StrPath) -> str:
    """The path of a model that is given by its path or by its name. A text with a slash, with the ending .safetensors
    or with the name of a file that exists is a path."""
    if not isinstance(model, str):
        return os.fspath(model)
    places = Texts([*folders(), None])
    path = ffi.new("char **")
    call(lib.attend_model_find, path, c_text(model), places.array)
    return take_text(path[0])
