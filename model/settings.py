"""An architecture's settings: sizes, loss, presets. Does not import torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from capsnet_explorer.model.recipe import PRESETS, TrainingConfig
from capsnet_explorer.model.setting import Setting, setting, settings_in

Group = Literal["recipe", "network", "loss"]
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

    @property
    def shorter_side(self) -> int:
        """The rows or the columns of an image, whichever are fewer."""
        return min(self.image_rows, self.image_columns)

    def require_image(
        self, least: int, why: str, option: str = "", most: int = 0
    ) -> None:
        """Refuse images that are too small.

        Args:
            least: number of rows, and of columns.
            why: what would have no room.
            option: the one that makes room.
            most: what it may be; below 1, no option makes room.

        Raises:
            ValueError: says what is needed.
        """
        if self.shorter_side < least:
            raise ValueError(
                f"images of {self.image_rows}x{self.image_columns} pixels leave no "
                f"room for {why}: they must have at least {least}x{least}, "
                + (f"or {option} be {most} at most" if most >= 1 else "whatever else")
            )


def decoder(*hidden: int) -> Any:
    """Declare the sizes of a decoder's hidden layers."""
    return setting(
        hidden,
        "sizes of the decoder's two hidden layers",
        1,
        most=2048,
        title="hidden layers of the decoder",
    )


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
        presets: recipes to start from, by name.
        preset_losses: settings of the loss that a preset changes, by its name.
        preset_sizes: sizes that a preset changes, by its name.
        default_preset: the preset used when none is named.
        title: what people call such a network, in the middle of a sentence; empty takes
            its name.
    """

    sizes: type
    loss: type
    presets: Mapping[str, TrainingConfig] = field(default_factory=lambda: PRESETS)
    preset_losses: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    preset_sizes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    default_preset: str = "laptop"
    title: str = ""

    @property
    def groups(self) -> dict[Group, dict[str, Setting]]:
        """Every setting once, by its name, in groups."""
        sizes = settings_in(self.sizes)
        loss = settings_in(self.loss).items()
        return {
            "network": sizes,
            "loss": {name: setting for name, setting in loss if name not in sizes},
            "recipe": settings_in(TrainingConfig),
        }

    def changed(self, preset: str, changes: Mapping[str, Any]) -> "Changed":
        """Return what a preset and changes of some of its settings come to.

        Args:
            preset: name of one of the presets.
            changes: values by name; one that both sizes and loss have is for both.

        Raises:
            ValueError: the recipe cannot work.
        """

        def part(kind: type) -> dict[str, Any]:
            names = {field.name for field in fields(kind)}
            return {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in changes.items()
                if name in names
            }

        sizes = {**self.preset_sizes.get(preset, {}), **part(self.sizes)}
        loss = {**self.preset_losses.get(preset, {}), **part(self.loss)}
        training = replace(self.presets[preset], **part(TrainingConfig))
        return Changed(training, sizes, loss)

    def values(self, preset: str) -> dict[str, Any]:
        """Return every setting's value in a preset, by name."""
        changed = self.changed(preset, {})
        parts: dict[Group, Any] = {
            "network": self.sizes(**changed.sizes),
            "loss": self.loss(**changed.loss),
            "recipe": changed.training,
        }
        return {
            name: getattr(parts[group], name)
            for group, settings in self.groups.items()
            for name in settings
        }


@dataclass(frozen=True, slots=True)
class Changed:
    """A preset with changes.

    Attributes:
        training: the recipe.
        sizes: those that differ from the architecture's own.
        loss: settings of the loss that differ from the architecture's own.
    """

    training: TrainingConfig
    sizes: Mapping[str, Any]
    loss: Mapping[str, Any]
