"""Image intake: converts any picture of a handwritten digit to the network's input."""

from app.intake.errors import (
    DamagedImage,
    ImageTooLarge,
    IntakeError,
    NoDigitFound,
    NoSuchPart,
    UnreadableImage,
)
from app.intake.pipeline import read_digit
from app.intake.placing import fitted
from app.intake.report import Doubt, Found, Intake, Step
from app.intake.settings import Box, Ink, Overrides, Used

__all__ = [
    "Box",
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
]
