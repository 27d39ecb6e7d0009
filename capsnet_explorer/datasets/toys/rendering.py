"""Pictures of a mesh: parallel rays, a lamp, a shadow on the ground.

The depth of every sample decides what is seen (z-buffer), brightness is interpolated
between corners (Gouraud 1971) and follows Lambert's law plus ambient light. A pixel is
the mean of its samples. Corners are rounded to 1/256 of a sample: so sines that differ
in the last bit, as those of two languages do, move no edge.
"""

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.toys.shapes import Mesh

Array = NDArray[np.float64]

AMBIENT, DIRECT = (
    0.35,
    0.65,
)  # brightness of white by light from everywhere, of the lamp
SHADE = 0.5  # share of the lamp's light that a shadow takes from the ground
STEPS = 256  # of a sample, to which corners are rounded
MIDDLE = STEPS // 2


@dataclass(frozen=True, slots=True)
class Light:
    """Where the lamp stands, which moves with the camera.

    Attributes:
        azimuth: degrees to the right of the camera.
        elevation: degrees above the ground.
    """

    azimuth: float
    elevation: float


LIGHTS = tuple(
    Light(azimuth, elevation) for elevation in (50, 70) for azimuth in (-60, 0, 60)
)


@dataclass(frozen=True, slots=True)
class View:
    """From where a toy is seen, and in which light.

    Attributes:
        azimuth: degrees by which the toy is turned; 0 shows its right side.
        elevation: degrees of the camera above the ground, from 0 to 90.
        light: the lamp.
        zoom: factor by which it is enlarged.
    """

    azimuth: float
    elevation: float
    light: Light = LIGHTS[1]
    zoom: float = 1


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a camera sees, sample by sample.

    Attributes:
        ink: (samples, samples), 1 − the brightness as a share of the ground's: 0 on
            the ground, more in the shadow and on the toy.
        is_toy: (samples, samples), where the toy is seen, and not the ground.
        size: rows and columns of the picture.
    """

    ink: Array
    is_toy: NDArray[np.bool_]
    size: int

    def averaged(self, values: Array) -> Array:
        """Return a picture, (…, size, size): each pixel is the mean of its samples."""
        step = len(self.ink) // self.size
        parts = values.reshape(*values.shape[:-2], self.size, step, self.size, step)
        return parts.mean(axis=(-3, -1))


def render(
    mesh: Mesh, view: View, size: int, *, scale: float, paint: float = 0.5
) -> Array:
    """Draw a mesh in the middle of a square picture.

    Args:
        mesh: what to draw; it stands on the ground, y = 0.
        view: from where.
        size: rows and columns of the picture.
        scale: width of the mesh's unit as a share of the picture's.
        paint: whiteness of the mesh, below that of the ground, which is 1.

    Returns:
        (size, size), each pixel's ink: 1 − its brightness as a share of the ground's,
        so the ground is exactly 0.
    """
    rendering = look(mesh, view, size, scale=scale, paint=paint)
    return rendering.averaged(rendering.ink)


def look(mesh: Mesh, view: View, size: int, *, scale: float, paint: float) -> Rendering:
    """Return what `render` makes a picture of."""
    samples = size * samples_of(size)
    light = _direction(view.light)
    ground = AMBIENT + DIRECT * light[1]
    camera = _Camera.at(mesh, view, samples, scale)
    x, y, depth = camera.project(mesh.points)
    turned = camera.turn(mesh.normals)
    facing = turned[0] * light[0] + turned[1] * light[1] + turned[2] * light[2]
    bright = paint * (AMBIENT + DIRECT * np.maximum(facing, 0))
    image = np.zeros(samples * samples)
    fallen = camera.project(_fallen(mesh.points, camera, light))
    where, _, _ = _rasterize(fallen[0], fallen[1], samples)
    image[where] = SHADE * DIRECT * light[1] / ground
    where, which, weights = _rasterize(x, y, samples)
    near = (weights * depth[which]).sum(axis=1)
    ink = (weights * (1 - bright / ground)[which]).sum(axis=1)
    order = np.argsort(near, kind="stable")  # the nearest is written last
    image[where[order]] = ink[order]
    is_toy = np.zeros(samples * samples, bool)
    is_toy[where] = True
    shape = (samples, samples)
    return Rendering(image.reshape(shape), is_toy.reshape(shape), size)


def silhouette(mesh: Mesh, view: View, samples: int, *, scale: float) -> int:
    """Count the samples that a mesh covers in a square picture of so many a side."""
    x, y, _ = _Camera.at(mesh, view, samples, scale).project(mesh.points)
    where, _, _ = _rasterize(x, y, samples)
    return len(np.unique(where))


def samples_of(size: int) -> int:
    """Return the samples along a pixel's side."""
    return 4 if size <= 64 else 3 if size <= 160 else 2


