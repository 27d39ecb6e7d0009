"""The meanings of every class's pose numbers, for the card."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measuring.evaluation import BATCH, RANGE_QUANTILES
from capsnet_explorer.model.measuring.meanings import (
    MIN_CORRELATION,
    MIN_LEAD,
    MIN_UNITS,
    STEPS,
    Meaning,
    meanings,
)
from capsnet_explorer.model.measuring.moving import UNITS
from capsnet_explorer.model.measuring.shapes import Pictures

SWEPT = 100  # images of a class, at most, whose poses are moved
LEAST = 10  # images of a class that must be read right
DECIMALS = 3


def measure_meanings(
    network: Network, test: LabelledImages, ranges: list[Any] | None
) -> dict[str, Any]:
    """Measure what each number of each class's pose means.

    Of each class the first images are taken, without those that the network misreads.

    Args:
        network: with a decoder, on the CPU.
        test: the images to measure on.
        ranges: [class][number] -> low, high, as on the card; None takes those of the
            poses measured.

    Returns:
        For the card: `meanings`, with the rule, and of each class its `numbers`, or
        None where too few images are read right.

    Raises:
        ValueError: the network has no poses.
    """
    entries: list[dict[str, Any] | None] = []
    for label, poses in enumerate(right_poses(network, test, SWEPT)):
        if len(poses) < LEAST:
            entries.append(None)
            continue
        ends = (
            np.quantile(poses, RANGE_QUANTILES, axis=0).T
            if ranges is None
            else np.array(ranges[label])
        )
        numbers = meanings(partial(_decode, network, label), poses, ends)
        entries.append({"numbers": [_round(number) for number in numbers]})
    rule = {"correlation": MIN_CORRELATION, "units": MIN_UNITS, "lead": MIN_LEAD}
    settings = {"images": SWEPT, "steps": STEPS, "units": UNITS, "rule": rule}
    return {"meanings": {**settings, "classes": entries}}


@torch.no_grad()
def right_poses(
    network: Network, labelled: LabelledImages, count: int
) -> Iterator[NDArray[np.floating]]:
    """Yield each class's poses: (up to count, numbers), of images read right.

    Raises:
        ValueError: the network has no poses.
    """
    blank = network(torch.zeros(1, *network.config.image_shape)).poses
    if blank is None:
        raise ValueError("meanings need a network whose classes have poses")
    for label in range(network.config.classes):
        indexes = (labelled.labels == label).nonzero()[:count, 0]
        poses = [blank[:0, label]]
        for places in indexes.split(BATCH):
            trace = network(to_network(labelled.images[places]))
            poses.append(trace.poses[trace.scores.argmax(dim=1) == label, label])
        yield torch.cat(poses).numpy()


@torch.no_grad()
def _decode(network: Network, label: int, poses: NDArray[np.floating]) -> Pictures:
    drawn = network.decode(label, torch.tensor(poses, dtype=torch.float32))
    return drawn.mean(dim=1).numpy()  # shapes are those of grey pictures


def _round(meaning: Meaning) -> dict[str, Any]:
    return {
        name: round(value, DECIMALS) if isinstance(value, float) else value
        for name, value in asdict(meaning).items()
    }
