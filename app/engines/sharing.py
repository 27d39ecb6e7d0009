"""Queues, batches and caches questions to an engine that many requests share."""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from flask import has_request_context, request

from capsnet_explorer.app.engines.cache import TraceCache
from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.line import Batch, Line
from capsnet_explorer.app.engines.protocol import (
    Array,
    Attacked,
    AttackQuestion,
    Engine,
    GradientThrough,
    Numbers,
    Options,
    Question,
    Trace,
)
from capsnet_explorer.app.engines.queue import (
    ComputeQueue,
    Priority,
    process_queue,
)
from capsnet_explorer.app.engines.turns import letting_others_go_on
from capsnet_explorer.app.errors import ClientGone, Overloaded
from capsnet_explorer.perturbations.attack import Loss, Slope

CACHE_BUDGET = 64 << 20  # bytes; a hundred traces as the page asks for them
LOOK_UP_S = 0.1  # how often a waiting thread checks whether its client is still there

# Images of a batch in one pass. Eight take half as long as sixteen, no more for each.
# While people draw, a pass has one image only: a stroke may have to wait for it.
CHUNK = 8
CHUNK_BESIDE = 1
GRADIENTS = 2  # images of an attack in one pass: together, three to four traces' time
GRADIENTS_BESIDE = 1
GRADIENT = 2.0  # of an image, in passes of one
LONGEST_S = 45.0  # of a batch: the server ends an exchange after 60 s

Answer = TypeVar("Answer")


def sharing() -> Callable[[Engine], Engine]:
    """Return what lets all requests of this process share an engine.

    All engines have one queue and one cache.
    """
    cache, line = TraceCache(CACHE_BUDGET), Line(LOOK_UP_S)
    return lambda engine: SharedEngine(
        engine, process_queue(), cache, client_is_gone, line
    )


def client_is_gone() -> bool:
    """Tell whether the client of the current request has left, if the server knows."""
    if not has_request_context():
        return False
    look: Callable[[], bool] | None = request.environ.get(
        "waitress.client_disconnected"
    )
    return look is not None and look()


@dataclass(slots=True, eq=False)
class _Shared:
    """A question that is queued or computed, and how many threads wait for it."""

    future: Future[Trace]
    askers: int = 0


