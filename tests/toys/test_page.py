"""The page draws toys by itself, pixel by pixel as Python does."""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np

from tests.node import answer_of
from toys import CATEGORIES, LIGHTS, View, drawn_toy, toy_of

PAGE = (Path(__file__).parents[2] / "static/js/toys").as_uri()
SCRIPT = f"""
import {{ drawnToy }} from {json.dumps(PAGE + "/categories.js")};
import {{ toyOf }} from {json.dumps(PAGE + "/sizing.js")};
import {{ LIGHTS, render }} from {json.dumps(PAGE + "/rendering.js")};
function answer({{ categories, asked }}) {{
    const toys = new Map();
    return asked.map(({{ category, seed, view, light, size }}) => {{
        const values = drawnToy(categories, category, seed);
        const name = JSON.stringify(values);
        const toy = toys.get(name) ?? toyOf(category, values);
        toys.set(name, toy);
        const seen = {{ ...view, light: LIGHTS[light] }};
        const image = render(toy, seen, size);
        return {{ values, scale: toy.scale, image: [...image] }};
    }});
}}
"""


@cache
def drawn(category, seed):
    return toy_of(category, drawn_toy(category, seed))


def test_python_and_the_page_draw_alike():
    random = np.random.default_rng(0)
    names = list(CATEGORIES)
    categories = [
        {"name": name, "parameters": [asdict(each) for each in category.parameters]}
        for name, category in CATEGORIES.items()
    ]
    asked = [
        {
            "category": names[k % 5],
            "seed": k // 25,
            "view": {
                "azimuth": float(random.choice([k * 20, random.uniform(-360, 360)])),
                "elevation": float(random.choice([30, 70, random.uniform(0, 90)])),
                "zoom": float(random.uniform(0.8, 1.2)),
            },
            "light": k % 6,
            "size": 96 if k % 10 == 0 else 32,
        }
        for k in range(200)
    ]
    found = answer_of(SCRIPT, {"categories": categories, "asked": asked})
    for each, told in zip(asked, found, strict=True):
        values = drawn_toy(each["category"], each["seed"])
        assert told["values"] == values
        toy = drawn(each["category"], each["seed"])
        assert told["scale"] == toy.scale
        view = View(light=LIGHTS[each["light"]], **each["view"])
        expected = toy.seen(view, each["size"]).ravel()
        np.testing.assert_allclose(told["image"], expected, rtol=0, atol=1e-6)
