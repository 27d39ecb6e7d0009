"""A network to measure: where its images are from, and where figures go."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from capsnet_explorer.datasets.catalogue import Dataset, dataset_of
from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.weights import Trained, add_to_card


@dataclass(frozen=True, slots=True)
class Task:
    """A network to measure, and what with.

    Attributes:
        path: the weight file; its card is written anew.
        trained: its network and card.
        data: the folder of the data sets.
        most: how many images to change, or to differentiate; all if there are fewer.
        device: where to compute what takes long.
    """

    path: Path
    trained: Trained
    data: Path
    most: int
    device: torch.device

    @property
    def architecture(self) -> Architecture:
        """The kind of network."""
        return self.trained.architecture

    @property
    def network(self) -> Network:
        """The network."""
        return self.trained.network

    @property
    def dataset(self) -> Dataset:
        """What it has learned to read."""
        return dataset_of(self.trained.card)

    def images(self, *, one_class: bool = True) -> LabelledImages:
        """Read the test images.

        Args:
            one_class: whether each must show a single class.

        Raises:
            DataError: they are missing, damaged or of another kind.
        """
        return load_part(self.dataset, self.data, train=False, one_class=one_class)

    def pairs(self, what: str) -> Overlaps | None:
        """Read the test images of two digits; say who has none of them."""
        images = self.images(one_class=False)
        if isinstance(images, Overlaps):
            return images
        return self.pass_over(f"{what} measured for networks that read two digits")

    def pass_over(self, why: str) -> None:
        """Say why it is not measured."""
        print(f"{self.path}: {why}", file=sys.stderr)

    def keep(self, figures: dict[str, Any], *lines: str) -> None:
        """Write figures into the card, and print what they say."""
        add_to_card(self.path, figures)
        for line in lines:
            print(f"{self.path}: {line}")
