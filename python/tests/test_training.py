"""Training from lists and files: watched, stopped and resumed."""
import dataclasses
import gc
import os
import signal
import tempfile
from pathlib import Path

import pytest

import attend
from attend._attend import ffi
from conftest import ROOT

SMALL = dict(emb=8, hidden=12, max_epochs=2, threads=1, tokenizer="spaces", log_every=1)


def stop_at(update, action):
    """A callback that acts at an update."""

    def callback(report):
        if report.update >= update:
            return action()

    return callback


def interrupt():
    raise KeyboardInterrupt


def test_a_report_has_every_field_of_the_library():
    names = {name for name, _ in ffi.typeof("struct attend_train_report").fields}
    assert names - {"samples"} == {field.name for field in dataclasses.fields(attend.Report)}


def test_lists_and_files_give_the_same_model(tmp_path, demo_pairs):
    table = tmp_path / "train.tsv"
    table.write_text("".join(f"{source}\t{target}\n" for source, target in demo_pairs))
    attend.train(demo_pairs, model=tmp_path / "list.safetensors", **SMALL)
    attend.train(train=table, model=tmp_path / "file.safetensors", **SMALL)
    assert (tmp_path / "list.safetensors").read_bytes() == (tmp_path / "file.safetensors").read_bytes()


def test_the_program_trains_the_same_model(tmp_path, demo_pairs, program):
    for side, name in enumerate(("src", "tgt")):
        (tmp_path / name).write_text("".join(pair[side] + "\n" for pair in demo_pairs))
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]
    files = "--train-src", tmp_path / "src", "--train-tgt", tmp_path / "tgt"
    program("train", *files, "--model", tmp_path / "program.safetensors", *flags)
    attend.train(demo_pairs, model=tmp_path / "python.safetensors", **SMALL)
    assert (tmp_path / "program.safetensors").read_bytes() == (tmp_path / "python.safetensors").read_bytes()


def test_the_callback_sees_every_event(demo_pairs):
    reports = []
    model = attend.train(demo_pairs, demo_pairs[:20], callback=reports.append, **SMALL)
    events = [report.event for report in reports]
    assert events.count("validated") == 2 and events[-1] == "finished" and {"started", "updated"} <= set(events)
    validated = [report for report in reports if report.event == "validated"]
    assert validated[-1].epoch == 2 and validated[-1].valid_loss > 0 and validated[-1].sample[0].source
    assert reports[events.index("started")].train_pairs == len(demo_pairs)
    assert model.translate(demo_pairs[0][0]).tokens


@pytest.mark.parametrize("action, raised", [(lambda: False, attend.Stopped), (interrupt, KeyboardInterrupt)])
def test_a_stopped_run_resumes_to_the_same_bytes(tmp_path, demo_pairs, action, raised):
    whole, halves = tmp_path / "whole.safetensors", tmp_path / "halves.safetensors"
    attend.train(demo_pairs, model=whole, **SMALL)
    with pytest.raises(raised):
        attend.train(demo_pairs, model=halves, callback=stop_at(3, action), **SMALL)
    resumed = []
    attend.train(demo_pairs, model=halves, resume=True, callback=lambda r: resumed.append(r.resumed), **SMALL)
    assert resumed[-1] >= 3
    assert whole.read_bytes() == halves.read_bytes()


def test_ctrl_c_stops_the_run(tmp_path, demo_pairs):
    path = tmp_path / "model.safetensors"
    with pytest.raises(KeyboardInterrupt):
        attend.train(demo_pairs, model=path, callback=stop_at(3, lambda: signal.raise_signal(signal.SIGINT)), **SMALL)
    assert (tmp_path / "model.safetensors.ckpt").exists()


def test_an_exception_of_the_callback_comes_out(demo_pairs):
    def callback(report):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        attend.train(demo_pairs, callback=callback, **SMALL)


def test_presets_and_files_of_options(tmp_path, demo_pairs):
    (tmp_path / "options.yaml").write_text("hidden: 20\nemb: 9\n")
    options = dict(tokenizer="spaces", max_updates=1, threads=1)
    model = attend.train(demo_pairs[:50], config=tmp_path / "options.yaml", preset="tiny", emb=10, **options)
    assert (model.network["hidden"], model.network["emb"]) == (20, 10)
    again = tmp_path / "again.yaml"
    again.write_text(model.config())
    assert attend.train(demo_pairs[:50], config=again, threads=1).network == model.network


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(attend.UsageError, match="did you mean `hidden`"):
        attend.train([("a", "b")], hiden=3)
    with pytest.raises(attend.UsageError, match="`resume` needs `model`"):
        attend.train([("a", "b")], resume=True)
    with pytest.raises(attend.FileError, match="missing.tsv"):
        attend.train(train=tmp_path / "missing.tsv", **SMALL)


def test_options_have_their_help():
    options = attend.options("train")
    assert options["dropout"].kind == "float" and (options["dropout"].low, options["dropout"].high) == (0, 0.95)
    assert "gru" in options["cell"].choices and options["max_epochs"].default == "60"
    assert "label_smoothing: float = 0.1" in attend.train.__doc__
    assert "beam: int = 5" in attend.Model.translate.__doc__
    assert (ROOT / "python" / "attend" / "py.typed").exists()


def test_subwords_are_learned(demo_pairs):
    options = dict(SMALL, tokenizer="sentencepiece", vocab_size=60, max_epochs=1)
    model = attend.train(demo_pairs, **options)
    assert any(token.startswith("\u2581") for token in model.vocabulary())
    assert model.translate(demo_pairs[0][0]).words().text == model.translate(demo_pairs[0][0]).text


def test_a_model_without_a_path_can_be_kept(tmp_path, demo_pairs):
    model = attend.train(demo_pairs, **SMALL)
    folder = os.path.dirname(model.path)
    assert os.listdir(folder) == ["model.safetensors"]
    model.save(tmp_path / "kept.safetensors")
    small = attend.convert(model, tmp_path / "small.safetensors", int8=True)
    assert (tmp_path / "kept.safetensors").read_bytes() == Path(model.path).read_bytes()
    assert small.int8 and small.parameters == model.parameters
    del model
    gc.collect()
    assert not os.path.exists(folder)


def test_a_run_without_a_path_that_stops_leaves_nothing(tmp_path, demo_pairs, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(attend.Stopped, match="without `model`, there is no checkpoint"):
        attend.train(demo_pairs, callback=stop_at(2, lambda: False), **SMALL)
    with pytest.raises(attend.UsageError, match="nosuch"):
        attend.train(demo_pairs, cell="nosuch")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("pair", [("alone",), "ab", ("one", "two", "three")])
def test_what_is_not_a_pair_is_named(pair):
    with pytest.raises(attend.UsageError, match=r"train:2: is not a pair \(source, target\)"):
        attend.train([("a", "b"), pair], **SMALL)


def test_an_ensemble_is_not_one_file(tmp_path, model):
    with pytest.raises(attend.UsageError, match="save each of them"):
        attend.load(model.path, model.path).save(tmp_path / "both.safetensors")
