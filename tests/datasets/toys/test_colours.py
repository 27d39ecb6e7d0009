"""Toys in colour: hand-worked colours of a cube, grounds, shadows and clutter."""

import numpy as np
import pytest

from capsnet_explorer.chance import uniform
from capsnet_explorer.datasets.toys import Light, View
from capsnet_explorer.datasets.toys.colours import (
    CLUTTER,
    GROUNDS,
    TINTS,
    clutter_seed,
    coloured,
)
from capsnet_explorer.datasets.toys.rendering import AMBIENT, DIRECT, SHADE, look
from capsnet_explorer.datasets.toys.shapes import block

ABOVE = Light(0, 90)
CUBE = block((-0.5, 0.5, 1), (-0.5, 0.5, 1), y=(0, 1))


def cube(paint=0.6, light=ABOVE, scale=0.5):
    """A cube from above; by default lit from there, over a quarter of the picture."""
    return look(CUBE, View(0, 90, light), 8, scale=scale, paint=paint)


@pytest.mark.parametrize("tint", TINTS)
@pytest.mark.parametrize("ground", [name for name in GROUNDS if name != "clutter"])
def test_a_lit_toy_has_its_tint_and_the_ground_its_colour(tint, ground):
    expected = np.empty((3, 8, 8))
    expected[:] = np.reshape(GROUNDS[ground].colour, (3, 1, 1))
    expected[:, 2:6, 2:6] = np.reshape(TINTS[tint], (3, 1, 1))
    np.testing.assert_allclose(coloured(cube(), tint, ground, 0), expected, atol=1e-12)


def test_darker_paint_darkens_the_tint():
    picture = coloured(cube(paint=0.3), "red", "white", 0)[:, 4, 4]
    np.testing.assert_allclose(picture, [0.45, 0.08, 0.06])


def test_a_pixel_on_the_edge_mixes_toy_and_ground_by_their_shares():
    """The cube covers 5 by 5 pixels of 8: its edge halves those around them."""
    picture = coloured(cube(scale=5 / 8), "blue", "white", 0)
    np.testing.assert_allclose(picture[:, 4, 1], [0.58, 0.67, 0.93])
    np.testing.assert_allclose(picture[:, 1, 1], [0.79, 0.835, 0.965])


def test_a_shadow_falls_on_the_ground_and_not_on_the_sky():
    """A lamp from the right at 45°: the shadow is as long as the cube."""
    rendering = cube(light=Light(90, 45), scale=0.25)
    lamp = DIRECT * np.sqrt(0.5)
    share = 1 - SHADE * lamp / (AMBIENT + lamp)
    for name, light in (("grass", share), ("road", share), ("sky", 1)):
        colour = np.array(GROUNDS[name].colour)
        picture = coloured(rendering, "red", name, 0)
        np.testing.assert_allclose(picture[:, 3, 2], light * colour)
        np.testing.assert_allclose(picture[:, 0, 0], colour)


def test_clutter_lies_under_the_toy_and_its_last_spot_on_top():
    drawn = uniform(5, 98)
    colours = drawn[56:].reshape(14, 3)
    picture = coloured(cube(), "white", "clutter", 5)
    np.testing.assert_allclose(picture[:, 3, 3], 1)
    expected = np.empty((8, 4, 8, 4, 3))
    for row, down, column, across in np.ndindex(expected.shape[:4]):
        y, x = (4 * row + down + 0.5) / 32, (4 * column + across + 0.5) / 32
        colour = GROUNDS["clutter"].colour
        for k in range(14):
            middle_x, middle_y, radius, _ = drawn[4 * k : 4 * k + 4]
            if np.hypot(x - middle_x, y - middle_y) < 0.05 + 0.1 * radius:
                colour = colours[k]
        expected[row, down, column, across] = colour
    expected = expected.mean(axis=(1, 3)).transpose(2, 0, 1)
    expected[:, 2:6, 2:6] = 1
    np.testing.assert_allclose(picture, expected)
    assert len(np.unique(picture.reshape(3, -1), axis=1).T) > 10


def test_toys_have_clutter_of_their_own():
    assert clutter_seed("car", 2000) == CLUTTER + 2000 + 3 * 7919
    assert clutter_seed("car", 2000) != clutter_seed("truck", 2000)


@pytest.mark.parametrize(("tint", "ground"), [("pink", "sky"), ("red", "sea")])
def test_an_unknown_name_is_refused(tint, ground):
    with pytest.raises(KeyError):
        coloured(cube(), tint, ground, 0)
