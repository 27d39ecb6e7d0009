"""How pictures look: ink on paper, light on dark or photographs; grey or in colour."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.ImageFilter import MinFilter

from capsnet_explorer.datasets.form import GREY, USUAL_SIDE, Form
from capsnet_explorer.datasets.pixels import range_words

Ground = Literal["light", "dark", "varied"]

DRAWING_SIDE = 28  # px, of images of drawings
LOOKED_AT = 64  # px, long side at which a picture is looked at
NEAR = 40  # levels that a plain ground varies by, shadows included
PLAIN = 0.6  # share of a picture that a plain ground covers at least
SMALL_WHITE = 16  # the highest value of UCI's 8x8 digits
WHITE = 255
NEARLY = 0.95  # of the pictures
MIDDLE = 128  # levels; a plain ground is light or dark
COLOURFUL = 14  # levels by which channels differ on average, noise aside
THING = 0.25  # share of a picture with a plain ground: more colour than a pen leaves
STROKE = 7  # px of a picture as it is looked at: wider than a pen's stroke
SOLID = 0.2  # share of a thing's coloured pixels that lie so deep inside it
INNER = 0.02  # share of the whole picture that these pixels make up at least
MIXED = 0.1  # of the pictures on plain grounds that make a set mixed
COLOURED_SHARE = 0.2  # of the pictures that make a set colourful


@dataclass(frozen=True, slots=True)
class Looks:
    """How the pictures of a set look.

    Attributes:
        sizes: width and height of each picture, with their numbers.
        coloured: share of the pictures that are colourful.
        ground: what most of them show things on.
        white: the value that stands for white.
        light: how many show dark things on light.
        dark: how many show light things on dark.
    """

    sizes: Counter[tuple[int, int]]
    coloured: float
    ground: Ground
    white: int = 255
    light: int = 0
    dark: int = 0

    @property
    def warnings(self) -> list[str]:
        """Say where some pictures are dark on light and others light on dark."""
        fewer = min(self.light, self.dark)
        if fewer < MIXED * (self.light + self.dark) or not fewer:
            return []
        return [
            f"of the pictures looked at, {self.dark} are light on dark and "
            f"{self.light} are dark on light: a network may tell classes by that, and "
            "reads drawings, which are light on dark, the worse."
        ]

    @property
    def form(self) -> Form:
        """What suits them: drawings become grey, light on dark, as MNIST's digits."""
        if self.is_coloured:
            return Form()
        if self.ground == "varied":
            return Form(USUAL_SIDE, USUAL_SIDE, GREY)
        inverted = self.ground == "light"
        return Form(DRAWING_SIDE, DRAWING_SIDE, GREY, is_inverted=inverted)

    @property
    def is_coloured(self) -> bool:
        """Whether their colours tell something."""
        return self.coloured >= COLOURED_SHARE

    @property
    def words(self) -> str:
        """Say it in a sentence."""
        if self.ground == "varied":
            ground = "on grounds that vary, as in photographs"
        elif self.is_coloured:
            ground = f"on plain, {self.ground} grounds"
        elif self.ground == "light":
            ground = "dark on light, as ink on paper"
        else:
            ground = "light on dark, as MNIST's digits"
        kind = "in colour" if self.is_coloured else "grey"
        return f"The pictures are {kind}, {ground}."

    @property
    def range_words(self) -> list[str]:
        """Say what was taken for white, where it is not the usual."""
        return range_words((0, self.white))

    def size_words(self, total: int) -> str:
        """Say which sizes the pictures have that were looked at.

        Args:
            total: how many pictures there are.
        """
        common = self.sizes.most_common(3)
        words = [f"{width}x{height}" for (width, height), _ in common]
        if len(self.sizes) > 1:
            words = [
                f"{size} ({count})"
                for size, (_, count) in zip(words, common, strict=True)
            ]
        more = len(self.sizes) - len(common)
        others = f" and {more} other{'s' if more > 1 else ''}" if more > 0 else ""
        count = self.sizes.total()
        some = "" if count == total else f"{count} of the "
        all_of_them = f"{total} picture{'' if total == 1 else 's'}"
        sizes = f"{', '.join(words)}{others}"
        return f"Width and height in pixels, of {some}{all_of_them}: {sizes}."


