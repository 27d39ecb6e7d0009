"""Reduction of colours to the one channel in which ink and paper differ most."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from capsnet_explorer.pictures.decoding.shrinking import shrunk
from capsnet_explorer.pictures.reading.windows import Plane, window_mean

OPAQUE = 250 / 255  # least alpha of an opaque pixel
VISIBLE = 0.5  # least alpha of a pixel that shows mostly its own colour
ONE_COLOUR = 0.2  # visible colours that differ less are one ink, shaped by alpha
OTHER_SHARE = 0.005  # of the visible pixels: fewer of other colours are edges
SAMPLE_SIDE = 96  # px, enough to learn a picture's colours
LOCAL = 1 / 8  # of the long side: extent of the paper around a stroke
WHITE = np.ones(3, dtype=np.float32)
GREY_AXIS = np.full(3, 1 / 3, dtype=np.float32)


def flatten(picture: Image.Image) -> tuple[Image.Image, str | None]:
    """Put a picture with transparency on the background that shows its ink best.

    If all visible pixels have one colour, they are strokes without paper, and get the
    background that differs most from them. Otherwise they include paper, and the rest
    is filled with their median colour.

    Args:
        picture: mode L, RGB or RGBa.

    Returns:
        The picture in mode L or RGB, and the background's name if one was needed.
    """
    if picture.mode != "RGBa":
        return picture, None
    pixels = np.asarray(picture).astype(np.float32) / 255
    colours, alpha = pixels[..., :3], pixels[..., 3:]
    if alpha.min() >= OPAQUE or alpha.max() == 0:
        return picture.convert("RGBA").convert("RGB"), None
    strong = alpha[..., 0] >= min(VISIBLE, float(alpha.max()))
    visible = colours[strong] / alpha[strong]
    typical = np.median(visible, axis=0)
    differs = np.abs(visible - typical).max(axis=1) > ONE_COLOUR
    if differs.mean() < OTHER_SHARE:
        is_dark = typical.mean() < 0.5
        ground, name = (WHITE, "white") if is_dark else (0 * WHITE, "black")
    else:
        ground, name = typical, "the colour of its paper"
    flat = np.clip(colours + (1 - alpha) * ground, 0, 1)
    return Image.fromarray(np.rint(flat * 255).astype(np.uint8)), name


def ink_axis(picture: Image.Image) -> NDArray[np.float32]:
    """Find the direction in colour space along which ink and paper differ most.

    It is the first principal component of the colours minus their local mean, which
    removes uneven light. Red on green of the same brightness then works as well as
    black on white.

    Args:
        picture: mode RGB.

    Returns:
        (3,) weights of red, green and blue. Their absolute values sum to 1, and their
        sum is not negative, so that higher values are lighter.
    """
    sample = np.asarray(shrunk(picture, SAMPLE_SIDE)).astype(np.float32)
    sample *= np.float32(1 / 255)
    radius = max(1, round(LOCAL * max(sample.shape)))
    local = np.stack(
        [window_mean(sample[..., band], radius) for band in range(3)], axis=-1
    )
    difference = (sample - local).reshape(-1, 3).astype(np.float64)
    _, vectors = np.linalg.eigh(difference.T @ difference)
    axis = vectors[:, -1]
    if axis.sum() < 0:
        axis = -axis
    return (axis / np.abs(axis).sum()).astype(np.float32)


def one_channel(picture: Image.Image) -> tuple[Plane, bool]:
    """Reduce a picture of mode L or RGB to one channel.

    Returns:
        (rows, columns) in [0, 1], higher is lighter; and whether colour was used
        because it separates ink from paper better than brightness.
    """
    pixels = np.asarray(picture).astype(np.float32)
    pixels *= np.float32(1 / 255)
    if pixels.ndim == 2:
        return pixels, False
    axis = ink_axis(picture)
    offset = -axis[axis < 0].sum()
    channel = np.clip(pixels @ axis + offset, 0, 1)
    return channel, bool(np.abs(axis - GREY_AXIS).sum() > 0.4)
