"""The queue: by priority, together where possible, bounded, never stopped by a bug."""

import threading
import weakref
from concurrent.futures import CancelledError

import numpy as np
import pytest

from capsnet_explorer.app.engines.protocol import Question, Trace
from capsnet_explorer.app.engines.queue import (
    ComputeQueue,
    Priority,
)
from capsnet_explorer.app.errors import Overloaded
from tests.app.conftest import FakeOptions
from tests.patience import PATIENCE_S

FOR_EVER = float("inf")
URGENT, USUAL, BATCH = Priority


class GatedEngine:
    """Answers when its gate opens; an image's first pixel comes back as prediction."""

    def __init__(self):
        self.gate = threading.Event()
        self.busy = threading.Event()
        self.batches = []

    def trace(self, question):
        return self.trace_many([question])[0]

    def trace_many(self, questions):
        self.batches.append([number(question) for question in questions])
        self.busy.set()
        assert self.gate.wait(PATIENCE_S)
        if any(number(question) < 0 for question in questions):
            raise ArithmeticError("a negative pixel")
        return [Trace(number(question), {}, ()) for question in questions]


def ask(value):
    return Question(np.full((1, 1, 1), value, np.float32), FakeOptions(1), names=())


def number(question):
    return int(question.image[0, 0, 0])


def answers(futures):
    return [future.result(PATIENCE_S).prediction for future in futures]


@pytest.fixture
def engine():
    engine = GatedEngine()
    yield engine
    engine.gate.set()


def occupied(queue, engine):
    """Keep the thread busy until the gate opens."""
    future = queue.ask(engine, ask(0))
    assert engine.busy.wait(PATIENCE_S)
    return future


def test_what_waits_is_answered_together_up_to_a_full_batch(engine):
    queue = ComputeQueue(most_together=3)
    futures = [occupied(queue, engine)]
    futures += [queue.ask(engine, ask(value)) for value in (1, 2, 3, 4, 5)]
    engine.gate.set()
    assert answers(futures) == [0, 1, 2, 3, 4, 5]
    assert engine.batches == [[0], [1, 2, 3], [4, 5]]


def test_only_questions_to_one_network_share_a_pass(engine):
    other = GatedEngine()
    other.gate.set()
    queue = ComputeQueue()
    futures = [occupied(queue, engine)]
    futures += [queue.ask(model, ask(n)) for n, model in enumerate([engine, other] * 2)]
    engine.gate.set()
    assert answers(futures) == [0, 0, 1, 2, 3]
    assert engine.batches == [[0], [0, 2]]
    assert other.batches == [[1, 3]]


def test_other_work_waits_its_turn_and_is_done_alone(engine):
    queue = ComputeQueue()
    done = []
    futures = [occupied(queue, engine), queue.ask(engine, ask(1))]
    others = [queue.run(lambda n=n: done.append(n) or n) for n in (10, 20)]
    futures.append(queue.ask(engine, ask(2)))
    assert not others[0].done()
    engine.gate.set()
    assert answers(futures) == [0, 1, 2]
    assert [other.result(PATIENCE_S) for other in others] == done == [10, 20]
    assert engine.batches == [[0], [1, 2]]


def test_more_than_may_wait_is_refused_at_once(engine):
    queue = ComputeQueue(most_waiting=2)
    futures = [occupied(queue, engine), *(queue.ask(engine, ask(n)) for n in (1, 2))]
    with pytest.raises(Overloaded, match="2 requests wait"):
        queue.ask(engine, ask(3))
    engine.gate.set()
    assert answers(futures) == [0, 1, 2]
    assert answers([queue.ask(engine, ask(4))]) == [4]


def test_a_cancelled_question_frees_its_place_and_is_never_computed(engine):
    queue = ComputeQueue(most_waiting=1)
    first = occupied(queue, engine)
    cancelled = queue.ask(engine, ask(1))
    assert cancelled.cancel()
    assert queue.waiting == 0
    second = queue.ask(engine, ask(2))
    engine.gate.set()
    assert answers([first, second]) == [0, 2]
    assert engine.batches == [[0], [2]]
    with pytest.raises(CancelledError):
        cancelled.result(0)


def passes(engine, priorities, **settings):
    """The passes of an engine, when 1, 2, … are asked with these priorities."""
    queue = ComputeQueue(**{"patience_s": FOR_EVER} | settings)
    futures = [occupied(queue, engine)]
    futures += [
        queue.ask(engine, ask(value), priority)
        for value, priority in enumerate(priorities, start=1)
    ]
    engine.gate.set()
    assert answers(futures) == list(range(len(futures)))
    return engine.batches[1:]


AT_ONCE, ALONE = {"patience_s": 0}, {"most_together": 1}


