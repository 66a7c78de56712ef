"""Model files as texts and arrays: the container of src/model/file.h, for tools that make or take models apart."""
from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .picture import save

OPENING = b'{"__metadata__":{"checksum":"'
DIGITS = 16
ALIGNMENT = 64
TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8"), "U8": np.dtype("u1"), "I8": np.dtype("i1")}
NAMES = {dtype: name for name, dtype in TYPES.items()}


class Content(NamedTuple):
    texts: dict[str, str]
    tensors: dict[str, NDArray[Any]]


def read(path: str | os.PathLike[str]) -> Content:
    """The content of a model file that the library accepts; it is not checked here."""
    data = open(path, "rb").read()
    start = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:start])
    texts: dict[str, str] = header.pop("__metadata__")
    tensors = {}
    for name, row in header.items():
        begin, end = (start + offset for offset in row["data_offsets"])
        values: NDArray[Any] = np.frombuffer(data[begin:end], TYPES[row["dtype"]])
        tensors[name] = values.reshape(row["shape"])
    return Content({name: text for name, text in texts.items() if name not in ("checksum", "format")}, tensors)


def write(path: str | os.PathLike[str], content: Content) -> None:
    """Write a model file; `format_version` is among its texts."""
    header: dict[str, Any] = {"__metadata__": {"checksum": "0" * DIGITS, "format": "attend", **content.texts}}
    begin, parts = 0, []
    for name, tensor in content.tensors.items():
        parts.append(np.ascontiguousarray(tensor).tobytes())
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [begin, begin + len(parts[-1])]}  # fmt: skip
        begin += len(parts[-1])
    coded = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    coded += b" " * (-(8 + len(coded)) % ALIGNMENT)
    data = bytearray(len(coded).to_bytes(8, "little") + coded + b"".join(parts))
    at = 8 + len(OPENING)
    data[at : at + DIGITS] = b"%016x" % checksum(bytes(data))
    save(path, bytes(data))


# ---- The checksum, as src/base/checksum.h defines it for ever ----

STEP = 0x9E3779B97F4A7C15
FACTOR = 0x9FB21C651E98DF25
WORD = (1 << 64) - 1


def _mix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def checksum(data: bytes) -> int:
    """Of a whole file whose sixteen digits are 0."""
    words = np.frombuffer(data + b"\0" * (-len(data) % 32), "<u8").reshape(-1, 4)
    total = len(data)
    for i in range(4):
        lane = (i + 1) * STEP & WORD
        for word in words[:, i].tolist():
            product = (lane ^ word) * FACTOR & WORD
            lane = (product << 29 | product >> 35) & WORD
        total = _mix(total ^ lane)
    return total
