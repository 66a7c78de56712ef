"""A translation: its text, its attention, and how sure the model is."""
from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import picture
from . import trouble as _trouble
from ._attend import ffi, lib
from ._memory import array, take_text, to_str, to_texts
from .errors import UsageError, call

if TYPE_CHECKING:
    from .markup import Line
    from .model import Model

Floats = NDArray[np.float32]
Links = list[tuple[int, int]]


class Unknown(NamedTuple):
    """A part of a source that the model does not know."""

    text: str
    start: int  #: index of its first character in the source
    end: int  #: index after its last one


def parse_links(text: str) -> Links:
    """Links such as "0-0 2-1" as pairs of a source and a target index."""
    return [(int(source), int(target)) for source, target in (link.split("-") for link in text.split())]


class Translation:
    """What a model made of a source, or what it thinks of a given target.

    Arrays are views of the library's memory: nothing is copied, they cannot be written to, and they stay valid when the
    translation and the model are gone. `str()` is the text.
    """

    def __init__(self, struct: Any, owner: Any, model: Model, source: Any, parent: Translation | None = None):
        self._struct = struct
        self._owner = owner
        self._model = model
        self._parent = parent
        #: what was translated: the text, path or array as it was given
        self.source = source

    @classmethod
    def take(cls, struct: Any, model: Model, source: Any) -> Translation:
        """The translation whose content a struct has; the content is now the translation's."""
        owner = ffi.gc(ffi.new("struct attend_translation *", struct), lib.attend_translation_release)
        return cls(owner, owner, model, source)

    @property
    def text(self) -> str:
        return to_str(self._struct.text)

    @property
    def source_tokens(self) -> list[str]:
        """The tokens as the model read them, `</s>` last; for frames one label for each column of attention."""
        whole = self._whole()
        return to_texts(whole.source, whole.source_count)

    @property
    def tokens(self) -> list[str]:
        """The tokens of the translation, `</s>` last if it is complete."""
        return to_texts(self._struct.target, self._struct.target_count)

    @property
    def score(self) -> float:
        """What hypotheses are ranked by: the log-probability divided by a power of the length."""
        return float(self._struct.score)

    @property
    def log_probability(self) -> float:
        """The natural logarithm of the probability."""
        return float(self._struct.log_probability)

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)

    @property
    def confidence(self) -> float:
        """How probable it is that the translation is right, 0 to 1."""
        return float(self._struct.confidence)

    @property
    def share(self) -> float:
        """Its probability, divided by the sum over all hypotheses found."""
        return float(self._struct.share)

    @property
    def complete(self) -> bool:
        """False if the length limit cut it off."""
        return bool(self._struct.complete)

    def _array(self, pointer: Any, *shape: int) -> Floats | None:
        return array(self._owner, pointer, shape)

    @property
    def token_scores(self) -> Floats:
        """The natural logarithm of each token's probability."""
        scores = self._array(self._struct.token_score, self._struct.target_count)
        return np.empty(0, np.float32) if scores is None else scores

    @property
    def attention(self) -> Floats | None:
        """The weights, (tokens, source tokens): every row sums to 1. None for a model without attention."""
        shape = self._struct.target_count, self._whole().source_count
        if self._struct.target_count == 0:
            return np.empty(shape, np.float32)
        return self._array(self._struct.attention, *shape)

    @property
    def head_attention(self) -> Floats | None:
        """The weights of each head, (heads, tokens, source tokens); None unless translated with `each_head`."""
        shape = self._struct.heads, self._struct.target_count, self._whole().source_count
        return self._array(self._struct.head_attention, *shape)

    @property
    def copied(self) -> Floats | None:
        """The share of each token's probability that comes from copying it; None for a model that does not copy."""
        return self._array(self._struct.copied, self._struct.target_count)

    @property
    def alignment(self) -> Links:
        """The hard alignment: for each word the source word with the largest weight, without `</s>`."""
        line = take_text(lib.attend_translation_line(self._struct, lib.ATTEND_LINE_LINKS))
        return parse_links(line.rpartition(" ||| ")[2]) if " ||| " in line else []

    @property
    def unknown(self) -> list[Unknown]:
        """What the model does not know of the source."""
        items = (self._struct.unknown[i] for i in range(self._struct.unknowns))
        return [Unknown(to_str(item.text), item.start, item.end) for item in items]

    @property
    def alternatives(self) -> list[Translation]:
        """The next hypotheses, best first; `nbest` says how many."""
        others = (self._struct.other + i for i in range(self._struct.others))
        return [Translation(other, self._owner, self._model, self.source, self) for other in others]

    def words(self) -> Translation:
        """The same with the model's tokens merged into words, on both sides."""
        out = ffi.new("struct attend_translation *")
        call(lib.attend_translation_fold, out, self._whole(), self._model.handle)
        folded = Translation.take(out[0], self._model, self.source)
        return folded if self._parent is None else folded.alternatives[self._place()]

    def put_back(self, line: Line) -> None:
        """Put the markup of the source back into the text. Only the translator does this, before anyone sees it."""
        line.apply(self._struct)

    def _place(self) -> int:
        assert self._parent
        return int(self._struct - self._parent._struct.other)

    def _whole(self) -> Any:
        return self._parent._struct if self._parent else self._struct

    def to_dict(self) -> dict[str, Any]:
        """What `attend translate --json` prints, as a dictionary."""
        result: dict[str, Any] = json.loads(take_text(lib.attend_translation_json(self._struct)))
        return result

    def trouble(
        self, missed: float | None = None, crowded: float | None = None, repeated: float | None = None
    ) -> _trouble.Trouble:
        """Signs in the attention that it is wrong: source words left out, words repeated. The limits are those of
        `attend trouble`."""
        return _trouble.find(self, missed, crowded, repeated)

    # ---- Pictures ----

    def matrix(self, head: int = -1) -> Any:
        """`struct attend_matrix` of the weights, which borrows the memory of this translation."""
        hypothesis = 0 if self._parent is None else 1 + self._place()
        matrix = lib.attend_matrix_of(self._whole(), hypothesis, head)
        if matrix.weight == ffi.NULL and self._struct.target_count:
            raise UsageError("the model has no attention to show" if head < 0 else f"there are no weights of head {head}")
        return matrix

    def plot(self, **style: Any) -> picture.Picture:
        """A picture of the attention."""
        return _matrices([self]).picture(style)

    def page(self, **style: Any) -> str:
        """A self-contained interactive HTML page, which works offline."""
        return _matrices([self]).page(style)

    def terminal(self, color: bool = False, **style: Any) -> str:
        """The picture as lines of text."""
        return _matrices([self]).terminal(style, color)

    def save(self, path: str | os.PathLike[str], **style: Any) -> None:
        """Write the picture to a file, in the format of its ending: .svg, .png, .pdf or .html."""
        picture.save_as(path, {**self.plot(**style).writers(), ".html": lambda: self.page(**style)})

    def _repr_html_(self) -> str | None:
        """The interactive page, for notebooks; None (so that they show the text) if there is no attention."""
        if self._struct.attention == ffi.NULL:
            return None
        return picture.in_frame(self.page(), 240 + 32 * max(4, min(self._struct.target_count, 24)))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Translation({self.text!r}, score={self.score:.3f}, confidence={self.confidence:.3f})"


def _matrices(translations: list[Translation]) -> picture.Matrices:
    views = [t._model.frames_view(t.source) for t in translations]
    titles = [t.text if len(translations) > 1 else None for t in translations]
    return picture.Matrices([t.matrix() for t in translations], titles, [v for v in views if v is not None])


def page(translations: Iterable[Translation], **style: Any) -> str:
    """One interactive page with many translations, to search and to choose from."""
    return _matrices(list(translations)).page(style)


def plot(translations: Iterable[Translation], **style: Any) -> picture.Picture:
    """One picture with a panel for each translation."""
    return _matrices(list(translations)).picture(style)
