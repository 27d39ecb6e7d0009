"""The conditions under which digits are read, from a drawing to a phone's photo."""

from dataclasses import dataclass

import numpy as np
from PIL import Image

from benchmarks.intake import cameras, files, inks, papers
from benchmarks.intake.files import File
from benchmarks.intake.inks import Ink
from benchmarks.intake.scene import (
    Plane,
    Scene,
    Step,
    after_each_other,
    one_of,
    unchanged,
)
from benchmarks.intake.strokes import outline, with_gap, written

SIZE = (600, 800)  # rows and columns, px

BLACK, BLUE, RED, GREEN = (
    (0.1,) * 3,
    (0.1, 0.15, 0.55),
    (0.75, 0.1, 0.12),
    (0.05, 0.45, 0.2),
)
PENS = inks.ink(BLACK, BLUE, (0.15, 0.15, 0.2))
PENCIL = inks.grained((0.3, 0.3, 0.32), (0.3, 0.55), 0.3)
CHALK = inks.grained((0.95, 0.95, 0.9), (0.7, 0.95), 0.2)
YELLOW, PINK, MINT, KRAFT = (
    (0.95, 0.9, 0.5),
    (0.95, 0.75, 0.8),
    (0.7, 0.9, 0.8),
    (0.75, 0.6, 0.42),
)
DARK_DESK = ((0.3, 0.2, 0.13), (0.12, 0.12, 0.13), (0.25, 0.27, 0.3), (0.45, 0.3, 0.2))
ANY_DESK = (*DARK_DESK, (0.7, 0.55, 0.4), (0.6, 0.6, 0.6))
BOARD = ((0.1, 0.22, 0.17), (0.12, 0.12, 0.13), (0.1, 0.15, 0.25))

WHITE_PAPER = papers.paper(papers.WHITE)
FAINT_RULES = papers.rules((6, 10), (0.15, 0.35))
FAINT_SQUARES = papers.rules((4, 6), (0.15, 0.35), squared=True)


@dataclass(frozen=True, slots=True)
class Condition:
    """How a digit is written, lit and photographed.

    Attributes:
        name: on the command line and in the table.
        size: rows and columns of the picture, px.
        height: range of the digit's height, as a share of the picture's short side.
        centre: largest distance of the digit from the middle, as a share of each side's
            free space; 0.5 is the very edge.
        tilt: largest rotation of the digit, in degrees.
        digit_mm: range of the digit's height on the paper.
        pen_mm: range of the pen's width; None keeps MNIST's strokes.
        gap: whether a piece of the stroke is missing.
        labels: the digits to write.
        paper, ink, scene, camera, file: the steps, in order.
        most: maximum number of pictures, for slow conditions.
    """

    name: str
    size: tuple[int, int] = SIZE
    height: tuple[float, float] = (0.35, 0.6)
    centre: float = 0.25
    tilt: float = 0.0
    digit_mm: tuple[float, float] = (12, 40)
    pen_mm: tuple[float, float] | None = None
    gap: bool = False
    labels: tuple[int, ...] = tuple(range(10))
    paper: Step = WHITE_PAPER
    ink: Ink = PENS
    scene: Step = unchanged
    camera: Step = unchanged
    file: File = files.png
    most: int = 1_000_000

    def picture(self, digit: Plane, random: np.random.Generator) -> bytes:
        """Return a file that shows the digit.

        Args:
            digit: (28, 28), ink in [0, 1].
            random: source of all randomness.
        """
        height = random.uniform(*self.height) * min(self.size)
        mm = height / random.uniform(*self.digit_mm)
        ink = self._ink(digit, height, mm, random)
        scene = Scene(np.ones((*self.size, 3), np.float32), mm, random)
        scene = self.paper(scene)
        scene = self.ink(scene, self._placed(ink, random))
        return self.file(self.camera(self.scene(scene)))

    def _ink(
        self, digit: Plane, height: float, mm: float, random: np.random.Generator
    ) -> Plane:
        """Return the digit's ink: (rows, columns)."""
        if self.pen_mm is None:
            ink = outline(digit, height)
        else:
            ink = written(digit, height, max(1.0, random.uniform(*self.pen_mm) * mm))
        if self.gap:
            ink = with_gap(ink, random)
        return turned(ink, random.uniform(-self.tilt, self.tilt))

    def _placed(self, ink: Plane, random: np.random.Generator) -> Plane:
        """Place the ink in a plane of the picture's size, cutting off any excess."""
        rows, columns = self.size
        ink = ink[:rows, :columns]
        free = np.array(self.size) - ink.shape
        share = 0.5 + random.uniform(-self.centre, self.centre, 2)
        top, left = np.rint(share * free).astype(int)
        plane = np.zeros(self.size, np.float32)
        plane[top : top + ink.shape[0], left : left + ink.shape[1]] = ink
        return plane


