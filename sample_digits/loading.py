"""The sample digits: reads `digits.json` and draws its strokes.

The file is a list of digits, each an object with exactly these keys:

* `id`: names the digit in URLs, lower-case words joined by `-`.
* `label`: the intended class, 0..9.
* `title`: for people.
* `source`: its origin, for people.
* `hard`: true if the digit resembles another class on purpose.
* `pen`: width of the round pen, in pixels of the 28x28 image.
* `strokes`: a list of strokes, each a list of points `[x, y]` in 0..1 with y down,
  in writing order. A smooth curve runs through them. Two equal points in a row mark a
  corner. Only proportions matter: drawing scales the ink to fit.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.sample_digits.drawing import draw_digit

DATA_FILE = Path(__file__).with_name("digits.json")


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A digit that comes with the project.

    Attributes:
        id: names it in URLs, such as `four-open`.
        label: the intended class, 0..9.
        title: for people, such as `4, open top`.
        source: its origin, for people.
        hard: whether it resembles another class on purpose.
        image: (1, 28, 28), a channel with ink in [0, 1], read-only.
    """

    id: str
    label: int
    title: str
    source: str
    hard: bool
    image: NDArray[np.float32]


@cache
def load_samples() -> tuple[Sample, ...]:
    """Return the samples in the order of the file: by label, the hard one last."""
    return tuple(map(_drawn, json.loads(DATA_FILE.read_text(encoding="utf-8"))))


def _drawn(digit: Mapping[str, Any]) -> Sample:
    """Draw one digit of the file."""
    strokes = [np.array(stroke, dtype=np.float64) for stroke in digit["strokes"]]
    image = draw_digit(strokes, digit["pen"])[None]
    image.flags.writeable = False
    told = {key: digit[key] for key in ("id", "label", "title", "source", "hard")}
    return Sample(**told, image=image)
