"""Image intake: converts any picture to the network's input."""

from capsnet_explorer.pictures.decoding.errors import (
    Damaged,
    Refusal,
    TooMuch,
    UnknownKind,
)
from capsnet_explorer.pictures.reading.errors import Busy, NoDigitFound, NoSuchPart
from capsnet_explorer.pictures.reading.photograph import read_photograph
from capsnet_explorer.pictures.reading.pipeline import read_digit
from capsnet_explorer.pictures.reading.placing import fitted
from capsnet_explorer.pictures.reading.report import Doubt, Found, Intake, Step
from capsnet_explorer.pictures.reading.settings import Box, Ink, Overrides, Used

__all__ = [
    "Box",
    "Busy",
    "Damaged",
    "Doubt",
    "Found",
    "Ink",
    "Intake",
    "NoDigitFound",
    "NoSuchPart",
    "Overrides",
    "Refusal",
    "Step",
    "TooMuch",
    "UnknownKind",
    "Used",
    "fitted",
    "read_digit",
    "read_photograph",
]
