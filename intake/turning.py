"""Rotation of a digit after its paper is removed."""

import numpy as np
from PIL import Image

from capsnet_explorer.intake.windows import Plane


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
