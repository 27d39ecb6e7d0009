"""Changes of one image: scale, shear, rotate, shift; stroke; blur and tones."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.chance import uniform

Pixels = NDArray[np.floating[Any]]

BLUR_REACH = 4  # standard deviations after which the Gaussian is cut off

TOGETHER = 16  # changes computed at a time, so that they stay in the cache

# Sine and cosine of quarter turns; `math.cos(math.pi / 2)` is not quite 0.
QUARTERS: dict[float, tuple[float, float]] = {
    0: (0.0, 1.0),
    90: (1.0, 0.0),
    180: (0.0, -1.0),
    270: (-1.0, 0.0),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One change, whose parts apply in the order of these attributes.

    The first four move the ink about the image's centre. What comes from outside the
    image is 0.

    Attributes:
        scale: factor above 0; above 1 enlarges.
        shear: in degrees between -90 and 90; above 0 leans the top to the right.
        rotate: counter-clockwise, in degrees.
        shift: pixels right and down.
        stroke: pixels by which every edge of the ink moves outward; below 0, inward.
        blur: standard deviation of a Gaussian, in pixels, at least 0.
        contrast: factor on every pixel, at least 0.
        ground: added to every pixel.
        noise: at least 0; each pixel moves by a random amount, uniform between minus
            and plus this.
        seed: of the noise, from 0 to 2^32 - 1. The same seed gives the same noise,
            scaled by `noise`, here and in the page.
    """

    scale: float = 1.0
    shear: float = 0.0
    rotate: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    stroke: float = 0.0
    blur: float = 0.0
    contrast: float = 1.0
    ground: float = 0.0
    noise: float = 0.0
    seed: int = 0


def changed(image: Pixels, changes: Sequence[Change]) -> Pixels:
    """Apply each change to the same image.

    Without moves the pixels keep their values bit for bit. So they do with shifts by
    whole pixels, and in square images with rotations by quarter turns.

    Args:
        image: (..., rows, columns) in [0, 1]. Channels move together; the noise of each
            is its own.
        changes: at least one.

    Returns:
        (changes, ..., rows, columns) in [0, 1].
    """
    moved = _move(image.reshape(-1, *image.shape[-2:]), changes)
    _stroke(moved, changes)
    _blur(moved, np.array([change.blur for change in changes]))
    moved *= _apply_each([change.contrast for change in changes])
    moved += _apply_each([change.ground for change in changes])
    _add_noise(moved, changes)
    return moved.clip(0, 1, out=moved).reshape(-1, *image.shape)


def _apply_each(values: Sequence[float]) -> Pixels:
    return np.array(values, np.float64)[:, None, None, None]


def _move(channels: Pixels, changes: Sequence[Change]) -> Pixels:
    """Scale, shear, rotate and shift, by bilinear interpolation.

    Args:
        channels: (channels, rows, columns).
        changes: at least one.

    Returns:
        (changes, channels, rows, columns).
    """
    rows, columns = channels.shape[1:]
    middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
    y, x = np.indices((rows, columns), np.float64).reshape(2, -1)
    places = np.stack([x - middle[0], y - middle[1]])
    back = np.stack([_inverse(change) for change in changes])
    shifts = np.array([change.shift for change in changes], np.float64)[:, :, None]
    moved = np.empty((len(changes), len(channels), rows * columns))
    for start in range(0, len(changes), TOGETHER):
        some = slice(start, start + TOGETHER)
        origins = middle[:, None] - back[some] @ shifts[some]
        sources = back[some] @ places + origins
        for number, channel in enumerate(channels):
            moved[some, number] = _interpolate(channel, sources[:, 0], sources[:, 1])
    return moved.reshape(len(changes), *channels.shape)


def _inverse(change: Change) -> Pixels:
    """Return the 2 x 2 map of a place to its source, x and y from the centre."""
    sine, cosine = QUARTERS.get(change.rotate % 360) or (
        math.sin(math.radians(change.rotate)),
        math.cos(math.radians(change.rotate)),
    )
    # y points down, so a counter-clockwise rotation is [[cos, sin], [-sin, cos]] and
    # its inverse the transpose. A lean to the right takes x to x - tan(shear) y.
    turn_back = np.array([[cosine, -sine], [sine, cosine]])
    lean_back = np.array([[1.0, math.tan(math.radians(change.shear))], [0.0, 1.0]])
    return lean_back @ turn_back / change.scale