@pytest.mark.parametrize(
    ("order", "settings", "expected"),
    [
        # The most urgent goes first, and equals in their order.
        ([BATCH, USUAL, URGENT, USUAL, BATCH], ALONE, [[3], [2], [4], [1], [5]]),
        # A pass for an urgent question is not made longer by others.
        ([USUAL, URGENT, BATCH, URGENT], {}, [[2, 4], [1], [3]]),
        # Urgent ones join a pass, of what overtakes, that they would have to wait for.
        ([USUAL, BATCH, USUAL, URGENT], AT_ONCE, [[1, 3, 4], [2]]),
        # All that has waited long shares that pass, in the order in which it came.
        (
            [USUAL, URGENT, USUAL, USUAL, URGENT],
            AT_ONCE | {"most_together": 4},
            [[1, 2, 3, 4], [5]],
        ),
        # What has waited long overtakes, but never twice in a row.
        ([BATCH, USUAL, URGENT, URGENT], AT_ONCE | ALONE, [[1], [3], [2], [4]]),
    ],
)
def test_passes_have_their_order(engine, order, settings, expected):
    assert passes(engine, order, **settings) == expected


def test_a_waiting_question_can_become_urgent(engine):
    queue = ComputeQueue(most_together=1, patience_s=FOR_EVER)
    first = occupied(queue, engine)
    futures = [queue.ask(engine, ask(value)) for value in (1, 2)]
    queue.hurry(futures[1], URGENT)
    queue.hurry(futures[1], USUAL)  # another who asks for it does not slow it down
    queue.hurry(first, URGENT)  # too late to matter
    engine.gate.set()
    assert answers([first, *futures]) == [0, 1, 2]
    assert engine.batches == [[0], [2], [1]]


def test_batches_leave_all_places_to_others(engine):
    queue = ComputeQueue(most_waiting=1)
    futures = [occupied(queue, engine)]
    futures += [queue.ask(engine, ask(value), BATCH) for value in (1, 2)]
    futures.append(queue.ask(engine, ask(3)))
    futures.append(queue.ask(engine, ask(4), BATCH))
    with pytest.raises(Overloaded):
        queue.ask(engine, ask(5))
    engine.gate.set()
    assert answers(futures) == [0, 1, 2, 3, 4]


def test_batches_rest_beside_somebody_who_draws_and_strokes_do_not(engine):
    queue = ComputeQueue(patience_s=FOR_EVER, wanted_s=FOR_EVER, rest=FOR_EVER)
    engine.gate.set()
    assert answers([queue.ask(engine, ask(1), URGENT)]) == [1]
    assert answers([queue.ask(engine, ask(2), BATCH)]) == [2]
    resting = queue.ask(engine, ask(3), BATCH)
    assert answers([queue.ask(engine, ask(4), URGENT)]) == [4]
    assert answers([queue.ask(engine, ask(5), USUAL)]) == [5]
    assert engine.batches == [[1], [2], [4], [5]]
    assert resting.cancel()


def test_the_pause_of_a_batch_ends_with_the_first_reason():
    queue = ComputeQueue(patience_s=1, wanted_s=0.1)
    assert queue._pause(now=5) == FOR_EVER  # nothing waits
    queue._thread = threading.current_thread()  # so that none starts
    queue.run(lambda: None, BATCH)
    arrived = queue._waiting[0].arrived
    queue._wanted_at = queue._rests_until = arrived + 5
    assert queue._pause(arrived) == pytest.approx(1)
    queue._wanted_at = arrived + 0.2
    assert queue._pause(arrived) == pytest.approx(0.3)
    queue._rests_until = arrived + 0.04
    assert queue._pause(arrived) == pytest.approx(0.04)
    assert queue._pause(arrived + 0.04) <= 0
    queue.run(lambda: None, USUAL)
    assert queue._pause(arrived) == 0


def test_more_batches_than_may_be_under_way_are_refused():
    queue = ComputeQueue(most_batches=2)
    with queue.batch():
        with queue.batch(), pytest.raises(Overloaded, match="2 batches are under way"):
            queue.batch().__enter__()
        with queue.batch():
            pass
    with pytest.raises(ArithmeticError), queue.batch():
        raise ArithmeticError
    with queue.batch(), queue.batch():
        pass


def test_an_engine_that_answers_too_little_fails_nobody_else(engine, monkeypatch):
    """Each question is then asked on its own."""
    everything = engine.trace_many
    monkeypatch.setattr(engine, "trace_many", lambda some: everything(some)[:1])
    queue = ComputeQueue()
    futures = [occupied(queue, engine), *(queue.ask(engine, ask(n)) for n in (1, 2))]
    engine.gate.set()
    assert answers(futures) == [0, 1, 2]


def test_a_failure_is_that_of_its_question_only(engine):
    queue = ComputeQueue()
    futures = [occupied(queue, engine)]
    futures += [queue.ask(engine, ask(value)) for value in (1, -1, 2)]
    engine.gate.set()
    assert answers([futures[0], futures[1], futures[3]]) == [0, 1, 2]
    with pytest.raises(ArithmeticError, match="negative"):
        answers([futures[2]])
    assert answers([queue.ask(engine, ask(5))]) == [5]


def test_an_answer_is_not_kept_by_an_idle_queue():
    engine = GatedEngine()
    engine.gate.set()
    queue = ComputeQueue()
    future = queue.ask(engine, ask(1))
    answers([future])
    forgotten = threading.Event()
    weakref.finalize(future, forgotten.set)
    del future
    assert forgotten.wait(PATIENCE_S)
