"""Metrics of translations, and word alignment."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from . import settings as _settings
from ._attend import ffi, lib
from ._files import Files
from ._memory import new, to_str
from .errors import UsageError, call
from .settings import Settings
from .translation import Links, Translation, parse_links

#: Lines, or the path of a file of lines.
Lines = str | os.PathLike[str] | Iterable[str]


@dataclass(frozen=True)
class Score:
    """The result of one metric; `float()` is the score."""

    metric: str
    label: str  #: the metric's name for people
    unit: str  #: "%" or ""
    score: float  #: 0 to 100; error rates can exceed 100
    lower_is_better: bool
    signature: str  #: how it was measured
    low: float | None = None  #: with `confidence`: the interval that holds 95 % of the resamples
    high: float | None = None
    other: float | None = None  #: with `compare`: the other output's score
    p: float | None = None  #: with `compare`: the p-value of the difference

    def __float__(self) -> float:
        return self.score

    def __str__(self) -> str:
        return f"{self.label} {self.score:.2f}{self.unit}"


def _score(item: Any, confidence: bool, compared: bool) -> Score:
    names = (("low", "high") if confidence else ()) + (("other", "p") if compared else ())
    more = {name: getattr(item, name) for name in names}
    texts = (to_str(item.metric), to_str(item.label), to_str(item.unit))
    return Score(*texts, item.score, item.lower_is_better, to_str(item.signature), **more)


def evaluate(hyp: Lines | Iterable[Translation], ref: Lines | Sequence[Lines], **options: Any) -> dict[str, Score]:
    """Measure translations against references, in each metric of `metric`: "bleu,chrf,ter".

    `hyp` and `ref` are lists of lines or paths of files; `ref` may be a list of lists, or of paths with an ending, for
    several references. The figures are those of `attend eval`.
    """
    with Files() as files:
        compare = options.pop("compare", None)
        settings = Settings("evaluate", options)
        settings.set("hyp", files.given("hyp", hyp if isinstance(hyp, (str, os.PathLike)) else map(str, hyp)))
        for i, lines in enumerate(_references(ref)):
            settings.set("ref", files.given(f"ref {i + 1}" if i else "ref", lines))
        if compare is not None:
            settings.set("compare", files.given("compare", compare if isinstance(compare, (str, os.PathLike)) else map(str, compare)))
        found = new("struct attend_evaluation", lib.attend_evaluation_free, lib.attend_evaluate, settings["eval"],
                    places=files.places)  # fmt: skip
    scores = (_score(found.item[i], found.confidence, found.compared) for i in range(found.count))
    return {score.metric: score for score in scores}


def _references(ref: Any) -> list[Any]:
    """One reference as a list of one; a list of lists, tuples or Path objects is several."""
    if isinstance(ref, (str, os.PathLike)):
        return [ref]
    listed = list(ref)
    return listed if listed and not isinstance(listed[0], str) else [listed]


@dataclass(frozen=True)
class AlignmentError:
    """How far links are from reference links (Och and Ney 2003): 0 to 1."""

    rate: float
    precision: float
    recall: float
    links: int


class _Aligner:
    def __init__(self, files: Files, source: Lines, target: Lines, options: dict[str, Any]):
        models = {name: getattr(options.get(name), "path", options.get(name)) for name in ("model", "reverse_model")}
        gold = options.get("gold")
        self._places = files.places
        self._settings = Settings("align", {**options, **models, "gold": None})
        self._settings.set("src", files.given("source", source))
        self._settings.set("tgt", files.given("target", target))
        if gold is not None:
            self._settings.set("gold", files.given("gold", gold))
        struct = self._settings["align"]
        struct.modules = ffi.NULL
        self._aligner = new("struct attend_aligner", lib.attend_aligner_close, lib.attend_aligner_open, struct,
                            places=files.places)  # fmt: skip

    def next(self) -> Links | None:
        links = ffi.new("const char **")
        call(lib.attend_aligner_next, self._aligner, links, places=self._places)
        return None if links[0] == ffi.NULL else parse_links(to_str(links[0]))

    def judge(self) -> AlignmentError:
        out = ffi.new("struct attend_aer *")
        call(lib.attend_aligner_judge, self._aligner, out, places=self._places)
        return AlignmentError(out.rate, out.precision, out.recall, out.links)


def align(source: Lines, target: Lines, **options: Any) -> list[Links]:
    """Link the words of sentences and their translations, by `model`, `reverse_model` or both: (source, target) pairs
    from 0. Models are paths or loaded models; sentences are lists of lines or paths of files."""
    if options.get("gold") is not None:
        raise UsageError("`gold` is an option of alignment_error()")
    with Files() as files:
        aligner = _Aligner(files, source, target, options)
        found = []
        while (links := aligner.next()) is not None:
            found.append(links)
    return found


def alignment_error(source: Lines, target: Lines, gold: Lines, **options: Any) -> AlignmentError:
    """The alignment error rate of a model's links against reference links (`i-j` sure, `ipj` possible)."""
    with Files() as files:
        return _Aligner(files, source, target, {**options, "gold": gold}).judge()


evaluate.__doc__ = (evaluate.__doc__ or "") + _settings.document("evaluate")
align.__doc__ = (align.__doc__ or "") + _settings.document("align")
