"""The queue: in turn, together where it can be, bounded, and never stopped by a bug."""

import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from app.engine import Question, Trace
from app.errors import Overloaded
from app.queueing import ComputeQueue, process_queue

PATIENCE_S = 20


class GatedEngine:
    """Answers when its gate opens; an image's first pixel comes back as prediction."""

    def __init__(self):
        self.gate = threading.Event()
        self.busy = threading.Event()
        self.batches = []
        self.threads = set()

    def trace(self, question):
        return self.trace_many([question])[0]

    def trace_many(self, questions):
        self.batches.append([number(question) for question in questions])
        self.threads.add(threading.current_thread())
        self.busy.set()
        assert self.gate.wait(PATIENCE_S)
        if any(number(question) < 0 for question in questions):
            raise ArithmeticError("a negative pixel")
        return [Trace(number(question), {}) for question in questions]


def ask(value):
    return Question(np.full((1, 1), value, np.float32), iterations=1, names=())


def number(question):
    return int(question.image[0, 0])


def answers(jobs):
    assert all(job.wait(PATIENCE_S) for job in jobs)
    return [job.answer.prediction for job in jobs]


@pytest.fixture
def engine():
    engine = GatedEngine()
    yield engine
    engine.gate.set()


def occupied(queue, engine):
    """A job that keeps the thread busy until the gate opens."""
    job = queue.ask(engine, ask(0))
    assert engine.busy.wait(PATIENCE_S)
    return job


def test_a_lone_question_is_answered():
    engine = GatedEngine()
    engine.gate.set()
    assert answers([ComputeQueue().ask(engine, ask(7))]) == [7]
    assert engine.batches == [[7]]


def test_what_waits_is_answered_together_up_to_a_full_batch(engine):
    queue = ComputeQueue(batch=3)
    jobs = [occupied(queue, engine)]
    jobs += [queue.ask(engine, ask(value)) for value in (1, 2, 3, 4, 5)]
    engine.gate.set()
    assert answers(jobs) == [0, 1, 2, 3, 4, 5]
    assert engine.batches == [[0], [1, 2, 3], [4, 5]]


def test_only_questions_to_one_network_share_a_pass(engine):
    other = GatedEngine()
    other.gate.set()
    queue = ComputeQueue()
    jobs = [occupied(queue, engine)]
    jobs += [queue.ask(each, ask(n)) for n, each in enumerate([engine, other] * 2)]
    engine.gate.set()
    assert answers(jobs) == [0, 0, 1, 2, 3]
    assert engine.batches == [[0], [0, 2]]
    assert other.batches == [[1, 3]]


def test_other_work_waits_its_turn_and_is_done_alone(engine):
    queue = ComputeQueue()
    done = []
    jobs = [occupied(queue, engine), queue.ask(engine, ask(1))]
    others = [queue.run(lambda n=n: done.append(n) or n) for n in (10, 20)]
    jobs.append(queue.ask(engine, ask(2)))
    assert not others[0].wait(0)
    engine.gate.set()
    assert answers(jobs) == [0, 1, 2]
    assert all(other.wait(PATIENCE_S) for other in others)
    assert [other.answer for other in others] == done == [10, 20]
    assert engine.batches == [[0], [1, 2]]


def test_one_thread_computes_for_everybody(engine):
    queue = ComputeQueue(batch=1)
    engine.gate.set()
    with ThreadPoolExecutor(2) as pool:
        jobs = list(pool.map(lambda n: queue.ask(engine, ask(n)), (1, 2)))
    assert answers(jobs) == [1, 2]
    assert len(engine.threads) == 1
    assert threading.current_thread() not in engine.threads


def test_more_than_may_wait_is_refused_at_once(engine):
    queue = ComputeQueue(most_waiting=2)
    jobs = [occupied(queue, engine), *(queue.ask(engine, ask(n)) for n in (1, 2))]
    with pytest.raises(Overloaded, match="2 requests wait"):
        queue.ask(engine, ask(3))
    engine.gate.set()
    assert answers(jobs) == [0, 1, 2]
    assert answers([queue.ask(engine, ask(4))]) == [4]


def test_a_withdrawn_question_frees_its_place_and_is_never_computed(engine):
    queue = ComputeQueue(most_waiting=1)
    first = occupied(queue, engine)
    withdrawn = queue.ask(engine, ask(1))
    queue.withdraw(withdrawn)
    second = queue.ask(engine, ask(2))
    engine.gate.set()
    assert answers([first, second]) == [0, 2]
    assert engine.batches == [[0], [2]]
    assert not withdrawn.wait(0)


def test_withdrawing_what_is_under_way_changes_nothing(engine):
    queue = ComputeQueue()
    job = occupied(queue, engine)
    queue.withdraw(job)
    engine.gate.set()
    assert answers([job]) == [0]


def test_a_failure_is_that_of_its_question_only(engine):
    queue = ComputeQueue()
    jobs = [occupied(queue, engine)]
    jobs += [queue.ask(engine, ask(value)) for value in (1, -1, 2)]
    engine.gate.set()
    assert answers([jobs[0], jobs[1], jobs[3]]) == [0, 1, 2]
    with pytest.raises(ArithmeticError, match="negative"):
        answers([jobs[2]])
    assert answers([queue.ask(engine, ask(5))]) == [5]


def test_nothing_starts_before_the_first_question():
    before = set(threading.enumerate())
    ComputeQueue()
    assert set(threading.enumerate()) <= before


def test_an_answer_is_not_kept_by_an_idle_queue():
    engine = GatedEngine()
    engine.gate.set()
    queue = ComputeQueue()
    job = queue.ask(engine, ask(1))
    answers([job])
    forgotten = threading.Event()
    weakref.finalize(job, forgotten.set)
    del job
    assert forgotten.wait(PATIENCE_S)


def test_every_app_of_a_process_has_the_same_queue():
    assert process_queue() is process_queue()
