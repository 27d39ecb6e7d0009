"""Image intake: converts any picture to the network's input."""

from capsnet_explorer.intake.candidates import read_lines
from capsnet_explorer.intake.doubts import pages_doubts
from capsnet_explorer.intake.errors import Busy, NoDigitFound, NoSuchPart
from capsnet_explorer.intake.number import Number, NumberDigit, number_of
from capsnet_explorer.intake.photograph import read_photograph
from capsnet_explorer.intake.pipeline import read_digit
from capsnet_explorer.intake.placing import fitted
from capsnet_explorer.intake.report import Doubt, Found, Intake, Step
from capsnet_explorer.intake.settings import Box, Ink, Overrides, Used
from capsnet_explorer.picture_files.errors import (
    Damaged,
    Refusal,
    TooMuch,
    UnknownKind,
)

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
    "Number",
    "NumberDigit",
    "Overrides",
    "Refusal",
    "Step",
    "TooMuch",
    "UnknownKind",
    "Used",
    "fitted",
    "number_of",
    "pages_doubts",
    "read_digit",
    "read_lines",
    "read_photograph",
]