def looks_of(pictures: Iterable[Image.Image]) -> Looks:
    """Look at pictures, of mode L, RGB or RGBa."""
    sizes: Counter[tuple[int, int]] = Counter()
    grounds: Counter[Ground] = Counter()
    coloured = 0
    some = list(pictures)
    white = white_of(map(highest, some))
    for picture in some:
        sizes[picture.size] += 1
        small = whitened(picture.copy(), white)
        if small.mode == "RGBa":
            opaque = small.convert("RGBA")
            small = Image.alpha_composite(
                Image.new("RGBA", opaque.size, "white"), opaque
            )
        small = small.convert("RGB")
        small.thumbnail((LOOKED_AT, LOOKED_AT))
        pixels = np.asarray(small, np.int16)
        spread = pixels.max(axis=2) - pixels.min(axis=2)
        ground = ground_of(pixels.mean(axis=2))
        coloured += _is_colourful(spread, ground)
        grounds[ground] += 1
    total = max(1, sizes.total())
    every: tuple[Ground, ...] = ("varied", "light", "dark")
    usual = max(every, key=lambda ground: grounds[ground])
    light, dark = grounds["light"], grounds["dark"]
    return Looks(sizes, coloured / total, usual, white, light, dark)


def highest(picture: Image.Image) -> int:
    """Return the highest value of a picture's channels, transparency aside."""
    return (
        int(np.asarray(picture)[..., :3].max())
        if picture.mode != "L"
        else int(np.asarray(picture).max())
    )


def white_of(highs: Iterable[int]) -> int:
    """Return what stands for white in pictures, given the highest value of each.

    Some collections store small digits with values from 0 to 16, and masks have 0 and
    1. Where nearly all pictures end there, that is white; a dark picture among others
    is dark.
    """
    filled = [high for high in highs if high]
    for white in (1, SMALL_WHITE):
        if filled and sum(high <= white for high in filled) >= NEARLY * len(filled):
            return white
    return WHITE


def whitened(picture: Image.Image, white: int) -> Image.Image:
    """Return a picture with a value, and what is above it, as white."""
    if white == WHITE:
        return picture
    levels = [min(WHITE, round(value * WHITE / white)) for value in range(WHITE + 1)]
    return picture.point(levels * len(picture.getbands()))


def _is_colourful(spread: NDArray[np.int16], ground: Ground) -> bool:
    """Return whether colour tells something: that of a pen's strokes does not.

    Args:
        spread: (rows, columns) by how many levels the channels of a pixel differ.
        ground: what the picture shows things on.
    """
    if ground == "varied":
        return bool(spread.mean() > COLOURFUL)
    is_coloured = spread > COLOURFUL
    if is_coloured.mean() > THING:
        return True
    inner = Image.fromarray(is_coloured).convert("L").filter(MinFilter(STROKE))
    share = np.asarray(inner).astype(bool).mean()
    return bool(share > max(INNER, SOLID * is_coloured.mean()))


def ground_of(brightness: NDArray[np.floating]) -> Ground:
    """Return what a picture shows things on.

    Args:
        brightness: (rows, columns) in levels from 0 to 255.
    """
    edges = np.concatenate(
        [brightness[0], brightness[-1], brightness[:, 0], brightness[:, -1]]
    )
    level = float(np.median(edges))
    if np.mean(np.abs(brightness - level) <= NEAR) < PLAIN:
        return "varied"
    others = brightness[np.abs(brightness - level) > NEAR]
    if not others.size:
        return "light" if level >= MIDDLE else "dark"
    return "light" if others.mean() < level else "dark"
