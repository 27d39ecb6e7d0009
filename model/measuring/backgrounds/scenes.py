"""Pictures of outlined objects, and the same objects before other backgrounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from capsnet_explorer.dataset_files.outlines import Outline, outlined
from capsnet_explorer.model.data.images import LabelledImages, to_network

GREY = 0.5


@dataclass(frozen=True, slots=True)
class Scenes:
    """Pictures of one object each, class by class.

    Attributes:
        pictures: (images, channels, rows, columns) in [0, 1].
        is_object: (images, 1, rows, columns) bool, which pixels the object covers.
        labels: (images,) int64.
        of_each: how many images each class has.
    """

    pictures: Tensor
    is_object: Tensor
    labels: Tensor
    of_each: int

    @classmethod
    def found(
        cls,
        test: LabelledImages,
        class_names: Sequence[str],
        outlines: Mapping[str, Sequence[Outline]],
    ) -> Self:
        """Find the outlined ones among the test images.

        Raises:
            ValueError: one is not there.
        """
        places, masks = outlined(
            test.images.numpy(), test.labels.numpy(), class_names, outlines
        )
        flat = torch.from_numpy(places).flatten()
        return cls(
            to_network(test.images[flat]),
            torch.from_numpy(masks).flatten(0, 1)[:, None],
            test.labels[flat],
            places.shape[1],
        )

    @property
    def background_colours(self) -> Tensor:
        """The mean colour of each background: (images, channels, 1, 1)."""
        share = ~self.is_object / (~self.is_object).sum(dim=(2, 3), keepdim=True)
        return (self.pictures * share).sum(dim=(2, 3), keepdim=True)

    def on(self, background: Tensor | float) -> Tensor:
        """Return the objects before something else, as (images, …) pictures."""
        return torch.where(self.is_object, self.pictures, background)

    @property
    def backgrounds(self) -> Tensor:
        """The pictures with their objects in the background's mean colour."""
        return torch.where(self.is_object, self.background_colours, self.pictures)

    @property
    def changed(self) -> dict[str, Tensor]:
        """The pictures as they are, and with one part painted over."""
        return {
            "as_they_are": self.pictures,
            "mean_background": self.on(self.background_colours),
            "grey_background": self.on(GREY),
            "without_object": self.backgrounds,
        }

    @property
    def exchanged(self) -> Iterator[tuple[Tensor, Tensor]]:
        """The objects before the backgrounds of each other class, one at a time.

        The first object of a class stands before the background of the first image of
        the other class, the second before that of the second, and so on.

        Yields:
            The pictures, and the labels of their backgrounds.
        """
        backgrounds = self.backgrounds
        for places in range(self.of_each, len(self.labels), self.of_each):
            yield self.on(backgrounds.roll(places, 0)), self.labels.roll(places)
