"""The results of a soak test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

MIB = 1 << 20
LEVELS = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Report:
    """The measurements of a soak test.

    Attributes:
        people: number of simultaneous people.
        seconds: duration.
        counts: number of answers, by what was asked.
        errors: messages of failed requests.
        mixed_up: number of responses that belonged to another request.
        busy: number of requests refused with the time to come back.
        times_ms: the 50th, 95th and 99th percentile of their times, in ms.
        after_ms: time of one trace once all have left, in ms.
        memory: the server's memory at the start, half way and the end, in bytes.
    """

    people: int
    seconds: float
    counts: Mapping[str, int]
    errors: Sequence[str]
    mixed_up: int
    busy: int
    times_ms: Mapping[str, Sequence[float]]
    after_ms: float
    memory: tuple[int, int, int]

    def text(self) -> str:
        """Return a summary for people."""
        memory = ", ".join(f"{size / MIB:.0f}" for size in self.memory)
        lines = [
            f"{self.people} people, {self.seconds:.0f} s",
            f"errors: {len(self.errors)}; responses mixed up: {self.mixed_up}; "
            f"refused as busy: {self.busy}",
            *(
                f"{name}s: {self.counts[name] / self.seconds:.0f} a second, "
                + ", ".join(
                    f"p{level} {time:.1f} ms"
                    for level, time in zip(LEVELS, times, strict=True)
                )
                for name, times in self.times_ms.items()
            ),
            f"one trace afterwards: {self.after_ms:.1f} ms",
            f"server's memory at start, middle, end: {memory} MiB",
        ]
        return "\n".join([*lines, *self.errors[:10]])


def percentiles_ms(times_s: Sequence[float]) -> list[float]:
    """Return the percentiles of `LEVELS` in milliseconds; NaN without values."""
    if not times_s:
        return [float("nan")] * len(LEVELS)
    return (1000 * np.percentile(times_s, LEVELS)).tolist()
