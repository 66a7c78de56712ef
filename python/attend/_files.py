"""Lists of lines as files, because the library reads training and test text from files."""
from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .errors import UsageError


class Files:
    """A temporary folder with a file for each list. Messages name the list, not the file: `places`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="attend-")
        self.places: dict[str, str] = {}

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def path(self, name: str) -> str:
        """A path in the folder, which messages call `name`."""
        path = str(Path(self._folder.name) / name)
        self.places[path] = name
        return path

    def lines(self, name: str, lines: Iterable[str]) -> str:
        """The path of a file with these lines."""
        path = self.path(name)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(lines, 1):
                if "\n" in line or "\r" in line or "\0" in line:
                    raise UsageError(f"{name}:{number}: holds a line end or NUL; give one line at a time")
                file.write(line + "\n")
        return path

    def given(self, name: str, value: str | os.PathLike[str] | Iterable[str]) -> str:
        """The path of a file that was given by its path, or as its lines."""
        return os.fspath(value) if isinstance(value, (str, os.PathLike)) else self.lines(name, value)
