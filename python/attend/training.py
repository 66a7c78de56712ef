"""Training: from files or lists of pairs, watched by a callback, stopped and resumed."""
from __future__ import annotations

import contextlib
import functools
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

from . import modules
from . import settings as _settings
from ._attend import ffi, lib
from ._files import Files
from ._memory import c_text, to_str
from .errors import Stopped, UsageError, call
from .model import Model, load
from .settings import Settings


@dataclass(frozen=True)
class Sample:
    """A validation sentence, its reference and the model's translation."""

    source: str
    target: str
    output: str


@dataclass(frozen=True)
class Report:
    """The state of a run. include/attend/train.h explains every figure."""

    event: str  #: "note", "started", "updated", "progress", "validated", "averaged", "stopped" or "finished"
    note: str  #: the message of a "note"
    train_pairs: int
    valid_pairs: int
    source_vocab: int
    target_vocab: int
    parameters: int
    memory: int
    threads: int
    ranks: int
    epoch: int
    max_epochs: int
    epoch_done: float
    update: int
    resumed: int
    loss: float
    update_loss: float
    norm: float
    lr: float
    tokens_per_second: float
    seconds: float
    eta: float
    valid_loss: float
    metric: str
    metric_label: str
    metric_unit: str
    valid_metric: float
    sample: tuple[Sample, ...]
    best: bool
    patience_left: int
    best_epoch: int
    best_update: int
    reason: str
    source_width: int


Callback = Callable[[Report], object]
Pairs = Iterable[tuple[str, str]]


def _sample(struct: Any) -> Sample:
    return Sample(to_str(struct.source), to_str(struct.target), to_str(struct.output))


def _report(struct: Any) -> Report:
    values = {field.name: getattr(struct, field.name) for field in fields(Report)}
    values = {name: to_str(value) if isinstance(value, ffi.CData) else value for name, value in values.items()
              if name not in ("event", "sample")}  # fmt: skip
    event = ffi.string(ffi.cast("enum attend_train_event", struct.event)).removeprefix("ATTEND_TRAIN_").lower()
    samples = tuple(_sample(struct.sample[i]) for i in range(struct.samples))
    return Report(event=event, sample=samples, **values)


class _Run:
    """What the library calls back. A callback that returns False, an exception in it and Ctrl-C end the run after the
    current update, with its checkpoint saved."""

    def __init__(self, callback: Callback | None):
        self._callback = callback
        self.stopping = False
        self.raised: BaseException | None = None
        self.handle = ffi.new_handle(self)
        self.hooks = ffi.new("struct attend_train_hooks *")
        self.hooks.report = lib.attend_python_report
        self.hooks.stop = lib.attend_python_stop
        self.hooks.context = self.handle
        _learn_subwords(self.hooks)

    def report(self, struct: Any) -> None:
        if self._callback and not self.stopping and self._callback(_report(struct)) is False:
            self.stopping = True

    def fail(self, exception: BaseException) -> None:
        self.stopping = True
        self.raised = self.raised or exception


def _learn_subwords(hooks: Any) -> None:
    """Let the run learn subwords, if the module for that is there; otherwise a run that needs it says so."""
    with contextlib.suppress(ImportError):
        hooks.learn_subwords = modules.function("subwords", "attend_subwords_learn")


def _failed(_kind: Any, exception: Any, traceback: Any) -> None:
    """Keep an exception of a callback for later; the run ends in order first."""
    run: _Run = ffi.from_handle(traceback.tb_frame.f_locals["context"])
    run.fail(exception)


@ffi.def_extern(name="attend_python_report", onerror=_failed)  # type: ignore[misc]
def _on_report(context: Any, report: Any) -> None:
    ffi.from_handle(context).report(report)


@ffi.def_extern(name="attend_python_stop", onerror=_failed, error=True)  # type: ignore[misc]
def _on_stop(context: Any) -> bool:
    return bool(ffi.from_handle(context).stopping)


def _checked(name: str, pairs: Pairs) -> list[tuple[str, str]]:
    listed = list(pairs)
    for number, pair in enumerate(listed, 1):
        if isinstance(pair, str) or len(pair) != 2:
            raise UsageError(f"{name}:{number}: is not a pair (source, target) but {pair!r}")
    return listed


def _write_pairs(files: Files, settings: Settings, name: str, pairs: Pairs) -> None:
    listed = _checked(name, pairs)
    for side, short in enumerate(("src", "tgt")):
        settings.set(f"{name}_{short}", files.lines(f"{name} {short}", (pair[side] for pair in listed)))


def _run(settings: Settings, callback: Callback | None, places: dict[str, str]) -> None:
    run = _Run(callback)
    settings["frame"].modules = modules.frame_modules() if _reads_frames(settings) else ffi.NULL
    settings["data"].frames = settings["frame"]
    try:
        call(lib.attend_train, settings["data"], settings["network"], settings["train"], run.hooks, places=places)
    except Stopped:
        if run.raised is None:
            raise
    if run.raised is not None:
        raise run.raised


def _reads_frames(settings: Settings) -> bool:
    """Whether the source is frames, by its tokenizer or by the model to start from."""
    readers = {to_str(lib.attend_frame_reader(i).name) for i in range(16) if lib.attend_frame_reader(i).name != ffi.NULL}
    first = settings["train"].init_from
    if first != ffi.NULL and os.path.exists(to_str(first)):
        return load(to_str(first)).frames is not None
    return to_str(settings["data"].src_tokenizer) in readers


def _train_temporarily(settings: Settings, callback: Callback | None, places: dict[str, str]) -> Model:
    """A model whose file vanishes with it."""
    folder = tempfile.mkdtemp(prefix="attend-")
    remove = functools.partial(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "model.safetensors")
    settings.set("model", path)
    try:
        _run(settings, callback, places | {path: "model.safetensors"})
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{path}.ckpt")
        model = load(path)
    except BaseException as error:
        remove()
        if isinstance(error, Stopped):
            raise Stopped("stopped; without `model`, there is no checkpoint to resume from") from None
        raise
    weakref.finalize(model, remove)
    return model


def train(
    pairs: Pairs | None = None,
    validation: Pairs | None = None,
    *,
    callback: Callback | None = None,
    preset: str | None = None,
    config: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Model:
    """Train a model and load it.

    The text is a list of (source, target) pairs, or files: `train` (a table), or `train_src` and `train_tgt`. `model`
    is the path of the file to write. Without it, the file is a temporary one that goes with the Model; `Model.save`
    keeps it.

    The callback gets a Report at each event: `report.event == "validated"` after each validation, "progress" a few
    times a second. When it returns False, the run ends with its checkpoint saved, and Stopped is raised. Ctrl-C and
    exceptions of the callback do the same and are raised afterwards. The same call with `resume=True` continues such a
    run, to the same model as if it had never stopped.

    preset, config  a named set of options ("tiny", "small", "base"), and a YAML file of options; both yield to options
                    that are given here
    """
    settings = Settings("train")
    with Files() as files:
        if config is not None:
            settings.load(config)
        if pairs is not None:
            _write_pairs(files, settings, "train", pairs)
        if validation is not None:
            _write_pairs(files, settings, "valid", validation)
        for name, value in options.items():
            settings.set(name, value)
        if preset is not None:
            settings.preset(preset)
        kept = settings.given("model")
        if settings.given("resume") and not kept:
            raise UsageError("`resume` needs `model`, whose checkpoint is beside it")
        if kept:
            _run(settings, callback, files.places)
            return load(to_str(settings["train"].model))
        return _train_temporarily(settings, callback, files.places)


train.__doc__ = (train.__doc__ or "") + _settings.document("train")
