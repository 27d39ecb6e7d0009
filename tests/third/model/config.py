"""The settings of the smallest network that can be explored."""

from dataclasses import dataclass

from capsnet_explorer.model.settings import ImageSizes, Settings


@dataclass(frozen=True, slots=True)
class LinearConfig(ImageSizes):
    """Sizes of a linear classifier."""

    image_rows: int = 12
    image_columns: int = 12
    classes: int = 3


@dataclass(frozen=True, slots=True)
class LossConfig:
    """Cross entropy, which has no settings."""


SETTINGS = Settings(sizes=LinearConfig, loss=LossConfig)
