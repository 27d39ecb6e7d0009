"""The page changes and attacks images by itself, as the laboratory's Python does."""

import json
from pathlib import Path

import numpy as np
import pytest

from capsnet_explorer.perturbations.attack import (
    Attack,
    Slope,
    attacked,
    followed,
    random_signs,
    random_ways,
)
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
    request = {"ink": ink.ravel().tolist(), "shape": shape, "changes": changes}
    return np.array(answer_of(SCRIPT, request)).reshape(-1, *ink.shape)


@pytest.mark.parametrize("shape", [(1, 28, 28), (3, 20, 24)])
def test_the_page_changes_an_image_as_the_laboratory_does(shape):
    ink = np.random.default_rng(8).random(shape)
    expected = changed(ink, [Change(**fields) for fields in CHANGES])
    images = by_the_page(ink, CHANGES)
    for change, image, wanted in zip(CHANGES, images, expected, strict=True):
        np.testing.assert_allclose(image, wanted, atol=1e-9, err_msg=str(change))


ATTACK = Path(__file__).parents[2] / "static/js/site/worker/attack.js"
ATTACKED = f"""
import {{ attackImage, followGradient, takesSteps }} from {json.dumps(ATTACK.as_uri())};
async function answer(asked) {{
    const {{ image, epsilons, method, steps, signs, ways, middle, weight }} = asked;
    const fields = {{ signs, ways }};
    const slopeOf = async (now) => ({{
        value: now.reduce((sum, x, i) => sum + weight[i] * (x - middle[i]) ** 2, 0),
        gradient: now.map((x, i) => 2 * weight[i] * (x - middle[i])),
    }});
    const all = [];
    const how = {{ method, steps, fields }};
    const start = Float64Array.from(image);
    for (const epsilon of epsilons)
        all.push([...await attackImage(start, epsilon, how, slopeOf)]);
    if (!takesSteps(method)) return {{ all }};
    const [, last] = epsilons;
    const found = await followGradient(start, last, how, slopeOf);
    const {{ way: {{ images, values }}, start: turn }} = found;
    return {{ all, images: images.map((each) => [...each]), values, start: turn }};
}}
"""


@pytest.mark.parametrize("method", ["noise", "fgsm", "bim", "pgd"])
@pytest.mark.parametrize("shape", [(1, 8, 8), (3, 5, 4)])
def test_the_page_attacks_an_image_as_the_laboratory_does(method, shape):
    numbers = np.random.default_rng(1)
    image, middle = numbers.random(shape).round(1), numbers.random(shape)
    weight = numbers.choice([-1.0, 0.0, 1.0], shape)

    def raised(images, _which):
        apart = images - middle
        values = (weight * apart**2).sum(axis=(1, 2, 3))
        return Slope(values, 2 * weight * apart)

    how, epsilons = Attack(method, steps=4), (0, 0.15, 0.6, 1)
    fields = {
        "signs": random_signs((1, *shape), 0).ravel().tolist(),
        "ways": [way.ravel().tolist() for way in random_ways((1, *shape), 0)],
    }
    arrays = {"image": image, "middle": middle, "weight": weight}
    flat = {name: values.ravel().tolist() for name, values in arrays.items()}
    answer = answer_of(
        ATTACKED, {**flat, **fields, "epsilons": epsilons, "method": method, "steps": 4}
    )
    (wanted,) = attacked(image[None], epsilons, how, raised)
    got = np.array(answer["all"]).reshape(wanted.shape)
    np.testing.assert_allclose(got, wanted, atol=1e-12)
    assert (got[1] != image).any()
    if method in ("bim", "pgd"):
        way = followed(image, epsilons[1], how, raised)
        assert answer["start"] == way.start
        np.testing.assert_allclose(answer["values"], way.values, atol=1e-9)
        images = np.array(answer["images"]).reshape(way.images.shape)
        np.testing.assert_allclose(images, way.images, atol=1e-12)
