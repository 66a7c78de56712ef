"""Explanations are those of the program."""
import json

import numpy as np
import pytest

from conftest import GOLDEN


def numbers(value):
    """JSON with every number rounded, for comparing two runs."""
    if isinstance(value, dict):
        return {name: numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [numbers(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value


def test_an_explanation_equals_the_programs(model, program):
    wanted = json.loads("".join(program("explain", "--model", GOLDEN, "--json", "a b c")))
    found = model.explain("a b c")
    assert numbers(found.to_dict()) == numbers(wanted)
    assert found.values["attention"].shape == (4, 4) and found.tokens == ["c", "b", "a", "</s>"]
    np.testing.assert_allclose(found.values["attention"], model.translate("a b c").attention, atol=1e-5)
    assert set(found.curves) >= {"attention", "random"} and "leave-one-out" in str(found)
    assert found.plot().svg().startswith("<?xml")


def test_steps_equal_the_programs(model, program):
    wanted = json.loads("".join(program("explain", "--model", GOLDEN, "--steps", "--json", "a b c")))
    found = model.steps("a b c")
    assert numbers(found.to_dict()) == numbers(wanted)
    np.testing.assert_allclose(found.weights.sum(axis=2), 1, rtol=1e-5)
    assert found.scores.shape == found.weights.shape == (4, 1, 4)
    assert found.best[0][0][0] == "c" and found.states.shape[0] == 4 and found.source_tokens[-1] == "</s>"


def test_what_if_the_model_had_looked_elsewhere(model):
    found = model.what_if("a b c", "1:1=1")
    assert found.before.text == "c b a" and found.after.text == "a b a"
    assert found.after.attention[0, 0] == pytest.approx(1)
    assert found.under < found.before.log_probability and "before: c b a" in str(found)


def test_a_prompt_shows_what_the_program_prints(model, program):
    printed = program("explain", "--model", model.path, "--steps", "a b")
    assert repr(model.steps("a b")).split() == "\n".join(printed).split()
    for shown in (model.explain("a b"), model.what_if("a b", "1:1=1")):
        assert repr(shown) == str(shown) and "\n" in repr(shown)
