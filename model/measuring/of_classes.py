"""The meanings of every class's pose numbers, for the card and the measured file."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measuring.evaluation import BATCH, RANGE_QUANTILES
from capsnet_explorer.model.measuring.meanings import (
    MIN_CORRELATION,
    MIN_LEAD,
    MIN_UNITS,
    MOVABLE,
    STEPS,
    Directions,
    Meaning,
    Truth,
    directions,
    meanings,
    truths,
)
from capsnet_explorer.model.measuring.moving import UNITS
from capsnet_explorer.model.measuring.shapes import Pictures

SWEPT = 100  # images of a class, at most, whose poses are moved
TAUGHT = 40  # training images of a class, at most, from which directions are found
LEAST = 10  # images of a class that must be read right
DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured.

    Attributes:
        figures: for the card.
        tensors: for the measured file, in the order of `MOVABLE`: `poses.ways` and
            `poses.slopes` (classes, properties, numbers). Zero where a class lacks
            them.
    """

    figures: dict[str, Any]
    tensors: dict[str, Tensor]


def measure_meanings(
    network: Network,
    test: LabelledImages,
    training: LabelledImages,
    ranges: list[Any] | None,
) -> Measured:
    """Measure what each number of each class's pose means.

    Meanings and the truth about directions come from test images, directions
    themselves from training images. Of each class the first images are taken, without
    those that the network misreads.

    Args:
        network: with a decoder, on the CPU.
        test: the images to measure on.
        training: images to find directions on.
        ranges: [class][number] -> low, high, as on the card; None takes those of the
            poses measured.

    Raises:
        ValueError: the network has no poses.
    """
    taught = dict(enumerate(right_poses(network, training, TAUGHT)))
    entries: list[dict[str, Any] | None] = []
    tensors: dict[str, list[NDArray[np.floating]]] = {}
    for label, poses in enumerate(right_poses(network, test, SWEPT)):
        decode = partial(_decoded, network, label)
        found = None
        if min(len(poses), len(taught[label])) >= LEAST:
            found = directions(decode, taught[label])
            ends = _quantiles(poses) if ranges is None else np.array(ranges[label])
            entries.append(
                {
                    "numbers": [_rounded(x) for x in meanings(decode, poses, ends)],
                    "along": [_rounded(x) for x in truths(decode, poses, found)],
                }
            )
        else:
            entries.append(None)
        for name, values in _tensors_of(poses.shape[1], found).items():
            tensors.setdefault(name, []).append(values)
    return Measured(
        {"meanings": {**_settings(), "classes": entries}},
        {
            f"poses.{name}": torch.from_numpy(np.stack(values)).float()
            for name, values in tensors.items()
        },
    )


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
        own = (labelled.labels == label).nonzero()[:count, 0]
        found = [blank[:0, label]]
        for places in own.split(BATCH):
            trace = network(to_network(labelled.images[places]))
            found.append(trace.poses[trace.scores.argmax(dim=1) == label, label])
        yield torch.cat(found).numpy()


@torch.no_grad()
def _decoded(network: Network, label: int, poses: NDArray[np.floating]) -> Pictures:
    drawn = network.decode(label, torch.tensor(poses, dtype=torch.float32))
    return drawn.mean(dim=1).numpy()  # shapes are those of grey pictures


def _quantiles(poses: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.quantile(poses, RANGE_QUANTILES, axis=0).T


def _settings() -> dict[str, Any]:
    return {
        "images": SWEPT,
        "taught": TAUGHT,
        "steps": STEPS,
        "units": UNITS,
        "rule": {
            "correlation": MIN_CORRELATION,
            "units": MIN_UNITS,
            "lead": MIN_LEAD,
        },
        "movable": list(MOVABLE),
    }


def _rounded(found: Meaning | Truth) -> dict[str, Any]:
    return {
        name: round(value, DECIMALS) if isinstance(value, float) else value
        for name, value in asdict(found).items()
    }


def _tensors_of(
    numbers: int, found: Directions | None
) -> dict[str, NDArray[np.floating]]:
    ways, slopes = (np.zeros((len(MOVABLE), numbers)) for _ in range(2))
    if found is not None:
        rows = [MOVABLE.index(name) for name in found.properties]
        ways[rows], slopes[rows] = found.ways, found.slopes
    return {"ways": ways, "slopes": slopes}
