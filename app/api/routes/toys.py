"""Toys on a turntable."""

from dataclasses import asdict
from typing import Any

import numpy as np
from flask import Response

from capsnet_explorer.app.api.describe import answers, api_blueprint, tensors
from capsnet_explorer.app.api.toys import RenderRequest, ToyRequest
from capsnet_explorer.app.api.wire import tensor_answer
from capsnet_explorer.app.errors import InvalidRequest
from capsnet_explorer.datasets.toys import (
    CATEGORIES,
    LIGHTS,
    Toy,
    View,
    drawn_toy,
    toy_of,
)
from capsnet_explorer.datasets.toys.colours import (
    GROUNDS,
    TINTS,
    clutter_seed,
    coloured,
)

api = api_blueprint("toys", "Toys on a turntable, drawn from any side.")


@api.get("/toys", responses=answers("`categories`, `lights`, `grounds`, `tints`."))
def get_toys() -> dict[str, Any]:
    """List the categories of toys, what varies within each, and the lights.

    From seed s, parameter k of category c takes the value low + (high − low) u, where u
    is number k of the PCG hash's numbers from the seed 5 s + c.
    """
    return {
        "categories": [
            {
                "name": category.name,
                "parameters": [asdict(parameter) for parameter in category.parameters],
            }
            for category in CATEGORIES.values()
        ],
        "lights": [asdict(light) for light in LIGHTS],
        "grounds": [
            {"name": name, **asdict(ground)} for name, ground in GROUNDS.items()
        ],
        "tints": [{"name": name, "colour": colour} for name, colour in TINTS.items()],
    }


@api.post("/render", responses=tensors("`image`.", 413, 415, 422))
def render(body: RenderRequest) -> Response:
    """Draw a toy on the ground, in parallel rays, with its shadow.

    A pixel is ink: 1 − its brightness as a share of the ground's, in [0, 1]; the ground
    itself is 0. Toys are of equal size: over all sides, the silhouette of each covers
    13 % of the picture.

    With a `ground`, a `tint` or both, the picture is in colour: rows of red, of green
    and of blue, each in [0, 1]. The clutter follows from category and seed.

    A safetensors response has the tensor `image`, (rows, columns) or (3, rows,
    columns), in single precision.
    """
    view = View(body.azimuth, body.elevation, body.lamp())
    toy, colours = _toy(body.toy), body.colours()
    if colours is None:
        image = toy.render(view, body.size)
    else:
        clutter = clutter_seed(body.toy.category, body.toy.seed)
        image = coloured(toy.look(view, body.size), *colours, clutter)
    return tensor_answer(
        lambda: {"image": image}, {"image": image.astype(np.float32)}, {}
    )


def _toy(body: ToyRequest) -> Toy:
    values = drawn_toy(body.category, body.seed) | body.parameters
    try:
        return toy_of(body.category, values)
    except ValueError as error:
        raise InvalidRequest(str(error), field="toy.parameters") from None
