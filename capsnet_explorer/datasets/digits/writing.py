"""Digits as many hands would write them: strokes changed at random, then drawn.

The training digits vary the strokes of `hands.json`, the test digits those of the
samples, so that no form of a test digit was trained on. Every digit follows from the
seed alone.

`hands.json` is a list of objects with `label` and `strokes`, as in `digits.json`: each
stroke is a list of points `[x, y]` in 0..1 with y down, in writing order. A smooth
curve runs through them; two equal points in a row mark a corner. Only proportions
matter.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

IMAGE_SIDE = 28  # pixels
BOX_SIDE = 20  # pixels; the longer side of a digit's ink
# MNIST puts the centre of mass on pixel (14, 14), half a pixel beyond the middle of
# the image: its test images average 14.00 in both directions, counted from 0.
CENTRE = 14
LEVELS = 255  # grey steps of an 8-bit image

POINTS_PER_SPAN = 8

HANDS = Path(__file__).with_name("hands.json")
SAMPLES = Path(__file__).with_name("digits.json")
Part = Literal["training", "test"]
COUNTS: dict[Part, int] = {"training": 20_000, "test": 2_000}

EVERY = 3  # of the points of a smooth stroke, one of so many is kept
KNOTS = 4  # places of a stroke that move by themselves; all between follow
AT_ONCE = 64  # images drawn together, so that they stay in the cache

# How hands differ: chosen by looking at training images of MNIST. Lengths are shares of
# a digit's height.
SLANT = (0.1, 0.27)  # mean and deviation, to the right
TURN = 0.1  # deviation, radians
NARROW = 0.28  # deviation of the log of width over height
UPPER = 0.22  # deviation of the log of the power of the height: large or small heads
SWAY = 0.06  # deviation of the moves of a stroke's knots
BOW = 0.12  # deviation of the bend of the whole digit
PLACE = 0.03  # deviation of the place of each further stroke
PENS = (1.5, 3.9)  # least and largest width, in pixels
LEAST = 0.3  # of the extent of one direction over the other's

Array = NDArray[np.float32]
Points = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a digit.

    Attributes:
        label: the class, 0..9.
        strokes: curves (points, 2) as x, y with y down, around (0, 0), 1 high.
    """

    label: int
    strokes: tuple[Array, ...]


def labels_of(part: Part) -> NDArray[np.uint8]:
    """Return the label of each digit of a part, ten classes in turn."""
    return (np.arange(COUNTS[part]) % 10).astype(np.uint8)


@cache
def forms(part: Part) -> tuple[Form, ...]:
    """Return the forms whose strokes a part varies."""
    if part == "training":
        samples = json.loads(HANDS.read_text(encoding="utf-8"))
    else:
        samples = json.loads(SAMPLES.read_text(encoding="utf-8"))
        samples = [sample for sample in samples if not sample["hard"]]
    return tuple(_form(sample["label"], sample["strokes"]) for sample in samples)


def written(part: Part, seed: int = 0) -> Bytes:
    """Write the digits of a part; `labels_of` has their labels.

    Args:
        part: which forms to vary, and how often.
        seed: of all that is random; the same part and seed give the same digits.

    Returns:
        (digits, 28, 28), 255 is ink. Placed and scaled as MNIST's digits are: the
        longer side of the ink takes 20 pixels, its centre of mass is pixel (14, 14).
    """
    labels = labels_of(part)
    images = np.empty((len(labels), IMAGE_SIDE, IMAGE_SIDE), np.uint8)
    known = forms(part)
    for label in range(10):
        of_label = [form for form in known if form.label == label]
        places = np.flatnonzero(labels == label)
        for number, form in enumerate(of_label):
            # Of one seed, a part's digits differ from the other's.
            random = np.random.default_rng([seed, part == "test", label, number])
            some = places[number :: len(of_label)]
            if not len(some):
                continue
            lines = varied(form, len(some), random)
            pens = random.uniform(*PENS, len(some)).astype(np.float32)
            images[some] = np.concatenate(list(_drawn(lines, pens)))
    return images


def varied(form: Form, count: int, random: np.random.Generator) -> list[Array]:
    """Return variants of a form's strokes, each (count, points, 2)."""

    def drawn(deviation: float, *shape: int) -> Array:
        return random.normal(0, deviation, (count, *shape)).astype(np.float32)

    strokes = []
    for number, stroke in enumerate(form.strokes):
        moves = _between(len(stroke)) @ drawn(SWAY, KNOTS, 2)
        move = drawn(PLACE if number else 0.0, 1, 2)
        strokes.append(stroke + moves + move)
    power, narrow, bow, turn = (drawn(size, 1) for size in (UPPER, NARROW, BOW, TURN))
    slant = SLANT[0] + drawn(SLANT[1], 1)
    changed = []
    for stroke in strokes:
        x, y = stroke[..., 0], stroke[..., 1]
        # The middle of the digit moves up or down; its ends stay.
        y = np.clip(y + 0.5, 0, None) ** np.exp(power) - 0.5
        x = x * np.exp(narrow) - slant * y + bow * (1 - 4 * y * y)
        cosine, sine = np.cos(turn), np.sin(turn)
        changed.append(np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=2))
    return changed


