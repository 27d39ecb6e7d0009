"""The pictures to read: people's own, and MNIST's digits on photographed paper."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from capsnet_explorer.app.content.datasets import Dataset
from capsnet_explorer.datasets.idx import Bytes

Plane = NDArray[np.float32]
Random = np.random.Generator

MANIFEST = "manifest.tsv"
BOX = 20 / 28  # of an image of MNIST, its digit's longer side
VISIBLE = 0.2  # fainter ink is not part of the digit

# A photograph of one digit.
SIZE = (600, 800)  # rows and columns, px
HEIGHT = (0.2, 0.6)  # of the picture's height, range of the digit's
OFF_CENTRE = 0.25  # of the free space
TILT = 8.0  # degrees
DIGIT_MM = (12, 40)  # height of a digit on paper
PAPERS = ((0.93, 0.92, 0.89), (0.95, 0.9, 0.5), (0.95, 0.75, 0.8), (0.7, 0.9, 0.8))
PENS = ((0.1, 0.1, 0.1), (0.1, 0.15, 0.55), (0.75, 0.1, 0.12), (0.4, 0.4, 0.42))
RULES_MM = (4, 10)  # range of the distance between printed lines
RULE_MM = 0.35  # width of a printed line
RULES = (0.15, 0.5)  # range of the light that they take

# A number: shares of its digits' height where nothing else is said.
DIGIT = (70, 130)  # px, range of a digit's height
GAP = (0.3, 0.7)  # between the ink of two digits
WIDE_GAP = (1.8, 2.4)  # a space
LEADING = (0.7, 1.1)  # between two lines
MARGIN = 0.8  # of paper around all
SCALE, LIFT = 0.08, 0.06  # deviations from the line's own size and place
INK = (0.05, 0.35)  # brightness
GRAIN, NOISE = 0.03, 0.03  # standard deviations of the paper's, and of the camera's
SHADE = 0.25  # largest share of light that one side lacks


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to read.

    Attributes:
        name: identifies it.
        says: what it shows; a number's lines and groups stand apart.
        file: the picture.
    """

    name: str
    says: str
    file: bytes


def drawings(folder: Path) -> dict[str, list[Picture]]:
    """Read real pictures of one digit, by their kind and polarity.

    Args:
        folder: with a `manifest.tsv`, whose columns are file, label, kind and polarity;
            others are ignored.
    """
    kinds: dict[str, list[Picture]] = {}
    with (folder / MANIFEST).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            file = (folder / row["file"]).read_bytes()
            kind = f"{row['kind']}, {row['polarity']}"
            kinds.setdefault(kind, []).append(Picture(row["file"], row["label"], file))
    return dict(sorted(kinds.items()))


def _labels(mnist: Dataset) -> Bytes:
    """Return what its images show, (count); ValueError where nobody has said."""
    if mnist.labels is None:
        raise ValueError(f"{mnist.id} must have labels")
    return mnist.labels


def photograph(mnist: Dataset, random: Random) -> tuple[str, bytes]:
    """Photograph a random digit of MNIST on paper; return what it is, and a JPEG file.

    The paper may be coloured, ruled or squared; it lies aslant, and light falls off or
    a shadow's edge runs beside the digit.
    """
    index = int(random.integers(len(_labels(mnist))))
    height = random.uniform(*HEIGHT) * SIZE[0]
    mm = height / random.uniform(*DIGIT_MM)
    ink = _placed(enlarged(mnist.image(index), height), random)
    scene = np.array(PAPERS[random.integers(len(PAPERS))], np.float32) * np.ones(
        (*SIZE, 1)
    )
    scene = scene * (1 - _printed(mm, random)[..., None])
    ink = ink[..., None] * random.uniform(0.8, 1)
    scene = ink * PENS[random.integers(len(PENS))] + (1 - ink) * scene
    far = positions(random.uniform(0, 2 * np.pi))
    if random.random() < 0.5:
        share = (far - far.min()) / np.ptp(far)
        scene = scene * (1 - (1 - random.uniform(0.4, 0.8)) * share)[..., None]
    else:
        edge = np.tanh((far - far.mean()) / random.uniform(2, 15))
        scene = scene * (1 - random.uniform(0.3, 0.6) * (1 + edge) / 2)[..., None]
    shot = _as_image(scene).transform(
        (SIZE[1], SIZE[0]),
        Image.Transform.QUAD,
        _corners(random),
        Image.Resampling.BICUBIC,
    )
    shot = shot.filter(ImageFilter.GaussianBlur(random.uniform(0.4, 1.6)))
    pixels = np.asarray(shot, np.float32) / 255
    pixels = pixels + random.normal(0, random.uniform(0.005, 0.03), pixels.shape)
    return str(_labels(mnist)[index]), _jpeg(pixels, random, 40)


