"""An architecture's settings: sizes, loss, presets. Does not import torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from model.recipe import PRESETS, TrainingConfig


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one architecture, as the command line offers them.

    Attributes:
        sizes: the frozen dataclass of a network's sizes; its defaults describe the
            network that the project trains. It has `image_size` and `classes`.
        loss: the frozen dataclass of the loss.
        sizes_help: help for each size that the command line offers, by field.
        loss_help: help for each setting of the loss, by field.
        presets: recipes to start from, by name.
        preset_losses: settings of the loss that a preset changes, by its name.
        default_preset: the preset used when none is named.
    """

    sizes: type
    loss: type
    sizes_help: Mapping[str, str]
    loss_help: Mapping[str, str]
    presets: Mapping[str, TrainingConfig] = field(default_factory=lambda: PRESETS)
    preset_losses: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    default_preset: str = "laptop"
