"""How networks that were trained on drawn digits read real ones, as it was measured."""

import json
from functools import cache
from typing import Any

from capsnet_explorer import ROOT

# Beside what is measured on the networks that come with the project.
MEASURED = ROOT / "weights" / "measured" / "drawn.json"


@cache
def real_digits() -> dict[str, dict[str, Any]]:
    """Return how many test digits are misread, by architecture."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))
