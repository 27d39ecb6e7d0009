"""The queue of one process, and the thread that runs its networks.

Only this thread runs forward passes, so only one pool of processor threads works for
the whole server, and no two passes fight over the same cores.
"""

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import Any, TypeVar

from capsnet_explorer.app.engines.protocol import Engine, Question, Trace
from capsnet_explorer.app.errors import Overloaded

MOST_WAITING = 64  # jobs; at 30 people with one each there is room to spare
MOST_BATCHES = 8  # under way at once; each keeps a thread of the server waiting
MOST_TOGETHER = 16  # questions in one pass: more gain little, and delay the next pass
PATIENCE_S = 1.0  # after which a job may go before more urgent ones
WANTED_S = 0.15  # after a person's question: somebody who draws asks again sooner
REST = 4  # while somebody draws, a batch pauses this many times as long as it ran

# Python lets a running thread go on for this long before another one gets its turn.
# The forward pass asks for a turn after each of its steps: at Python's own 5 ms a busy
# server would spend most of a pass waiting.
TURN_S = 0.0005


Answer = TypeVar("Answer")


class Priority(IntEnum):
    """What is computed first. Within one priority, order of arrival decides."""

    URGENT = 0  # someone draws, and waits to see what the stroke did
    USUAL = 1  # someone looks at a view
    BATCH = 2  # many images, from a script or a laboratory


@dataclass(slots=True, eq=False)
class _Job:
    """One thing to compute.

    Attributes:
        compute: does it, alone.
        question: the engine and the question, if a pass may answer it with others.
        priority: may be raised while it waits.
        arrived: when, on the monotonic clock, in seconds.
        future: where its answer goes.
    """

    compute: Callable[[], Any]
    question: tuple[Engine, Question] | None
    priority: Priority
    arrived: float = field(default_factory=time.monotonic)
    future: Future[Any] = field(default_factory=Future)


