"""Which parts of the ink are the digit; specks, frames, lines and edges are not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.intake.components import Components, label
from app.intake.strokes import thickness

MASK_SIDE = 200  # px, long side of the mask whose parts are looked at
CENTRE = 0.4  # of each side: the middle, which a digit reaches and edge junk does not
THIN = 0.06  # of the short side: a line right across is narrower
RIM = 0.08  # of a frame's own size: how close to its box its ink runs
FRAME_SHARE = 0.85  # of a frame's ink runs that close to its box
ENCLOSED_SHARE = 0.08  # of a frame's ink: what it encloses has at least as much
SMALLEST = 0.08  # of the picture's short side: a digit is larger
FLATTEST = 0.6  # height by width: flatter parts are bars, no digits
UPRIGHT_SHARE = 0.25  # of a flatter part's ink: a digit beside it has at least as much
SPECK_SHARE = 0.03  # of the main part's ink: less is a speck
DOT = 1.5  # stroke widths: no longer piece is a dot
CROWD = 5  # parts that are alike: a broken digit has no more pieces
ALIKE = 3  # times as much ink, or as little
NEAR = 0.3  # of the main part's size: parts of one digit are closer together

DUST_COUNT = 30  # parts; so many without a main one are paper grain
DUST_SHARE = 0.1  # of all ink: a main part has at least as much

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The connected pieces of the ink.

    Attributes:
        parts: of a mask, at most `MASK_SIDE` px on its long side.
        factor: how many of the picture's pixels are one of the mask's, each way.
        shape: rows and columns of the picture.
    """

    parts: Components
    factor: int
    shape: tuple[int, int]

    def in_picture(self, mask: Flags) -> Flags:
        """Return a mask of `parts`' size at the picture's."""
        large = mask.repeat(self.factor, axis=0).repeat(self.factor, axis=1)
        rows, columns = self.shape
        return large[:rows, :columns]