def _direction(light: Light) -> tuple[float, float, float]:
    """Return the unit vector to the lamp: right, up, towards the camera."""
    across, height = radians(light.azimuth), radians(light.elevation)
    return cos(height) * sin(across), sin(height), cos(height) * cos(across)


@dataclass(frozen=True, slots=True)
class _Camera:
    cos_azimuth: float
    sin_azimuth: float
    cos_elevation: float
    sin_elevation: float
    middle: Array
    samples: int
    unit: float  # in samples

    @classmethod
    def at(cls, mesh: Mesh, view: View, samples: int, scale: float) -> "_Camera":
        azimuth, elevation = radians(view.azimuth), radians(view.elevation)
        corners = mesh.points.reshape(-1, 3)
        return cls(
            *(cos(azimuth), sin(azimuth), cos(elevation), sin(elevation)),
            middle=(corners.min(axis=0) + corners.max(axis=0)) / 2,
            samples=samples,
            unit=scale * view.zoom * samples,
        )

    def turn(self, vectors: Array) -> tuple[Array, Array, Array]:
        """Return right, up and towards the camera, as if that looked ahead."""
        x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
        right = x * self.cos_azimuth + z * self.sin_azimuth
        near = z * self.cos_azimuth - x * self.sin_azimuth
        return right, y, near

    def project(self, points: Array) -> tuple[Array, Array, Array]:
        """Return column and row in steps of a sample, rounded, and the depth."""
        right, up, near = self.turn(points - self.middle)
        high = up * self.cos_elevation - near * self.sin_elevation
        depth = up * self.sin_elevation + near * self.cos_elevation
        half = self.samples / 2
        return (
            np.floor((half + right * self.unit) * STEPS + 0.5),
            np.floor((half - high * self.unit) * STEPS + 0.5),
            depth,
        )


def _fallen(points: Array, camera: _Camera, light: tuple[float, float, float]) -> Array:
    """Return where the lamp's ray through each point meets the ground."""
    right, up, near = light
    # The lamp's direction in the toy's own coordinates.
    x = right * camera.cos_azimuth - near * camera.sin_azimuth
    z = right * camera.sin_azimuth + near * camera.cos_azimuth
    height = points[..., 1]
    return np.stack(
        [
            points[..., 0] - height * (x / up),
            np.zeros_like(height),
            points[..., 2] - height * (z / up),
        ],
        axis=-1,
    )


def _rasterize(
    x: Array, y: Array, samples: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Return the samples in triangles that face the camera.

    A sample on an edge between two triangles belongs to one of them (top-left rule).

    Args:
        x: (triangles, 3), columns of the corners in steps.
        y: (triangles, 3), their rows.
        samples: along each side of the picture.

    Returns:
        For each sample of each triangle: its place, row by row; the triangle; and the
        (found, 3) weights of its corners.
    """
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0])
    area -= (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    # Rows run down, so what is counter-clockwise has a negative area here.
    kept = np.flatnonzero(area < 0)
    x, y, area = x[kept], y[kept], area[kept]
    first_column, columns = _span(x, samples)
    first_row, rows = _span(y, samples)
    counts = rows * columns
    triangle = np.repeat(np.arange(len(kept)), counts)
    index = np.arange(len(triangle)) - np.repeat(np.cumsum(counts) - counts, counts)
    wide = columns[triangle]
    row = first_row[triangle] + index // wide
    column = first_column[triangle] + index % wide
    at_x, at_y = column * STEPS + MIDDLE, row * STEPS + MIDDLE
    is_inside = np.ones(len(triangle), bool)
    weights = []
    for corner in range(3):
        # The edge opposite to the corner, run through backwards.
        start, end = (corner + 2) % 3, (corner + 1) % 3
        across = (x[:, end] - x[:, start])[triangle]
        down = (y[:, end] - y[:, start])[triangle]
        edge = across * (at_y - y[:, start][triangle])
        edge -= down * (at_x - x[:, start][triangle])
        is_inside &= (edge > 0) | (
            (edge == 0) & ((down < 0) | ((down == 0) & (across > 0)))
        )
        weights.append(edge)
    inside = np.flatnonzero(is_inside)
    shares = np.stack([weight[inside] for weight in weights], axis=1)
    shares /= -area[triangle[inside]][:, None]
    where = row[inside] * samples + column[inside]
    return where, kept[triangle[inside]], shares


def _span(corners: Array, samples: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first sample and the number of samples between three corners."""
    first = np.ceil((corners.min(axis=1) - MIDDLE) / STEPS).clip(0)
    last = np.floor((corners.max(axis=1) - MIDDLE) / STEPS).clip(max=samples - 1)
    return first.astype(np.int64), (last - first + 1).clip(0).astype(np.int64)
