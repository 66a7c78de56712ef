"""Tags, placeholders and terms: taken out of a line before it is translated, put back where the attention says."""
from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._attend import ffi, lib
from ._memory import c_text, new, to_str, to_texts
from .errors import UsageError, call

TAGS = ("none", "placeholders", "html")
Glossary = Mapping[str, str | None] | str | os.PathLike[str]


def _glossary(terms: Glossary) -> Any:
    """A glossary from a file of `source<TAB>target` lines or from a dictionary, where None means: do not translate."""
    if not isinstance(terms, Mapping):
        return new("struct attend_glossary", lib.attend_glossary_free, lib.attend_glossary_load, c_text(terms))
    made = new("struct attend_glossary", lib.attend_glossary_free, lib.attend_glossary_new, c_text("glossary"))
    for number, (source, target) in enumerate(terms.items(), 1):
        call(lib.attend_glossary_add, made, c_text(source), c_text(target), number)
    return made


class Markup:
    """How the lines of a call are taken apart."""

    def __init__(self, model: Any, tags: str = "none", mask: str | None = None, glossary: Glossary | None = None):
        if tags not in TAGS:
            raise UsageError(f"`tags` takes one of {', '.join(TAGS)}, not {tags!r}")
        self._struct = ffi.new("struct attend_markup_options *")
        self._struct.tags = getattr(lib, f"ATTEND_TAGS_{tags.upper()}")
        self._struct.model = self._model = model
        self.used = tags != "none" or mask is not None or glossary is not None
        if mask is not None:
            masks = ffi.new("unsigned *")
            call(lib.attend_masks_parse, masks, c_text(mask))
            self._struct.masks = masks[0]
        if glossary is not None:
            self._struct.glossary = self._glossary = _glossary(glossary)
            call(lib.attend_glossary_check, self._glossary, model)

    def parse(self, line: str) -> Line:
        return Line(new("struct attend_markup", lib.attend_markup_free, lib.attend_markup_parse, c_text(line), self._struct))


@dataclass
class Line:
    """A line without its markup."""

    markup: Any

    @property
    def text(self) -> str:
        return to_str(lib.attend_markup_text(self.markup))

    @property
    def terms(self) -> list[str]:
        """Phrases that the translation must contain."""
        count = ffi.new("int *")
        terms = lib.attend_markup_terms(self.markup, count)
        return to_texts(terms, count[0])

    def apply(self, translation: Any) -> None:
        """Put the markup back into the text of a `struct attend_translation`."""
        call(lib.attend_markup_apply, self.markup, translation)