class SharedEngine:
    """Queues, batches and caches questions to an engine.

    The first pass of an image computes the tensors that were asked for: while someone
    draws, nobody asks for others. The second computes all tensors that are not
    `on_request`, because whoever asks for more is looking around: further views are
    then answered from the cache.

    Args:
        engine: asked through `queue` for what takes long, and directly for the rest.
        queue: where questions wait.
        cache: keeps answers; engines that share it differ in their ids.
        is_gone: whether the client that the calling thread works for has left.
        line: of the batches of all engines that share it.
    """

    def __init__(
        self,
        engine: Engine,
        queue: ComputeQueue,
        cache: TraceCache,
        is_gone: Callable[[], bool] = lambda: False,
        line: Line | None = None,
    ) -> None:
        self._engine = engine
        self._queue = queue
        self._cache = cache
        self._is_gone = is_gone
        self._line = Line(LOOK_UP_S) if line is None else line
        self._under_way: dict[Hashable, _Shared] = {}
        self._lock = threading.Lock()

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        return self._engine.info

    def options(self, choices: Mapping[str, Any]) -> Options:
        """Check what a request asks beyond its image."""
        return self._engine.options(choices)

    def weights(self, names: Sequence[str]) -> Mapping[str, Numbers]:
        """Return trained weights by name."""
        return self._engine.weights(names)

    def gradient(
        self,
        images: Array,
        labels: Sequence[int],
        *,
        of: Loss = "gap",
        through: GradientThrough = "full",
    ) -> Slope:
        """Return what an attack raises, and its gradient, in turn."""
        return self._run(
            lambda: self._engine.gradient(images, labels, of=of, through=through)
        )

    def attack(self, question: AttackQuestion) -> Attacked:
        """Attack an image as a batch does its work: behind what is more urgent.

        Raises:
            Overloaded: it could not be finished in time.
            ClientGone: the client has left; nothing more is computed.
        """
        gradients, traces = question.sizes
        with self._batch(GRADIENT * gradients + traces) as batch:
            return question.answer(
                partial(self._gradients, batch=batch),
                partial(self._traces, batch=batch),
            )

    @contextmanager
    def _batch(self, passes: float) -> Iterator[Batch]:
        """Hold a place for a batch of about so many passes of one image."""
        with (
            self._queue.batch(),
            self._line.joined(self.info.id, passes, LONGEST_S) as batch,
        ):
            yield batch

    def _gradients(
        self,
        images: Array,
        labels: Sequence[int],
        *,
        of: Loss,
        through: GradientThrough,
        batch: Batch,
    ) -> Slope:
        """Compute the gradients of an attack, a few at a time."""
        parts: list[Slope] = []
        start = 0
        while start < len(images):
            size = GRADIENTS_BESIDE if self._queue.is_wanted else GRADIENTS
            some = slice(start, start + size)
            start += size
            compute = partial(
                self._engine.gradient,
                images[some],
                labels[some],
                of=of,
                through=through,
            )
            count = len(images[some])
            parts.append(self._run_part(compute, batch, GRADIENT * count))
        return Slope(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.gradient for part in parts]),
        )

    def reconstruct(self, label: int, poses: Array) -> Array:
        """Decode one capsule at once, beside any pass; queue several.

        Several queue as a trace does: a person waits for the sheet, and all of its
        images together take about as long as one trace.

        Raises:
            Overloaded: too many requests wait.
            ClientGone: the client has left.
        """
        if len(poses) == 1:  # a slider's step takes 0.1 ms, and no other threads
            return self._engine.reconstruct(label, poses)
        return self._run(lambda: self._engine.reconstruct(label, poses))

    def trace(self, question: Question) -> Trace:
        """Answer from the cache, from a pass under way, or by a new pass.

        Raises:
            Overloaded: too many questions wait.
            ClientGone: the client has left.
        """
        key = (self.info.id, self.info.version, question.key, question.half)
        with self._lock:
            kept = self._cache.get(key)
            if kept is not None and kept.tensors.keys() >= set(question.names):
                return _part(kept, question)
            had = {} if kept is None else kept.tensors
            missing = question.names if kept is None else self._rest(question, had)
            shared = self._join((key, missing), replace(question, names=missing))
        try:
            answer = self._wait(shared.future)
            whole = replace(answer, tensors={**had, **answer.tensors})
            self._cache.put(key, whole)
        finally:
            # Only now, so that whoever comes meanwhile finds either future or cache.
            self._leave((key, missing), shared)
        return _part(whole, question)

    def trace_many(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer a batch in chunks, each of which waits behind what is more urgent.

        Nothing is cached: one batch would evict what everybody else looks at.

        Raises:
            Overloaded: it could not be finished in time.
            ClientGone: the client has left; no further chunk is computed.
        """
        with self._batch(len(questions)) as batch:
            return self._traces(questions, batch=batch)

    def _traces(self, questions: Sequence[Question], batch: Batch) -> list[Trace]:
        traces: list[Trace] = []
        while len(traces) < len(questions):
            size = CHUNK_BESIDE if self._queue.is_wanted else CHUNK
            chunk = questions[len(traces) : len(traces) + size]
            compute = partial(self._engine.trace_many, chunk)
            traces += self._run_part(compute, batch, len(chunk))
        return traces

    def _run_part(
        self, compute: Callable[[], Answer], batch: Batch, passes: float
    ) -> Answer:
        """Compute a part of a batch, unless its client has left."""
        if time.monotonic() > batch.began + LONGEST_S:
            raise Overloaded(
                f"the work was given up after {LONGEST_S:g} s, as long as one request "
                "may take here; ask for fewer images, ε or steps at once, or again "
                "when fewer people use the server",
                after_s=LONGEST_S,
            )
        with self._line.turn(batch, passes, self._is_gone):
            return self._run(compute, Priority.BATCH)

    def _rest(self, question: Question, had: Mapping[str, Numbers]) -> tuple[str, ...]:
        """Return the names of all that views may ask for, without those that it had."""
        usual = [tensor.name for tensor in self.info.tensors if not tensor.on_request]
        wanted = dict.fromkeys([*usual, *question.names])
        return tuple(name for name in wanted if name not in had)

    def _join(self, key: Hashable, question: Question) -> _Shared:
        """Wait along with those who ask the same; the caller holds the lock."""
        priority = Priority.URGENT if question.is_urgent else Priority.USUAL
        shared = self._under_way.get(key)
        if shared is None:
            shared = _Shared(self._queue.ask(self._engine, question, priority))
            self._under_way[key] = shared
        else:
            self._queue.hurry(shared.future, priority)
        shared.askers += 1
        return shared

    def _leave(self, key: Hashable, shared: _Shared) -> None:
        with self._lock:
            shared.askers -= 1
            if not shared.askers:
                del self._under_way[key]
                shared.future.cancel()  # changes nothing unless it still waits

    def _run(
        self, compute: Callable[[], Answer], priority: Priority = Priority.USUAL
    ) -> Answer:
        """Queue what nobody else asks for, and wait for its answer."""
        future = self._queue.run(compute, priority)
        try:
            return self._wait(future)
        finally:
            future.cancel()  # changes nothing unless it still waits

    def _wait(self, future: Future[Answer]) -> Answer:
        with letting_others_go_on():
            while not futures.wait([future], LOOK_UP_S).done:
                if self._is_gone():
                    raise ClientGone("the client has left")
        return future.result()


def _part(trace: Trace, question: Question) -> Trace:
    """Return only the tensors that were asked for."""
    return replace(
        trace, tensors={name: trace.tensors[name] for name in question.names}
    )