def positions(angle: float) -> Plane:
    """Return how far each pixel (rows, columns) lies in a direction, in px."""
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]]
    return (np.sin(angle) * rows + np.cos(angle) * columns).astype(np.float32)


def _placed(ink: Plane, random: Random) -> Plane:
    """Tilt ink, and place it on an empty picture."""
    tilted = Image.fromarray(ink).rotate(
        random.uniform(-TILT, TILT), Image.Resampling.BICUBIC, expand=True
    )
    ink = np.asarray(tilted)[: SIZE[0], : SIZE[1]].clip(0, 1)
    free = np.array(SIZE) - ink.shape
    share = 0.5 + random.uniform(-OFF_CENTRE, OFF_CENTRE, 2)
    top, left = np.rint(share * free).astype(int)
    plane = np.zeros(SIZE, np.float32)
    plane[top : top + ink.shape[0], left : left + ink.shape[1]] = ink
    return plane


def _printed(mm: float, random: Random) -> Plane:
    """Return the light (rows, columns) that lines take: none, ruled or squared."""
    directions = random.integers(3)
    pitch, strength = random.uniform(*RULES_MM) * mm, random.uniform(*RULES)
    width = max(1.0, RULE_MM * mm)
    tilt = np.radians(random.uniform(-2, 2))
    lines = np.zeros(SIZE, np.float32)
    for angle in (np.pi / 2, 0)[:directions]:
        far = positions(angle + tilt) + np.float32(random.uniform(0, pitch))
        from_line = np.abs((far + pitch / 2) % pitch - pitch / 2)
        lines = np.maximum(lines, np.clip(width / 2 + 0.5 - from_line, 0, 1))
    return lines * np.float32(strength)


def _corners(random: Random) -> tuple[float, ...]:
    """Return the corners of what a camera sees that is held aslant, as Pillow has."""
    size = SIZE[::-1]
    inward = random.uniform(0, 0.07, (4, 2)) * size
    sides = np.array([(0, 0), (0, 1), (1, 1), (1, 0)])
    return tuple((sides * size + np.where(sides, -inward, inward)).ravel())


def one_number(random: Random) -> list[list[int]]:
    """Return the lengths of the groups of each line: one of 3 to 7 digits."""
    return [[int(random.integers(3, 8))]]


def two_numbers(random: Random) -> list[list[int]]:
    """Return two numbers in a line, a space between them."""
    return [[int(random.integers(2, 5)), int(random.integers(2, 5))]]


def date(random: Random) -> list[list[int]]:
    """Return a day, a month and a year, with spaces."""
    return [[2, 2, 4]]


def table(random: Random) -> list[list[int]]:
    """Return three or four lines of a table, a number in each."""
    return [[int(random.integers(3, 6))] for _ in range(random.integers(3, 5))]


