"""Properties of a digit's picture: slant, thickness, size, place, loops, tail, bow.

Every property is computed from grey values without a threshold where that is possible,
so that it changes smoothly while a decoder's input moves.
"""

import numpy as np
from numpy.typing import NDArray

Pictures = NDArray[np.float32]
Values = NDArray[np.float64]

# What is measured, in this order.
PROPERTIES = (
    *("thickness", "slant", "width", "height", "x", "y"),
    *("loops", "tail", "head", "foot", "bow"),
)

BLANK = 1e-3  # the strongest pixel of a picture without a digit
LEAST_LOOP = 2.0  # px²; smaller holes are gaps in a stroke
LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7)  # of the strongest ink, to count pieces and holes
BODY_MARGIN = 1.5  # px; a tail begins this far outside the stroke around a loop
END_PART = 0.25  # of the height: the head at the top and the foot at the bottom


def measure_shapes(pictures: Pictures) -> dict[str, Values]:
    """Measure every property of each picture.

    `thickness` is the mean width of strokes in px; those under 2 px may fill no pixel
    and then seem up to 2 px wide. `slant` is the angle in degrees by
    which a shear must be undone to make the ink upright; it is positive if the top
    leans right. `width`, `height`, `head` and `foot` are extents in px; all but the
    height are measured after undoing the slant, `head` and `foot` in the upper and
    lower quarter of the height. `x` and `y` are the ink's centre in px, from the left
    and from the top. `loops` is the area of enclosed ground in px². `tail` is the area
    of the ink that is not part of a loop in px². `bow` is how far the middle of the
    upright digit is to the right of its ends, in px.

    Args:
        pictures: (count, rows, columns), ink 1 on ground 0.

    Returns:
        (count,) for each of `PROPERTIES`. A blank picture has no properties, and one
        without a loop has no `tail`: their values are NaN.
    """
    peak = pictures.max(axis=(1, 2), keepdims=True)
    ink = (pictures / np.maximum(peak, BLANK)).astype(np.float64)
    shear, x, y, total = _moments(ink)
    upright = _shear(ink, -shear, y)
    height, head, foot = _extents(upright)
    thickness = _thickness(ink)
    holes = enclose(ink) - ink
    loops = holes.sum(axis=(1, 2))
    shapes = {
        "thickness": thickness,
        "slant": np.degrees(np.arctan(-shear)),
        "width": upright.max(axis=1).sum(axis=1),
        "height": height,
        "x": x,
        "y": y,
        "loops": loops,
        "tail": np.where(loops < LEAST_LOOP, np.nan, _tail(ink, holes, thickness)),
        "head": head,
        "foot": foot,
        "bow": _bow(upright, height, total),
    }
    is_blank = peak[:, 0, 0] < BLANK
    return {name: np.where(is_blank, np.nan, shapes[name]) for name in PROPERTIES}


def _moments(ink: Values) -> tuple[Values, Values, Values, Values]:
    """Return each picture's shear in px a row, centre x and y, and total ink."""
    total = np.maximum(ink.sum(axis=(1, 2)), BLANK)
    columns, rows = np.arange(ink.shape[2]), np.arange(ink.shape[1])
    x = (ink.sum(axis=1) @ columns) / total
    y = (ink.sum(axis=2) @ rows) / total
    across = columns - x[:, None]
    down = rows - y[:, None]
    mixed = np.einsum("nrc,nr,nc->n", ink, down, across, optimize=True)
    squared = np.einsum("nrc,nr->n", ink, down**2)
    return mixed / np.maximum(squared, BLANK), x, y, total


def _shear(ink: Values, shear: Values, middle: Values) -> Values:
    """Shift each row by `shear` px for each row below `middle`, interpolating."""
    rows, columns = ink.shape[1:]
    shifts = shear[:, None] * (np.arange(rows) - middle[:, None])
    places = np.arange(columns) - shifts[:, :, None]
    before = np.floor(places).astype(np.intp)
    share = places - before
    framed = np.pad(ink, ((0, 0), (0, 0), (1, 1)))
    left = np.clip(before + 1, 0, columns + 1)
    right = np.clip(before + 2, 0, columns + 1)
    return (1 - share) * np.take_along_axis(framed, left, axis=2) + (
        share * np.take_along_axis(framed, right, axis=2)
    )


def _extents(upright: Values) -> tuple[Values, Values, Values]:
    """Return the height, and the widths of the upper and the lower quarter of it."""
    profile = upright.max(axis=2)  # of each row
    height = profile.sum(axis=1)
    above = np.cumsum(profile, axis=1)
    part = (END_PART * height)[:, None]
    # Rows join gradually, so that neither width jumps.
    in_head = np.clip(part - (above - profile), 0, 1)
    in_foot = np.clip(above - (height[:, None] - part), 0, 1)
    head = (upright * in_head[:, :, None]).max(axis=1).sum(axis=1)
    foot = (upright * in_foot[:, :, None]).max(axis=1).sum(axis=1)
    return height, head, foot


