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
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.sample_digits.drawing import draw_digit

DATA_FILE = Path(__file__).with_name("digits.json")
KEBAB_CASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PEN_RANGE = (1.0, 6.0)  # pixels; digits are illegible beyond it


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
    return parse_samples(DATA_FILE.read_text(encoding="utf-8"))


def parse_samples(text: str) -> tuple[Sample, ...]:
    """Draw every digit that `text` describes.

    Args:
        text: JSON in the format described above.

    Raises:
        ValueError: the text has another format; the message names the sample.
    """
    digits = json.loads(text)
    if not isinstance(digits, list):
        raise ValueError(f"samples must be a list, got {type(digits).__name__}")
    samples = tuple(_parse_sample(digit, index) for index, digit in enumerate(digits))
    ids = [sample.id for sample in samples]
    for index, id_ in enumerate(ids):
        if id_ in ids[:index]:
            raise ValueError(f"sample {id_!r}: id must be unique, got it twice")
    return samples


def _parse_sample(digit: Any, index: int) -> Sample:
    """Check and draw one digit; errors name it by its id, or else by its position."""
    has_id = isinstance(digit, dict) and "id" in digit
    name = repr(digit["id"]) if has_id else f"number {index}"
    try:
        return _checked_sample(digit)
    except ValueError as error:
        raise ValueError(f"sample {name}: {error}") from error


def _checked_sample(digit: Any) -> Sample:
    """Turn one object of the file into a sample."""
    keys = {"id", "label", "title", "source", "hard", "pen", "strokes"}
    if not isinstance(digit, dict) or digit.keys() != keys:
        came = sorted(digit) if isinstance(digit, dict) else repr(digit)
        raise ValueError(f"keys must be {sorted(keys)}, got {came}")
    id_ = _text(digit, "id")
    if not KEBAB_CASE.fullmatch(id_):
        raise ValueError(f"id must be lower-case words joined by '-', got {id_!r}")
    label, hard, pen = digit["label"], digit["hard"], digit["pen"]
    # type(), not isinstance(): JSON's true is an int to Python.
    if type(label) is not int or label not in range(10):
        raise ValueError(f"label must be a whole number in 0..9, got {label!r}")
    if type(hard) is not bool:
        raise ValueError(f"hard must be true or false, got {hard!r}")
    if type(pen) not in (int, float) or not PEN_RANGE[0] <= pen <= PEN_RANGE[1]:
        raise ValueError(f"pen must be in {PEN_RANGE[0]}..{PEN_RANGE[1]}, got {pen!r}")
    image = draw_digit(_strokes(digit["strokes"]), pen)[None]
    image.flags.writeable = False
    title, source = _text(digit, "title"), _text(digit, "source")
    return Sample(id_, label, title, source, hard, image)


def _text(digit: Mapping[str, Any], key: str) -> str:
    """Return a value that must be non-empty text."""
    if not isinstance(digit[key], str) or not digit[key].strip():
        raise ValueError(f"{key} must be text, got {digit[key]!r}")
    return digit[key]


def _strokes(strokes: Any) -> list[NDArray[np.float64]]:
    """Return strokes as arrays (points, 2); together they must have some extent."""
    if not isinstance(strokes, list) or not strokes:
        raise ValueError(f"strokes must be a list of strokes, got {strokes!r}")
    arrays = [_stroke(stroke, index) for index, stroke in enumerate(strokes)]
    if np.ptp(np.concatenate(arrays), axis=0).max() == 0:
        raise ValueError("strokes must have at least two points, got one point only")
    return arrays


def _stroke(stroke: Any, index: int) -> NDArray[np.float64]:
    """Return one stroke as an array (points, 2)."""
    message = f"stroke {index} must be points [x, y] in 0..1, got {stroke!r}"
    try:
        points = np.array(stroke, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(message) from error
    # Comparisons with NaN are false, so NaN fails as well.
    if points.ndim != 2 or points.shape[1] != 2 or not np.all(abs(points - 0.5) <= 0.5):
        raise ValueError(message)
    return points
