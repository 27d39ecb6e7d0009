"""An engine shared by many: nothing computed twice, nothing mixed up, all answered."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from app import create_app
from app.cache import TraceCache
from app.engine import Question, Surgery
from app.errors import ClientGone, Overloaded
from app.queueing import ComputeQueue
from app.shared_engine import SharedEngine, client_is_gone
from tests.app.conftest import FakeEngine

PATIENCE_S = 20
TRACE = "/api/models/fake/trace"


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
    image = np.full((28, 28), ink, np.float32)
    return Question(image, **{"iterations": 3, "names": ("lengths",)} | changes)


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


def test_the_same_question_is_computed_once(engine):
    asked = shared(engine)
    first, second = asked.trace(question()), asked.trace(question())
    assert engine.calls["trace"] == 1
    assert_same(second, first)
    assert_same(first, engine.trace(question()))


def test_a_second_view_of_an_image_brings_home_what_all_others_need(engine):
    asked = shared(engine)
    asked.trace(question(names=("lengths",)))
    asked.trace(question(names=("maps",)))
    assert [each.names for each in engine.questions] == [
        ("lengths",),
        ("maps", "routing"),
    ]
    answer = asked.trace(question(names=("lengths", "routing", "maps")))
    assert engine.calls["trace"] == 2
    assert_same(answer, engine.trace(question(names=("lengths", "routing", "maps"))))


def test_nothing_but_the_prediction_can_be_asked(engine):
    asked = shared(engine)
    assert asked.trace(question(names=())).prediction == 9
    assert asked.trace(question(names=())).tensors == {}
    assert engine.calls["trace"] == 1


def test_what_comes_on_request_only_is_brought_alone(engine):
    asked = shared(engine)
    asked.trace(question(names=("maps", "routing", "lengths")))
    answer = asked.trace(question(names=("maps", "votes")))
    assert engine.questions[1].names == ("votes",)
    assert_same(answer, engine.trace(question(names=("maps", "votes"))))
    asked.trace(question(names=("votes", "lengths")))
    assert engine.calls["trace"] == 3  # one of them the test's own


@pytest.mark.parametrize(
    "changes",
    [
        {"ink": 0.25},
        {"iterations": 4},
        {"surgery": Surgery(routing="uniform")},
        {"half": True},
    ],
)
def test_another_question_is_computed_anew(engine, changes):
    asked = shared(engine)
    asked.trace(question(names=("maps", "routing")))
    other = replace(question(**changes), names=("maps", "routing"))
    assert_same(asked.trace(other), engine.trace(other))
    assert engine.calls["trace"] == 3


def test_networks_that_share_a_cache_keep_their_own_answers(engine, other_engine):
    cache, queue = TraceCache(1 << 20), ComputeQueue()
    for each in (engine, other_engine):
        SharedEngine(each, queue, cache).trace(question())
    assert engine.calls["trace"] == other_engine.calls["trace"] == 1


def test_what_the_cache_has_dropped_is_computed_again(engine):
    asked = shared(engine, budget=0)
    asked.trace(question())
    asked.trace(question())
    assert engine.calls["trace"] == 2


def test_nobody_can_change_what_others_will_get(engine):
    asked = shared(engine)
    tensors = asked.trace(question()).tensors
    with pytest.raises(ValueError, match="read-only"):
        tensors["lengths"][:] = 0
    tensors.clear()
    assert asked.trace(question()).tensors["lengths"][-1] == 1


def test_the_same_question_under_way_is_waited_for(gated, pool):
    asked = shared(gated)
    answers = [pool.submit(asked.trace, question()) for _ in range(10)]
    assert gated.busy.wait(PATIENCE_S)
    gated.gate.set()
    expected = gated.trace(question())
    for answer in answers:
        assert_same(answer.result(PATIENCE_S), expected)
    assert gated.calls["trace"] == 2  # one of them the test's own


def test_answers_are_those_of_the_engine_whoever_asks_what_at_once(engine, pool):
    """Random questions, many of them alike, in a cache that holds a few."""
    generator = np.random.default_rng(1)
    names = [("maps",), ("routing", "lengths"), ("votes",), (), ("maps", "votes")]
    questions = [
        question(
            ink=generator.integers(6) / 8,
            iterations=int(generator.integers(1, 4)),
            names=names[generator.integers(len(names))],
            half=bool(generator.integers(2)),
        )
        for _ in range(600)
    ]
    asked = shared(FakeEngine("fake"), budget=3000)
    for each, answer in zip(questions, pool.map(asked.trace, questions), strict=True):
        assert_same(answer, engine.trace(each))


def test_several_questions_are_answered_in_their_order(engine):
    asked = shared(engine)
    questions = [question(ink) for ink in (0.5, 0.25, 0.5)]
    for each, answer in zip(questions, asked.trace_many(questions), strict=True):
        assert_same(answer, engine.trace(each))


class FailsOnce(FakeEngine):
    """Has a bad moment, then answers."""

    def trace(self, question):
        if not self.calls["trace"]:
            self.calls["trace"] += 1
            raise ArithmeticError("once")
        return super().trace(question)


def test_a_failure_is_not_kept():
    asked = shared(FailsOnce("fake"))
    with pytest.raises(ArithmeticError, match="once"):
        asked.trace(question())
    assert asked.trace(question()).prediction == 9


def test_a_failure_is_told_to_all_who_wait_for_it(pool):
    class Failing(GatedEngine):
        def trace(self, question):
            super().trace(question)
            raise ArithmeticError("always")

    engine = Failing("fake")
    asked = shared(engine)
    answers = [pool.submit(asked.trace, question()) for _ in range(3)]
    engine.gate.set()
    for answer in answers:
        with pytest.raises(ArithmeticError, match="always"):
            answer.result(PATIENCE_S)


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
    assert [each.image[0, 0] for each in gated.questions] == [0.125, 0.5]


def test_a_slider_does_not_wait_for_anybodys_pass(gated, pool, engine):
    asked = shared(gated)
    busy = pool.submit(asked.trace, question())
    assert gated.busy.wait(PATIENCE_S)
    pose = np.full((1, 16), 0.25, np.float32)
    decoded = asked.reconstruct(3, pose)
    np.testing.assert_array_equal(decoded, engine.reconstruct(3, pose))
    gated.gate.set()
    assert busy.result(PATIENCE_S).prediction == 9  # its gate was opened in time


def test_a_sheet_of_capsules_is_decoded_in_turn(gated, pool, engine):
    asked = shared(gated)
    pool.submit(asked.trace, question())
    assert gated.busy.wait(PATIENCE_S)
    poses = np.arange(32, dtype=np.float32).reshape(2, 16)
    decoded = pool.submit(asked.reconstruct, 3, poses)
    wait_until(lambda: len(asked._queue._waiting) == 1)
    gated.gate.set()
    expected = engine.reconstruct(3, poses)
    np.testing.assert_array_equal(decoded.result(PATIENCE_S), expected)


def test_a_sheet_of_a_client_that_left_frees_its_place(gated, pool):
    queue = ComputeQueue()
    pool.submit(shared(gated, queue=queue).trace, question())
    assert gated.busy.wait(PATIENCE_S)
    leaver = shared(gated, queue=queue, is_gone=lambda: True)
    with pytest.raises(ClientGone):
        leaver.reconstruct(3, np.zeros((2, 16), np.float32))
    assert not queue._waiting


def test_who_still_waits_is_answered_when_another_leaves(gated, pool):
    left = threading.Event()
    leaver = threading.local()

    def is_gone():
        return getattr(leaver, "is_here", False) and left.is_set()

    asked = shared(gated, is_gone=is_gone)
    busy = pool.submit(asked.trace, question(0.125))
    assert gated.busy.wait(PATIENCE_S)

    def ask_and_leave():
        leaver.is_here = True
        try:
            asked.trace(question())
        finally:
            leaver.is_here = False

    leaves = pool.submit(ask_and_leave)
    stays = pool.submit(asked.trace, question())
    wait_until(lambda: any(each.askers == 2 for each in asked._under_way.values()))
    left.set()
    assert isinstance(leaves.exception(PATIENCE_S), ClientGone)
    gated.gate.set()
    assert stays.result(PATIENCE_S).prediction == 9
    assert busy.result(PATIENCE_S).prediction == 9


def test_too_many_at_once_are_asked_to_come_back(gated, monkeypatch, image, pool):
    queue = ComputeQueue(most_waiting=1)
    monkeypatch.setattr("app.shared_engine.process_queue", lambda: queue)
    client = create_app({"fake": gated}).test_client

    def ask(iterations):
        body = {"image": image, "iterations": iterations}
        return client().post(TRACE, json=body)

    answers = [pool.submit(ask, 1)]
    assert gated.busy.wait(PATIENCE_S)
    answers.append(pool.submit(ask, 2))
    wait_until(lambda: len(queue._waiting) == 1)
    refused = ask(3)
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "1"
    assert refused.json["error"].keys() == {"message", "field"}
    assert "the server is busy" in refused.json["error"]["message"]
    gated.gate.set()
    assert [each.result(PATIENCE_S).status_code for each in answers] == [200, 200]
    assert ask(3).status_code == 200


def test_refused_questions_leave_nothing_behind(gated, pool):
    queue = ComputeQueue(most_waiting=1)
    asked = shared(gated, queue=queue)
    pool.submit(asked.trace, question(0.125))
    assert gated.busy.wait(PATIENCE_S)
    waits = pool.submit(asked.trace, question(0.25))
    wait_until(lambda: len(queue._waiting) == 1)
    with pytest.raises(Overloaded):
        asked.trace(question(0.5))
    gated.gate.set()
    waits.result(PATIENCE_S)
    wait_until(lambda: not asked._under_way)


@pytest.mark.parametrize("has_left", [True, False])
def test_the_server_says_whether_a_client_has_left(app, has_left):
    environ = {"waitress.client_disconnected": lambda: has_left}
    with app.test_request_context(environ_overrides=environ):
        assert client_is_gone() is has_left


def test_a_client_is_here_as_far_as_anyone_knows(app):
    assert client_is_gone() is False
    with app.test_request_context():
        assert client_is_gone() is False
