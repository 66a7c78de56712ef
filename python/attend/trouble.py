"""Signs in the attention that a translation is wrong: source words left out, words repeated."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._attend import ffi, lib
from ._memory import array
from .errors import call

if TYPE_CHECKING:
    from .translation import Translation


@dataclass(frozen=True)
class Repeat:
    """Words of a translation that occur again in the same order, or a word that follows itself."""

    first: int  #: position of the first occurrence, from 0
    again: int  #: position of the other one
    length: int  #: words of each
    weight: float  #: how much both attend to the same source words, 0 to 1


@dataclass(frozen=True)
class Trouble:
    """The figures of `attend trouble`; include/attend/trouble.h has their formulas. Positions count from 0."""

    score: float  #: 0: nothing wrong; comparable only for one model and language pair
    shortage: float
    repetition: float
    entropy: float
    relative_entropy: float
    dispersion: float
    length_ratio: float
    coverage: NDArray[np.float64]  #: for each source word the sum of its weights
    missed: tuple[int, ...]  #: source words that are left out
    crowded: tuple[int, ...]  #: source words that are translated too often
    repeats: tuple[Repeat, ...]


FIGURES = ("score", "shortage", "repetition", "entropy", "relative_entropy", "dispersion", "length_ratio")


def find(translation: Translation, missed: float | None, crowded: float | None, repeated: float | None) -> Trouble:
    """Examine the attention of a translation."""
    limits = ffi.new("struct attend_trouble_limits *", lib.attend_python_trouble_limits())
    for name, value in {"missed": missed, "crowded": crowded, "repeated": repeated}.items():
        if value is not None:
            setattr(limits, name, value)
    matrix = ffi.new("struct attend_matrix *", translation.matrix())
    out = ffi.new("struct attend_trouble *")
    call(lib.attend_trouble_find, out, matrix, limits)
    return _trouble(ffi.gc(out, lib.attend_trouble_release))


def _trouble(struct: Any) -> Trouble:
    coverage = array(struct, struct.coverage, (struct.source_count,))
    repeats = (struct.repeat[i] for i in range(struct.repeats))
    figures: dict[str, Any] = {name: float(getattr(struct, name)) for name in FIGURES}
    return Trouble(
        **figures,
        coverage=np.empty(0) if coverage is None else coverage,
        missed=tuple(struct.missed[i] for i in range(struct.missed_count)),
        crowded=tuple(struct.crowded[i] for i in range(struct.crowded_count)),
        repeats=tuple(Repeat(r.first, r.again, r.length, r.weight) for r in repeats),
    )
