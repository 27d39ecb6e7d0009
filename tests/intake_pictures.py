"""Pictures of digits for the intake's tests, drawn here so that no file is needed."""

from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw

# A five with its own bar, corners of each stroke in a box of side 1.
FIVE = (
    [(0.2, 0.05), (0.8, 0.05)],
    [
        (0.22, 0.05),
        (0.2, 0.45),
        (0.55, 0.4),
        (0.78, 0.58),
        (0.75, 0.82),
        (0.5, 0.95),
        (0.18, 0.88),
    ],
)
BROKEN_FIVE = ([(0.34, 0.05), (0.8, 0.05)], FIVE[1])  # the bar leaves a gap


def strokes(size, box, width, lines=FIVE):
    """Return the coverage (rows, columns) in 0..1 of a digit drawn into `box`.

    `size` is (columns, rows); `box` is (left, top, side); all in px.
    """
    detail = 4
    left, top, side = (value * detail for value in box)
    canvas = Image.new("L", (size[0] * detail, size[1] * detail))
    pen = ImageDraw.Draw(canvas)
    for line in lines:
        points = [(left + side * x, top + side * y) for x, y in line]
        pen.line(points, fill=255, width=round(width * detail), joint="curve")
        for x, y in (points[0], points[-1]):
            radius = width * detail / 2
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return np.asarray(canvas.reduce(detail)).astype(np.float64) / 255


def painted(coverage, ink, paper):
    """Mix ink over paper, each a grey or (3,) colour in 0..1, as a Pillow image."""
    ink, paper = np.asarray(ink, float), np.asarray(paper, float)
    cover = coverage if max(ink.ndim, paper.ndim) in (0, 2) else coverage[..., None]
    mixed = cover * ink + (1 - cover) * paper
    return Image.fromarray(np.rint(mixed * 255).astype(np.uint8))


def encoded(picture, kind="PNG", **options):
    """Return a Pillow image as the bytes of a file."""
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def drawn_five(ink=0.1, paper=0.9, size=(200, 200), box=(40, 40, 120), width=12):
    """Return a plain picture of a five."""
    return painted(strokes(size, box, width), ink, paper)