def turned(ink: Plane, degrees: float) -> Plane:
    """Rotate ink, enlarging the picture to hold its corners."""
    if degrees == 0:
        return ink
    picture = Image.fromarray(ink)
    return np.asarray(
        picture.rotate(degrees, Image.Resampling.BICUBIC, expand=True)
    ).clip(0, 1)


def sometimes(step: Step) -> Step:
    """Apply a step half of the time."""
    return one_of(step, unchanged)


def any_ink(*choices: Ink) -> Ink:
    """Write with one of several inks."""

    def write(scene: Scene, coverage: Plane) -> Scene:
        return choices[scene.random.integers(len(choices))](scene, coverage)

    return write


def lined(lines: Step) -> Step:
    """Use white paper with printed lines."""
    return after_each_other(WHITE_PAPER, lines)


def tightly_cropped(scene: Scene) -> Scene:
    """Crop the picture to the ink, give or take some px on each side."""
    rows, columns = (
        np.flatnonzero((scene.picture.mean(axis=2) < 0.5).any(axis=axis))
        for axis in (1, 0)
    )
    margin = scene.random.integers(-2, 8, 4)
    top, left = max(rows[0] - margin[0], 0), max(columns[0] - margin[1], 0)
    bottom, right = rows[-1] + 1 + margin[2], columns[-1] + 1 + margin[3]
    return scene.showing(scene.picture[top:bottom, left:right])


PHONE = Condition(
    "phone photo",
    height=(0.2, 0.6),
    tilt=8,
    pen_mm=(0.6, 2.5),
    paper=one_of(
        WHITE_PAPER,
        papers.paper(YELLOW, PINK, MINT, texture=0.02),
        lined(papers.rules((6, 10), (0.15, 0.6))),
        lined(papers.rules((4, 6), (0.15, 0.5), squared=True)),
    ),
    ink=any_ink(PENS, inks.ink(BLUE, RED, GREEN), PENCIL),
    scene=after_each_other(
        sometimes(one_of(papers.desk_beyond_one_edge(*ANY_DESK), papers.finger)),
        sometimes(cameras.falling_light((0.4, 0.8))),
        sometimes(cameras.shadow()),
    ),
    camera=after_each_other(
        cameras.perspective(0.07),
        cameras.blur((0.0005, 0.002)),
        cameras.noise((0.005, 0.03)),
    ),
    file=files.jpeg(40, 90),
)

