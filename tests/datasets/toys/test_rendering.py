"""Toys as triangles, and pictures of them."""

from math import cos, pi, radians, sin

import numpy as np
import pytest

from capsnet_explorer.datasets.toys import (
    CATEGORIES,
    LIGHTS,
    Light,
    View,
    drawn_toy,
    render,
    toy_of,
)
from capsnet_explorer.datasets.toys.rendering import AMBIENT, DIRECT, SHADE, silhouette
from capsnet_explorer.datasets.toys.shapes import ball, block, limb, prism, wheel

ABOVE = Light(0, 90)
CUBE = block((-0.5, 0.5, 1), (-0.5, 0.5, 1), y=(0, 1))
TWISTED = prism(
    ((0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)),
    ((1, 0.2, 3), (2, 0.2, 3), (2, 0.8, 3), (1, 0.8, 3)),
)
PARTS = {
    "cube": (CUBE, 1),
    # A sixth of its length times both ends and four times the middle (prismatoid).
    "prism": (TWISTED, 3 / 6 * (2 + 4 * 1.5 * 0.8 + 0.6)),
    "ball": (ball((1, 2, 3), (1, 2, 0.5), pitch=0.4), 4 / 3 * pi),
    "limb": (limb((0, 0, 0), (3, 4, 0), (1, 1)), pi * 5 + 4 / 3 * pi),
    "upright": (limb((0, 1, 0), (0, 6, 0), (1, 1), flat=0.5), pi * 2.5 + 2 / 3 * pi),
    "downward": (limb((0, 6, 0), (0, 1, 0), (1, 1)), pi * 5 + 4 / 3 * pi),
    "wheel": (wheel((0, 1, 0), 1, 0.5), pi / 2),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_closed_and_faces_outwards(name):
    """By the divergence theorem; a round part is a polyhedron within the round one."""
    mesh, volume = PARTS[name]
    a, b, c = np.moveaxis(mesh.points, 1, 0)
    enclosed = (a * np.cross(b, c)).sum() / 6
    least = 1 if name in ("cube", "prism") else 0.8
    assert least * volume - 1e-9 <= enclosed <= volume + 1e-9
    np.testing.assert_allclose((mesh.normals**2).sum(axis=-1), 1)
    faces = np.cross(b - a, c - a)
    leaning = (faces[:, None] * mesh.normals).sum(axis=-1)
    assert (leaning >= -1e-9).all()


def test_a_cube_from_its_side_covers_a_square():
    """Of 64 samples its edge is half: 32 by 32, whichever samples lie on the edge."""
    assert silhouette(CUBE, View(0, 0), 64, scale=0.5) == 32 * 32
    assert silhouette(CUBE, View(90, 0), 64, scale=0.5) == 32 * 32
    assert (
        silhouette(
            CUBE,
            View(0, 90),
            64,
            scale=0.5,
        )
        == 32 * 32
    )


def test_ink_follows_lamberts_law():
    """From above, light from above: the top is all that is seen, fully lit."""
    ink = render(CUBE, View(0, 90, ABOVE), 8, scale=0.5, paint=0.4)
    expected = np.zeros((8, 8))
    expected[2:6, 2:6] = 1 - 0.4
    np.testing.assert_allclose(ink, expected, atol=1e-12)


def test_a_side_that_the_lamp_does_not_reach_has_ambient_light_alone():
    ink = render(CUBE, View(0, 0, ABOVE), 8, scale=0.5)
    np.testing.assert_allclose(ink[2:6, 2:6], 1 - 0.5 * AMBIENT)


def test_a_shadow_falls_away_from_the_lamp():
    """A lamp from the right at 45°: the shadow of a cube is as long as the cube."""
    ink = render(CUBE, View(0, 90, Light(90, 45)), 16, scale=0.25)
    ground = AMBIENT + DIRECT * sin(radians(45))
    np.testing.assert_allclose(ink[6:10, 2:6], SHADE * DIRECT * sin(pi / 4) / ground)
    assert (ink[6:10, 10:] == 0).all()
    assert (ink[:6] == 0).all()


def slow_picture(toy, view, size, samples):
    """Every ray against every triangle, without rounding: (size, size)."""
    a, e = radians(view.azimuth), radians(view.elevation)
    across, height = radians(view.light.azimuth), radians(view.light.elevation)
    turn = np.array([[cos(a), 0, sin(a)], [0, 1, 0], [-sin(a), 0, cos(a)]])
    tilt = np.array([[1, 0, 0], [0, cos(e), -sin(e)], [0, sin(e), cos(e)]])
    light = np.array(
        [cos(height) * sin(across), sin(height), cos(height) * cos(across)]
    )
    mesh, scale = toy.mesh, toy.scale
    corners = mesh.points.reshape(-1, 3)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    ground = AMBIENT + DIRECT * light[1]
    count = size * samples
    ink, depth = np.zeros((count, count)), np.full((count, count), -np.inf)
    at = ((np.arange(count) + 0.5) / count - 0.5) / (scale * view.zoom)
    right, up = np.meshgrid(at, -at)

    def triangles(points):
        for number, three in enumerate((points - middle) @ turn.T @ tilt.T):
            (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = three
            area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
            if area <= 1e-12:
                continue
            w1 = ((right - x0) * (y2 - y0) - (x2 - x0) * (up - y0)) / area
            w2 = ((x1 - x0) * (up - y0) - (right - x0) * (y1 - y0)) / area
            inside = (w1 >= 0) & (w2 >= 0) & (w1 + w2 <= 1)
            yield number, inside, w1, w2, (1 - w1 - w2) * z0 + w1 * z1 + w2 * z2

    fallen = mesh.points @ turn.T
    fallen = (fallen - fallen[..., 1:2] / light[1] * light) @ turn
    for _, inside, *_ in triangles(fallen):
        ink[inside] = SHADE * DIRECT * light[1] / ground
    facing = (mesh.normals @ turn.T @ light).clip(0)
    inks = 1 - toy.paint * (AMBIENT + DIRECT * facing) / ground
    for number, inside, w1, w2, near in triangles(mesh.points):
        nearer = inside & (near > depth)
        depth[nearer] = near[nearer]
        mixed = (1 - w1 - w2) * inks[number, 0]
        mixed = mixed + w1 * inks[number, 1] + w2 * inks[number, 2]
        ink[nearer] = mixed[nearer]
    return ink.reshape(size, samples, size, samples).mean(axis=(1, 3))


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize(("azimuth", "elevation"), [(25, 33), (210, 68)])
def test_a_picture_is_what_rays_meet(category, azimuth, elevation):
    """Rounding moves an edge by 1/512 of a sample: few samples change sides."""
    toy = toy_of(category, drawn_toy(category, 7))
    view = View(azimuth, elevation, LIGHTS[2], 1.1)
    expected = slow_picture(toy, view, 16, 4)
    differences = np.abs(toy.render(view, 16) - expected)
    assert differences.mean() < 0.002
    assert np.median(differences) < 1e-3


def test_a_toy_keeps_within_its_picture_and_the_ground_stays_empty():
    for category in CATEGORIES:
        ink = toy_of(category, drawn_toy(category, 3)).render(View(40, 50), 32)
        assert ink.min() == 0
        assert ink.max() < 1
        assert (ink[0] == 0).all()
