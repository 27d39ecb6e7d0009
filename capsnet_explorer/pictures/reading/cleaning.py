"""Separation of the digit's ink from specks, frames, lines and edges."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from capsnet_explorer.pictures.reading.components import Components, label
from capsnet_explorer.pictures.reading.strokes import thickness

MASK_SIDE = 200  # px, long side of the mask in which parts are found
CENTRE = 0.4  # of each side: the middle, which a digit reaches and edge junk does not
THIN = 0.06  # of the short side: greatest width of a line across the picture
RIM = 0.08  # of a frame's own size: greatest distance of its ink from its box
FRAME_SHARE = 0.85  # least share of a frame's ink within that distance
ENCLOSED_SHARE = 0.08  # of a frame's ink: least ink of what it encloses
SMALLEST = 0.08  # of the picture's short side: least size of a digit
FLATTEST = 0.6  # height by width: flatter parts are bars, not digits
UPRIGHT_SHARE = 0.25  # of a flatter part's ink: least ink of a digit beside it
SPECK_SHARE = 0.03  # of the main part's ink: specks have less
DOT = 1.5  # stroke widths: greatest length of a dot
CROWD = 5  # similar parts: most pieces of a broken digit
ALIKE = 3  # greatest ratio of ink between similar parts
NEAR = 0.3  # of the main part's size: greatest distance between a digit's parts

DUST_COUNT = 30  # parts; more than these without a main one are paper grain
DUST_SHARE = 0.1  # of all ink: least ink of a main part

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The connected pieces of the ink.

    Attributes:
        parts: of a mask, which may be smaller than the picture.
        factor: side of a mask pixel in pixels of the picture.
        shape: rows and columns of the picture.
    """

    parts: Components
    factor: int
    shape: tuple[int, int]

    def in_picture(self, mask: Flags) -> Flags:
        """Scale a mask from the size of `parts` to that of the picture."""
        large = mask.repeat(self.factor, axis=0).repeat(self.factor, axis=1)
        rows, columns = self.shape
        return large[:rows, :columns]