CONDITIONS = (
    Condition("plain"),
    Condition("drawing of 28 px", size=(28, 28), height=(0.5, 0.9), file=files.png),
    Condition("light gradient", scene=cameras.falling_light((0.25, 0.6))),
    Condition("shadow with an edge", scene=cameras.shadow()),
    Condition("ruled, faint", pen_mm=(0.7, 3), paper=lined(FAINT_RULES)),
    Condition(
        "ruled, dark", pen_mm=(0.7, 3), paper=lined(papers.rules((6, 10), (0.5, 0.85)))
    ),
    Condition("squared, faint", pen_mm=(0.7, 3), paper=lined(FAINT_SQUARES)),
    Condition(
        "squared, dark",
        pen_mm=(0.7, 3),
        paper=lined(papers.rules((4, 6), (0.5, 0.85), squared=True)),
    ),
    Condition("perspective", tilt=8, camera=cameras.perspective(0.2)),
    Condition("blur", camera=cameras.blur((0.003, 0.008))),
    Condition("JPEG 30", file=files.jpeg(30, 30)),
    Condition("sensor noise", camera=cameras.noise((0.06, 0.15))),
    Condition("faint pencil", pen_mm=(0.7, 1.5), ink=PENCIL),
    Condition("coloured ink", ink=inks.ink(BLUE, RED, GREEN, (0.95, 0.5, 0.1))),
    Condition(
        "colour on colour",
        paper=papers.paper(YELLOW, PINK, MINT, KRAFT, texture=0.02),
        ink=inks.ink(BLUE, RED, GREEN, (0.45, 0.1, 0.5)),
    ),
    Condition("thin pen", pen_mm=(0.3, 0.5)),
    Condition("thick marker", digit_mm=(30, 50), pen_mm=(4, 6)),
    Condition("small", height=(0.1, 0.14), centre=0.45),
    Condition("off-centre", height=(0.2, 0.4), centre=0.48),
    Condition("at the edge", centre=0.5, height=(0.5, 0.9)),
    Condition("tight crop", scene=tightly_cropped),
    Condition(
        "sheet on dark desk", height=(0.2, 0.4), scene=papers.on_desk(*DARK_DESK)
    ),
    Condition("desk edge", scene=papers.desk_beyond_one_edge(*ANY_DESK)),
    Condition("finger", scene=papers.finger),
    Condition("chalk board", paper=papers.paper(*BOARD, texture=0.08), ink=CHALK),
    Condition(
        "white on black", paper=papers.paper((0.0,) * 3), ink=inks.ink((1.0,) * 3)
    ),
    Condition("EXIF-turned", file=files.turned_jpeg),
    Condition(
        "12 megapixels",
        pen_mm=(0.7, 3),
        scene=cameras.falling_light((0.5, 0.9)),
        camera=after_each_other(
            cameras.enlarged(4000, 3000), cameras.noise((0.02, 0.06))
        ),
        file=files.jpeg(85, 95),
        most=20,
    ),
    Condition(
        "far away, 12 megapixels",
        size=(1500, 2000),
        height=(0.05, 0.1),
        centre=0.4,
        pen_mm=(0.7, 2),
        camera=after_each_other(
            cameras.enlarged(4000, 3000), cameras.noise((0.02, 0.06))
        ),
        file=files.jpeg(85, 95),
        most=20,
    ),
    Condition("vignette", pen_mm=(0.7, 2), scene=cameras.vignette((0.15, 0.5))),
    Condition(
        "own shadow",
        height=(0.2, 0.6),
        pen_mm=(0.7, 2),
        ink=any_ink(PENS, PENCIL),
        scene=cameras.own_shadow,
        camera=cameras.noise((0.005, 0.03)),
        file=files.jpeg(60, 90),
    ),
    Condition("shaken", pen_mm=(0.7, 2), camera=cameras.shaken((0.005, 0.015))),
    Condition(
        "low light",
        pen_mm=(0.7, 2),
        scene=after_each_other(cameras.falling_light((0.5, 0.9)), cameras.tint(0.4)),
        camera=after_each_other(
            cameras.dimmed((0.15, 0.4)),
            cameras.blur((0.0005, 0.002)),
            cameras.noise((0.02, 0.05)),
        ),
        file=files.jpeg(40, 80),
    ),
    Condition(
        "tinted light",
        pen_mm=(0.7, 2),
        ink=inks.ink(BLACK, BLUE, RED, GREEN),
        scene=cameras.tint(0.6),
    ),
    Condition(
        "crumpled paper",
        pen_mm=(0.7, 2),
        ink=any_ink(PENS, PENCIL),
        scene=papers.crumpled((0.03, 0.08)),
        camera=cameras.noise((0.005, 0.02)),
    ),
    Condition("print around", pen_mm=(0.7, 2), paper=lined(papers.print_lines)),
    Condition("specks", paper=lined(papers.specks((10, 60)))),
    Condition("broken stroke", gap=True, labels=(0, 2, 3, 5, 6, 8, 9)),
    PHONE,
)
BY_NAME: dict[str, Condition] = {condition.name: condition for condition in CONDITIONS}
