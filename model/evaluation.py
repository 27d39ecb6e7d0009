"""What a network gets right and wrong, and how far its capsules reach."""

from dataclasses import dataclass

import torch
from torch import Tensor

from model.capsnet import CapsNet
from model.data import DigitImages, to_network

BATCH = 125  # images at a time: no more memory than a training step takes
RANGE_QUANTILES = (0.005, 0.995)  # of a pose number, over the images of its class


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured on one set of images.

    Attributes:
        confusion: (classes, classes) int64 counts; row: label, column: prediction.
        predictions: (count,) int64.
        labels: (count,) int64.
        reconstruction_mse: mean squared pixel difference, decoded from the longest.
        pose_ranges: (classes, digit_dim, 2), low and high of what each number of a
            class's capsule takes on images of that class that are read right.
        lengths: (count, classes) of the capsules.
    """

    confusion: Tensor
    predictions: Tensor
    labels: Tensor
    reconstruction_mse: float
    pose_ranges: Tensor
    lengths: Tensor

    @property
    def mistakes(self) -> Tensor:
        """Indices of the images read wrong: (mistakes,) int64."""
        return (self.predictions != self.labels).nonzero()[:, 0]

    @property
    def error(self) -> float:
        """Share of images read wrong, in [0, 1]."""
        return len(self.mistakes) / len(self.labels)

    @property
    def class_errors(self) -> list[float]:
        """Share read wrong among the images of each class; 0 where there is none."""
        total = self.confusion.sum(dim=1)
        wrong = total - self.confusion.diagonal()
        return (wrong / total.clamp(min=1)).tolist()


@torch.no_grad()
def evaluate(network: CapsNet, digits: DigitImages, device: torch.device) -> Evaluation:
    """Read every image once, in the network's own precision.

    Args:
        network: on `device`.
        digits: at least one image.
        device: where to compute.
    """
    capsules, lengths, squared = [], [], 0.0
    for images in digits.images.split(BATCH):
        pixels = to_network(images).to(device)
        trace = network(pixels)
        capsules.append(trace.capsules.cpu())
        lengths.append(trace.lengths.cpu())
        squared += (trace.reconstruction - pixels).square().sum().item()
    all_lengths, labels = torch.cat(lengths), digits.labels.cpu()
    predicted = all_lengths.argmax(dim=1)
    classes = network.config.classes
    return Evaluation(
        confusion=torch.bincount(
            classes * labels + predicted, minlength=classes**2
        ).unflatten(0, (classes, classes)),
        predictions=predicted,
        labels=labels,
        reconstruction_mse=squared / digits.images.numel(),
        pose_ranges=_pose_ranges(torch.cat(capsules), predicted, labels),
        lengths=all_lengths,
    )


def _pose_ranges(capsules: Tensor, predictions: Tensor, labels: Tensor) -> Tensor:
    classes, dim = capsules.shape[1:]
    ranges = torch.zeros(classes, dim, 2)
    for digit in range(classes):
        own = capsules[(labels == digit) & (predictions == digit), digit]
        if len(own):
            ranges[digit] = torch.quantile(own, torch.tensor(RANGE_QUANTILES), dim=0).T
    return ranges
