"""An engine shared by many: nothing computed twice, nothing mixed up, all answered."""

import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from capsnet_explorer.app.engines.cache import TraceCache
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.queue import ComputeQueue
from capsnet_explorer.app.engines.sharing import CHUNK, SharedEngine, client_is_gone
from capsnet_explorer.app.errors import ClientGone, Overloaded
from tests.app.conftest import FakeEngine, FakeOptions
from tests.patience import PATIENCE_S


class GatedEngine(FakeEngine):
    """Answers once its gate is open."""

    def __init__(self, id):
        super().__init__(id)
        self.gate = threading.Event()
        self.busy = threading.Event()

    def trace(self, question):
        self.busy.set()
        assert self.gate.wait(PATIENCE_S)
        return super().trace(question)


def question(ink=0.5, **changes):
    image = np.full((1, 28, 28), ink, np.float32)
    return Question(
        image, **{"options": FakeOptions(3), "names": ("scores",)} | changes
    )


def shared(engine, *, budget=1 << 20, queue=None, is_gone=lambda: False):
    queue = ComputeQueue() if queue is None else queue
    return SharedEngine(engine, queue, TraceCache(budget), is_gone)


def wait_until(claim):
    end = time.monotonic() + PATIENCE_S
    while not claim():
        assert time.monotonic() < end
        time.sleep(0.001)


def assert_same(trace, expected):
    assert trace.prediction == expected.prediction
    assert trace.tensors.keys() == expected.tensors.keys()
    for name, array in trace.tensors.items():
        assert array.dtype == expected.tensors[name].dtype
        np.testing.assert_array_equal(array, expected.tensors[name])


@pytest.fixture
def pool():
    with ThreadPoolExecutor(32) as pool:
        yield pool


@pytest.fixture
def gated(pool):
    """An engine whose gate opens at the latest when the pool has to end."""
    engine = GatedEngine("fake")
    yield engine
    engine.gate.set()


def test_a_second_view_of_an_image_brings_home_what_all_others_need(engine):
    sharing = shared(engine)
    sharing.trace(question(names=("scores",)))
    sharing.trace(question(names=("maps",)))
    assert [brought.names for brought in engine.questions] == [
        ("scores",),
        ("maps", "routing"),
    ]
    answer = sharing.trace(question(names=("scores", "routing", "maps")))
    assert engine.calls["trace"] == 2
    assert_same(answer, engine.trace(question(names=("scores", "routing", "maps"))))


def test_what_comes_on_request_only_is_brought_alone(engine):
    sharing = shared(engine)
    sharing.trace(question(names=("maps", "routing", "scores")))
    answer = sharing.trace(question(names=("maps", "votes")))
    assert engine.questions[1].names == ("votes",)
    assert_same(answer, engine.trace(question(names=("maps", "votes"))))
    sharing.trace(question(names=("votes", "scores")))
    assert engine.calls["trace"] == 3  # one of them the test's own


@pytest.mark.parametrize(
    "changes",
    [
        {"ink": 0.25},
        {"options": FakeOptions(4)},
        {"options": FakeOptions(3, "uniform")},
        {"half": True},
    ],
)
def test_another_question_is_computed_anew(engine, changes):
    sharing = shared(engine)
    sharing.trace(question(names=("maps", "routing")))
    other = replace(question(**changes), names=("maps", "routing"))
    assert_same(sharing.trace(other), engine.trace(other))
    assert engine.calls["trace"] == 3


def test_networks_that_share_a_cache_keep_their_own_answers(engine, other_engine):
    later = FakeEngine("fake", version="kept under a name that was free again")
    cache, queue = TraceCache(1 << 20), ComputeQueue()
    for network in (engine, other_engine, later):
        SharedEngine(network, queue, cache).trace(question())
        assert network.calls["trace"] == 1


def test_nobody_can_change_what_others_will_get(engine):
    sharing = shared(engine)
    tensors: Any = sharing.trace(question()).tensors
    with pytest.raises(ValueError, match="read-only"):
        tensors["scores"][:] = 0
    tensors.clear()
    assert sharing.trace(question()).tensors["scores"][-1] == 1


def test_the_same_question_under_way_is_waited_for(gated, pool):
    sharing = shared(gated)
    answers = [pool.submit(sharing.trace, question()) for _ in range(10)]
    assert gated.busy.wait(PATIENCE_S)
    gated.gate.set()
    expected = gated.trace(question())
    for answer in answers:
        assert_same(answer.result(PATIENCE_S), expected)
    assert gated.calls["trace"] == 2  # one of them the test's own