def _thickness(ink: Values) -> Values:
    """Return the mean width of strokes.

    A stroke of width w around a curve of length L has the area A = w L + χ π w²/4 and
    the outline P = 2 L + χ π w, where χ is its number of pieces minus its holes
    (Steiner's formula). Both equations give w.
    """
    area = ink.sum(axis=(1, 2))
    outline = _outline(ink)
    pieces = np.mean([_euler(ink >= level) for level in LEVELS], axis=0)
    # The root is real for whatever is round or longer; noise may fall short of that.
    root = np.sqrt(np.maximum(outline**2 - 4 * np.pi * pieces * area, 0))
    return 4 * area / np.maximum(outline + root, BLANK)


def _outline(ink: Values) -> Values:
    """Return the length of the outline: the total variation of the grey values.

    Mean of the four ways to take differences at a corner, none of which treats both
    diagonals alike.
    """
    framed = np.pad(ink, ((0, 0), (1, 1), (1, 1)))
    down = np.diff(framed, axis=1)
    across = np.diff(framed, axis=2)
    ways = [
        np.sqrt(rise**2 + run**2).sum(axis=(1, 2))
        for rise in (down[:, :, 1:], down[:, :, :-1])
        for run in (across[:, 1:, :], across[:, :-1, :])
    ]
    return np.mean(ways, axis=0)


def _euler(is_ink: NDArray[np.bool_]) -> Values:
    """Return pieces minus holes, where ink also touches across corners (Gray 1971)."""
    framed = np.pad(is_ink, ((0, 0), (1, 1), (1, 1))).astype(np.int8)
    quads = (
        framed[:, 1:, 1:]
        + framed[:, :-1, 1:]
        + framed[:, 1:, :-1]
        + framed[:, :-1, :-1]
    )
    is_diagonal = (quads == 2) & (framed[:, 1:, 1:] == framed[:, :-1, :-1])
    ones, threes, diagonals = (
        kind.sum(axis=(1, 2)) for kind in (quads == 1, quads == 3, is_diagonal)
    )
    return (ones - threes - 2 * diagonals) / 4


def enclose(ink: Values) -> Values:
    """Raise the ground that ink encloses to the weakest ink around it.

    A flood from the edge, for all grey levels at once: each pixel gets the least level
    at which a path along sides of pixels leads to the edge (reconstruction by erosion,
    Vincent 1993).

    Args:
        ink: (count, rows, columns).

    Returns:
        Same shape; greater than `ink` in holes only.
    """
    framed = np.pad(ink, ((0, 0), (1, 1), (1, 1))).astype(np.float32)
    filled = np.ones_like(framed)
    filled[:, [0, -1], :] = filled[:, :, [0, -1]] = 0
    unfinished = np.arange(len(framed))
    while len(unfinished):
        before = filled[unfinished]
        after = _flood(before, framed[unfinished])
        filled[unfinished] = after
        unfinished = unfinished[(after != before).any(axis=(1, 2))]
    return filled[:, 1:-1, 1:-1].astype(np.float64)


def _flood(level: Pictures, ink: Pictures) -> Pictures:
    """Let the flood run down, right, up and left once through every picture."""
    level = level.copy()
    for pictures, ground in zip(_four_ways(level), _four_ways(ink), strict=True):
        for row in range(1, pictures.shape[1]):
            reached = np.maximum(pictures[:, row - 1], ground[:, row])
            np.minimum(pictures[:, row], reached, out=pictures[:, row])
    return level


def _four_ways(pictures: Pictures) -> tuple[Pictures, ...]:
    """Return views whose rows run down, right, up and left."""
    across = pictures.mT
    return pictures, across, pictures[:, ::-1], across[:, ::-1]


def _tail(ink: Values, holes: Values, thickness: Values) -> Values:
    """Return the area of the ink further from every hole than a stroke is wide."""
    reach = np.round(np.nan_to_num(thickness) + BODY_MARGIN).astype(int)
    body = holes > 0.5
    for step in range(reach.max(initial=0)):
        grown = _grow(body, corners=step % 2 == 1)  # by turns: nearly a disk
        body = np.where((step < reach)[:, None, None], grown, body)
    return (ink * ~body).sum(axis=(1, 2))


def _grow(area: NDArray[np.bool_], *, corners: bool) -> NDArray[np.bool_]:
    framed = np.pad(area, ((0, 0), (1, 1), (1, 1)))
    tall = framed[:, :-2] | framed[:, 1:-1] | framed[:, 2:]
    if corners:
        return tall[:, :, :-2] | tall[:, :, 1:-1] | tall[:, :, 2:]
    middle = framed[:, 1:-1]
    return tall[:, :, 1:-1] | middle[:, :, :-2] | middle[:, :, 2:]


def _bow(upright: Values, height: Values, total: Values) -> Values:
    """Return the sagitta of the parabola x(y) that fits the upright ink best."""
    rows, columns = np.arange(upright.shape[1]), np.arange(upright.shape[2])
    by_row = upright.sum(axis=2)
    down = rows - (by_row @ rows / total)[:, None]
    half = np.maximum(height / 2, 0.5)[:, None]
    scaled = down / half  # -1 to 1 from top to bottom, or nearly
    powers = np.stack([scaled**power for power in range(3)], axis=2)
    products = np.einsum("nr,nrp,nrq->npq", by_row, powers, powers, optimize=True)
    moments = np.einsum("nrc,c,nrp->np", upright, columns, powers, optimize=True)
    # A little more on the diagonal, for ink in fewer than three rows.
    products += 1e-6 * total[:, None, None] * np.eye(3)
    return -np.linalg.solve(products, moments[:, :, None])[:, 2, 0]