def number(
    shape: Callable[[Random], list[list[int]]], mnist: Dataset, random: Random
) -> tuple[str, bytes]:
    """Write random digits of MNIST on paper; return what it says, and the JPEG file.

    Args:
        shape: returns the lengths of the groups of digits, line by line.
        mnist: whose digits are written.
        random: source of all randomness.
    """
    lines = shape(random)
    height = random.uniform(*DIGIT)
    order: Iterator[int] = iter(random.permutation(len(_labels(mnist))).tolist())
    strips, words = [], []
    for groups in lines:
        placed: list[tuple[float, Plane, float]] = []
        at, text = 0.0, ""
        for group, length in enumerate(groups):
            text += " " * bool(group)
            at += bool(group) * random.uniform(*WIDE_GAP) * height
            for digit in range(length):
                index = next(order)
                at += bool(digit) * random.uniform(*GAP) * height
                glyph_height = height * (1 + random.normal(0, SCALE))
                ink = enlarged(mnist.image(index), glyph_height)
                placed.append((at, ink, random.normal(0, LIFT) * height))
                at += ink.shape[1]
                text += str(_labels(mnist)[index])
        strips.append((placed, at))
        words.append(text)
    margin = round(MARGIN * height)
    steps = [height * (1 + random.uniform(*LEADING)) for _ in lines]
    size = (
        round(sum(steps)) + 2 * margin,
        round(max(width for _, width in strips)) + 2 * margin,
    )
    ink = np.zeros(size, np.float32)
    middle = margin + height / 2
    for (placed, _), step in zip(strips, steps, strict=True):
        for left, glyph, lift in placed:
            top = round(max(0, middle + lift - glyph.shape[0] / 2))
            start = margin + round(left)
            room = ink[top : top + glyph.shape[0], start : start + glyph.shape[1]]
            np.maximum(room, glyph[: room.shape[0], : room.shape[1]], out=room)
        middle += step
    grain = random.normal(1, GRAIN, size)[..., None]
    paper = np.clip(np.array(PAPERS[0], np.float32) * grain, 0, 1)
    written = paper * (1 - ink[..., None]) + random.uniform(*INK) * ink[..., None]
    shade = 1 - np.linspace(0, random.uniform(0, SHADE), size[1])
    pixels = written * shade[None, :, None] + random.normal(0, NOISE, written.shape)
    return "\n".join(words), _jpeg(pixels, random, 80)


def enlarged(digit: Plane, height: float) -> Plane:
    """Return the ink of a digit of MNIST, (1, 28, 28) in [0, 1], at another height."""
    side = max(8, round(height / BOX))
    image = Image.fromarray(np.squeeze(digit)).resize((side, side))
    ink = np.asarray(image).clip(0, 1)
    rows, columns = (np.flatnonzero(ink.max(axis=axis) > VISIBLE) for axis in (1, 0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _as_image(scene: NDArray[np.floating[Any]]) -> Image.Image:
    return Image.fromarray(np.rint(scene.clip(0, 1) * 255).astype(np.uint8))


def _jpeg(scene: NDArray[np.floating[Any]], random: Random, least: int) -> bytes:
    """Save a picture with a quality from `least` to 95 of 100."""
    file = BytesIO()
    quality = int(random.integers(least, 96))
    _as_image(scene).save(file, "JPEG", quality=quality)
    return file.getvalue()


MADE: dict[str, Callable[[Dataset, Random], tuple[str, bytes]]] = {
    "photographs of a digit": photograph,
    "numbers of 3 to 7 digits": partial(number, one_number),
    "two numbers with a space": partial(number, two_numbers),
    "dates, 2 2 4 digits": partial(number, date),
    "3 or 4 lines of a table": partial(number, table),
}


def made(kind: str, mnist: Dataset, count: int, seed: int) -> list[Picture]:
    """Make pictures of a kind of `MADE`, each by seed, kind and its number alone."""
    pictures = []
    for index in range(count):
        random = np.random.default_rng((seed, [*MADE].index(kind), index))
        says, file = MADE[kind](mnist, random)
        pictures.append(Picture(f"{kind}, {index}", says, file))
    return pictures
