"""Sets of symbols for tests: bars of several heights, lying and standing."""

import base64
from typing import Any

import numpy as np

SIDE = 28


def symbol_set(*, examples: int = 3) -> dict[str, Any]:
    """Return a set of two symbols, as its file has it."""
    lying, standing = [], []
    for i in range(examples):
        image = np.zeros((SIDE, SIDE), np.uint8)
        image[12 + i % 4 : 15 + i % 4, 5:23] = 255 - i
        lying.append(_text(image))
        standing.append(_text(image.T))
    symbols = [
        {"name": "lying", "examples": lying},
        {"name": "ᚠ", "examples": standing},
    ]
    return {"format": "capsnet-symbols", "version": 1, "symbols": symbols}


def _text(image: np.ndarray) -> str:
    return base64.urlsafe_b64encode(image.tobytes()).decode().rstrip("=")
