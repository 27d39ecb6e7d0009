"""Image intake: any picture of a handwritten digit into the network's form."""

from app.intake.errors import (
    ImageTooLarge,
    IntakeError,
    NoDigitFound,
    UnreadableImage,
)
from app.intake.pipeline import read_digit
from app.intake.report import Intake, Step

__all__ = [
    "ImageTooLarge",
    "Intake",
    "IntakeError",
    "NoDigitFound",
    "Step",
    "UnreadableImage",
    "read_digit",
]
