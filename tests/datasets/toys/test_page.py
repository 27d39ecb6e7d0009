"""The page draws toys by itself, pixel by pixel as Python does."""

import json
from dataclasses import asdict
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from capsnet_explorer.datasets.toys import CATEGORIES, LIGHTS, View, drawn_toy, toy_of
from capsnet_explorer.datasets.toys.colours import (
    GROUNDS,
    TINTS,
    clutter_seed,
    coloured,
)
from tests.node import answer_of

PAGE = (Path(__file__).parents[3] / "static/js/toys").as_uri()
SCRIPT = f"""
import {{ drawnToy }} from {json.dumps(PAGE + "/categories.js")};
import {{ toyOf }} from {json.dumps(PAGE + "/sizing.js")};
import {{ coloured }} from {json.dumps(PAGE + "/colours.js")};
import {{ LIGHTS, look, render }} from {json.dumps(PAGE + "/rendering.js")};
function answer({{ categories, asked, isInColour }}) {{
    const toys = new Map();
    return asked.map(({{ category, seed, view, light, size, tint, backdrop }}) => {{
        const values = drawnToy(categories, category, seed);
        const name = JSON.stringify(values);
        const toy = toys.get(name) ?? toyOf(category, values);
        toys.set(name, toy);
        const seen = {{ ...view, light: LIGHTS[light] }};
        const image = isInColour
            ? coloured(look(toy, seen, size), {{ tint, backdrop, category, seed }})
            : render(toy, seen, size);
        return {{ values, scale: toy.scale, image: [...image] }};
    }});
}}
"""


@cache
def drawn(category, seed):
    return toy_of(category, drawn_toy(category, seed))


def answers(cases, *, is_in_colour=False):
    categories = [
        {"name": name, "parameters": [asdict(field) for field in category.parameters]}
        for name, category in CATEGORIES.items()
    ]
    request = {"categories": categories, "asked": cases, "isInColour": is_in_colour}
    return answer_of(SCRIPT, request)


def views(count) -> list[Any]:
    random = np.random.default_rng(0)
    return [
        {
            "category": list(CATEGORIES)[k % 5],
            "seed": k // 25,
            "view": {
                "azimuth": float(random.choice([k * 20, random.uniform(-360, 360)])),
                "elevation": float(random.choice([30, 70, random.uniform(0, 90)])),
                "zoom": float(random.uniform(0.8, 1.2)),
            },
            "light": k % 6,
            "size": 96 if k % 10 == 0 else 32,
        }
        for k in range(count)
    ]


def test_python_and_the_page_draw_alike():
    cases = views(200)
    for case, answer in zip(cases, answers(cases), strict=True):
        values = drawn_toy(case["category"], case["seed"])
        assert answer["values"] == values
        toy = drawn(case["category"], case["seed"])
        assert answer["scale"] == toy.scale
        view = View(light=LIGHTS[case["light"]], **case["view"])
        expected = toy.render(view, case["size"]).ravel()
        np.testing.assert_allclose(answer["image"], expected, rtol=0, atol=1e-6)


def test_python_and_the_page_colour_alike():
    """Every ground in every tint."""
    pairs = list(product(GROUNDS, TINTS))
    cases = [
        case | {"backdrop": ground, "tint": tint}
        for case, (ground, tint) in zip(views(2 * len(pairs)), 2 * pairs, strict=True)
    ]
    for case, answer in zip(cases, answers(cases, is_in_colour=True), strict=True):
        view = View(light=LIGHTS[case["light"]], **case["view"])
        rendering = drawn(case["category"], case["seed"]).look(view, case["size"])
        clutter = clutter_seed(case["category"], case["seed"])
        expected = coloured(rendering, case["tint"], case["backdrop"], clutter)
        picture = np.reshape(answer["image"], expected.shape)
        np.testing.assert_allclose(picture, expected, rtol=0, atol=1e-6)
