"""Is the ink darker or lighter than the paper?"""

import numpy as np
from PIL import Image

from app.intake.levels import histogram, otsu_threshold
from app.intake.windows import Plane, window_max, window_mean, window_min

SAMPLE_SIDE = 64  # px; enough to weigh ink against paper
RADII = (1, 2, 3, 4, 6, 8, 11)  # px of the sample: half widths of strokes
FIRST_SIGN = 0.05  # of the energy of the best radius: strokes this wide exist
CLEAR_SHARE = 0.6  # of the energy at that radius: beyond, strokes decide
STRONG_SKEW = 0.9  # beyond this, a border of one shade confirms it
ONE_SHADE = 0.98  # of the border: it is all paper, or all table
LOCAL = 1 / 3  # of the long side: the neighbourhood a pixel is compared with
CLEAR_SKEW = 0.5  # beyond this, the local contrast decides
BORDER_WEIGHT = 1 / 3  # of the vote; a dark frame alone must not win it


def is_ink_dark(channel: Plane) -> bool:
    """Tell whether the ink is the darker part of the picture.

    Around any stroke ink is the rarer of the two; where that is plain and the whole
    border is of the other shade, it decides. In other scenes ink is narrow, so the
    narrowest things are strokes. In pictures too small for that, cropped to the
    digit, the rarer decides again, even if less plainly. Failing all: paper is what
    most of the picture, above all its border, consists of.

    Args:
        channel: (rows, columns) in [0, 1].
    """
    sample = shrunk(channel, SAMPLE_SIDE)
    skew = local_skew(sample)
    light = sample > otsu_threshold(histogram(sample))
    border = np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]]).mean()
    if abs(skew) > STRONG_SKEW and (border if skew < 0 else 1 - border) > ONE_SHADE:
        return skew < 0
    if max(channel.shape) > SAMPLE_SIDE:
        dark_share = dark_share_of_strokes(sample)
        if max(dark_share, 1 - dark_share) > CLEAR_SHARE:
            return dark_share > 0.5
    if abs(skew) > CLEAR_SKEW:
        return skew < 0
    return (1 - BORDER_WEIGHT) * light.mean() + BORDER_WEIGHT * border > 0.5


def dark_share_of_strokes(sample: Plane) -> float:
    """Return how much of the narrowest structures is dark, in [0, 1].

    A closing fills dark things narrower than its window, an opening removes light
    ones, and neither touches shadows or a sheet on a table. The window grows until
    one of them changes something. (Later, gaps between strokes change too.)
    """
    reach = RADII[-1]
    padded = np.pad(sample, reach, mode="edge")  # what the edge cuts is broad
    inside = (slice(reach, -reach), slice(reach, -reach))
    energies = []
    for radius in RADII:
        closed = window_min(window_max(padded, radius), radius)
        opened = window_max(window_min(padded, radius), radius)
        dark, light = (closed - padded)[inside], (padded - opened)[inside]
        energies.append((float(np.sum(dark * dark)), float(np.sum(light * light))))
    needed = FIRST_SIGN * max(dark + light for dark, light in energies)
    if needed == 0:
        return 0.5
    dark, light = next(pair for pair in energies if max(pair) >= needed)
    return dark / (dark + light)


def local_skew(sample: Plane) -> float:
    """Return to which side pixels differ from their neighbourhood: < 0 for dark."""
    radius = max(1, round(LOCAL * max(sample.shape)))
    difference = sample - window_mean(sample, radius)
    difference -= difference.mean()
    deviation = float(np.sqrt(np.mean(difference**2)))
    return float(np.mean(difference**3)) / (deviation**3 or 1.0)


def shrunk(channel: Plane, side: int) -> Plane:
    """Return the channel with its long side about `side` px, by area averaging."""
    factor = max(channel.shape) // side
    if factor < 2:
        return channel
    return np.asarray(Image.fromarray(channel).reduce(factor))
