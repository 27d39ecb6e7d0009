"""Which numbers of a class's pose follow when the image is shifted or turned.

The encoder is asked, not the decoder: an image is moved by known amounts, and each
number of its class's pose is compared with them, image by image.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.laboratory.changes import Change, changed
from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measuring.evaluation import BATCH

IMAGES = 30  # of a class, at most
LEAST = 10  # images of a class that must be read right
DECIMALS = 3
TINY = 1e-9

# How far the image is moved: x and y in pixels to the right and down, turn in degrees
# clockwise.
AMOUNTS = {
    "x": (-3, -2, -1, 0, 1, 2, 3),
    "y": (-3, -2, -1, 0, 1, 2, 3),
    "turn": (-30, -20, -10, 0, 10, 20, 30),
}


@dataclass(frozen=True, slots=True)
class Following:
    """How the numbers of a class's pose follow one kind of move.

    Attributes:
        correlation: (numbers,) in [-1, 1], of number and amount over the moves of one
            image; the median over the images.
        slope: (numbers,), change of the number for each pixel or degree, the
            least-squares line of one image; the median over the images.
    """

    correlation: Tensor
    slope: Tensor


@torch.no_grad()
def measure_following(network: Network, labelled: LabelledImages) -> dict[str, Any]:
    """Measure how each class's pose follows shifts and turns, for the card.

    Of each class the first images are taken, without those that the network misreads
    before they are moved. A moved image keeps the pose of its own class, whatever the
    network then reads.

    Args:
        network: in evaluation mode, on the CPU.
        labelled: the images to measure on.

    Returns:
        `following`: `images`, most of a class; `amounts` as above; `right`, for each
        move the share of moved images that are still read right; `classes`, for each
        class None with too few images, else its `images` and for each move the
        `correlation` and the `slope` of each number; `all`, the same over all images.

    Raises:
        ValueError: the network has no poses.
    """
    taken = _read_right(network, labelled)
    counts = torch.bincount(taken.labels, minlength=network.config.classes)
    found: dict[str, tuple[Tensor, Tensor]] = {}
    right: dict[str, float] = {}
    for move, amounts in AMOUNTS.items():
        poses, share = _moved_poses(network, taken, move, amounts)
        found[move] = follow(torch.tensor(amounts).float(), poses)
        right[move] = round(share, DECIMALS)

    def entry(which: Tensor) -> dict[str, Any] | None:
        if int(which.sum()) < LEAST:
            return None
        return {
            "images": int(which.sum()),
            **{
                move: _rounded(_medians(correlation[which], slope[which]))
                for move, (correlation, slope) in found.items()
            },
        }

    return {
        "following": {
            "images": IMAGES,
            "amounts": {move: list(amounts) for move, amounts in AMOUNTS.items()},
            "right": right,
            "classes": [entry(taken.labels == label) for label in range(len(counts))],
            "all": entry(torch.ones_like(taken.labels, dtype=torch.bool)),
        }
    }


def moved(images: Tensor, move: str, amount: float) -> Tensor:
    """Move images about their middle; what leaves them is lost.

    Args:
        images: (batch, channels, rows, columns) in [0, 1].
        move: one of `AMOUNTS`.
        amount: pixels to the right or down, or degrees clockwise.
    """
    change = _MOVES[move](amount)
    return torch.stack(
        [
            torch.from_numpy(changed(image, [change])[0]).to(images)
            for image in images.numpy()
        ]
    )


_MOVES: dict[str, Callable[[float], Change]] = {
    "x": lambda pixels: Change(shift=(pixels, 0)),
    "y": lambda pixels: Change(shift=(0, pixels)),
    "turn": lambda degrees: Change(rotate=-degrees),
}


def follow(amounts: Tensor, poses: Tensor) -> tuple[Tensor, Tensor]:
    """Compare each number of each image's poses with how far the image was moved.

    Args:
        amounts: (steps,), not all equal.
        poses: (images, steps, numbers).

    Returns:
        Correlations in [-1, 1] and least-squares slopes: (images, numbers) each. Both
        are 0 for a number that does not change.
    """
    along = (amounts - amounts.mean())[:, None]
    up = poses - poses.mean(dim=1, keepdim=True)
    products = (along * up).sum(dim=1)
    squares = along.square().sum()
    spread = (squares * up.square().sum(dim=1)).sqrt()
    return torch.where(spread > TINY, products / spread, 0.0), products / squares


def _medians(correlation: Tensor, slope: Tensor) -> Following:
    half = torch.tensor(0.5)
    return Following(correlation.quantile(half, 0), slope.quantile(half, 0))


def _rounded(found: Following) -> dict[str, list[float]]:
    return {
        "correlation": [
            round(each, DECIMALS) + 0.0 for each in found.correlation.tolist()
        ],
        "slope": [round(each, DECIMALS + 2) + 0.0 for each in found.slope.tolist()],
    }


def _read_right(network: Network, labelled: LabelledImages) -> LabelledImages:
    """Return the first images of each class, those that are read right."""
    places = torch.cat(
        [
            (labelled.labels == label).nonzero()[:IMAGES, 0]
            for label in range(network.config.classes)
        ]
    )
    images, labels = labelled.images[places], labelled.labels[places]
    is_right = _read(network, to_network(images), labels)[1]
    return LabelledImages(images[is_right], labels[is_right])


def _moved_poses(
    network: Network, labelled: LabelledImages, move: str, amounts: tuple[int, ...]
) -> tuple[Tensor, float]:
    """Return poses (images, steps, numbers) and the share of images read right."""
    images = to_network(labelled.images)
    steps = [
        _read(network, moved(images, move, amount), labelled.labels)
        for amount in amounts
    ]
    right = torch.stack([is_right for _, is_right in steps]).float()
    share = float(right.mean()) if right.numel() else 0.0
    return torch.stack([poses for poses, _ in steps], dim=1), share


def _read(network: Network, images: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return the poses of each image's own class, and whether it is read right.

    Raises:
        ValueError: the network has no poses.
    """
    poses, right = [], []
    batches = zip(images.split(BATCH), labels.split(BATCH), strict=True)
    for some, own in batches:
        trace = network(some)
        if trace.poses is None:
            raise ValueError("following needs a network whose classes have poses")
        poses.append(trace.poses[torch.arange(len(own)), own])
        right.append(trace.scores.argmax(dim=1) == own)
    return torch.cat(poses), torch.cat(right)
