"""Networks are in memory while they are used, and make room for others after that."""

import gc
import shutil
from pathlib import Path

import numpy as np
import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.memory import Held, Memory, process_memory
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.app.observing import Observer

WEIGHTS = Path(__file__).parents[3] / "weights"


class Ear(Observer):
    """Keeps what it is told last."""

    def networks_changed(self, count, size, dropped):
        self.heard = (count, size, dropped)


@pytest.fixture
def memory():
    found = Memory(budget=10)
    found.observer = Ear()
    return found


def made(memory, size, name):
    """A value that counts how often it is made."""
    times = []

    def make():
        times.append(name)
        return f"{name}{len(times)}"

    return Held(make, size, memory)


def test_what_is_unused_longest_leaves_beyond_the_budget(memory):
    a, b, c = (made(memory, 4, name) for name in "abc")
    assert [a.get(), b.get(), a.get()] == ["a1", "b1", "a1"]
    assert memory.observer.heard == (2, 8, 0)
    assert c.get() == "c1"  # 12 of 10: b was used before a
    assert memory.observer.heard == (2, 8, 1)
    assert [a.get(), b.get()] == ["a1", "b2"]


def test_one_thing_may_exceed_the_budget_alone(memory):
    small, large = made(memory, 4, "small"), made(memory, 40, "large")
    assert [small.get(), large.get(), large.get()] == ["small1", "large1", "large1"]
    assert memory.observer.heard == (1, 40, 1)


def test_what_nobody_can_use_any_more_is_forgotten(memory):
    made(memory, 4, "a").get()
    gc.collect()
    made(memory, 4, "b").get()
    assert memory.observer.heard == (1, 4, 0)


def test_a_network_that_left_answers_as_before(tmp_path, monkeypatch):
    for name in ("cnn-toys", "efficient-toys"):
        for ending in ("json", "safetensors"):
            shutil.copy(WEIGHTS / f"{name}.{ending}", tmp_path)
    memory = process_memory()
    engines = load_engines(tmp_path)
    client = create_app(engines).test_client()

    def numbers():
        lines = client.get("/api/metrics").text.splitlines()
        return {
            name: float(number)
            for name, _, number in (line.partition(" ") for line in lines)
            if name.startswith("capsnet_networks")
        }

    def lengths(engine):
        image = np.full(engine.info.input_shape, 0.5, np.float32)
        name = engine.info.tensors[-2].name
        return engine.trace(Question(image, engine.options({}), (name,))).tensors[name]

    gc.collect()
    cnn, efficient = engines.values()
    first = lengths(cnn)
    largest = max(each.info.parameters for each in engines.values())
    monkeypatch.setattr(memory, "budget", 4 * largest)
    lengths(efficient)
    told = numbers()
    assert told["capsnet_networks_loaded"] == 1
    assert told["capsnet_networks_bytes"] == 4 * efficient.info.parameters
    assert told["capsnet_networks_dropped_total"] >= 1
    assert np.array_equal(lengths(cnn), first)
    assert (
        numbers()["capsnet_networks_dropped_total"]
        > told["capsnet_networks_dropped_total"]
    )


def test_no_network_is_in_memory_before_it_is_needed(tmp_path):
    for ending in ("json", "safetensors"):
        shutil.copy(WEIGHTS / f"cnn-toys.{ending}", tmp_path)
    (engine,) = load_engines(tmp_path).values()
    assert engine.info.parameters > 0
    (tmp_path / "cnn-toys.safetensors").unlink()
    with pytest.raises(Exception, match="must be as it was loaded"):
        engine.weights([engine.info.weights[0].name])
