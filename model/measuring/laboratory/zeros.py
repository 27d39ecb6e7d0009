"""How many images have a gradient of exactly zero, so that no attack can follow it."""

from datetime import date
from typing import Any, get_args

import numpy as np

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.experiments import SEED, Subject
from capsnet_explorer.perturbations.attack import Loss

ALL_LOSSES: tuple[Loss, ...] = get_args(Loss)
DIGITS = 6  # decimals of a share in the card
FIGURES = 3  # of a norm: from 1e-12 to hundreds


def measured_zeros(subject: Subject, labelled: LabelledImages) -> dict[str, Any]:
    """Return, for each loss, how long its gradient is, and where it is exactly zero.

    Args:
        subject: the network.
        labelled: at least one image.

    Returns:
        For the card: by loss, `images`, the share of images without a gradient at any
        pixel; `pixels`, the mean share of pixels without one; and `norm`, the median
        Euclidean norm of an image's gradient.
    """
    entry: dict[str, Any] = {
        "images": len(labelled),
        "seed": SEED,
        "date": date.today().isoformat(),
    }
    for of in ALL_LOSSES:
        parts = [
            subject.slopes(batch.pixels, batch.labels, of=of).gradients.cpu().numpy()
            for batch in batches(labelled, subject.device)
        ]
        gradients = np.concatenate(parts)
        shares = (gradients == 0).mean(axis=(1, 2, 3))
        lengths = np.sqrt(np.square(gradients.astype(np.float64)).sum(axis=(1, 2, 3)))
        entry[of] = {
            "images": round(float((shares == 1).mean()), DIGITS),
            "pixels": round(float(shares.mean()), DIGITS),
            "norm": float(f"{np.median(lengths):.{FIGURES}g}"),
        }
    return entry
