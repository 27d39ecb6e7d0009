"""Evaluation of a network: its mistakes, and the range of its poses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Meter, Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.presence import ONE_CLASS, Presence, multi_hot

BATCH = 125  # images at a time; takes no more memory than a training step
RANGE_QUANTILES = (0.005, 0.995)  # of a pose component, over the images of its class


@dataclass(frozen=True)
class Evaluation:
    """The evaluation on one set of images.

    Attributes:
        labels: of the images, as `LabelledImages` has them.
        scores: (count, classes).
        reconstruction_mse: mean squared pixel difference, decoded from the predicted
            class; None without a decoder, and for digits on top of each other.
        pose_ranges: (classes, numbers, 2), low and high of each component of a class's
            pose, over the images of that class that are read right; None where classes
            have no poses.
        rule: for the classes that an answer names.
    """

    labels: Tensor
    scores: Tensor
    reconstruction_mse: float | None = None
    pose_ranges: Tensor | None = None
    rule: Presence = ONE_CLASS

    @cached_property
    def predictions(self) -> Tensor:
        """The class with the highest score: (count,) int64."""
        return self.scores.argmax(dim=1)

    @cached_property
    def present(self) -> Tensor:
        """The classes that images show: (count, classes) bool."""
        return multi_hot(self.labels, self.scores.shape[1]) > 0

    @cached_property
    def named(self) -> Tensor:
        """The classes that answers name: (count, classes) bool."""
        return self.rule.among(self.scores)

    @property
    def mistakes(self) -> Tensor:
        """Indices of the images read wrong: (mistakes,) int64.

        An image is read right if the answer names the classes present, and no other.
        """
        return (self.named != self.present).any(dim=1).nonzero()[:, 0]

    @property
    def error(self) -> float:
        """Share of images read wrong, in [0, 1]."""
        return len(self.mistakes) / len(self.labels)

    @property
    def class_errors(self) -> list[float]:
        """Share of each class's images whose answer lacks it; 0 for an empty class."""
        missed = (self.present & ~self.named).sum(dim=0)
        return (missed / self.present.sum(dim=0).clamp(min=1)).tolist()


@torch.no_grad()
def evaluate(
    network: Network,
    labelled: LabelledImages,
    device: torch.device,
    meters: Sequence[Meter] = (),
    rule: Presence = ONE_CLASS,
) -> Evaluation:
    """Run the network on every image once, in its own precision.

    Args:
        network: on `device`.
        labelled: at least one image.
        device: where to compute.
        meters: also given each batch's trace.
        rule: for the classes that an answer names.
    """
    scores, poses, squared = [], [], []
    for images in labelled.images.split(BATCH):
        pixels = to_network(images).to(device)
        trace = network(pixels)
        scores.append(trace.scores.cpu())
        for meter in meters:
            meter.add(trace)
        if trace.poses is not None:
            poses.append(trace.poses.cpu())
        # Of two digits, each has a reconstruction of its own: `OwnershipMeter`.
        if trace.reconstruction is not None and not isinstance(labelled, Overlaps):
            squared.append((trace.reconstruction - pixels).square().sum().item())
    evaluation = Evaluation(
        labelled.labels.cpu(),
        torch.cat(scores),
        sum(squared) / labelled.images.numel() if squared else None,
        rule=rule,
    )
    if not poses:
        return evaluation
    ranges = _pose_ranges(torch.cat(poses), evaluation.present & evaluation.named)
    return replace(evaluation, pose_ranges=ranges)


def _pose_ranges(poses: Tensor, is_found: Tensor) -> Tensor:
    classes, dim = poses.shape[1:]
    ranges = torch.zeros(classes, dim, 2)
    for label in range(classes):
        rows = poses[is_found[:, label], label]
        if len(rows):
            ranges[label] = torch.quantile(rows, torch.tensor(RANGE_QUANTILES), dim=0).T
    return ranges
