"""Why a model said what it said: its steps, other attention, and which source words mattered."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._attend import ffi, lib
from ._memory import array, c_text, new, take_text, to_str, to_texts
from .errors import call
from .picture import CStyle, Picture

if TYPE_CHECKING:
    from .model import Model
    from .translation import Translation
    from .translator import Focus, Translator


class Explanation:
    """How much each source word mattered to each target word. Arrays are views of the library's memory."""

    def __init__(self, struct: Any):
        self._struct = struct

    @classmethod
    def make(cls, translator: Translator, source: str, target: str | None, mask: bool, ig_steps: int, seed: int
             ) -> Explanation:  # fmt: skip
        texts = c_text(source), c_text(target)
        job = ffi.new("struct attend_explain_job *", texts)
        job.mask, job.ig_steps, job.seed = mask, ig_steps, seed
        made = new("struct attend_explanation", lib.attend_explanation_free, lib.attend_explain, translator.handle, job)
        return cls(made)

    @property
    def source_tokens(self) -> list[str]:
        return to_texts(self._struct.source, self._struct.source_count)

    @property
    def tokens(self) -> list[str]:
        return to_texts(self._struct.target, self._struct.target_count)

    @property
    def log_probability(self) -> float:
        return float(self._struct.log_probability)

    @property
    def values(self) -> dict[str, NDArray[np.float32]]:
        """By measure ("attention", "leave-one-out" ...): how much each source word mattered, (tokens, source tokens)."""
        shape = self._struct.target_count, self._struct.source_count
        found = {measure: array(self._struct, self._struct.value[i], shape) for i, measure in enumerate(measures())}
        return {measure: values for measure, values in found.items() if values is not None}

    @property
    def curves(self) -> dict[str, NDArray[np.float64]]:
        """Deletion curves by measure and for "random": log P per token after 0, 1, 2 ... source words are removed."""
        orders = [to_str(lib.attend_measure_name(i)) for i in range(lib.ATTEND_ORDERS)]
        shape = (self._struct.points,)
        found = {order: array(self._struct, self._struct.curve[i], shape) for i, order in enumerate(orders)}
        return {order: values for order, values in found.items() if values is not None}

    def to_dict(self) -> dict[str, Any]:
        """What `attend explain --json` prints, as a dictionary."""
        result: dict[str, Any] = json.loads(take_text(lib.attend_explanation_json(self._struct)))
        return result

    def plot(self, **style: Any) -> Picture:
        """The deletion curves."""
        return Picture(lib.attend_explanation_picture(self._struct, CStyle(style).struct))

    def __str__(self) -> str:
        return take_text(lib.attend_explanation_text(self._struct, 0))

    __repr__ = __str__


def measures() -> list[str]:
    """The names of the measures of an explanation."""
    return [to_str(lib.attend_measure_name(i)) for i in range(lib.ATTEND_MEASURES)]


class Steps:
    """Every step of the decoder on one sentence. Arrays are views of the library's memory."""

    def __init__(self, struct: Any):
        self._struct = struct

    @classmethod
    def trace(cls, translator: Translator, source: str, target: str | None, focus: Focus | str | None, top: int) -> Steps:
        from .translator import c_focus

        given, count = c_focus(focus)
        texts = c_text(source), c_text(target)
        job = ffi.new("struct attend_steps_job *", (*texts, given, count, top))
        return cls(new("struct attend_steps", lib.attend_steps_free, lib.attend_steps_new, translator.handle, job))

    @property
    def source_tokens(self) -> list[str]:
        return to_texts(self._struct.source, self._struct.source_count)

    @property
    def tokens(self) -> list[str]:
        return to_texts(self._struct.target, self._struct.target_count)

    @property
    def scores(self) -> NDArray[np.float32] | None:
        """Scores before the softmax, (tokens, heads, source tokens)."""
        return self._by_head(self._struct.score)

    @property
    def weights(self) -> NDArray[np.float32] | None:
        """Weights after the softmax, (tokens, heads, source tokens)."""
        return self._by_head(self._struct.weight)

    def _by_head(self, pointer: Any) -> NDArray[np.float32] | None:
        return array(self._struct, pointer, (self._struct.target_count, self._struct.heads, self._struct.source_count))

    @property
    def states(self) -> NDArray[np.float32] | None:
        """The state of the decoder, (tokens, state size)."""
        return array(self._struct, self._struct.state, (self._struct.target_count, self._struct.state_size))

    @property
    def best(self) -> list[list[tuple[str, float]]]:
        """The likeliest words of each step with the logarithms of their probabilities."""
        top = self._struct.top
        flat = [
            (to_str(self._struct.best[i]), self._struct.best_score[i]) for i in range(self._struct.target_count * top)
        ]
        return [flat[i * top : (i + 1) * top] for i in range(self._struct.target_count)]

    def to_dict(self) -> dict[str, Any]:
        """What `attend explain --steps --json` prints, as a dictionary."""
        result: dict[str, Any] = json.loads(take_text(lib.attend_steps_json(self._struct)))
        return result

    def __str__(self) -> str:
        return take_text(lib.attend_steps_text(self._struct, False, 0))

    __repr__ = __str__


class WhatIf:
    """A translation without and with other attention."""

    def __init__(self, struct: Any, before: Translation, after: Translation):
        self._struct = struct
        self.before = before
        self.after = after

    @classmethod
    def ask(cls, translator: Translator, model: Model, source: str, focus: Focus | str, target: str | None) -> WhatIf:
        from .translation import Translation
        from .translator import c_focus

        given, count = c_focus(focus)
        struct = ffi.new("struct attend_what_if *")
        call(lib.attend_what_if, struct, translator.handle, c_text(source), c_text(target), given, count)
        owner = ffi.gc(struct, lib.attend_what_if_release)
        before, after = (
            Translation(ffi.addressof(struct, name), owner, model, source) for name in ("before", "after")
        )
        return cls(owner, before, after)

    @property
    def under(self) -> float:
        """The log-probability of the words of `before` with the other attention."""
        return float(self._struct.under)

    def __str__(self) -> str:
        return take_text(lib.attend_what_if_text(self._struct))

    __repr__ = __str__
