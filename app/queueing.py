"""The one thread that runs networks; what waits for it is computed together.

Only this thread runs forward passes, so only one pool of processor threads works for
the whole server, and nobody's pass fights with another's over the same cores.
"""

import sys
import threading
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar, cast

from app.engine import Engine, Question, Trace
from app.errors import Overloaded

MOST_WAITING = 64  # jobs; at 30 people with one each there is room to spare
BATCH = 16  # questions in one pass: more gain little, and delay whoever comes next

# Python lets a running thread go on for this long before another one gets its turn.
# The forward pass asks for a turn after each of its steps: at Python's own 5 ms a busy
# server would spend most of a pass waiting.
TURN_S = 0.0005


Answer = TypeVar("Answer")


class Job(Generic[Answer]):
    """Something to compute. Many threads may wait for one.

    Attributes:
        compute: does it.
        asked: the engine and the question, if it may be answered along with others.
        together: how many questions its pass answers; 0 while it waits.
    """

    def __init__(
        self,
        compute: Callable[[], Answer],
        asked: tuple[Engine, Question] | None = None,
    ) -> None:
        self.compute = compute
        self.asked = asked
        self.together = 0
        self._done = threading.Event()
        self._answer: Answer | None = None
        self._failure: Exception | None = None

    def wait(self, timeout_s: float) -> bool:
        """Wait for the answer; tell whether it is there."""
        return self._done.wait(timeout_s)

    @property
    def answer(self) -> Answer:
        """The answer, once `wait` has said that it is there.

        Raises:
            Exception: what was raised when it was computed.
        """
        if self._failure is not None:
            raise self._failure
        return cast(Answer, self._answer)

    def finish(self, answer: Answer) -> None:
        """Give the answer to all who wait."""
        self._answer = answer
        self._done.set()

    def fail(self, error: Exception) -> None:
        """Tell all who wait why there is no answer."""
        self._failure = error
        self._done.set()


class ComputeQueue:
    """Jobs in the order of their coming, and the thread that does them.

    The thread starts with the first job, and so in the process that computes: a
    server may fork its workers from one that has loaded the networks.

    Args:
        most_waiting: jobs that may wait.
        batch: questions answered together at most; all of one engine.
    """

    def __init__(self, most_waiting: int = MOST_WAITING, batch: int = BATCH) -> None:
        self._most_waiting = most_waiting
        self._batch = batch
        self._waiting: deque[Job[Any]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def ask(self, engine: Engine, question: Question) -> Job[Trace]:
        """Let a question wait for its turn, alone or along with others.

        Raises:
            Overloaded: too many jobs wait already.
        """
        return self._enter(Job(lambda: engine.trace(question), (engine, question)))

    def run(self, compute: Callable[[], Answer]) -> Job[Answer]:
        """Let anything else wait for its turn, alone.

        Raises:
            Overloaded: too many jobs wait already.
        """
        return self._enter(Job(compute))

    def _enter(self, job: Job[Answer]) -> Job[Answer]:
        with self._changed:
            if len(self._waiting) >= self._most_waiting:
                raise Overloaded(
                    f"the server is busy: {self._most_waiting} requests wait for the "
                    "network already; ask again in a moment"
                )
            self._waiting.append(job)
            self._changed.notify()
            if self._thread is None:
                self._thread = self._start()
        return job

    def withdraw(self, job: Job[Any]) -> None:
        """Free the place of a job that nobody waits for, if it still has one."""
        with self._changed:
            if job in self._waiting:  # else it is being computed, or has been
                self._waiting.remove(job)

    def _start(self) -> threading.Thread:
        sys.setswitchinterval(TURN_S)
        thread = threading.Thread(target=self._run, name="compute", daemon=True)
        thread.start()
        return thread

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                jobs = self._take()
            _compute(jobs)
            del jobs  # or the last answers would be kept while nothing is asked

    def _take(self) -> list[Job[Any]]:
        """Take the first that waits, and questions behind it for the same engine."""
        first = self._waiting[0]
        jobs = [job for job in self._waiting if _may_join(job, first)][: self._batch]
        for job in jobs:
            self._waiting.remove(job)
            job.together = len(jobs)
        return jobs


def _may_join(job: Job[Any], first: Job[Any]) -> bool:
    if job.asked is None or first.asked is None:
        return job is first
    return job.asked[0] is first.asked[0]


def _compute(jobs: list[Job[Any]]) -> None:
    """Do jobs together; if that fails, each on its own."""
    try:
        asked = [job.asked for job in jobs if job.asked is not None]
        if len(jobs) == 1:
            answers = [jobs[0].compute()]
        else:
            answers = asked[0][0].trace_many([question for _, question in asked])
        for job, answer in zip(jobs, answers, strict=True):
            job.finish(answer)
    except Exception as error:
        # Whatever it is belongs to those who asked; this thread serves everybody else.
        if len(jobs) == 1:
            jobs[0].fail(error)
        else:
            for job in jobs:
                _compute([job])


@cache
def process_queue() -> ComputeQueue:
    """Return this process's queue, the same for every app in it."""
    return ComputeQueue()
