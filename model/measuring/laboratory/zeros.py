"""How many images have a gradient of exactly zero, so that no attack can follow it."""

from datetime import date
from typing import Any, get_args

import numpy as np

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.experiments import (
    SEED,
    GradientOf,
    Subject,
)

LOSSES: tuple[GradientOf, ...] = get_args(GradientOf)
DIGITS = 6  # decimals in the card


def measured_zeros(subject: Subject, labelled: LabelledImages) -> dict[str, Any]:
    """Return, for each loss, where its gradient is exactly zero.

    Args:
        subject: the network.
        labelled: at least one image.

    Returns:
        For the card: by loss, `images`, the share of images without a gradient at any
        pixel, and `pixels`, the mean share of pixels without one.
    """
    found: dict[str, Any] = {
        "images": len(labelled),
        "seed": SEED,
        "date": date.today().isoformat(),
    }
    for of in LOSSES:
        shares = np.concatenate(
            [
                (subject.slope(batch.pixels, batch.labels, of=of).gradient == 0).mean(
                    axis=(1, 2, 3)
                )
                for batch in batches(labelled, subject.device)
            ]
        )
        found[of] = {
            "images": round(float((shares == 1).mean()), DIGITS),
            "pixels": round(float(shares.mean()), DIGITS),
        }
    return found
