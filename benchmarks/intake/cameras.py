"""Light on a scene, and the effects of a camera."""

import numpy as np
from PIL import Image, ImageFilter

from benchmarks.intake.scene import Plane, Scene, Step, positions


def falling_light(darkest: tuple[float, float]) -> Step:
    """Darken the light from one side to the other."""

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
        strength: range of the share of light removed.
        softness: range of the edge's width, in px.
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


def vignette(darkest: tuple[float, float]) -> Step:
    """Darken the picture's corners.

    Args:
        darkest: range of the share of light that reaches the corners.
    """

    def light(scene: Scene) -> Scene:
        rows, columns = scene.size
        away = np.hypot(
            (np.arange(rows)[:, None] - rows / 2), np.arange(columns) - columns / 2
        ) / np.hypot(rows / 2, columns / 2)
        shade = 1 - (1 - scene.random.uniform(*darkest)) * away**2
        return scene.showing(scene.picture * shade[..., None])

    return light


def own_shadow(scene: Scene) -> Scene:
    """Cast the shadow of a head, or of a hand with a phone, with a soft round edge."""
    random = scene.random
    rows, columns = scene.size
    down, across = random.uniform(0.5, 1.1) * rows, random.uniform(0.1, 0.9) * columns
    high, wide = random.uniform(0.35, 0.7, 2) * (rows, 0.7 * columns)
    away = np.hypot(
        (np.arange(rows)[:, None] - down) / high, (np.arange(columns) - across) / wide
    )
    inside = 0.5 - 0.5 * np.tanh((away - 1) / random.uniform(0.05, 0.25))
    shade = 1 - random.uniform(0.25, 0.6) * inside
    return scene.showing(scene.picture * shade[..., None])


def tint(most: float) -> Step:
    """Tint the light yellowish, bluish or greenish.

    Args:
        most: largest share of each colour that may be missing.
    """

    def balance(scene: Scene) -> Scene:
        gains = 1 - scene.random.uniform(0, most, 3)
        return scene.showing(scene.picture * gains.astype(np.float32))

    return balance


def dimmed(light: tuple[float, float]) -> Step:
    """Underexpose the picture.

    Args:
        light: range of the share of light that remains.
    """

    def expose(scene: Scene) -> Scene:
        return scene.showing(scene.picture * np.float32(scene.random.uniform(*light)))

    return expose


def shaken(length: tuple[float, float]) -> Step:
    """Move the camera during the exposure.

    Args:
        length: range of the movement, as a share of the picture's long side.
    """

    def move(scene: Scene) -> Scene:
        random = scene.random
        pixels = random.uniform(*length) * max(scene.size)
        angle = random.uniform(0, np.pi)
        way = np.array([np.sin(angle), np.cos(angle)])
        steps = max(2, round(pixels))
        reach = steps // 2 + 1
        padded = np.pad(scene.picture, ((reach, reach), (reach, reach), (0, 0)), "edge")
        rows, columns = scene.size
        total = np.zeros_like(scene.picture)
        for far in np.linspace(-pixels / 2, pixels / 2, steps):
            down, across = np.rint(far * way).astype(int) + reach
            total += padded[down : down + rows, across : across + columns]
        return scene.showing(total / steps)

    return move


def perspective(most: float) -> Step:
    """View the sheet at an angle.

    Args:
        most: largest inward shift of each corner, as a share of the side.
    """

    def look(scene: Scene) -> Scene:
        rows, columns = scene.size
        inward = scene.random.uniform(0, most, (4, 2)) * (columns, rows)
        sides = np.array([(0, 0), (0, 1), (1, 1), (1, 0)])  # in Pillow's order
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
        radius: range of the standard deviation, as a share of the long side.
    """

    def defocus(scene: Scene) -> Scene:
        pixels = scene.random.uniform(*radius) * max(scene.size)
        picture = _as_image(scene.picture).filter(ImageFilter.GaussianBlur(pixels))
        return scene.showing(_as_plane(picture))

    return defocus


def noise(deviation: tuple[float, float]) -> Step:
    """Add sensor noise.

    Args:
        deviation: range of the standard deviation of each colour, in [0, 1].
    """

    def add(scene: Scene) -> Scene:
        strength = scene.random.uniform(*deviation)
        grain = scene.random.standard_normal(scene.picture.shape, np.float32)
        return scene.showing(np.clip(scene.picture + strength * grain, 0, 1))

    return add


def enlarged(columns: int, rows: int) -> Step:
    """Enlarge the picture, as a camera with more pixels would."""

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
