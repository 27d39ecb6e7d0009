"""A contact sheet of misread pictures."""

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageOps

from benchmarks.intake.reading import Reading

SIDE = 168  # px of each picture; six for each pixel of the network's image
CAPTION = 16  # px
ACROSS = 5
MARGIN = 8  # px


def save_sheet(path: Path, readings: list[Reading]) -> None:
    """Save pictures, each with the intake's result and the digit read."""
    cell = (2 * SIDE + MARGIN, SIDE + CAPTION + MARGIN)
    rows = max(1, -(-len(readings) // ACROSS))
    sheet = Image.new("RGB", (ACROSS * cell[0], rows * cell[1]), "grey")
    draw = ImageDraw.Draw(sheet)
    for number, reading in enumerate(readings):
        left, top = number % ACROSS * cell[0], number // ACROSS * cell[1]
        sheet.paste(_picture(reading.file), (left, top))
        if reading.image is not None:
            sheet.paste(_enlarged(reading.image), (left + SIDE, top))
        answer = "refused" if reading.answer is None else f"read as {reading.answer}"
        caption = f"{reading.label} {answer}: {reading.name}"
        draw.text((left + 2, top + SIDE + 2), caption[-2 * SIDE // 6 :], fill="yellow")
    sheet.save(path)


def _picture(file: bytes) -> Image.Image:
    with Image.open(BytesIO(file)) as opened:
        opened.draft("RGB", (2 * SIDE, 2 * SIDE))
        picture = ImageOps.exif_transpose(opened).convert("RGBA")
    ground = Image.new("RGBA", picture.size, "white")
    ground.alpha_composite(picture)
    return ImageOps.pad(ground.convert("RGB"), (SIDE, SIDE), color="grey")


def _enlarged(image: np.ndarray) -> Image.Image:
    pixels = Image.fromarray(np.rint(image * 255).astype(np.uint8))
    return pixels.resize((SIDE, SIDE), Image.Resampling.NEAREST)