def pieces_of(core: Flags) -> Pieces:
    """Find the pieces of the ink.

    Args:
        core: (rows, columns), pixels that are surely stroke.
    """
    rows, columns = core.shape
    factor = -(-max(rows, columns) // MASK_SIDE)
    return Pieces(label(pooled(core, factor)), factor, (rows, columns))


def digit_mask(pieces: Pieces) -> tuple[Flags, int]:
    """Keep the digit's pieces of the ink.

    The largest piece that is no junk is the digit; others that are near and large
    enough belong to it, such as the bar of a broken 5.

    Returns:
        (rows, columns) where ink may stay, the kept pieces' antialiased edges
        included, and how many pieces were dropped. Nothing stays of mere dust.
    """
    parts = pieces.parts
    count = len(parts.area)
    if count == 0 or is_dust(parts):
        return np.zeros(pieces.shape, bool), count
    kept = chosen(parts, parts.labels.shape)
    is_kept = np.concatenate([[False], kept])
    allowed = grown(is_kept[parts.labels])
    if not kept.all():
        allowed &= ~np.concatenate([[False], ~kept])[parts.labels]
    return pieces.in_picture(allowed), count - int(kept.sum())


def intruders(pieces: Pieces) -> tuple[Flags, int]:
    """Find ink that comes in from the edge and does not reach the middle.

    So does a table beyond the sheet, or a finger, but also a digit at the edge.

    Returns:
        (rows, columns) where it is, and how many pieces.
    """
    parts = pieces.parts
    if len(parts.area) == 0:
        return np.zeros(pieces.shape, bool), 0
    from_edge = comes_from_edge(parts, parts.labels.shape)
    away = grown(grown(np.concatenate([[False], from_edge])[parts.labels]))
    return pieces.in_picture(away), int(from_edge.sum())


def has_digit(pieces: Pieces) -> bool:
    """Tell whether there is a piece of ink that is large enough for a digit."""
    parts = pieces.parts
    if len(parts.area) == 0 or is_dust(parts):
        return False
    main = int(np.argmax(parts.area))
    size = max(
        parts.bottom[main] - parts.top[main], parts.right[main] - parts.left[main]
    )
    return bool(size >= SMALLEST * min(parts.labels.shape))


def pooled(mask: Flags, factor: int) -> Flags:
    """Shrink a mask; a block is set where any of its pixels is."""
    if factor < 2:
        return mask
    blocks = Image.fromarray(mask.astype(np.uint8) * 255).reduce(factor)
    return np.asarray(blocks) > 255 // (2 * factor * factor)


def grown(mask: Flags) -> Flags:
    """Add every pixel that touches the mask."""
    result = mask.copy()
    result[1:] |= mask[:-1]
    result[:-1] |= mask[1:]
    wide = result.copy()
    wide[:, 1:] |= result[:, :-1]
    wide[:, :-1] |= result[:, 1:]
    return wide


def chosen(parts: Components, shape: tuple[int, ...]) -> Flags:
    """Return which parts (count,) are the digit."""
    junk, main = sorted_out(parts, shape)
    size = max(
        parts.bottom[main] - parts.top[main], parts.right[main] - parts.left[main]
    )
    near = gap(parts, main) <= NEAR * size
    large = parts.area >= SPECK_SHARE * parts.area[main]
    return near & large & ~junk & ~strays(parts, main)


def strays(parts: Components, main: int) -> Flags:
    """Tell which parts (count,) are dots, or one of a crowd, beside the main one.

    Digits have no dots, and a broken one has few pieces: specks and printed words
    come in crowds. But what is as close as a stroke is wide belongs to it.
    """
    if len(parts.area) == 1:
        return np.zeros(1, bool)
    box = parts.labels[
        parts.top[main] : parts.bottom[main], parts.left[main] : parts.right[main]
    ]
    width = thickness((box == main + 1).astype(np.float32))
    size = np.maximum(parts.bottom - parts.top, parts.right - parts.left)
    area = np.sort(parts.area)
    alike = np.searchsorted(area, ALIKE * parts.area, "right") - np.searchsorted(
        area, parts.area / ALIKE
    )
    is_stray = (size <= DOT * width) | (alike > CROWD)
    return is_stray & (gap(parts, main) > width)


def sorted_out(parts: Components, shape: tuple[int, ...]) -> tuple[Flags, int]:
    """Return which parts (count,) are no digit's, and the largest of the others."""
    lines = crosses(parts, shape) | is_frame(parts)
    junk = lines | comes_from_edge(parts, shape)
    if is_negligible(~junk, parts):
        # A digit may well touch the edge: here it is all there is.
        junk = np.zeros_like(junk)
    main = main_of(parts, junk)
    if touches_edge(parts, shape)[main]:
        junk &= lines  # cropped to the digit: other parts of it touch the edge too
    return junk, main


def main_of(parts: Components, junk: Flags) -> int:
    """Return the largest part that is no junk, and no line of print if it can be."""
    area = np.where(junk, 0, parts.area)
    is_flat = parts.bottom - parts.top < FLATTEST * (parts.right - parts.left)
    upright = np.where(is_flat, 0, area)
    largest = upright if upright.max() >= UPRIGHT_SHARE * area.max() else area
    return int(np.argmax(largest))


def is_dust(parts: Components) -> bool:
    """Tell whether there are only specks, as the noise of blank paper leaves."""
    is_small = parts.area.max() < DUST_SHARE * parts.area.sum()
    return bool(is_small and len(parts.area) > DUST_COUNT)


def is_negligible(chosen_parts: Flags, parts: Components) -> bool:
    """Tell whether the chosen parts are specks beside the others."""
    largest = np.max(np.where(chosen_parts, parts.area, 0))
    return bool(largest < SPECK_SHARE * parts.area.max())


def gap(parts: Components, main: int) -> NDArray[np.int64]:
    """Return the distance (count,) of each part's box from the main part's box."""
    across = np.maximum(parts.left - parts.right[main], parts.left[main] - parts.right)
    down = np.maximum(parts.top - parts.bottom[main], parts.top[main] - parts.bottom)
    return np.maximum(np.maximum(across, down), 0)


def touches_edge(parts: Components, shape: tuple[int, ...]) -> Flags:
    """Tell which parts touch the picture's edge."""
    rows, columns = shape
    return (
        (parts.left == 0)
        | (parts.right == columns)
        | (parts.top == 0)
        | (parts.bottom == rows)
    )


def comes_from_edge(parts: Components, shape: tuple[int, ...]) -> Flags:
    """Tell which parts touch the edge without reaching the middle.

    The dark rim of a scan does, and a neighbour's stroke.
    """
    margins = [round((1 - CENTRE) / 2 * size) for size in shape]
    middle = tuple(slice(m, size - m) for m, size in zip(margins, shape, strict=True))
    in_middle = np.bincount(parts.labels[middle].ravel(), minlength=len(parts.area) + 1)
    return touches_edge(parts, shape) & (in_middle[1:] == 0)


def crosses(parts: Components, shape: tuple[int, ...]) -> Flags:
    """Tell which parts are thin and run from one edge to the other: ruled lines."""
    rows, columns = shape
    thin = THIN * min(shape)
    across = (parts.left == 0) & (parts.right == columns)
    down = (parts.top == 0) & (parts.bottom == rows)
    is_flat = parts.bottom - parts.top <= thin
    is_narrow = parts.right - parts.left <= thin
    return (across & is_flat) | (down & is_narrow)


def is_frame(parts: Components) -> Flags:
    """Tell which parts are frames: all ink along their own box, and ink inside it."""
    result = np.zeros(len(parts.area), dtype=bool)
    for part in np.flatnonzero(parts.area >= SPECK_SHARE * parts.area.max()):
        top, left = parts.top[part], parts.left[part]
        bottom, right = parts.bottom[part], parts.right[part]
        encloses = (
            (parts.top > top)
            & (parts.left > left)
            & (parts.bottom < bottom)
            & (parts.right < right)
            & (parts.area >= ENCLOSED_SHARE * parts.area[part])
        )
        if not encloses.any():
            continue
        box = parts.labels[top:bottom, left:right] == part + 1
        rim_rows = max(1, round(RIM * (bottom - top)))
        rim_columns = max(1, round(RIM * (right - left)))
        inner = box[rim_rows:-rim_rows, rim_columns:-rim_columns].sum()
        result[part] = inner <= (1 - FRAME_SHARE) * parts.area[part]
    return result
