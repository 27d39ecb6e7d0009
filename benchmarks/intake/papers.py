"""Paper to write on, and the objects around it."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from benchmarks.intake.scene import Plane, Scene, Step, positions

Colour = tuple[float, float, float]

WHITE = (0.93, 0.92, 0.89)
RULE_MM = 0.35  # width of a printed line


def paper(*colours: Colour, texture: float = 0.01) -> Step:
    """Fill the picture with paper of one of these colours.

    Args:
        colours: red, green and blue in [0, 1].
        texture: standard deviation of its grain.
    """

    def fill(scene: Scene) -> Scene:
        colour = np.float32(colours[scene.random.integers(len(colours))])
        grain = scene.random.normal(1, texture, scene.size).astype(np.float32)
        return scene.showing(np.clip(colour * grain[..., None], 0, 1))

    return fill


def rules(
    pitch_mm: tuple[float, float],
    strength: tuple[float, float],
    *,
    squared: bool = False,
    tilt_degrees: float = 2.0,
) -> Step:
    """Print horizontal lines on the paper, or a grid.

    Args:
        pitch_mm: range of the distance between lines.
        strength: range of the share of light that a line absorbs.
        squared: whether to print a grid.
        tilt_degrees: largest deviation from horizontal.
    """

    def draw(scene: Scene) -> Scene:
        random = scene.random
        tilt = np.radians(random.uniform(-tilt_degrees, tilt_degrees))
        pitch = random.uniform(*pitch_mm) * scene.mm
        width = max(1.0, RULE_MM * random.uniform(0.6, 1.2) * scene.mm)
        lines = _lines(scene, np.pi / 2 + tilt, pitch, width)
        if squared:
            lines = np.maximum(lines, _lines(scene, tilt, pitch, width))
        # Blue, grey or red print, which absorbs less of its own colour.
        taken = np.float32([(1, 0.8, 0.45), (1, 1, 1), (0.45, 1, 0.9)])[
            random.integers(3)
        ]
        ink = lines[..., None] * taken * np.float32(random.uniform(*strength))
        return scene.showing(scene.picture * (1 - ink))

    return draw


def _lines(scene: Scene, angle: float, pitch: float, width: float) -> Plane:
    """Return the coverage of pixels by antialiased lines normal to a direction."""
    far = positions(scene, angle) + np.float32(scene.random.uniform(0, pitch))
    from_line = np.abs((far + pitch / 2) % pitch - pitch / 2)
    return np.clip(width / 2 + 0.5 - from_line, 0, 1).astype(np.float32)


def specks(count: tuple[int, int]) -> Step:
    """Scatter specks of dirt smaller than a millimetre."""

    def scatter(scene: Scene) -> Scene:
        picture = scene.picture.copy()
        rows, columns = scene.size
        for _ in range(scene.random.integers(*count)):
            side = max(1, round(scene.random.uniform(0.3, 0.9) * scene.mm))
            top, left = scene.random.integers(rows), scene.random.integers(columns)
            picture[top : top + side, left : left + side] *= scene.random.uniform(
                0.1, 0.6
            )
        return scene.showing(picture)

    return scatter


def crumpled(strength: tuple[float, float]) -> Step:
    """Crumple the paper: its facets receive more light or less.

    Args:
        strength: range of the standard deviation of their light.
    """

    def fold(scene: Scene) -> Scene:
        random = scene.random
        bend = random.uniform(*strength)
        light = np.zeros(scene.size, np.float32)
        for _ in range(8):
            far = positions(scene, random.uniform(0, 2 * np.pi))
            crease = random.uniform(far.min(), far.max())
            side = np.tanh((far - crease) / random.uniform(2, 60))
            light += (side * random.normal(0, bend)).astype(np.float32)
        shade = np.clip(1 + light, 0.4, 1.1)
        return scene.showing(np.clip(scene.picture * shade[..., None], 0, 1))

    return fold


def print_lines(scene: Scene) -> Scene:
    """Print lines of small text above and below the middle."""
    random = scene.random
    rows, columns = scene.size
    size = round(random.uniform(0.02, 0.03) * rows)
    font = ImageFont.load_default(size)
    page = Image.new("L", (columns, rows))
    draw = ImageDraw.Draw(page)
    left = round(random.uniform(0.04, 0.12) * columns)
    free = random.uniform(0.68, 0.74) / 2 * rows
    for top in np.arange(0.04 * rows, 0.96 * rows, 1.5 * size).tolist():
        if abs(top + size / 2 - rows / 2) > free:
            words = " ".join(
                "".join(random.choice(list("aceghilmnoprstu"), random.integers(2, 9)))
                for _ in range(9)
            )
            draw.text((left, top), words, fill=255, font=font)
    cover = np.asarray(page, np.float32)[..., None] / 255 * 0.85
    return scene.showing(scene.picture * (1 - cover))


def on_desk(*desks: Colour) -> Step:
    """Show the whole sheet, slightly rotated, on a desk of one of these colours."""

    def put(scene: Scene) -> Scene:
        random = scene.random
        angle = np.radians(random.uniform(-6, 6))
        inside = np.ones(scene.size, dtype=bool)
        for side in range(4):
            far = positions(scene, angle + side * np.pi / 2)
            start, end = float(far.min()), float(far.max())
            inside &= far < end - random.uniform(0.08, 0.2) * (end - start)
        return scene.showing(
            np.where(inside[..., None], scene.picture, _desk(scene, desks))
        )

    return put


def desk_beyond_one_edge(*desks: Colour) -> Step:
    """Show the desk beyond one edge of the sheet."""

    def put(scene: Scene) -> Scene:
        side = scene.random.integers(4) * np.pi / 2
        far = positions(scene, side + np.radians(scene.random.uniform(-4, 4)))
        start, end = float(far.min()), float(far.max())
        beyond = far > end - scene.random.uniform(0.06, 0.18) * (end - start)
        return scene.showing(
            np.where(beyond[..., None], _desk(scene, desks), scene.picture)
        )

    return put


def finger(scene: Scene) -> Scene:
    """Hold the paper with a thumb from the left, right or below."""
    random = scene.random
    rows, columns = scene.size
    down, across = [
        (random.uniform(0.3, 0.9) * rows, 0.0),
        (random.uniform(0.3, 0.9) * rows, float(columns)),
        (float(rows), random.uniform(0.1, 0.9) * columns),
    ][random.integers(3)]
    long, wide = (
        random.uniform(0.1, 0.16) * columns,
        random.uniform(0.05, 0.08) * columns,
    )
    if down == rows:
        long, wide = wide, long
    away = np.hypot(
        (np.arange(rows)[:, None] - down) / wide, (np.arange(columns) - across) / long
    )
    skin = np.float32([(0.85, 0.62, 0.5), (0.55, 0.37, 0.26), (0.3, 0.2, 0.15)])
    shade = np.clip(1.15 - 0.4 * away, 0, 1)[..., None] * skin[random.integers(3)]
    return scene.showing(np.where((away < 1)[..., None], shade, scene.picture))


def _desk(scene: Scene, desks: tuple[Colour, ...]) -> Plane:
    """Return a desk with wood grain."""
    colour = np.float32(desks[scene.random.integers(len(desks))])
    far = positions(scene, scene.random.uniform(0, np.pi))
    veins = np.sin(far * np.float32(scene.random.uniform(0.05, 0.3)))
    grain = scene.random.normal(0, 0.03, scene.size).astype(np.float32)
    return np.clip(colour * (1 + 0.06 * veins + grain)[..., None], 0, 1)
