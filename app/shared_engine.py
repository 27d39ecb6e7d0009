"""An engine as many people share it: asked in turn, and never twice for the same."""

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import has_request_context, request

from app.cache import TraceCache
from app.engine import Array, Engine, ModelInfo, Numbers, Question, Trace
from app.errors import ClientGone
from app.queueing import ComputeQueue, Job, process_queue
from app.watching import Source, Unwatched, Watcher

CACHE_BUDGET = 64 << 20  # bytes; a hundred traces as the page asks for them
LOOK_UP_S = 0.1  # how often a thread that waits looks whether its client still does


def share(
    engines: Mapping[str, Engine], watcher: Watcher | None = None
) -> dict[str, Engine]:
    """Let all requests of this process share its engines, one queue and one cache."""
    cache = TraceCache(CACHE_BUDGET)
    return {
        id: SharedEngine(engine, process_queue(), cache, client_is_gone, watcher)
        for id, engine in engines.items()
    }


def client_is_gone() -> bool:
    """Tell whether the client of the request at hand has left, if the server knows."""
    if not has_request_context():
        return False
    look: Callable[[], bool] | None = request.environ.get(
        "waitress.client_disconnected"
    )
    return look is not None and look()


@dataclass(slots=True, eq=False)
class _Shared:
    """A job, and how many threads wait for it."""

    job: Job[Trace]
    askers: int = 0


class SharedEngine:
    """Answers like the engine inside it, which it asks as little as it can.

    The first pass of an image brings what was asked for: while someone draws, nothing
    else will be. Whoever asks about it again is looking around: then a pass brings home
    all tensors that are not `on_request`, and other views are answered from the cache.

    Args:
        engine: asked through `queue` for what takes long, and directly for the rest.
        queue: where questions wait.
        cache: where answers are kept; engines that share it differ in their ids.
        is_gone: whether the client that the calling thread works for has left.
        watcher: hears where answers come from.
    """

    def __init__(
        self,
        engine: Engine,
        queue: ComputeQueue,
        cache: TraceCache,
        is_gone: Callable[[], bool] = lambda: False,
        watcher: Watcher | None = None,
    ) -> None:
        self._engine = engine
        self._queue = queue
        self._cache = cache
        self._is_gone = is_gone
        self._watcher = Unwatched() if watcher is None else watcher
        self._under_way: dict[Hashable, _Shared] = {}
        self._lock = threading.Lock()

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        return self._engine.info

    def kernels(self) -> Mapping[str, Array]:
        """Return the first layer's kernels and biases."""
        return self._engine.kernels()

    def primary_kernels(self, type: int) -> Mapping[str, Numbers]:
        """Return what reads Conv1's maps into the primary capsules of one type."""
        return self._engine.primary_kernels(type)

    def reconstruct(self, digit: int, poses: Array) -> Array:
        """Decode one capsule beside whatever pass is under way; several in turn.

        Raises:
            Overloaded: too many requests wait.
            ClientGone: nobody waits for this answer any longer.
        """
        if len(poses) == 1:  # of a slider: soon done, and best without other threads
            return self._engine.reconstruct(digit, poses)
        job = self._queue.run(lambda: self._engine.reconstruct(digit, poses))
        try:
            self._wait(job)
        finally:
            self._queue.withdraw(job)
        return job.answer

    def trace(self, question: Question) -> Trace:
        """Answer from the cache, from a pass under way, or else by a new one.

        Raises:
            Overloaded: too many questions wait.
            ClientGone: nobody waits for this answer any longer.
        """
        key = (self.info.id, question.key, question.half)
        with self._lock:
            kept = self._cache.get(key)
            if kept is not None and kept.tensors.keys() >= set(question.names):
                self._watcher.answered("cache", together=0)
                return _part(kept, question)
            had = {} if kept is None else kept.tensors
            missing = question.names if kept is None else self._rest(question, had)
            source: Source = "joined" if (key, missing) in self._under_way else "pass"
            shared = self._join((key, missing), replace(question, names=missing))
        try:
            self._wait(shared.job)
            answer = shared.job.answer
            whole = Trace(answer.prediction, {**had, **answer.tensors})
            self._cache.put(key, whole)
            self._watcher.answered(source, shared.job.together)
        finally:
            # Only now, so that whoever comes meanwhile finds either job or cache.
            self._leave((key, missing), shared)
        return _part(whole, question)

    def trace_many(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer several questions, one after the other."""
        return [self.trace(question) for question in questions]

    def _rest(self, question: Question, had: Mapping[str, Numbers]) -> tuple[str, ...]:
        """Return the names of all that views may ask for, without those that it had."""
        usual = [each.name for each in self.info.tensors if not each.on_request]
        wanted = dict.fromkeys([*usual, *question.names])
        return tuple(name for name in wanted if name not in had)

    def _join(self, key: Hashable, question: Question) -> _Shared:
        """Wait along with those who ask the same; the caller holds the lock."""
        shared = self._under_way.get(key)
        if shared is None:
            shared = _Shared(self._queue.ask(self._engine, question))
            self._under_way[key] = shared
        shared.askers += 1
        return shared

    def _leave(self, key: Hashable, shared: _Shared) -> None:
        with self._lock:
            shared.askers -= 1
            if not shared.askers:
                del self._under_way[key]
                self._queue.withdraw(shared.job)

    def _wait(self, job: Job[Any]) -> None:
        self._watcher.waits()
        try:
            while not job.wait(LOOK_UP_S):
                if self._is_gone():
                    raise ClientGone("the client has left")
        finally:
            self._watcher.waited()


def _part(trace: Trace, question: Question) -> Trace:
    """Return of a trace what was asked for."""
    return Trace(
        trace.prediction, {name: trace.tensors[name] for name in question.names}
    )
