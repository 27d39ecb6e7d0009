"""Evaluation of a network: its mistakes, and the range of its poses."""

from dataclasses import dataclass

import torch
from torch import Tensor

from model.architecture import Meter, Network
from model.data.images import DigitImages, to_network

BATCH = 125  # images at a time; takes no more memory than a training step
RANGE_QUANTILES = (0.005, 0.995)  # of a pose component, over the images of its class


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation on one set of images.

    Attributes:
        confusion: (classes, classes) int64 counts; row: label, column: prediction.
        predictions: (count,) int64.
        labels: (count,) int64.
        reconstruction_mse: mean squared pixel difference, decoded from the predicted
            class; None without a decoder.
        pose_ranges: (classes, numbers, 2), low and high of each component of a class's
            pose, over the images of that class that are read right; None where classes
            have no poses.
        scores: (count, classes).
    """

    confusion: Tensor
    predictions: Tensor
    labels: Tensor
    reconstruction_mse: float | None
    pose_ranges: Tensor | None
    scores: Tensor

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
        """Share of each class's images that are read wrong; 0 for an empty class."""
        total = self.confusion.sum(dim=1)
        wrong = total - self.confusion.diagonal()
        return (wrong / total.clamp(min=1)).tolist()


@torch.no_grad()
def evaluate(
    network: Network,
    digits: DigitImages,
    device: torch.device,
    meter: Meter | None = None,
) -> Evaluation:
    """Run the network on every image once, in its own precision.

    Args:
        network: on `device`.
        digits: at least one image.
        device: where to compute.
        meter: also given each batch's trace.
    """
    scores, poses, squared = [], [], []
    for images in digits.images.split(BATCH):
        pixels = to_network(images).to(device)
        trace = network(pixels)
        scores.append(trace.scores.cpu())
        if meter is not None:
            meter.add(trace)
        if trace.poses is not None:
            poses.append(trace.poses.cpu())
        if trace.reconstruction is not None:
            squared.append((trace.reconstruction - pixels).square().sum().item())
    all_scores, labels = torch.cat(scores), digits.labels.cpu()
    predicted = all_scores.argmax(dim=1)
    classes = network.config.classes
    return Evaluation(
        confusion=torch.bincount(
            classes * labels + predicted, minlength=classes**2
        ).unflatten(0, (classes, classes)),
        predictions=predicted,
        labels=labels,
        reconstruction_mse=sum(squared) / digits.images.numel() if squared else None,
        pose_ranges=(
            _pose_ranges(torch.cat(poses), predicted, labels) if poses else None
        ),
        scores=all_scores,
    )


def _pose_ranges(poses: Tensor, predictions: Tensor, labels: Tensor) -> Tensor:
    classes, dim = poses.shape[1:]
    ranges = torch.zeros(classes, dim, 2)
    for digit in range(classes):
        own = poses[(labels == digit) & (predictions == digit), digit]
        if len(own):
            ranges[digit] = torch.quantile(own, torch.tensor(RANGE_QUANTILES), dim=0).T
    return ranges
