"""Cropping, turning, scaling and placing the ink as in MNIST."""

import numpy as np
from PIL import Image

from capsnet_explorer.pictures.reading.windows import Plane

SIDE = 28  # px, of the network's image
BOX_SIDE = 20  # px, long side of the ink box
# In MNIST the centre of mass has the px index 14.0, as measured: half a px off.
VISIBLE = 0.1  # fainter ink does not extend the box
TRACE = 0.5 / 255  # fainter ink rounds to zero in bytes


def crop(ink: Plane, threshold: float = VISIBLE) -> Plane:
    """Crop to the bounding box of ink of at least `threshold`; it must not be blank."""
    visible = ink >= min(threshold, float(ink.max()))
    rows = np.flatnonzero(visible.any(axis=1))
    columns = np.flatnonzero(visible.any(axis=0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def turned(ink: Plane, degrees: float) -> Plane:
    """Rotate ink (rows, columns) in [0, 1] clockwise; the result contains all of it.

    Without paper, the new corners are simply empty.
    """
    quarters, rest = divmod(round(degrees, 6), 90)
    ink = np.rot90(ink, -int(quarters))
    if rest == 0:
        return np.ascontiguousarray(ink)
    picture = Image.fromarray(np.ascontiguousarray(ink))
    kind = Image.Resampling.BICUBIC
    return np.clip(np.asarray(picture.rotate(-rest, kind, expand=True)), 0, 1)


def scale_to_box(ink: Plane, side: int = BOX_SIDE) -> Plane:
    """Scale cropped ink so that its long side is `side` px, keeping proportions.

    Returns:
        (side, side). Along the short side, the ink's centre of mass is as near to a
        pixel's centre as the ink's own pixels allow.
    """
    rows, columns = ink.shape
    if rows < columns:
        return scale_to_box(ink.T, side).T
    scale = side / rows
    middle = (side // 2 + 0.5) / scale - 0.5  # of the box's middle pixel, in the ink's
    left = round(middle - mean_index(ink.sum(axis=0)))
    left = min(max(left, 0), rows - columns)
    square = np.zeros((rows, rows), dtype=np.float32)
    square[:, left : left + columns] = ink
    kind = Image.Resampling.HAMMING if scale < 1 else Image.Resampling.BILINEAR
    scaled = np.asarray(Image.fromarray(square).resize((side, side), kind))
    return np.clip(scaled, np.float32(0), np.float32(1))


def mean_index(weights: Plane) -> float:
    """Return the mean of the indices 0, 1, ... under these weights."""
    return float(weights @ np.arange(len(weights)) / weights.sum())


def place(box: Plane, side: int = SIDE) -> Plane:
    """Place the box in (side, side) so that the ink's centre of mass is at the centre.

    Shifts by whole pixels, since fractions would blur the strokes. Empty rows and
    columns of the box may leave the image, but ink may not.
    """
    ink = crop(box, TRACE)
    top = within(side / 2 - mean_index(ink.sum(axis=1)), side - ink.shape[0])
    left = within(side / 2 - mean_index(ink.sum(axis=0)), side - ink.shape[1])
    image = np.zeros((side, side), dtype=np.float32)
    image[top : top + ink.shape[0], left : left + ink.shape[1]] = ink
    return image


def fitted(
    image: Plane, shape: tuple[int, int, int], *, is_scaled: bool = True
) -> Plane:
    """Bring an image of one channel to the input size of a network.

    Args:
        image: (1, rows, columns) in [0, 1].
        shape: channels, rows and columns of the result.
        is_scaled: else an image of one channel stands in the middle of a larger input
            as it is, for networks that read several digits on one canvas.

    Returns:
        Float32 of that shape, with all channels alike. Each pixel is the mean of the
        area that it covers, rounded to a multiple of 1/255. An image of that shape is
        returned unchanged.
    """
    if image.shape == shape:
        return image
    margins = [wanted - size for size, wanted in zip(image.shape, shape, strict=True)]
    if not is_scaled and margins[0] == 0 and min(margins) >= 0:
        return np.pad(image, [(margin // 2, -(-margin // 2)) for margin in margins])
    down, across = (
        _shares(size, wanted)
        for size, wanted in zip(image.shape[1:], shape[1:], strict=True)
    )
    levels = np.rint(down @ image @ across.T * 255)
    return np.repeat((levels / 255).astype(np.float32), shape[0], axis=0)


def _shares(pixels: int, wanted: int) -> Plane:
    """Return the weights with which `pixels` pixels in a row make up `wanted` ones.

    Returns:
        (wanted, given); a row sums to 1.
    """
    wide = pixels / wanted
    start = wide * np.arange(wanted)[:, None]
    at = np.arange(pixels)
    overlap = np.minimum(start + wide, at + 1) - np.maximum(start, at)
    return (np.maximum(overlap, 0) / wide).astype(np.float32)


def within(start: float, last: int) -> int:
    """Return the whole number nearest to `start` in 0..last."""
    return min(max(round(start), 0), last)