def pieces_of(core: Flags, side: int = MASK_SIDE) -> Pieces:
    """Find the connected pieces of the ink.

    Args:
        core: (rows, columns), pixels that certainly belong to strokes.
        side: px, most of the long side of the mask in which they are found.
    """
    rows, columns = core.shape
    factor = -(-max(rows, columns) // side)
    return Pieces(label(pooled(core, factor)), factor, (rows, columns))


def digit_mask(pieces: Pieces) -> tuple[Flags, int]:
    """Find the pieces of ink that form the digit.

    The largest piece that is not junk is the digit. Near and large enough pieces belong
    to it too, such as the bar of a broken 5.

    Returns:
        A mask (rows, columns) of the digit including its antialiased edges, and the
        number of pieces outside it. The mask is empty if there is only dust.
    """
    parts = pieces.parts
    count = len(parts.area)
    if count == 0 or is_dust(parts):
        return np.zeros(pieces.shape, bool), count
    kept = chosen(parts, parts.labels.shape)
    return mask_of(pieces, kept), count - int(kept.sum())


def mask_of(pieces: Pieces, members: Flags) -> Flags:
    """Return the mask (rows, columns) of some pieces, including antialiased edges.

    Args:
        pieces: all of them.
        members: which (count,); no ink of another is in the mask.
    """
    labels = pieces.parts.labels
    is_own = np.concatenate([[False], members])
    is_other = np.concatenate([[False], ~members])
    return pieces.in_picture(grown(is_own[labels]) & ~is_other[labels])


def intruders(pieces: Pieces) -> tuple[Flags, int]:
    """Find ink that touches the picture's edge and does not reach the middle.

    It may be a table beyond the sheet or a finger, but also a digit at the edge.

    Returns:
        A mask (rows, columns) of it, and the number of pieces.
    """
    parts = pieces.parts
    if len(parts.area) == 0:
        return np.zeros(pieces.shape, bool), 0
    from_edge = comes_from_edge(parts, parts.labels.shape)
    away = grown(grown(np.concatenate([[False], from_edge])[parts.labels]))
    return pieces.in_picture(away), int(from_edge.sum())


def has_digit(pieces: Pieces) -> bool:
    """Return whether a piece of ink is large enough for a digit."""
    parts = pieces.parts
    if len(parts.area) == 0 or is_dust(parts):
        return False
    size = parts.size[np.argmax(parts.area)]
    return bool(size >= SMALLEST * min(parts.labels.shape))


def pooled(mask: Flags, factor: int) -> Flags:
    """Shrink a mask by blocks; a block is set if any of its pixels is."""
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
    """Return which parts (count,) form the digit."""
    junk, main = junk_and_main(parts, shape)
    near = parts.gaps(main) <= NEAR * parts.size[main]
    large = parts.area >= SPECK_SHARE * parts.area[main]
    return near & large & ~junk & ~strays(parts, main)


def strays(parts: Components, main: int) -> Flags:
    """Return which parts (count,) beside the main one are dots or members of a crowd.

    Digits have no dots, and a broken digit has few pieces, while specks and printed
    words come in crowds. A part closer than a stroke's width belongs to the digit.
    """
    if len(parts.area) == 1:
        return np.zeros(1, bool)
    width = stroke_width(parts, main)
    area = np.sort(parts.area)
    alike = np.searchsorted(area, ALIKE * parts.area, "right") - np.searchsorted(
        area, parts.area / ALIKE
    )
    is_stray = (parts.size <= DOT * width) | (alike > CROWD)
    return is_stray & (parts.gaps(main) > width)


def stroke_width(parts: Components, part: int) -> float:
    """Return the mean width of a part's strokes in px."""
    box = parts.labels[
        parts.top[part] : parts.bottom[part], parts.left[part] : parts.right[part]
    ]
    return thickness((box == part + 1).astype(np.float32))


def junk_and_main(parts: Components, shape: tuple[int, ...]) -> tuple[Flags, int]:
    """Return which parts (count,) are junk, and the largest of the others."""
    lines = crosses(parts, shape) | is_frame(parts)
    junk = lines | comes_from_edge(parts, shape)
    if is_negligible(~junk, parts):
        # Only junk was found, so the digit itself touches the edge.
        junk = np.zeros_like(junk)
    main = main_of(parts, junk)
    if touches_edge(parts, shape)[main]:
        junk &= lines  # cropped to the digit, whose other parts may touch the edge too
    return junk, main


def main_of(parts: Components, junk: Flags) -> int:
    """Return the largest part that is not junk, preferring upright to flat ones."""
    area = np.where(junk, 0, parts.area)
    is_flat = parts.height < FLATTEST * parts.width
    upright = np.where(is_flat, 0, area)
    largest = upright if upright.max() >= UPRIGHT_SHARE * area.max() else area
    return int(np.argmax(largest))


def is_dust(parts: Components) -> bool:
    """Return whether there are only specks, such as the noise of blank paper."""
    is_small = parts.area.max() < DUST_SHARE * parts.area.sum()
    return bool(is_small and len(parts.area) > DUST_COUNT)


def is_negligible(chosen_parts: Flags, parts: Components) -> bool:
    """Return whether the chosen parts are specks compared with the others."""
    largest = np.max(np.where(chosen_parts, parts.area, 0))
    return bool(largest < SPECK_SHARE * parts.area.max())


def touches_edge(parts: Components, shape: tuple[int, ...]) -> Flags:
    """Return which parts touch the picture's edge."""
    rows, columns = shape
    return (
        (parts.left == 0)
        | (parts.right == columns)
        | (parts.top == 0)
        | (parts.bottom == rows)
    )


def comes_from_edge(parts: Components, shape: tuple[int, ...]) -> Flags:
    """Return which parts touch the edge without reaching the middle.

    Examples are the dark rim of a scan and a stroke of a neighbouring digit.
    """
    margins = [round((1 - CENTRE) / 2 * size) for size in shape]
    middle = tuple(slice(m, size - m) for m, size in zip(margins, shape, strict=True))
    in_middle = np.bincount(parts.labels[middle].ravel(), minlength=len(parts.area) + 1)
    return touches_edge(parts, shape) & (in_middle[1:] == 0)


def crosses(parts: Components, shape: tuple[int, ...]) -> Flags:
    """Return which parts are ruled lines: thin, and running from edge to edge."""
    rows, columns = shape
    thin = THIN * min(shape)
    across = (parts.left == 0) & (parts.right == columns)
    down = (parts.top == 0) & (parts.bottom == rows)
    return (across & (parts.height <= thin)) | (down & (parts.width <= thin))


def is_frame(parts: Components) -> Flags:
    """Return which parts are frames: ink along their own box, and other ink inside."""
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
