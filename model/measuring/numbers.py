"""The numbers of each class over its whole test set, and what each of them follows."""

from datetime import date
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measuring.atlas import Measured, principal
from capsnet_explorer.model.measuring.disentanglement import (
    LEVEL,
    RESAMPLES,
    SEED,
    TURNS,
    Coded,
    measured_indices,
)
from capsnet_explorer.model.measuring.evaluation import BATCH
from capsnet_explorer.model.measuring.shapes import measured_shapes

PREFIX = "numbers."
COMPONENTS = 16  # of longer codes, as many as a capsule's pose has
MOST_LEVELS = 254  # of a value, in one unsigned byte; the last stands for none
NONE = 255
LEAST = 100  # images of each class; indices of fewer are chance

# What is told of each picture. Where the ink lies is left out: MNIST's digits are
# centred on it.
PROPERTIES = (
    *("thickness", "slant", "width", "height", "ink"),
    *("bow", "loops", "head", "foot"),
)
# Those that every digit has, and of which none is made of others as ink is.
JUDGED = ("thickness", "slant", "width", "height", "bow")

Values = NDArray[np.float64]


def measure_numbers(
    architecture: Architecture, network: Network, labelled: LabelledImages
) -> Measured:
    """Measure which numbers a network gives each test image, and what they follow.

    An image's numbers are those of its own class, whatever is read: the pose, or the
    first principal components of a longer code over the images of the class.

    Args:
        architecture: the network's.
        network: in evaluation mode, on the CPU.
        labelled: the test images, each of one class.

    Returns:
        The card's `numbers`, and the tensors `numbers.values` (images, numbers), with
        `numbers.low` and `numbers.step` (classes, numbers) of their levels, and
        `numbers.properties` (images, properties) with `numbers.properties_low` and
        `numbers.properties_step` (properties,); 255 stands for none.

    Raises:
        ValueError: images show several classes, or have no shapes to measure.
    """
    if labelled.labels.ndim > 1:
        raise ValueError("numbers of a class need images of one class each")
    codes = read_codes(architecture, network, labelled)
    labels = labelled.labels.numpy()
    classes = network.config.classes
    pixels = to_network(labelled.images).mean(dim=1).numpy()
    shapes = measured_properties(pixels)
    numbers = [components(codes[labels == each]) for each in range(classes)]
    size = numbers[0].shape[1]
    values = np.zeros((len(labels), size))
    for label, own in enumerate(numbers):
        values[labels == label] = own
    levels, low, step = _leveled_by_class(values, labels, classes)
    of_shapes, shape_low, shape_step = leveled(shapes)
    entry = {
        "of": architecture.code_title,
        "numbers": codes.shape[1],
        "shown": size,
        "images": len(labels),
        "properties": list(PROPERTIES),
        "date": date.today().isoformat(),
    }
    least = min(int((labels == each).sum()) for each in range(classes))
    if least >= LEAST and np.isfinite(shapes).all():
        flat = pixels.reshape(len(pixels), -1).astype(np.float64)
        entry["indices"] = _indices(values, flat, shapes, labels, classes)
    return Measured(
        {"numbers": entry},
        {
            PREFIX + name: torch.from_numpy(found)
            for name, found in {
                "values": levels,
                "low": low.astype(np.float32),
                "step": step.astype(np.float32),
                "properties": of_shapes,
                "properties_low": shape_low.astype(np.float32),
                "properties_step": shape_step.astype(np.float32),
            }.items()
        },
    )


def _indices(
    values: Values, pixels: Values, shapes: Values, labels: NDArray[Any], classes: int
) -> dict[str, Any]:
    """Return the card's entry on the indices: of the numbers, and of what else."""
    judged = shapes[:, [PROPERTIES.index(name) for name in JUDGED]]

    def of(numbers_of: Any) -> dict[str, Any]:
        coded = [
            Coded(numbers_of(labels == each), judged[labels == each])
            for each in range(classes)
        ]
        return measured_indices(coded)

    return {
        "properties": list(JUDGED),
        "resamples": RESAMPLES,
        "turns": TURNS,
        "level": LEVEL,
        "seed": SEED,
        "numbers": of(lambda own: values[own]),
        "pixels": of(lambda own: components(pixels[own])),
        "properties_themselves": of(lambda own: judged[own]),
    }


@torch.no_grad()
def read_codes(
    architecture: Architecture, network: Network, labelled: LabelledImages
) -> Values:
    """Return `Architecture.code` of every image: (images, numbers)."""
    found: list[Tensor] = []
    for images, labels in zip(
        labelled.images.split(BATCH), labelled.labels.split(BATCH), strict=True
    ):
        found.append(architecture.code(network(to_network(images)), labels))
    return torch.cat(found).double().numpy()


def measured_properties(pixels: NDArray[np.float32]) -> Values:
    """Return (images, properties): `shapes.measured_shapes`, and the ink in px.

    Args:
        pixels: (images, rows, columns) in [0, 1].
    """
    parts = [
        {**measured_shapes(some), "ink": some.sum(axis=(1, 2))}
        for some in np.array_split(pixels, max(1, len(pixels) // 1000))
    ]
    return np.stack(
        [np.concatenate([part[name] for part in parts]) for name in PROPERTIES], axis=1
    ).astype(np.float64)


def components(codes: Values) -> Values:
    """Return the codes of a class, or the first principal components of longer ones."""
    if codes.shape[1] <= COMPONENTS or len(codes) == 0:
        return codes[:, :COMPONENTS]
    return principal(codes, COMPONENTS)[0]


def leveled(values: Values) -> tuple[NDArray[np.uint8], Values, Values]:
    """Return values (count, columns) as bytes, and each column's low end and step.

    What is not finite becomes `NONE`.
    """
    finite = np.isfinite(values)
    low = np.where(finite, values, np.inf).min(axis=0, initial=np.inf)
    high = np.where(finite, values, -np.inf).max(axis=0, initial=-np.inf)
    is_there = finite.any(axis=0)
    low, high = np.where(is_there, low, 0), np.where(is_there, high, 0)
    step = np.maximum(high - low, 1e-12) / MOST_LEVELS
    levels = np.rint((np.where(finite, values, low) - low) / step)
    return np.where(finite, levels, NONE).astype(np.uint8), low, step


def _leveled_by_class(
    values: Values, labels: NDArray[Any], classes: int
) -> tuple[NDArray[np.uint8], Values, Values]:
    levels = np.zeros(values.shape, np.uint8)
    lows, steps = (np.zeros((classes, values.shape[1])) for _ in range(2))
    for label in range(classes):
        own = labels == label
        levels[own], lows[label], steps[label] = leveled(values[own])
    return levels, lows, steps
