"""Light, and what cameras make of a scene."""

import numpy as np
from PIL import Image, ImageFilter

from benchmarks.intake.scene import Plane, Scene, Step, positions


def falling_light(darkest: tuple[float, float]) -> Step:
    """Let light fall off from one side to the other."""

    def light(scene: Scene) -> Scene:
        far = positions(scene, scene.random.uniform(0, 2 * np.pi))
        share = (far - far.min()) / np.ptp(far)
        shade = 1 - (1 - np.float32(scene.random.uniform(*darkest))) * share
        return scene.showing(scene.picture * shade[..., None])

    return light


def shadow(
    strength: tuple[float, float] = (0.3, 0.6), softness: tuple[float, float] = (2, 15)
) -> Step:
    """Cast a shadow whose edge runs through the middle, near the digit.

    Args:
        strength: between which shares of the light are taken.
        softness: of the edge, in px.
    """

    def light(scene: Scene) -> Scene:
        random = scene.random
        rows, columns = scene.size
        far = positions(scene, angle := random.uniform(0, 2 * np.pi))
        middle = np.sin(angle) * rows / 2 + np.cos(angle) * columns / 2
        bow = positions(scene, angle + np.pi / 2) / (0.3 * columns)
        edge = middle + random.normal(0, 0.1 * rows) + 0.03 * rows * np.sin(bow)
        inside = 0.5 + 0.5 * np.tanh((far - edge) / random.uniform(*softness))
        shade = 1 - random.uniform(*strength) * inside
        return scene.showing(scene.picture * shade[..., None])

    return light


def perspective(most: float) -> Step:
    """Look at the sheet at an angle.

    Args:
        most: how far each corner may move in, as a share of the side.
    """

    def look(scene: Scene) -> Scene:
        rows, columns = scene.size
        inward = scene.random.uniform(0, most, (4, 2)) * (columns, rows)
        sides = np.array([(0, 0), (0, 1), (1, 1), (1, 0)])  # as Pillow goes round
        corners = sides * (columns, rows) + np.where(sides, -inward, inward)
        picture = _as_image(scene.picture).transform(
            (columns, rows),
            Image.Transform.QUAD,
            tuple(corners.ravel()),
            Image.Resampling.BICUBIC,
        )
        return scene.showing(_as_plane(picture))

    return look


def blur(radius: tuple[float, float]) -> Step:
    """Put the scene out of focus.

    Args:
        radius: standard deviation in shares of a picture's long side.
    """

    def defocus(scene: Scene) -> Scene:
        pixels = scene.random.uniform(*radius) * max(scene.size)
        picture = _as_image(scene.picture).filter(ImageFilter.GaussianBlur(pixels))
        return scene.showing(_as_plane(picture))

    return defocus


def noise(deviation: tuple[float, float]) -> Step:
    """Add a sensor's noise.

    Args:
        deviation: standard deviation of each colour in [0, 1].
    """

    def add(scene: Scene) -> Scene:
        strength = scene.random.uniform(*deviation)
        grain = scene.random.standard_normal(scene.picture.shape, np.float32)
        return scene.showing(np.clip(scene.picture + strength * grain, 0, 1))

    return add


def enlarged(columns: int, rows: int) -> Step:
    """Take the picture with more pixels."""

    def take(scene: Scene) -> Scene:
        picture = _as_image(scene.picture)
        return scene.showing(
            _as_plane(picture.resize((columns, rows), Image.Resampling.BICUBIC))
        )

    return take


def _as_image(picture: Plane) -> Image.Image:
    return Image.fromarray(np.rint(picture * 255).astype(np.uint8))


def _as_plane(picture: Image.Image) -> Plane:
    return np.asarray(picture, np.float32) / 255
