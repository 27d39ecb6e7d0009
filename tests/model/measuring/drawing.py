"""Drawn strokes of known width, slant and form, as grey pictures."""

import numpy as np

SIDE = 28
FINE = 2  # points across a pixel
MIDDLE = (SIDE - 1) / 2


def drawn(*lines, width=2.5, slant=0.0):
    """Draw lines as strokes with round ends.

    Args:
        lines: each (points, 2), x and y in px; pixel 0 has its middle at 0.
        width: of the strokes, in px.
        slant: by which the whole picture is sheared, in degrees; top to the right.

    Returns:
        (SIDE, SIDE) in [0, 1]: nearly the share of each pixel that is covered.
    """
    positions = (np.arange(SIDE * FINE) + 0.5) / FINE - 0.5
    x, y = (axis.ravel() for axis in np.meshgrid(positions, positions))
    x = x + np.tan(np.radians(slant)) * (y - MIDDLE)
    nearest = np.min([_distance(x, y, np.asarray(line)) for line in lines], axis=0)
    covered = np.clip(0.5 + FINE * (width / 2 - nearest), 0, 1)
    pixels = covered.reshape(SIDE, FINE, SIDE, FINE).mean(axis=(1, 3))
    return pixels.astype(np.float32)


def _distance(x, y, line):
    """Return the distance of each point from a line of many points."""
    x0, y0 = line[:-1].T[:, :, None]
    x1, y1 = line[1:].T[:, :, None]
    along = (x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)
    share = np.clip(along / ((x1 - x0) ** 2 + (y1 - y0) ** 2), 0, 1)
    from_line = np.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0))
    return from_line.min(axis=0)


def ring(radius_x=5.0, radius_y=7.0, x=MIDDLE, y=MIDDLE):
    """Return the points of an ellipse."""
    angles = np.linspace(0, 2 * np.pi, 33)
    return np.stack([x + radius_x * np.cos(angles), y + radius_y * np.sin(angles)], 1)


def bar(height=16.0, x=MIDDLE, y=MIDDLE):
    """Return the ends of an upright line."""
    return np.array([[x, y - height / 2], [x, y + height / 2]])


def arc(sagitta, height=16.0):
    """Return a parabola whose middle is `sagitta` px to the right of its ends."""
    down = np.linspace(-1, 1, 33)
    x = MIDDLE + sagitta * (1 - down**2)
    return np.stack([x, MIDDLE + down * height / 2], axis=1)


def leaning(line, degrees):
    """Shear a line so that its upper part moves right."""
    moved = np.array(line, float)
    moved[:, 0] -= np.tan(np.radians(degrees)) * (moved[:, 1] - MIDDLE)
    return moved
