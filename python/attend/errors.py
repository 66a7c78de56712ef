"""What can go wrong, as exceptions with the library's own messages."""
from __future__ import annotations

from typing import Any

from ._attend import ffi, lib


class Error(Exception):
    """An error of the library. Its text is the library's message: one line, with the place if it is known."""

    status: str = ""  #: the library's name for this kind of error: "USAGE", "DATA" ...
    reason: str = ""  #: the message without the place
    file: str | None = None  #: the file at fault
    line: int | None = None  #: the line at fault, from 1
    item: int | None = None  #: the item of the list at fault, from 0


class UsageError(Error, ValueError):
    """An option or argument is wrong."""


class OutOfMemoryError(Error, MemoryError):
    """The library is out of memory."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class FormatError(Error, ValueError):
    """A file does not hold what it should."""


class DataError(Error, ValueError):
    """The text data cannot be used."""


class DivergedError(Error, ArithmeticError):
    """Training diverged."""


class Stopped(Error):
    """The work was stopped on request. A stopped run can be resumed."""


BY_STATUS: dict[str, type[Error]] = {
    "USAGE": UsageError,
    "NO_MEMORY": OutOfMemoryError,
    "IO": FileError,
    "FORMAT": FormatError,
    "DATA": DataError,
    "DIVERGED": DivergedError,
    "STOPPED": Stopped,
}


def _text(bytes_: Any) -> str:
    return str(ffi.string(bytes_).decode("utf-8", "replace"))


def from_struct(error: Any, places: dict[str, str]) -> Error:
    """The exception for a `struct attend_error`."""

    def named(bytes_: Any) -> str:
        text = _text(bytes_)
        for path, name in places.items():
            text = text.replace(path, name)
        return text

    status = ffi.string(ffi.cast("enum attend_status", error.status)).removeprefix("ATTEND_")
    raised = BY_STATUS.get(status, Error)(named(error.message))
    raised.status = status
    raised.reason = named(error.message + error.reason)
    raised.file = named(error.file) or None
    raised.line = error.line or None
    raised.item = error.item if error.argument else None
    return raised


def call(function: Any, *arguments: Any, places: dict[str, str] | None = None) -> None:
    """Call a function of the library that returns a status and takes an error last.

    `places` renames files in messages: temporary files that hold a list of the caller's.
    """
    error = ffi.new("struct attend_error *")
    if function(*arguments, error) == lib.ATTEND_OK:
        return
    raise from_struct(error, places or {})