def test_answers_are_those_of_the_engine_whoever_asks_what_at_once(engine, pool):
    """Random questions, many of them alike, in a cache that holds a few."""
    generator = np.random.default_rng(1)
    names = [("maps",), ("routing", "scores"), ("votes",), (), ("maps", "votes")]
    questions = [
        question(
            ink=generator.integers(6) / 8,
            options=FakeOptions(int(generator.integers(1, 4))),
            names=names[generator.integers(len(names))],
            half=bool(generator.integers(2)),
        )
        for _ in range(600)
    ]
    sharing = shared(FakeEngine("fake"), budget=3000)
    answers = pool.map(sharing.trace, questions)
    for wanted, answer in zip(questions, answers, strict=True):
        assert_same(answer, engine.trace(wanted))


def inks(questions):
    return [float(wanted.image[0, 0, 0]) for wanted in questions]


def batch(count, **changes):
    """Questions whose images differ."""
    return [question(k / 512, **changes) for k in range(count)]


@pytest.mark.parametrize("count", [0, 1, CHUNK, 2 * CHUNK + 1])
def test_a_batch_is_answered_in_its_order(engine, count):
    questions = batch(count, names=("maps", "scores"))
    answers = shared(engine).trace_many(questions)
    for wanted, answer in zip(questions, answers, strict=True):
        assert_same(answer, engine.trace(wanted))


class CountsPasses(GatedEngine):
    """Knows which images each of its passes computed."""

    def __init__(self, id):
        super().__init__(id)
        self.passes = []

    def trace_many(self, questions):
        self.passes.append(inks(questions))
        return super().trace_many(questions)


@pytest.fixture
def counting(pool):
    engine = CountsPasses("fake")
    yield engine
    engine.gate.set()


def test_a_batch_is_computed_in_chunks_between_which_others_are_served(counting, pool):
    queue = ComputeQueue(patience_s=math.inf, wanted_s=0)
    sharing = shared(counting, queue=queue)
    held = pool.submit(sharing.trace, question(0.875))
    assert counting.busy.wait(PATIENCE_S)
    questions = batch(2 * CHUNK + 1)
    answered = pool.submit(sharing.trace_many, questions)
    wait_until(lambda: queue.waiting == 1)  # its first chunk
    viewed = pool.submit(sharing.trace, question(0.625))
    wait_until(lambda: queue.waiting == 2)
    drawn = pool.submit(sharing.trace, question(0.75, is_urgent=True))
    wait_until(lambda: queue.waiting == 3)
    counting.gate.set()
    assert len(answered.result(PATIENCE_S)) == len(questions)
    assert all(
        future.result(PATIENCE_S).prediction == 9 for future in (held, viewed, drawn)
    )
    every = inks(questions)
    assert counting.passes == [every[:CHUNK], every[CHUNK : 2 * CHUNK], every[-1:]]
    assert inks(counting.questions) == [0.875, 0.75, 0.625, *every]


def test_while_people_ask_a_pass_of_a_batch_has_one_image(counting):
    counting.gate.set()
    queue = ComputeQueue(wanted_s=math.inf)
    sharing = shared(counting, queue=queue)
    questions = batch(CHUNK + 1)
    sharing.trace_many(questions)  # nobody has asked yet
    assert not queue.is_wanted
    sharing.trace(question(0.875))
    assert queue.is_wanted
    sharing.trace_many(questions)
    every = inks(questions)
    assert counting.passes == [every[:CHUNK], every[CHUNK:], *([ink] for ink in every)]


def test_a_batch_neither_fills_the_cache_nor_empties_it(engine):
    sharing = shared(engine, budget=200)  # room for a few traces
    sharing.trace(question())
    size = sharing._cache.size
    sharing.trace_many(batch(50))
    assert sharing._cache.size == size
    sharing.trace(question())
    assert engine.calls["trace"] == 51


def test_a_batch_of_a_client_that_left_stops(counting, pool):
    is_gone = threading.Event()
    sharing = shared(counting, is_gone=is_gone.is_set)
    answered = pool.submit(sharing.trace_many, batch(5 * CHUNK))
    assert counting.busy.wait(PATIENCE_S)
    is_gone.set()
    assert isinstance(answered.exception(PATIENCE_S), ClientGone)
    counting.gate.set()
    stays = shared(counting, queue=sharing._queue)
    assert stays.trace(question(0.75)).prediction == 9  # the queue goes on
    assert len(counting.passes) == 1


