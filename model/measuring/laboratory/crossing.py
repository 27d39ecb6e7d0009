"""One digit moves across another: what a network that reads pairs makes of it.

The digits are those of the fixed test pairs. The first one stays in the middle of the
canvas, so that nothing but the knob decides how much of both lies over each other.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.data.overlapping import REACH, Overlaps, merge
from capsnet_explorer.model.measuring.laboratory.experiments import SEED
from capsnet_explorer.model.measuring.laboratory.measurement import chosen_indices
from capsnet_explorer.model.measuring.overlapping import given_right, mean_of
from capsnet_explorer.model.presence import multi_hot, outrank
from capsnet_explorer.model.settings import Shape

KNOBS = {
    "crossing": "pixels by which the second digit lies to the right of the first",
    "crossing_down": "pixels by which the second digit lies below the first",
}
FARTHEST = 2 * REACH  # pixels: as far apart as training ever laid two digits
VALUES = tuple(range(-FARTHEST, FARTHEST + 1))
BATCH = 50


@torch.inference_mode()
def crossing(
    name: str,
    network: Network,
    overlaps: Overlaps,
    images: int,
    values: Sequence[int] = VALUES,
) -> dict[str, Any]:
    """Measure a network while the second digit of each pair moves across the first.

    Args:
        name: one of `KNOBS`.
        network: that reads pairs.
        overlaps: the test pairs; what they are laid out like does not matter.
        images: how many of these to take; all if there are fewer.
        values: of the knob.

    Returns:
        For the card, by value: `accuracy`, the share of pairs of which both digits are
        read; the mean scores of the first digit's class, of the second's, of both, and
        of the highest; and, of a network with a decoder, `ink_given_right`, the mean
        over the pairs read right.
    """
    pairs = chosen_pairs(overlaps, images)
    axis = "right" if name == "crossing" else "down"
    points = [
        {"values": value, **_point(network, overlaps, pairs, {axis: value})}
        for value in values
    ]
    columns = {key: [point[key] for point in points] for key in points[0]}
    return {
        "knob": KNOBS[name],
        "images": len(pairs),
        "seed": SEED,
        "date": date.today().isoformat(),
        **columns,
    }


def chosen_pairs(overlaps: Overlaps, count: int) -> Tensor:
    """Return the digits of `count` pairs, the same for every network: (count, 2)."""
    if count >= len(overlaps):
        return overlaps.layout.digits
    return overlaps.layout.digits[chosen_indices(len(overlaps), count)]


def place_images(
    images: Tensor, canvas: Shape, right: int = 0, down: int = 0
) -> Tensor:
    """Place images in the middle of a canvas, and move them by whole pixels.

    Args:
        images: (count, channels, rows, columns).
        canvas: channels, rows and columns of the result.
        right: pixels; what leaves the canvas is lost.
        down: likewise.
    """
    top, left = (
        (room - size) // 2 + move
        for size, room, move in zip(
            images.shape[2:], canvas[1:], (down, right), strict=True
        )
    )
    bottom = canvas[1] - images.shape[2] - top
    after = canvas[2] - images.shape[3] - left
    return F.pad(images, (left, after, top, bottom))  # below 0 it crops


def _point(
    network: Network, overlaps: Overlaps, pairs: Tensor, shift: dict[str, int]
) -> dict[str, float | None]:
    digits = overlaps.digits
    figures: dict[str, list[Tensor]] = {}
    for some in pairs.split(BATCH):
        first, second = (digits.images[some[:, which]] for which in (0, 1))
        canvas = network.config.image_shape
        apart = torch.stack(
            [place_images(first, canvas), place_images(second, canvas, **shift)], dim=1
        )
        labels = digits.labels[some]
        for key, values in _measure(network, apart, labels).items():
            figures.setdefault(key, []).append(values)
    means = {key: torch.cat(values).double() for key, values in figures.items()}
    return {key: mean_of(values) for key, values in means.items()}


def _measure(network: Network, apart: Tensor, labels: Tensor) -> dict[str, Tensor]:
    """Return what is measured of each pair: (count,); NaN where it does not count."""
    trace = network(to_network(merge(apart)))
    classes = network.config.classes
    keep = torch.stack([multi_hot(labels[:, i], classes) for i in (0, 1)], dim=1)
    is_right = outrank(trace.scores, keep.sum(dim=1))
    true_scores = trace.scores.gather(1, labels)
    measured = {
        "accuracy": is_right.float(),
        "true_score": true_scores.mean(dim=1),
        "winner_score": trace.scores.amax(dim=1),
        "first_score": true_scores[:, 0],
        "second_score": true_scores[:, 1],
    }
    if not hasattr(network, "decoder"):
        return measured
    # The network's own two answers are decoded: of the pairs read right these are the
    # digits' classes, and the others do not count.
    drawn = network.decoder(trace.poses, keep).float()
    ink = given_right(to_network(apart), drawn)
    return {**measured, "ink_given_right": ink.where(is_right, torch.nan)}
