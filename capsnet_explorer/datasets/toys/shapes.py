"""The parts of toys as triangles: prisms with flat faces, and round bodies.

Every part is convex. In each toy's own coordinates x is ahead, y is up, z to its right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Point = tuple[float, float, float]
Quad = tuple[Point, Point, Point, Point]

SIDES = 10  # of a round body's cross section
ARCS = 3  # rings between a rounded end and its pole


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles, counter-clockwise as seen from outside.

    Attributes:
        points: (triangles, 3, 3), the corners' x, y, z.
        normals: (triangles, 3, 3), unit vectors away from the surface at each corner.
    """

    points: Array
    normals: Array


def together(parts: Sequence[Mesh]) -> Mesh:
    """Return all triangles of several parts, in their order."""
    return Mesh(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.normals for part in parts]),
    )


def prism(first: Quad, second: Quad) -> Mesh:
    """Return a solid of six flat faces between two quadrilaterals.

    Args:
        first: its four corners, one after the other.
        second: the corner opposite to each of them.
    """
    a, b = np.array(first), np.array(second)
    faces = [a, b]
    for k in range(4):
        after = (k + 1) % 4
        faces.append(np.array([a[k], a[after], b[after], b[k]]))
    points = np.array([face[list(c)] for face in faces for c in ((0, 1, 2), (0, 2, 3))])
    points = _outwards(points, np.concatenate([a, b]).mean(axis=0))
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    lengths = np.sqrt((normals**2).sum(axis=1, keepdims=True))
    return Mesh(points, np.repeat((normals / lengths)[:, None], 3, axis=1))


def block(
    bottom: tuple[float, float, float], top: tuple[float, float, float], *, y: Sequence
) -> Mesh:
    """Return a prism that stands upright, alike on its left and right.

    Args:
        bottom: x of its back and of its front below, and its width there.
        top: the same above.
        y: of its bottom and of its top.
    """
    return prism(level(*bottom, y[0]), level(*top, y[1]))


def level(back: float, front: float, width: float, y: float) -> Quad:
    """Return a rectangle that faces up, alike on the left and right."""
    half = width / 2
    return ((back, y, -half), (front, y, -half), (front, y, half), (back, y, half))


def upright(back: float, front: float, y: tuple[float, float], z: float) -> Quad:
    """Return a rectangle that faces a side; `y` is of its lower and its upper edge."""
    low, high = y
    return ((back, low, z), (front, low, z), (front, high, z), (back, high, z))


def limb(start: Point, end: Point, radii: Sequence[float], *, flat: float = 1) -> Mesh:
    """Return a round body between two balls.

    Args:
        start: centre of the first ball.
        end: centre of the second.
        radii: of the two balls, and so of the body between them.
        flat: thickness along x as a share of that across, for an upright body.
    """
    first, second = radii
    x, y, z = (e - s for s, e in zip(start, end, strict=True))
    length = sqrt(x**2 + y**2 + z**2)
    profile = []  # of each ring: place along the axis, radius, normal along, normal out
    for k in range(ARCS + 1):
        angle = pi / 2 * k / ARCS
        profile.append(
            (-first * cos(angle), first * sin(angle), -cos(angle), sin(angle))
        )
    for k in range(ARCS, -1, -1):
        angle = pi / 2 * k / ARCS
        profile.append(
            (length + second * cos(angle), second * sin(angle), cos(angle), sin(angle))
        )
    return _turn_profile(start, (x / length, y / length, z / length), profile, flat)


def ball(centre: Point, radii: Point, *, pitch: float = 0) -> Mesh:
    """Return an ellipsoid.

    Args:
        centre: its middle.
        radii: along x, y and z.
        pitch: by how much its x axis rises, in radians.
    """
    rings = 2 * ARCS + 1
    profile = []
    for k in range(rings + 1):
        angle = pi * k / rings
        profile.append((-cos(angle), sin(angle), -cos(angle), sin(angle)))
    unit = _turn_profile((0, 0, 0), (1, 0, 0), profile, 1)
    size = np.array(radii)
    slope = unit.normals / size
    slope /= np.sqrt((slope**2).sum(axis=-1, keepdims=True))
    turn = np.array(
        [[cos(pitch), sin(pitch), 0], [-sin(pitch), cos(pitch), 0], [0, 0, 1]]
    )
    return Mesh(unit.points * size @ turn + np.array(centre), slope @ turn)


def wheel(centre: Point, radius: float, width: float) -> Mesh:
    """Return a flat cylinder that rolls ahead; `centre` is its middle."""
    half = width / 2
    profile = [
        (-half, 0, -1, 0),
        (-half, radius, -1, 0),
        (-half, radius, 0, 1),
        (half, radius, 0, 1),
        (half, radius, 1, 0),
        (half, 0, 1, 0),
    ]
    return _turn_profile(centre, (0, 0, 1), profile, 1)


def _turn_profile(
    start: Point, axis: Point, profile: Sequence[Sequence[float]], flat: float
) -> Mesh:
    """Return what a profile becomes that turns about an axis, a unit vector."""
    x, y, z = axis
    across = sqrt(x**2 + z**2)
    # Axis, u and v are right-handed, so that the triangles below face outwards. Across
    # an upright axis u is that of x.
    u = (-x * y / across, across, -z * y / across) if across > 1e-9 else (1.0, 0.0, 0.0)
    v = (
        y * u[2] - z * u[1],
        z * u[0] - x * u[2],
        x * u[1] - y * u[0],
    )
    along, out_u, out_v = np.array(axis), np.array(u), np.array(v)
    angles = [2 * pi * (k + 0.5) / SIDES for k in range(SIDES)]
    around = np.array([flat * cos(a) * out_u + sin(a) * out_v for a in angles])
    facing = np.array([cos(a) / flat * out_u + sin(a) * out_v for a in angles])
    facing /= np.sqrt((facing**2).sum(axis=1, keepdims=True))
    places, normals = [], []  # of each ring: (sides, 3)
    for distance, radius, slope, out in profile:
        places.append(np.array(start) + distance * along + radius * around)
        normals.append(slope * along + out * facing)
    points, slopes = [], []
    for ring in range(len(profile) - 1):
        for k in range(SIDES):
            after = (k + 1) % SIDES
            corners = [(ring, k), (ring, after), (ring + 1, after), (ring + 1, k)]
            for three in ((0, 1, 2), (0, 2, 3)):
                chosen = [corners[corner] for corner in three]
                points.append([places[r][side] for r, side in chosen])
                slopes.append([normals[r][side] for r, side in chosen])
    return Mesh(np.array(points), np.array(slopes))


def _outwards(points: Array, middle: Array) -> Array:
    """Return triangles counter-clockwise as seen from outside of a convex solid."""
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    is_inward = ((points.mean(axis=1) - middle) * normals).sum(axis=1) < 0
    return np.where(is_inward[:, None, None], points[:, [0, 2, 1]], points)
