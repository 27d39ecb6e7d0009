"""The page changes a digit by itself, as the laboratory's Python does."""

import json
from pathlib import Path

import numpy as np
import pytest

from capsnet_explorer.perturbations.changes import Change, changed
from tests.node import answer_of

PAGE = Path(__file__).parents[2] / "static/js/lib/changing.js"
SCRIPT = f"""
import {{ changedInk }} from {json.dumps(PAGE.as_uri())};
function answer({{ ink, shape, changes }}) {{
    const values = Float64Array.from(ink);
    return changes.map((each) => [...changedInk(values, shape, each)]);
}}
"""

# What the knobs of the Lab reach, alone and together.
CHANGES = [
    {},
    *({"rotate": angle} for angle in (-180, -133.5, -90, -1, 7, 45, 90, 179)),
    *({"shear": angle} for angle in (-45, -12.5, 30)),
    *({"scale": factor} for factor in (0.4, 0.98, 1.6)),
    *({"shift": [right, down]} for right, down in ((3, -10), (-0.5, 0), (9.5, 2.25))),
    *({"stroke": by} for by in (-2, -0.3, 0.5, 1, 1.7, 3)),
    *({"blur": deviation} for deviation in (0.1, 0.7, 3)),
    *({"contrast": factor} for factor in (0, 0.35, 2)),
    *({"ground": by} for by in (-0.1, 0.4)),
    *({"noise": by} for by in (0.01, 0.37, 0.6)),
    {"scale": 1.3, "shear": 20, "rotate": -35, "shift": [2.5, -1]},
    {"rotate": 12, "stroke": 0.6, "blur": 0.8, "contrast": 1.4, "noise": 0.1},
]


def by_the_page(ink, changes):
    shape = dict(zip(("channels", "rows", "columns"), ink.shape, strict=True))
    asked = {"ink": ink.ravel().tolist(), "shape": shape, "changes": changes}
    return np.array(answer_of(SCRIPT, asked)).reshape(-1, *ink.shape)


@pytest.mark.parametrize("shape", [(1, 28, 28), (3, 20, 24)])
def test_the_page_changes_an_image_as_the_laboratory_does(shape):
    ink = np.random.default_rng(8).random(shape)
    expected = changed(ink, [Change(**each) for each in CHANGES])
    found = by_the_page(ink, CHANGES)
    for change, one, other in zip(CHANGES, found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9, err_msg=str(change))
