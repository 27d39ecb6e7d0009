"""Toys of five categories, made from numbers and drawn from any side, with NumPy only.

The categories are those of smallNORB (LeCun, Huang & Bottou 2004). The page draws the
same toys, pixel by pixel: `static/js/toys/` has the same files.
"""

from capsnet_explorer.datasets.toys.categories import (
    CATEGORIES,
    Category,
    Parameter,
    drawn_toy,
)
from capsnet_explorer.datasets.toys.rendering import LIGHTS, Light, View, render
from capsnet_explorer.datasets.toys.shapes import Mesh
from capsnet_explorer.datasets.toys.sizing import Toy, toy_of

__all__ = [
    "CATEGORIES",
    "LIGHTS",
    "Category",
    "Light",
    "Mesh",
    "Parameter",
    "Toy",
    "View",
    "drawn_toy",
    "render",
    "toy_of",
]
