"""The pictures to read: people's own, and MNIST's digits on photographed paper."""

import csv
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to read.

    Attributes:
        name: identifies it.
        says: what it shows.
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
    ink = _place(enlarge(mnist.image(index), height), random)
    scene = np.array(PAPERS[random.integers(len(PAPERS))], np.float32) * np.ones(
        (*SIZE, 1)
    )
    scene = scene * (1 - _draw_rules(mm, random)[..., None])
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
    return str(_labels(mnist)[index]), _jpeg(pixels, random)


def positions(angle: float) -> Plane:
    """Return how far each pixel (rows, columns) lies in a direction, in px."""
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]]
    return (np.sin(angle) * rows + np.cos(angle) * columns).astype(np.float32)


def _place(ink: Plane, random: Random) -> Plane:
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


def _draw_rules(mm: float, random: Random) -> Plane:
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


def enlarge(digit: Plane, height: float) -> Plane:
    """Return the ink of a digit of MNIST, (1, 28, 28) in [0, 1], at another height."""
    side = max(8, round(height / BOX))
    image = Image.fromarray(np.squeeze(digit)).resize((side, side))
    ink = np.asarray(image).clip(0, 1)
    rows, columns = (np.flatnonzero(ink.max(axis=axis) > VISIBLE) for axis in (1, 0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _as_image(scene: NDArray[np.floating[Any]]) -> Image.Image:
    return Image.fromarray(np.rint(scene.clip(0, 1) * 255).astype(np.uint8))


def _jpeg(scene: NDArray[np.floating[Any]], random: Random) -> bytes:
    """Save a picture with a quality from 40 to 95 of 100."""
    file = BytesIO()
    quality = int(random.integers(40, 96))
    _as_image(scene).save(file, "JPEG", quality=quality)
    return file.getvalue()


def photographs(mnist: Dataset, count: int, seed: int) -> list[Picture]:
    """Photograph digits of MNIST, each chosen by seed and number alone."""
    pictures = []
    for index in range(count):
        says, file = photograph(mnist, np.random.default_rng((seed, 0, index)))
        pictures.append(Picture(f"photograph {index}", says, file))
    return pictures
