"""Options by name, from the library's own tables: a new option of the library is here without a change."""
from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from . import modules
from ._attend import ffi, lib
from ._memory import c_text, new, to_str, to_text
from .errors import call

Value = bool | int | float | str | os.PathLike[str] | Sequence[str] | None

# What each command's options fill, and the tables of attend/settings.h that describe them.
GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "translate": {"translator": ("SEARCH", "DIRECTION", "SPEED")},
    "train": {
        "data": ("DATA", "TOKENS"),
        "network": ("NETWORK",),
        "train": ("TRAIN", "LEARNING"),
        "frame": ("FRAMES",),
    },
    "align": {"align": ("ALIGN", "ALIGN_BOTH", "ALIGN_GOLD", "ALIGN_SPEED")},
    "evaluate": {"eval": ("EVAL", "METRICS")},
    "write": {"writer": ("WRITER",)},
}
# Of each kind of row: the type in Python, and that of its field.
KINDS = {
    "FLAG": ("bool", "bool"),
    "INT": ("int", "int"),
    "REAL": ("float", "double"),
    "TEXT": ("str", "const char *"),
    "CHOICE": ("str", "const char *"),
    "LIST": ("list[str]", "const char *const *"),
}


@dataclass(frozen=True)
class Option:
    """An option, as the library describes it."""

    name: str  #: as a keyword argument
    kind: str  #: "bool", "int", "float", "str" or "list[str]"
    default: str | None  #: as text; None: false, 0 or not given
    low: float | None  #: smallest number
    high: float | None  #: largest number
    choices: tuple[str, ...]  #: names that it takes; () for any
    help: str

    def __str__(self) -> str:
        default = "" if self.default is None else f" = {self.default}"
        names = f" ({', '.join(self.choices)})" if self.choices else ""
        return f"{self.name}: {self.kind}{default}\n    {self.help}{names}"


class Settings:
    """The options structs of a command, filled by name. The structs live as long as this object."""

    def __init__(self, group: str, options: dict[str, Value] | None = None):
        self._settings = new("struct attend_settings", lib.attend_settings_free, lib.attend_settings_new)
        self.structs: dict[str, Any] = {}
        self._kept: list[Any] = []
        for noun, tables in GROUPS[group].items():
            struct = ffi.new(f"struct attend_{noun}_options *")
            getattr(lib, f"attend_{noun}_fill")(struct, ffi.sizeof(struct[0]))
            self.structs[noun] = struct
            for table in tables:
                title = self.keep(c_text(table))
                call(lib.attend_settings_add, self._settings, title, getattr(lib, f"ATTEND_TABLE_{table}"), struct)
        for name, value in (options or {}).items():
            self.set(name, value)

    def __getitem__(self, noun: str) -> Any:
        return self.structs[noun]

    def keep(self, pointer: Any) -> Any:
        """Let memory that a struct points to live as long as the structs."""
        self._kept.append(pointer)
        return pointer

    def set(self, name: str, value: Value) -> None:
        """Set one option; None leaves it as it is. Python's keywords take an underscore: from_."""
        if value is None:
            return
        many = isinstance(value, (list, tuple))
        items: list[Any] = list(cast(Iterable[Any], value)) if many else [value]
        for item in items:
            call(lib.attend_settings_set, self._settings, c_text(_row_name(name)), c_text(_value_text(item)))

    def given(self, name: str) -> bool:
        return bool(lib.attend_settings_given(self._settings, c_text(_row_name(name))))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Set what a YAML file says. Needs the module attend-yaml.so."""
        read = modules.function("yaml", "attend_yaml_read")
        call(lib.attend_settings_load, self._settings, c_text(os.fspath(path)), read)

    def preset(self, name: str) -> None:
        call(lib.attend_settings_preset, self._settings, c_text(name))

    def _rows(self) -> Iterator[Any]:
        info = ffi.new("struct attend_setting_info *")
        for i in itertools.count():
            if not lib.attend_settings_describe(self._settings, i, info):
                return
            yield info

    def __iter__(self) -> Iterator[Option]:
        return map(_option, self._rows())

    def values(self, noun: str) -> dict[str, Any]:
        """What the rows of one struct have as values, by name."""
        mine = (info for info in self._rows() if info.options == self.structs[noun])
        return {_python_name(info.row): _field(info) for info in mine}


def _row_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _value_text(value: Any) -> str | os.PathLike[str]:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, (str, os.PathLike)) else str(value)


def _choices(row: Any) -> tuple[str, ...]:
    names: list[str] = []
    while row.choices != ffi.NULL:
        name = row.choices(len(names)).name
        if name == ffi.NULL:
            break
        names.append(to_str(name))
    return tuple(names)


def _kind(row: Any) -> tuple[str, str]:
    name = ffi.string(ffi.cast("enum attend_setting_kind", row.kind))
    return KINDS[name.removeprefix("ATTEND_SETTING_")]


def _python_name(row: Any) -> str:
    return to_str(row.name).replace("-", "_")


def _field(info: Any) -> Any:
    """The value of a row in its struct; a list stays a pointer."""
    kind, c_type = _kind(info.row)
    value = ffi.cast(f"{c_type} *", ffi.cast("const char *", info.options) + info.row.offset)[0]
    return to_text(value) if kind == "str" else value


def _option(info: Any) -> Option:
    row = info.row
    kind = _kind(row)[0]
    number = kind in ("int", "float")
    return Option(
        name=_python_name(row),
        kind=kind,
        default=to_text(info.fallback),
        low=row.min if number else None,
        high=row.max if number else None,
        choices=_choices(row),
        help=to_str(row.help),
    )


def options(group: str) -> dict[str, Option]:
    """The options of a function by their names: options("translate"), "train", "align", "evaluate" or "write"."""
    return {option.name: option for option in Settings(group)}


def document(group: str) -> str:
    """All options of a function as text, for its docstring."""
    return "\n\nOptions:\n\n" + "\n".join(str(option) for option in Settings(group))
