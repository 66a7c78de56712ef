"""Models: loaded once, shared by threads."""
from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from . import explain as _explain
from . import picture
from . import ready
from . import settings as _settings
from . import writing as _writing
from ._attend import ffi, lib
from ._memory import c_text, new, take_text, to_str, to_text, to_texts
from .errors import UsageError, call
from .markup import Glossary, Markup
from .translation import Translation
from .translator import Constraint, Focus, Translator, c_frames, is_frames, source_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

Source = "str | os.PathLike[str] | NDArray[Any]"

# Translators that wait for the next call; each has threads and working memory.
IDLE = 4


class Pair(NamedTuple):
    """A pair of languages."""

    source: str | None
    target: str | None
    seen: bool = True  #: the model was trained on this pair


class Guess(NamedTuple):
    """A language that a text may be in."""

    language: str
    confidence: float


class Model:
    """A trained model, or several that translate together. Threads can share it: each call works on its own."""

    def __init__(self, *paths: str | os.PathLike[str], copy: bool = False):
        if not paths:
            raise UsageError("a model has at least one file")
        load_ = lib.attend_model_load_copy if copy else lib.attend_model_load
        files = [ready.find(path) for path in paths]
        self.path = files[0]
        self.handles = [new("struct attend_model", lib.attend_model_free, load_, c_text(file)) for file in files]
        self.handle = self.handles[0]
        self.info = lib.attend_model_info(self.handle)
        self._idle: list[tuple[Any, Translator]] = []
        self._lock = threading.Lock()

    # ---- What it is ----

    @property
    def source_language(self) -> str | None:
        return to_text(self.info.source)

    @property
    def target_language(self) -> str | None:
        return to_text(self.info.target)

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of languages that it was trained on."""
        count = lib.attend_model_pairs(self.handle, ffi.NULL, 0)
        out = ffi.new("struct attend_direction[]", max(count, 1))
        lib.attend_model_pairs(self.handle, out, count)
        return [Pair(to_text(getattr(out[i], "from")), to_text(out[i].to), out[i].seen) for i in range(count)]

    @property
    def frames(self) -> str | None:
        """The reader of its sources ("wav", "image" ...); None if they are text."""
        return to_text(self.info.frames)

    @property
    def attends(self) -> bool:
        """False for a model without attention."""
        return bool(lib.attend_model_attends(self.handle))

    @property
    def writes(self) -> bool:
        """Whether its target is ink: such a model writes by hand and does not translate."""
        return bool(lib.attend_model_writes(self.handle))

    @property
    def parameters(self) -> int:
        """The number of weights."""
        return int(self.info.parameters)

    @property
    def int8(self) -> bool:
        return bool(self.info.int8)

    @property
    def calibrated(self) -> bool:
        """Whether its confidence was calibrated on a test set."""
        return bool(self.info.calibrated)

    @property
    def examples(self) -> list[str]:
        """Source lines of its validation text."""
        count = ffi.new("int *")
        lines = lib.attend_model_examples(self.handle, count)
        return to_texts(lines, count[0])

    @property
    def network(self) -> dict[str, bool | int | float | str]:
        """The shape of the network, by the names of the options that it was trained with."""
        settings = _settings.Settings("train")
        lib.attend_model_network(self.handle, settings["network"])
        return settings.values("network")

    def vocabulary(self, target: bool = False) -> list[str]:
        """The tokens of the source or the target, without the special ones."""
        found = (to_text(lib.attend_model_token(self.handle, target, i)) for i in itertools.count())
        return list(itertools.takewhile(lambda token: token is not None, found))  # type: ignore[arg-type]

    def spells(self, text: str) -> bool:
        """Whether its target vocabulary has all tokens of a text."""
        return bool(lib.attend_model_spells(self.handle, c_text(text)))

    def describe(self) -> str:
        """Its settings, vocabularies and tensors, for people."""
        return take_text(lib.attend_model_describe(self.handle))

    def config(self) -> str:
        """The settings that it was trained with, as YAML for `train(config=...)`."""
        error = ffi.new("struct attend_error *")
        return take_text(lib.attend_model_config(self.handle, error))

    def detect(self, text: str, most: int = 5) -> list[Guess]:
        """Guess the language of a text, among those of the model; the most probable first."""
        return detect(text, [self], most)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file of the model to another path, atomically."""
        if len(self.handles) > 1:
            raise UsageError("these are several models; save each of them")
        with open(self.path, "rb") as file:
            picture.save(path, file.read())

    # ---- What it does ----

    @overload
    def translate(self, source: str | os.PathLike[str] | NDArray[Any], **options: Any) -> Translation: ...  # type: ignore[misc]

    @overload
    def translate(self, source: list[Any] | tuple[Any, ...], **options: Any) -> list[Translation]: ...  # type: ignore[misc]

    @overload
    def translate(self, source: Iterable[Any], **options: Any) -> Iterator[Translation]: ...

    def translate(
        self,
        source: Any,
        *,
        prefix: str | None = None,
        require: Sequence[str] = (),
        banned: Sequence[str] = (),
        focus: Focus | str | None = None,
        glossary: Glossary | None = None,
        tags: str = "none",
        mask: str | None = None,
        block: int = 256,
        **options: Any,
    ) -> Translation | list[Translation] | Iterator[Translation]:
        """Translate a text, or many.

        One text gives a Translation, a list gives a list, and any other iterable an iterator that reads `block` texts,
        translates them together and yields their translations before it reads the next ones. A model that reads frames
        takes paths of files and two-dimensional arrays instead of texts.

        prefix    text that the translation begins with
        require   phrases that it contains
        banned    phrases that it does not contain
        focus     where the model must look: (step, source token, weight) from 0, or text such as "1:5=1" from 1
        glossary  required translations of terms: a dictionary or the path of a table; None for a term to keep
        tags      what travels with the words: "placeholders" or "html"
        mask      what must not change: "urls", "emails", "numbers", separated by commas
        each_head, allow_unk  also return the weights of each head; allow `<unk>` in the output
        """
        constraint = Constraint(prefix, _phrases("require", require), focus)
        markup = Markup(self.handle, tags, mask, glossary)
        found = self._stream(source, constraint, markup, _phrases("banned", banned), block, options)
        return _like(source, found)

    def _stream(
        self, source: Any, constraint: Constraint, markup: Markup, banned: Sequence[str], block: int, options: Any
    ) -> Iterator[Translation]:
        """Translations of a source or of many, in blocks. What is wrong with the options is raised at once."""
        with self.translator(options, banned):
            pass
        many = iter([source] if _is_one(source) else source)

        def blocks() -> Iterator[Translation]:
            while chunk := list(itertools.islice(many, block)):
                with self.translator(options, banned) as translator:
                    found = self._block(translator, chunk, constraint, markup)
                yield from found

        return blocks()

    def _block(self, translator: Translator, chunk: list[Any], constraint: Constraint, markup: Markup) -> list[Translation]:
        if any(is_frames(source) for source in chunk):
            return translator.arrays(self, chunk)
        return translator.lines(self, [source_text(source) for source in chunk], constraint, markup)

    @contextlib.contextmanager
    def translator(self, options: dict[str, Any], banned: Sequence[str] = ()) -> Iterator[Translator]:
        """A translator for these options, which nobody else uses meanwhile."""
        if self.writes:
            raise UsageError("the model writes by hand: use `write` and `score_ink`")
        key = repr(sorted(options.items())), tuple(banned)
        with self._lock:
            place = next((i for i, (other, _) in enumerate(self._idle) if other == key), None)
            waiting = None if place is None else self._idle.pop(place)[1]
        translator = waiting or Translator(self, options, banned)
        yield translator
        with self._lock:
            self._idle.append((key, translator))
            del self._idle[:-IDLE]

    @overload
    def score(self, source: str, target: str, **options: Any) -> Translation: ...  # type: ignore[misc]

    @overload
    def score(self, source: Sequence[str], target: Sequence[str], **options: Any) -> list[Translation]: ...

    def score(self, source: Any, target: Any, *, pieces: bool = False, **options: Any) -> Translation | list[Translation]:
        """The probability and the attention that the model gives to a given target, or to each of a list.

        With `pieces`, the targets are the model's tokens separated by spaces.
        """
        one = _is_one(source)
        sources, targets = ([source], [target]) if one else (list(source), list(target))
        if len(sources) != len(targets):
            raise UsageError(f"there are {len(sources)} sources and {len(targets)} targets")
        with self.translator(options) as translator:
            found = translator.force(self, sources, targets, pieces)
        return found[0] if one else found

    def steps(self, source: str, target: str | None = None, *, focus: Focus | str | None = None, top: int = 5,
              **options: Any) -> _explain.Steps:  # fmt: skip
        """Every step of the decoder on one sentence: its scores, weights and likeliest words."""
        with self.translator(options) as translator:
            return _explain.Steps.trace(translator, source, target, focus, top)

    def what_if(self, source: str, focus: Focus | str, target: str | None = None, **options: Any) -> _explain.WhatIf:
        """What the model says if it must look elsewhere."""
        with self.translator(options) as translator:
            return _explain.WhatIf.ask(translator, self, source, focus, target)

    def explain(self, source: str, target: str | None = None, *, mask: bool = False, ig_steps: int = 0, seed: int = 1,
                **options: Any) -> _explain.Explanation:  # fmt: skip
        """How much each source word mattered to each target word, by several measures."""
        with self.translator(options) as translator:
            return _explain.Explanation.make(translator, source, target, mask, ig_steps, seed)

    @overload
    def write(self, text: str, **options: Any) -> _writing.Writing: ...  # type: ignore[misc]

    @overload
    def write(self, text: Sequence[str], **options: Any) -> list[_writing.Writing]: ...

    def write(self, text: Any, *, seed: int = 1, max_length: float = 0, **options: Any
              ) -> _writing.Writing | list[_writing.Writing]:  # fmt: skip
        """Write a text by hand, or each of a list.

        seed        another seed is another trace
        max_length  at most this times 100 strokes for each token; 0: 3
        """
        found = _writing.write(self, [text] if isinstance(text, str) else list(text), seed, max_length, options)
        return found[0] if isinstance(text, str) else found

    def score_ink(self, texts: Sequence[str], paths: Sequence[str | os.PathLike[str]], threads: int = 0
                  ) -> list[_writing.Writing]:  # fmt: skip
        """How likely the model is to write given ink for its text, and where it looks while it does."""
        return _writing.given_ink(self, texts, paths, threads)

    def frames_view(self, source: Any) -> Any:
        """The source of a picture, if the model reads frames; None if it reads text."""
        if not self.frames:
            return None
        out = ffi.new("struct attend_frames_view **")
        if is_frames(source):
            call(lib.attend_frames_view_of, out, self.handle, c_frames([source]))
        else:
            with self.translator({}) as translator:
                call(lib.attend_frames_view_file, out, translator.handle, c_text(source))
        return ffi.gc(out[0], lib.attend_frames_view_free)

    def __repr__(self) -> str:
        languages = f", {self.source_language} to {self.target_language}" if self.source_language else ""
        return f"Model({self.path!r}, {self.parameters} parameters{languages})"


