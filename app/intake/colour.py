"""From colours to one channel in which ink and paper differ most."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.intake.windows import Plane, window_mean
from picture_files.shrinking import shrunk

OPAQUE = 250 / 255  # alpha from here on hides what is below
VISIBLE = 0.5  # alpha from here on shows its own colour more than what is below
ONE_COLOUR = 0.2  # visible colours that differ less are one ink, shaped by alpha
OTHER_SHARE = 0.005  # of the visible pixels: fewer of other colours are edges
SAMPLE_SIDE = 96  # px, enough to learn a picture's colours
LOCAL = 1 / 8  # of the long side: how far a stroke's own paper reaches
WHITE = np.ones(3, dtype=np.float32)
GREY_AXIS = np.full(3, 1 / 3, dtype=np.float32)


def flatten(picture: Image.Image) -> tuple[Image.Image, str | None]:
    """Put a picture with transparency onto the ground that shows its ink best.

    Visible pixels of one colour are strokes drawn on nothing: they get the ground
    they differ from most. Visible pixels of several colours bring their own paper,
    so the rest is filled with the most common of them.

    Args:
        picture: mode L, RGB or RGBa.

    Returns:
        The picture in mode L or RGB, and what the ground is called if one was needed.
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
        ground, name = typical, "its own paper's colour"
    flat = np.clip(colours + (1 - alpha) * ground, 0, 1)
    return Image.fromarray(np.rint(flat * 255).astype(np.uint8)), name


def ink_axis(picture: Image.Image) -> NDArray[np.float32]:
    """Find the direction in colour space in which strokes differ from their paper.

    It is the first principal component of the colours minus their local mean, so
    that uneven light does not count. Red on green of the same brightness is then as
    good as black on white.

    Args:
        picture: mode RGB.

    Returns:
        (3,) weights of red, green and blue, their absolute values summing to 1 and
        their sum not negative: more of it is lighter.
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
        (rows, columns) in [0, 1], lighter is more, and whether colours were used
        because they tell ink from paper better than brightness.
    """
    pixels = np.asarray(picture).astype(np.float32)
    pixels *= np.float32(1 / 255)
    if pixels.ndim == 2:
        return pixels, False
    axis = ink_axis(picture)
    offset = -axis[axis < 0].sum()
    channel = np.clip(pixels @ axis + offset, 0, 1)
    return channel, bool(np.abs(axis - GREY_AXIS).sum() > 0.4)