def _interpolate(image: Pixels, x: Pixels, y: Pixels) -> Pixels:
    """Read an image between its pixels; it is 0 outside.

    Args:
        image: (rows, columns).
        x: columns to read at, of any shape, counted from 0.
        y: rows to read at, same shape.
    """
    padded = np.pad(image, (1, 2))  # what lies outside reads the zeros around
    width, values = padded.shape[1], padded.ravel()
    left, right_share = _before(x, image.shape[1])
    above, below_share = _before(y, image.shape[0])
    first = above * width + left
    # Both weights, as a + share (b - a) need not give b exactly at a share of 1.
    left_share, above_share = 1 - right_share, 1 - below_share
    upper = values.take(first) * left_share
    upper += values[1:].take(first) * right_share
    lower = values[width:].take(first) * left_share
    lower += values[width + 1 :].take(first) * right_share
    return upper * above_share + lower * below_share


def _before(places: Pixels, count: int) -> tuple[NDArray[np.intp], Pixels]:
    """Return the pixel before each place, counted with the padding, and the way on.

    Args:
        places: from 0 to `count` - 1 inside the image.
        count: pixels without the padding.
    """
    inside: Pixels = np.clip(
        places + 1.0, 0.0, count + 1.0
    )  # at both ends there is only padding
    first = inside.astype(np.intp)
    return first, inside - first


def _stroke(images: Pixels, changes: Sequence[Change]) -> None:
    """Thicken or thin some images in place; what lies outside is 0.

    Between whole pixels, both neighbours are mixed.
    """
    for image, change in zip(images, changes, strict=True):
        if change.stroke != 0:
            whole, part = divmod(abs(change.stroke), 1)
            pick = np.maximum if change.stroke > 0 else np.minimum
            first = _extreme(image, int(whole), pick)
            if part > 0:
                further = _extreme(image, int(whole) + 1, pick)
                first = (1 - part) * first + part * further
            image[:] = first


def _extreme(image: Pixels, radius: int, pick: np.ufunc) -> Pixels:
    """Return the largest or smallest value within a disc around each pixel.

    Args:
        image: (channels, rows, columns).
        radius: in pixels, of the centres that count.
        pick: `np.maximum` or `np.minimum`.
    """
    rows, columns = image.shape[1:]
    padded = np.pad(image, ((0, 0), (radius, radius), (radius, radius)))
    reach = range(-radius, radius + 1)
    extremes = image.copy()
    for down in reach:
        for right in reach:
            if down**2 + right**2 <= radius**2:
                top, left = radius + down, radius + right
                part = padded[:, top : top + rows, left : left + columns]
                pick(extremes, part, out=extremes)
    return extremes


def _blur(images: Pixels, deviations: Pixels) -> None:
    """Blur some images in place by Gaussians; what lies outside is 0.

    Args:
        images: (count, channels, rows, columns).
        deviations: (count,), in pixels; 0 changes nothing.
    """
    is_blurred = deviations > 0
    if is_blurred.any():
        down, across = (
            _gaussians(deviations[is_blurred], length)[:, None]
            for length in images.shape[2:]
        )
        images[is_blurred] = down @ images[is_blurred] @ across


def _gaussians(deviations: Pixels, count: int) -> Pixels:
    """Return the matrices (..., count, count) that blur a row; they are symmetric."""
    distances = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    reach = math.ceil(BLUR_REACH * deviations.max())
    offsets = np.arange(max(reach, count - 1) + 1)
    halves = np.exp(-0.5 * (offsets / deviations[:, None]) ** 2)
    halves[offsets > np.ceil(BLUR_REACH * deviations)[:, None]] = 0
    halves /= halves[:, :1] + 2 * halves[:, 1:].sum(axis=1, keepdims=True)
    return halves[:, distances]


def _add_noise(images: Pixels, changes: Sequence[Change]) -> None:
    """Move each pixel by a random amount, in place."""
    drawn: dict[int, Pixels] = {}
    for image, change in zip(images, changes, strict=True):
        if change.noise > 0:
            if change.seed not in drawn:
                shares = uniform(change.seed, image.size)
                drawn[change.seed] = 2 * shares.reshape(image.shape) - 1
            image += change.noise * drawn[change.seed]
