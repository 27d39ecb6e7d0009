"""Networks are in memory while they are used, and make room for others after that."""

import gc
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capsnet_explorer.app.engines.memory import Held, Memory, process_memory
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import load_engines

WEIGHTS = Path(__file__).parents[3] / "weights"


@pytest.fixture
def memory():
    return Memory(budget=10)


def held(memory, size, name):
    """A value that counts how often it is made."""
    times = []

    def make():
        times.append(name)
        return f"{name}{len(times)}"

    return Held(make, size, memory)


def test_what_is_unused_longest_leaves_beyond_the_budget(memory):
    a, b, c = (held(memory, 4, name) for name in "abc")
    assert [a.get(), b.get(), a.get()] == ["a1", "b1", "a1"]
    assert c.get() == "c1"  # 12 of 10: b was used before a
    assert [a.get(), b.get()] == ["a1", "b2"]


def test_one_thing_may_exceed_the_budget_alone(memory):
    small, large = held(memory, 4, "small"), held(memory, 40, "large")
    assert [small.get(), large.get(), large.get()] == ["small1", "large1", "large1"]
    assert small.get() == "small2"


def test_what_nobody_can_use_any_more_takes_no_room(memory):
    b, c = (held(memory, 4, name) for name in "bc")
    b.get()
    held(memory, 4, "a").get()
    gc.collect()
    c.get()  # 8 of 10
    assert b.get() == "b1"


def test_a_network_that_left_answers_as_before(tmp_path, monkeypatch):
    for name in ("cnn-toys", "efficient-toys"):
        for ending in ("json", "safetensors"):
            shutil.copy(WEIGHTS / f"{name}.{ending}", tmp_path)
    memory = process_memory()
    engines = load_engines(tmp_path)

    def lengths(engine):
        image = np.full(engine.info.input_shape, 0.5, np.float32)
        name = engine.info.tensors[-2].name
        return engine.trace(Question(image, engine.options({}), (name,))).tensors[name]

    gc.collect()
    cnn: Any
    efficient: Any
    cnn, efficient = engines.values()
    first = lengths(cnn)
    largest = max(network.info.parameters for network in engines.values())
    monkeypatch.setattr(memory, "budget", 4 * largest)
    lengths(efficient)
    assert cnn._served._value is None
    assert np.array_equal(lengths(cnn), first)
    assert efficient._served._value is None


def test_no_network_is_in_memory_before_it_is_needed(tmp_path):
    for ending in ("json", "safetensors"):
        shutil.copy(WEIGHTS / f"cnn-toys.{ending}", tmp_path)
    (engine,) = load_engines(tmp_path).values()
    assert engine.info.parameters > 0
    (tmp_path / "cnn-toys.safetensors").unlink()
    with pytest.raises(Exception, match="must be as it was loaded"):
        engine.weights([engine.info.weights[0].name])
