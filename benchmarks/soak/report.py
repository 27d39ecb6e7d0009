"""What came out of a soak, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Report:
    """What a soak measured.

    Attributes:
        people: how many asked at once.
        seconds: how long.
        traces: answered.
        slider_steps: answered.
        errors: requests that failed, in words.
        mixed_up: answers that belonged to another request.
        busy: requests that were asked to come back later.
        trace_ms: the 50th and 99th percentile of a trace, from request to answer.
        slider_ms: those of a slider's step.
        memory: bytes that the server occupied at the start, in the middle, at the end.
    """

    people: int
    seconds: float
    traces: int
    slider_steps: int
    errors: Sequence[str]
    mixed_up: int
    busy: int
    trace_ms: tuple[float, float]
    slider_ms: tuple[float, float]
    memory: tuple[int, int, int]

    def text(self) -> str:
        """Write it for people."""
        memory = ", ".join(f"{size / MIB:.0f}" for size in self.memory)
        lines = [
            f"{self.people} people, {self.seconds:.0f} s",
            f"errors: {len(self.errors)}; answers mixed up: {self.mixed_up}; "
            f"asked to come back: {self.busy}",
            f"traces: {self.traces / self.seconds:.0f} a second, "
            f"p50 {self.trace_ms[0]:.1f} ms, p99 {self.trace_ms[1]:.1f} ms",
            f"slider's steps: {self.slider_steps / self.seconds:.0f} a second, "
            f"p50 {self.slider_ms[0]:.1f} ms, p99 {self.slider_ms[1]:.1f} ms",
            f"server's memory at start, middle, end: {memory} MiB",
        ]
        return "\n".join([*lines, *self.errors[:10]])


def percentiles_ms(times_s: Sequence[float]) -> tuple[float, float]:
    """Return the 50th and the 99th percentile in milliseconds; NaN of nothing."""
    if not times_s:
        return (float("nan"), float("nan"))
    middle, late = 1000 * np.percentile(times_s, [50, 99])
    return (float(middle), float(late))
