"""A few marks of SVG, small and the same whenever they are drawn."""

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np
from numpy.typing import NDArray
from PIL import Image

INK = "#1c1e26"
MUTED = "#5b6070"
LINE = "#d5d7de"
ACCENT = "#3b3ba8"
GAIN = "#b2182b"  # with, more: the diverging scale's ends
LOSS = "#2166ac"

Pixels = NDArray[np.uint8]
Points = Iterable[tuple[float, float]]


@dataclass(slots=True)
class Drawing:
    """A drawing on white.

    Attributes:
        width: in CSS pixels.
        height: in CSS pixels.
    """

    width: int
    height: int
    _marks: list[str] = field(default_factory=list)

    def line(
        self,
        points: Points,
        color: str = INK,
        width: float = 1.5,
        *,
        dashed: bool = False,
    ) -> None:
        """Draw through all points."""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="4 4"' if dashed else ""
        self._marks.append(
            f'<polyline points="{places}" fill="none" stroke="{color}" '
            f'stroke-width="{width:.2f}"{dashes}/>'
        )

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """Fill a rectangle."""
        self._marks.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" fill="{color}"/>'
        )

    def frame(self, x: float, y: float, side: float, color: str = ACCENT) -> None:
        """Outline a square."""
        self._marks.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" '
            f'fill="none" stroke="{color}" stroke-width="1.5"/>'
        )

    def dot(self, x: float, y: float, radius: float, color: str = ACCENT) -> None:
        """Fill a circle."""
        self._marks.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{color}"/>'
        )

    def ring(self, x: float, y: float, radius: float, color: str = LINE) -> None:
        """Outline a circle, dashed."""
        self._marks.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" '
            f'stroke="{color}" stroke-dasharray="4 4"/>'
        )

    def arrow(
        self,
        start: tuple[float, float],
        tip: tuple[float, float],
        color: str,
        width: float,
    ) -> None:
        """Draw an arrow whose head ends at its tip."""
        way = np.subtract(tip, start)
        length = float(np.hypot(*way))
        if length == 0:
            return
        head = min(length, max(7.0, 2.2 * width))
        a, b = way / length * head
        x, y = tip
        self.line([start, (x - 0.8 * a, y - 0.8 * b)], color, width)
        corners = (
            (x, y),
            (x - a - b / 2, y - b + a / 2),
            (x - a + b / 2, y - b - a / 2),
        )
        places = " ".join(f"{each[0]:.1f},{each[1]:.1f}" for each in corners)
        self._marks.append(f'<polygon points="{places}" fill="{color}"/>')

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        color: str = INK,
        size: float = 13,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Write on a base line; `anchor` is `start`, `middle` or `end`."""
        weight = ' font-weight="600"' if bold else ""
        self._marks.append(
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" font-size="{size:g}" '
            f'text-anchor="{anchor}"{weight}>{escape(words)}</text>'
        )

    def picture(self, x: float, y: float, side: float, pixels: Pixels) -> None:
        """Place pixels, (rows, columns) grey or (rows, columns, 3), with hard edges."""
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG", optimize=True)
        data = base64.b64encode(file.getvalue()).decode()
        height = side * pixels.shape[0] / pixels.shape[1]
        self._marks.append(
            f'<image x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{height:.1f}" '
            f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
        )

    def written(self) -> str:
        """Return the file."""
        marks = "\n".join(self._marks)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} '
            f'{self.height}" width="{self.width}" height="{self.height}" '
            'font-family="system-ui, sans-serif">\n'
            f'<rect width="{self.width}" height="{self.height}" rx="8" fill="#fff"/>\n'
            f"{marks}\n</svg>\n"
        )


@dataclass(frozen=True, slots=True)
class Axes:
    """Where values stand: x from `left` to `right`, y from `bottom` up to `top`."""

    left: float
    right: float
    top: float
    bottom: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a value."""
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        across = (x - x0) / ((x1 - x0) or 1)
        up = (y - y0) / ((y1 - y0) or 1)
        return (
            self.left + across * (self.right - self.left),
            self.bottom - up * (self.bottom - self.top),
        )

    def draw(
        self, drawing: Drawing, xs: Sequence[float], ys: Sequence[float], x_name: str
    ) -> None:
        """Draw both axes with their figures, and the name of the horizontal one."""
        for y in ys:
            place = self.at(self.x_range[0], y)
            drawing.line([place, (self.right, place[1])], LINE, 1)
            drawing.text(
                self.left - 6,
                place[1] + 4,
                f"{y:g}".replace("-", "−"),
                color=MUTED,
                size=11,
                anchor="end",
            )
        for x in xs:
            drawing.text(
                self.at(x, 0)[0],
                self.bottom + 16,
                f"{x:g}".replace("-", "−"),
                color=MUTED,
                size=11,
                anchor="middle",
            )
        middle = (self.left + self.right) / 2
        drawing.text(
            middle, self.bottom + 34, x_name, color=MUTED, size=12, anchor="middle"
        )


def grey(image: NDArray[np.floating]) -> Pixels:
    """Return ink in [0, 1] as bytes, light on dark as the network sees it."""
    return np.clip(np.round(255 * np.asarray(image, np.float64)), 0, 255).astype(
        np.uint8
    )


def coloured(values: NDArray[np.floating], name: str, reach: float) -> Pixels:
    """Return values in a colour map of matplotlib: (rows, columns, 3).

    Args:
        values: (rows, columns).
        name: `viridis`, from 0 to `reach`, or `RdBu_r`, from -`reach` to it.
        reach: the largest magnitude.
    """
    from matplotlib import colormaps

    low = 0.0 if name == "viridis" else -reach
    shares = (np.asarray(values, np.float64) - low) / ((reach - low) or 1)
    return np.asarray(colormaps[name](np.clip(shares, 0, 1), bytes=True))[..., :3]
