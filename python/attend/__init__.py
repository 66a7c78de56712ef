"""Recurrent encoder-decoders with attention: train, translate, and see where they look.

    import attend

    model = attend.load("hindi-english.safetensors")
    translation = model.translate("mai ghar ja raha hoon")
    print(translation.text, translation.attention.shape)

A loaded model can be shared by threads; Python's lock is released while the library works.
"""
from __future__ import annotations

from . import modules, ready
from ._attend import lib as _lib
from ._memory import to_str as _to_str
from .conversion import Calibration, Reliability, calibrate, convert
from .errors import (
    DataError,
    DivergedError,
    Error,
    FileError,
    FormatError,
    OutOfMemoryError,
    Stopped,
    UsageError,
)
from .evaluation import AlignmentError, Score, align, alignment_error, evaluate
from .explain import Explanation, Steps, WhatIf
from .model import Guess, Model, Pair, detect, load
from .settings import Option, options
from .picture import Picture, Style, curves, scales
from .training import Report, Sample, train
from .translation import Translation, Unknown, page, plot
from .trouble import Repeat, Trouble
from .writing import Writing

__version__: str = _to_str(_lib.attend_version())

__all__ = [
    "AlignmentError",
    "Calibration",
    "DataError",
    "DivergedError",
    "Error",
    "Explanation",
    "FileError",
    "FormatError",
    "Guess",
    "Model",
    "Option",
    "OutOfMemoryError",
    "Pair",
    "Picture",
    "Reliability",
    "Repeat",
    "Report",
    "Sample",
    "Score",
    "Steps",
    "Stopped",
    "Style",
    "Translation",
    "Trouble",
    "Unknown",
    "UsageError",
    "WhatIf",
    "Writing",
    "align",
    "alignment_error",
    "calibrate",
    "convert",
    "curves",
    "detect",
    "evaluate",
    "load",
    "modules",
    "options",
    "page",
    "plot",
    "ready",
    "scales",
    "train",
]