class ComputeQueue:
    """Jobs by priority, and the thread that computes them.

    The most urgent job goes first; those of one priority go in order of arrival. A job
    that has waited for `patience_s` goes before more urgent ones, but never two such
    jobs in a row: an urgent question waits for at most one of them, besides the one
    that is being computed. While somebody draws, jobs of batches leave pauses, so that
    most strokes find the thread idle.

    Questions to one engine share a forward pass, unless they are less urgent than the
    first: a pass of sixteen images takes ten times as long as a pass of one. Those that
    have waited for `patience_s` share the pass of one that overtakes before all others,
    so that they do not overtake one by one while a hundred people draw.

    `Future.cancel` withdraws a job that still waits, and frees its place.

    The thread starts with the first job, and so in the process that computes: a
    server may fork its workers from one that has loaded the networks.

    Args:
        most_waiting: jobs that may wait, those of batches not counted.
        most_batches: batches that may be under way.
        most_together: questions answered by one pass.
        patience_s: how long a job waits before it may overtake.
        wanted_s: how long after a person's question the next is expected, and batches
            leave pauses.
        rest: length of a pause, in durations of the batch's job before it.
    """

    def __init__(
        self,
        most_waiting: int = MOST_WAITING,
        most_batches: int = MOST_BATCHES,
        most_together: int = MOST_TOGETHER,
        patience_s: float = PATIENCE_S,
        wanted_s: float = WANTED_S,
        rest: float = REST,
    ) -> None:
        self._most_waiting = most_waiting
        self._most_batches = most_batches
        self._most_together = most_together
        self._patience_s = patience_s
        self._wanted_s = wanted_s
        self._waiting: list[_Job] = []  # in order of arrival
        self._batches = threading.BoundedSemaphore(most_batches)
        self._overtook = False  # whether the last job taken went before an urgent one
        self._rest = rest
        self._wanted_at = -math.inf  # when a person last asked, in seconds
        self._rests_until = -math.inf  # batches, beside somebody who draws; in seconds
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        with self._changed:
            self._drop_cancelled()
            return len(self._waiting)

    @property
    def is_wanted(self) -> bool:
        """Whether a person has asked something lately; batches do not count."""
        return time.monotonic() - self._wanted_at < self._wanted_s

    def ask(
        self, engine: Engine, question: Question, priority: Priority = Priority.USUAL
    ) -> Future[Trace]:
        """Queue a question, to be answered alone or along with others.

        Raises:
            Overloaded: too many jobs wait already.
        """
        pair = (engine, question)
        return self._enter(_Job(lambda: engine.trace(question), pair, priority))

    def run(
        self, compute: Callable[[], Answer], priority: Priority = Priority.USUAL
    ) -> Future[Answer]:
        """Queue anything else, to be computed alone.

        Raises:
            Overloaded: too many jobs wait already.
        """
        return self._enter(_Job(compute, None, priority))

    def hurry(self, future: Future[Any], priority: Priority) -> None:
        """Raise the priority of a job that still waits."""
        with self._changed:
            for job in self._waiting:
                if job.future is future:
                    job.priority = min(job.priority, priority)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Hold a place for a batch, whose jobs then always find room.

        Raises:
            Overloaded: too many batches are under way already.
        """
        if not self._batches.acquire(blocking=False):
            raise _busy(f"{self._most_batches} batches are under way")
        try:
            yield
        finally:
            self._batches.release()

    def _enter(self, job: _Job) -> Future[Any]:
        with self._changed:
            self._drop_cancelled()
            others = [job for job in self._waiting if job.priority < Priority.BATCH]
            is_counted = job.priority < Priority.BATCH
            if is_counted and len(others) >= self._most_waiting:
                raise _busy(f"{self._most_waiting} requests wait for the network")
            if is_counted:
                self._wanted_at = job.arrived
            self._waiting.append(job)
            self._changed.notify_all()
            if self._thread is None:
                self._thread = self._start()
        return job.future

    def _drop_cancelled(self) -> None:
        self._waiting = [job for job in self._waiting if not job.future.cancelled()]

    def _start(self) -> threading.Thread:
        sys.setswitchinterval(TURN_S)
        thread = threading.Thread(target=self._run, name="compute", daemon=True)
        thread.start()
        return thread

    def _run(self) -> None:
        while True:
            with self._changed:
                while (pause := self._pause(time.monotonic())) > 0:
                    self._changed.wait(None if pause == math.inf else pause)
                jobs = self._take()
            if jobs:
                self._compute_then_rest(jobs)
            del jobs  # or the last answers would be kept while nothing is asked

    def _pause(self, now: float) -> float:
        """Return how long to wait before the next job, in seconds; 0 is at once."""
        if not self._waiting:
            return math.inf
        if any(job.priority < Priority.BATCH for job in self._waiting):
            return 0
        return min(
            self._rests_until - now,
            self._wanted_at + self._wanted_s - now,
            self._waiting[0].arrived + self._patience_s - now,
        )

    def _compute_then_rest(self, jobs: list[_Job]) -> None:
        start = time.monotonic()
        _compute(jobs)
        if jobs[0].priority is Priority.BATCH:
            end = time.monotonic()
            self._rests_until = end + self._rest * (end - start)

    def _take(self) -> list[_Job]:
        """Take the job whose turn it is, and the questions that share its pass.

        Returns:
            None of the jobs that were cancelled, and so perhaps nothing.
        """
        first = self._next()
        sharing = [job for job in self._waiting if _may_share(job, first)]
        sharing.sort(key=lambda job: self._turn(job, time.monotonic()))
        taken = [first, *sharing][: self._most_together]
        self._waiting = [job for job in self._waiting if job not in taken]
        return [job for job in taken if job.future.set_running_or_notify_cancel()]

    def _next(self) -> _Job:
        urgent = min(self._waiting, key=lambda job: job.priority)
        oldest = self._waiting[0]
        self._overtook = (
            not self._overtook
            and oldest.priority > urgent.priority
            and self._is_late(oldest, time.monotonic())
        )
        return oldest if self._overtook else urgent

    def _is_late(self, job: _Job, now: float) -> bool:
        return now - job.arrived >= self._patience_s

    def _turn(self, job: _Job, now: float) -> int:
        """Order those that share a pass; it keeps the order of arrival among equals."""
        return -1 if self._overtook and self._is_late(job, now) else job.priority


def _busy(why: str) -> Overloaded:
    return Overloaded(f"the server is busy: {why} already; ask again in a moment")


def _may_share(job: _Job, first: _Job) -> bool:
    """Tell whether a pass for `first` may answer another job, too."""
    if job is first or job.question is None or first.question is None:
        return False
    return job.question[0] is first.question[0] and job.priority <= first.priority


def _compute(jobs: list[_Job]) -> None:
    """Compute jobs together; if that fails, each on its own."""
    try:
        answers = [jobs[0].compute()] if len(jobs) == 1 else _answer_together(jobs)
    except Exception as error:
        # Whatever it is belongs to those who asked; this thread serves everybody else.
        if len(jobs) == 1:
            jobs[0].future.set_exception(error)
        else:
            for job in jobs:
                _compute([job])
    else:
        for job, answer in zip(jobs, answers, strict=True):
            job.future.set_result(answer)


def _answer_together(jobs: list[_Job]) -> list[Trace]:
    pairs = [job.question for job in jobs if job.question is not None]
    engine = pairs[0][0]
    traces = engine.trace_many([question for _, question in pairs])
    if len(traces) != len(jobs):
        raise RuntimeError(f"needed {len(jobs)} traces, got {len(traces)}")
    return traces


@cache
def process_queue() -> ComputeQueue:
    """Return this process's queue, the same for every app in it."""
    return ComputeQueue()
