"""Image intake: converts any picture to the network's input."""

from intake.errors import (
    Busy,
    DamagedImage,
    ImageTooLarge,
    IntakeError,
    NoDigitFound,
    NoSuchPart,
    UnreadableImage,
)
from intake.photograph import read_photograph
from intake.pipeline import read_digit
from intake.placing import fitted
from intake.report import Doubt, Found, Intake, Step
from intake.settings import Box, Ink, Overrides, Used

__all__ = [
    "Box",
    "Busy",
    "DamagedImage",
    "Doubt",
    "Found",
    "ImageTooLarge",
    "Ink",
    "Intake",
    "IntakeError",
    "NoDigitFound",
    "NoSuchPart",
    "Overrides",
    "Step",
    "UnreadableImage",
    "Used",
    "fitted",
    "read_digit",
    "read_photograph",
]
