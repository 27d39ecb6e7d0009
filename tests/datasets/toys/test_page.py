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


def answers(asked, *, is_in_colour=False):
    categories = [
        {"name": name, "parameters": [asdict(each) for each in category.parameters]}
        for name, category in CATEGORIES.items()
    ]
    request = {"categories": categories, "asked": asked, "isInColour": is_in_colour}
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
    asked = views(200)
    for each, told in zip(asked, answers(asked), strict=True):
        values = drawn_toy(each["category"], each["seed"])
        assert told["values"] == values
        toy = drawn(each["category"], each["seed"])
        assert told["scale"] == toy.scale
        view = View(light=LIGHTS[each["light"]], **each["view"])
        expected = toy.seen(view, each["size"]).ravel()
        np.testing.assert_allclose(told["image"], expected, rtol=0, atol=1e-6)


def test_python_and_the_page_colour_alike():
    """Every ground in every tint."""
    pairs = list(product(GROUNDS, TINTS))
    asked = [
        each | {"backdrop": ground, "tint": tint}
        for each, (ground, tint) in zip(views(2 * len(pairs)), 2 * pairs, strict=True)
    ]
    for each, told in zip(asked, answers(asked, is_in_colour=True), strict=True):
        view = View(light=LIGHTS[each["light"]], **each["view"])
        seen = drawn(each["category"], each["seed"]).looked_at(view, each["size"])
        clutter = clutter_seed(each["category"], each["seed"])
        expected = coloured(seen, each["tint"], each["backdrop"], clutter)
        found = np.reshape(told["image"], expected.shape)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