def test_a_batch_that_takes_too_long_is_given_up_with_words(monkeypatch):
    monkeypatch.setattr("capsnet_explorer.app.engines.sharing.LONGEST_S", -1)
    with pytest.raises(Overloaded, match="given up after -1 s") as error:
        shared(FakeEngine("fake")).trace_many([question()])
    assert "ask for fewer" in str(error.value)


def test_a_stroke_hurries_the_same_question_of_a_view(gated, pool):
    queue = ComputeQueue(patience_s=float("inf"))
    sharing = shared(gated, queue=queue)
    answers = [pool.submit(sharing.trace, question(0.125))]
    assert gated.busy.wait(PATIENCE_S)
    for count, ink in enumerate((0.25, 0.5), start=1):
        answers.append(pool.submit(sharing.trace, question(ink)))
        wait_until(lambda: queue.waiting == count)  # noqa: B023 - called at once
    answers.append(pool.submit(sharing.trace, question(0.5, is_urgent=True)))
    wait_until(lambda: any(entry.askers == 2 for entry in sharing._under_way.values()))
    gated.gate.set()
    assert all(answer.result(PATIENCE_S).prediction == 9 for answer in answers)
    assert inks(gated.questions) == [0.125, 0.5, 0.25]


def test_a_failure_is_told_to_all_who_wait_for_it(pool):
    class Failing(GatedEngine):
        def trace(self, question):
            super().trace(question)
            raise ArithmeticError("always")

    engine = Failing("fake")
    sharing = shared(engine)
    answers = [pool.submit(sharing.trace, question()) for _ in range(3)]
    engine.gate.set()
    for answer in answers:
        with pytest.raises(ArithmeticError, match="always"):
            answer.result(PATIENCE_S)
    assert not sharing._under_way  # who asks again is not told the same


def test_a_question_of_a_client_that_left_is_never_computed(gated, pool):
    queue = ComputeQueue(most_waiting=1)
    busy = pool.submit(shared(gated, queue=queue).trace, question(0.125))
    assert gated.busy.wait(PATIENCE_S)
    with pytest.raises(ClientGone):
        shared(gated, queue=queue, is_gone=lambda: True).trace(question(0.25))
    # Its place, the only one, is free again.
    stays = pool.submit(shared(gated, queue=queue).trace, question(0.5))
    gated.gate.set()
    for answer in (busy, stays):
        assert answer.result(PATIENCE_S).prediction == 9
    assert [computed.image[0, 0, 0] for computed in gated.questions] == [0.125, 0.5]


def test_a_slider_does_not_wait_for_anybodys_pass(gated, pool, engine):
    sharing = shared(gated)
    busy = pool.submit(sharing.trace, question())
    assert gated.busy.wait(PATIENCE_S)
    pose = np.full((1, 16), 0.25, np.float32)
    decoded = sharing.reconstruct(3, pose)
    np.testing.assert_array_equal(decoded, engine.reconstruct(3, pose))
    gated.gate.set()
    assert busy.result(PATIENCE_S).prediction == 9  # its gate was opened in time


def test_who_still_waits_is_answered_when_another_leaves(gated, pool):
    gone = threading.Event()
    leaver = threading.local()

    def is_gone():
        return getattr(leaver, "is_here", False) and gone.is_set()

    sharing = shared(gated, is_gone=is_gone)
    busy = pool.submit(sharing.trace, question(0.125))
    assert gated.busy.wait(PATIENCE_S)

    def ask_and_leave():
        leaver.is_here = True
        try:
            sharing.trace(question())
        finally:
            leaver.is_here = False

    leaves = pool.submit(ask_and_leave)
    stays = pool.submit(sharing.trace, question())
    wait_until(lambda: any(entry.askers == 2 for entry in sharing._under_way.values()))
    gone.set()
    assert isinstance(leaves.exception(PATIENCE_S), ClientGone)
    gated.gate.set()
    assert stays.result(PATIENCE_S).prediction == 9
    assert busy.result(PATIENCE_S).prediction == 9


@pytest.mark.parametrize("has_left", [True, False])
def test_the_server_says_whether_a_client_has_left(app, has_left):
    environ = {"waitress.client_disconnected": lambda: has_left}
    with app.test_request_context(environ_overrides=environ):
        assert client_is_gone() is has_left
