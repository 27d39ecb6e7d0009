"""An architecture's settings: sizes, loss, presets. Does not import torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from capsnet_explorer.model.recipe import PRESETS, TrainingConfig

Shape = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ImageSizes:
    """The sizes of a network that follow from its data.

    Attributes:
        image_channels: channels of an image; 1 is grey.
        image_rows: rows of an image, in pixels.
        image_columns: columns of an image, in pixels.
        classes: number of classes.
    """

    image_channels: int = 1
    image_rows: int = 28
    image_columns: int = 28
    classes: int = 10

    @property
    def image_shape(self) -> Shape:
        """Channels, rows and columns of an image."""
        return self.image_channels, self.image_rows, self.image_columns

    def require_whole(self, *but: str) -> None:
        """Refuse sizes that are not whole numbers from 1.

        Args:
            but: fields that are no sizes.

        Raises:
            ValueError: names the field.
        """
        for name in (each.name for each in fields(self)):
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                if name in but:
                    continue
                if not isinstance(number, int) or isinstance(number, bool):
                    raise ValueError(f"{name} must be a whole number, got {number!r}")
                if number < 1:
                    raise ValueError(f"{name} must be at least 1, got {number}")

    def require_image(self, rows: int, columns: int, why: str) -> None:
        """Refuse images that are too small.

        Args:
            rows: least number of them.
            columns: least number of them.
            why: what would have no room.

        Raises:
            ValueError: says what is needed.
        """
        if self.image_rows < rows or self.image_columns < columns:
            raise ValueError(
                f"images of {self.image_rows}x{self.image_columns} pixels leave no "
                f"room for {why}: they must have at least {rows}x{columns}"
            )


def require_decoder(sizes: Any) -> None:
    """Refuse sizes of a decoder's hidden layers that are not two.

    Raises:
        ValueError: says what came.
    """
    if not isinstance(sizes, tuple) or len(sizes) != 2:
        raise ValueError(f"decoder_hidden must be two sizes, got {sizes}")


def with_image_shape(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return recorded sizes by the names of today.

    Cards and checkpoints of grey, square images used to record their side alone, as
    `image_size`.
    """
    sizes = {**recorded}
    if "image_size" in sizes:
        side = sizes.pop("image_size")
        sizes |= {"image_channels": 1, "image_rows": side, "image_columns": side}
    return sizes


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one architecture, as the command line offers them.

    Attributes:
        sizes: the frozen dataclass of a network's sizes; its defaults describe the
            network that the project trains. It extends `ImageSizes`.
        loss: the frozen dataclass of the loss.
        sizes_help: help for each size that the command line offers, by field.
        loss_help: help for each setting of the loss, by field.
        choices: the words that a setting can be, by field.
        presets: recipes to start from, by name.
        preset_losses: settings of the loss that a preset changes, by its name.
        preset_sizes: sizes that a preset changes, by its name.
        default_preset: the preset used when none is named.
        title: what people call such a network, in the middle of a sentence; empty takes
            its name.
    """

    sizes: type
    loss: type
    sizes_help: Mapping[str, str]
    loss_help: Mapping[str, str]
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    presets: Mapping[str, TrainingConfig] = field(default_factory=lambda: PRESETS)
    preset_losses: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    preset_sizes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    default_preset: str = "laptop"
    title: str = ""