def _form(label: int, strokes: Sequence[Sequence[Sequence[float]]]) -> Form:
    lines = [smooth(np.array(stroke, dtype=np.float64)) for stroke in strokes]
    points = np.concatenate(lines)
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(high[1] - low[1], 1e-6)
    kept = []
    for line in lines:
        some = np.append(np.arange(0, len(line) - 1, EVERY), len(line) - 1)
        kept.append(((line[some] - (low + high) / 2) / size).astype(np.float32))
    return Form(label, tuple(kept))


def smooth(stroke: Points) -> Points:
    """Interpolate the points of a stroke with a centripetal Catmull-Rom spline.

    Two equal points in a row mark a corner: the curve ends there and a new one starts.
    The result contains every given point.

    Args:
        stroke: (points, 2), at least one point.

    Returns:
        (more points, 2), dense enough to be joined by straight lines.
    """
    is_corner = np.all(stroke[1:] == stroke[:-1], axis=1)
    pieces = np.split(stroke, np.flatnonzero(is_corner) + 1)
    return np.concatenate([_smooth_piece(piece) for piece in pieces])


def _smooth_piece(points: Points) -> Points:
    """Smooth a stroke without corners: (points, 2) to (more points, 2)."""
    if len(points) < 3:
        return points
    # The spline needs a neighbour beyond each end: mirror the second point there.
    before, after = 2 * points[0] - points[1], 2 * points[-1] - points[-2]
    padded = np.vstack([before, points, after])
    chords = np.linalg.norm(np.diff(padded, axis=0), axis=1)
    # Knots spaced by the square root of the chord prevent loops and cusps.
    knots = np.concatenate([[0.0], np.cumsum(np.sqrt(chords))])
    spans = [
        _catmull_rom(padded[start : start + 4], knots[start : start + 4])
        for start in range(len(points) - 1)
    ]
    return np.concatenate([*spans, points[-1:]])


def _catmull_rom(points: Points, knots: Points) -> Points:
    """Sample the curve from the second to the third of four points, without its end.

    Uses the pyramid of Barry & Goldman (1988): blend neighbours, then the blends.
    """
    times = np.linspace(knots[1], knots[2], POINTS_PER_SPAN, endpoint=False)[:, None]
    blends = [np.broadcast_to(point, (POINTS_PER_SPAN, 2)) for point in points]
    # The knots between which each level of the pyramid blends, (left, right) per blend.
    levels = [[(0, 1), (1, 2), (2, 3)], [(0, 2), (1, 3)], [(1, 2)]]
    for level in levels:
        blends = [
            blends[index]
            + (times - knots[left])
            / (knots[right] - knots[left])
            * (blends[index + 1] - blends[index])
            for index, (left, right) in enumerate(level)
        ]
    return blends[0]


def _between(points: int) -> Array:
    """Return how much of each knot's move each point of a stroke makes.

    Returns:
        (points, knots); each row sums to 1 and changes smoothly from knot to knot.
    """
    places = np.linspace(0, KNOTS - 1, points)
    apart = np.abs(places[:, None] - np.arange(KNOTS)).clip(0, 1)
    return (0.5 + 0.5 * np.cos(np.pi * apart)).astype(np.float32)


def _drawn(strokes: Sequence[Array], pens: Array) -> Iterator[Bytes]:
    """Draw variants of one form, some at a time: (some, 28, 28)."""
    ends = np.concatenate(
        [np.stack([line[:, :-1], line[:, 1:]], axis=2) for line in strokes], axis=1
    )  # (count, lines, 2 ends, 2)
    low, high = ends.min(axis=(1, 2)), ends.max(axis=(1, 2))
    scale = (BOX_SIDE - pens) / (high - low).max(axis=1)
    ends = ends * scale[:, None, None, None]
    # Lines of a round pen weigh as much as they are long.
    lengths = np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2)
    middles = ends.mean(axis=2)
    mass = (lengths[..., None] * middles).sum(axis=1) / lengths.sum(axis=1)[:, None]
    ends = ends - mass[:, None, None] + CENTRE
    for start in range(0, len(pens), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        ink = _ink(ends[some].astype(np.float32), pens[some])
        yield np.rint(LEVELS * ink).astype(np.uint8)


def _ink(ends: Array, pens: Array) -> Array:
    """Return the share of each pixel that a pen covers along lines.

    Args:
        ends: (count, lines, 2 ends, x and y) in pixels; pixel k reaches from k − ½ to
            k + ½.
        pens: (count,) widths.
    """
    index = np.arange(IMAGE_SIDE, dtype=np.float32)
    x, y = index[None, None, :], index[None, :, None]
    nearest = np.full((len(ends), IMAGE_SIDE, IMAGE_SIDE), np.inf, np.float32)
    for line in range(ends.shape[1]):
        (from_x, from_y), (to_x, to_y) = (
            ends[:, line, end].T[..., None, None] for end in (0, 1)
        )
        along_x, along_y = to_x - from_x, to_y - from_y
        squared = np.maximum(along_x**2 + along_y**2, 1e-9)
        share = (x - from_x) * (along_x / squared) + (y - from_y) * (along_y / squared)
        np.clip(share, 0, 1, out=share)
        apart = (x - from_x - share * along_x) ** 2
        apart += (y - from_y - share * along_y) ** 2
        np.minimum(nearest, apart, out=nearest)
    return (pens[:, None, None] / 2 + 0.5 - np.sqrt(nearest)).clip(0, 1)
