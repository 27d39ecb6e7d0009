"""The article's figures, their words, and the weights that they were drawn from."""

import json
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from capsnet_explorer import ROOT

FOLDER = ROOT / "static" / "guide"


class Figure(BaseModel):
    """A figure of the article."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(description="It is static/guide/NAME.svg.")
    alt: str = Field(description="What it shows, in words, with its numbers.")
    width: int
    height: int


class Figures(BaseModel):
    """All figures, and the weights that they were drawn from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    weights: dict[str, str] = Field(description="SHA-256 by architecture.")
    figures: dict[str, Figure]


@cache
def load_figures(folder: Path = FOLDER) -> Figures:
    """Return what `figures.json` tells; none where nothing has been drawn.

    Raises:
        ValueError: the file has another form.
    """
    path = folder / "figures.json"
    if not path.exists():
        return Figures(weights={}, figures={})
    known = json.loads(path.read_text(encoding="utf-8"))
    named = {
        name: Figure(name=name, **figure) for name, figure in known["figures"].items()
    }
    return Figures(weights=known["weights"], figures=named)
