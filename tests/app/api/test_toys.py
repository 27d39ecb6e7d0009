"""GET /api/toys and POST /api/render."""

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.datasets.toys import LIGHTS, Light, View, drawn_toy, toy_of
from capsnet_explorer.datasets.toys.colours import (
    GROUNDS,
    TINTS,
    clutter_seed,
    coloured,
)
from tests.app.answers import BINARY

ADDRESS = "/api/render"
TRUCK = {"category": "truck", "seed": 5}
BODY = {"toy": TRUCK, "azimuth": 20, "elevation": 40, "light": 4, "size": 24}


def test_every_category_tells_what_varies(client):
    answer = client.get("/api/toys").json
    names = [kind["name"] for kind in answer["categories"]]
    assert names == ["animal", "human", "plane", "truck", "car"]
    for kind in answer["categories"]:
        values = drawn_toy(kind["name"], 0)
        assert [part["name"] for part in kind["parameters"]] == list(values)
        for part in kind["parameters"]:
            assert part["low"] <= values[part["name"]] <= part["high"]
    assert answer["lights"][4] == {"azimuth": 0, "elevation": 70}
    assert len(answer["lights"]) == len(LIGHTS) == 6
    assert answer["tints"][1] == {"name": "red", "colour": list(TINTS["red"])}
    assert [ground["name"] for ground in answer["grounds"]] == list(GROUNDS)
    assert answer["grounds"][0] == {
        **{"name": "sky", "colour": list(GROUNDS["sky"].colour)},
        **{"has_shadow": False, "is_cluttered": False},
    }


def test_a_toy_of_ones_own_and_a_lamp_of_ones_own(client):
    values = drawn_toy("truck", 5) | {"cargo_height": 0.3}
    toy = {"category": "truck", "parameters": values}
    body = BODY | {"toy": toy, "light": {"azimuth": 10, "elevation": 33}}
    tensors = load(client.post(ADDRESS, json=body, headers=BINARY).data)
    expected = toy_of("truck", values).render(View(20, 40, Light(10, 33)), 24)
    np.testing.assert_array_equal(tensors["image"], expected.astype(np.float32))


def test_some_numbers_of_ones_own_and_the_rest_of_a_seed(client):
    values = {"cargo_height": 0.3}
    expected = toy_of("truck", drawn_toy("truck", 5) | values).render(
        View(20, 40, LIGHTS[4]), 24
    )
    answer = client.post(ADDRESS, json=BODY | {"toy": TRUCK | {"parameters": values}})
    np.testing.assert_array_equal(answer.json["image"], expected)


@pytest.mark.parametrize(
    ("tint", "ground"),
    [(None, None), ("red", None), (None, "clutter"), ("blue", "road")],
)
def test_a_toy_in_colour(client, tint, ground):
    colours = {"tint": tint, "ground": ground}
    body = BODY | {name: value for name, value in colours.items() if value is not None}
    image = np.array(client.post(ADDRESS, json=body).json["image"])
    toy = toy_of("truck", drawn_toy("truck", 5))
    view = View(20, 40, LIGHTS[4])
    if tint is ground is None:
        expected = toy.render(view, 24)
    else:
        picture, clutter = toy.look(view, 24), clutter_seed("truck", 5)
        expected = coloured(picture, tint or "white", ground or "sky", clutter)
    np.testing.assert_array_equal(image, expected)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"toy": {"category": "car", "parameters": {"tail": 1}}}, "toy.parameters"),
        ({"toy": {"category": "car", "parameters": {"length": 9}}}, "toy.parameters"),
        ({"light": {"azimuth": 0, "elevation": 5}}, "light"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_its_field(client, change, field):
    answer = client.post(ADDRESS, json=BODY | change)
    assert answer.status_code == 422
    assert answer.json["error"]["field"].startswith(field)
