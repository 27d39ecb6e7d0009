"""The results of a soak test."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Report:
    """The measurements of a soak test.

    Attributes:
        people: number of simultaneous people.
        seconds: duration.
        traces: number of traces returned.
        slider_steps: number of slider steps returned.
        errors: messages of failed requests.
        mixed_up: number of responses that belonged to another request.
        busy: number of requests refused with status 503.
        trace_ms: the 50th and 99th percentile of a trace's time, in ms.
        slider_ms: those of a slider step.
        memory: the server's memory at the start, half way and the end, in bytes.
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
        """Return a summary for people."""
        memory = ", ".join(f"{size / MIB:.0f}" for size in self.memory)
        lines = [
            f"{self.people} people, {self.seconds:.0f} s",
            f"errors: {len(self.errors)}; responses mixed up: {self.mixed_up}; "
            f"refused as busy: {self.busy}",
            f"traces: {self.traces / self.seconds:.0f} a second, "
            f"p50 {self.trace_ms[0]:.1f} ms, p99 {self.trace_ms[1]:.1f} ms",
            f"slider steps: {self.slider_steps / self.seconds:.0f} a second, "
            f"p50 {self.slider_ms[0]:.1f} ms, p99 {self.slider_ms[1]:.1f} ms",
            f"server's memory at start, middle, end: {memory} MiB",
        ]
        return "\n".join([*lines, *self.errors[:10]])


def percentiles_ms(times_s: Sequence[float]) -> tuple[float, float]:
    """Return the 50th and 99th percentile in milliseconds; NaN without values."""
    if not times_s:
        return (float("nan"), float("nan"))
    middle, late = 1000 * np.percentile(times_s, [50, 99])
    return (float(middle), float(late))