def _is_one(source: Any) -> bool:
    return isinstance(source, (str, bytes, os.PathLike, np.ndarray)) or not isinstance(source, Iterable)


def _like(source: Any, found: Iterator[Translation]) -> Translation | list[Translation] | Iterator[Translation]:
    if _is_one(source):
        return next(found)
    return list(found) if isinstance(source, (list, tuple)) else found


def _phrases(name: str, phrases: Sequence[str]) -> list[str]:
    if isinstance(phrases, str):
        raise TypeError(f"`{name}` takes a list of texts, not one text")
    return list(phrases)


def detect(text: str, models: Sequence[Model], most: int = 5) -> list[Guess]:
    """Guess the language of a text, among those of the models; the most probable first."""
    handles = ffi.new("const struct attend_model *[]", [model.handle for model in models])
    out = ffi.new("struct attend_guess[]", max(most, 1))
    count = lib.attend_detect(handles, len(models), c_text(text), out, most)
    if count < 0:
        raise MemoryError("out of memory for detecting a language")
    return [Guess(to_str(out[i].language), out[i].confidence) for i in range(count)]


def load(*paths: str | os.PathLike[str], copy: bool = False) -> Model:
    """Load a model, or several that translate together by averaging their probabilities.

    A model is the path of its file, or the name of a ready model: attend.ready.folders() are searched for it. The file is mapped into memory; with `copy` it is copied, so that later changes of the file do not matter.
    """
    return Model(*paths, copy=copy)


Model.translate.__doc__ = (Model.translate.__doc__ or "") + _settings.document("translate")
Model.write.__doc__ = (Model.write.__doc__ or "") + _settings.document("write")
