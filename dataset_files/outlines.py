"""Outlines of the objects in some of CIFAR-10's test images, drawn by hand.

Copies of the data set hold its images in different orders, and JPEG changes their
pixels a little. So each outline comes with the mean colours of its image, by which the
image is found.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.dataset_files.idx import Bytes

FILE = Path(__file__).with_name("outlines.json")
SIDE = 32  # px, of an image
PARTS = 2  # in which the sides of an image are cut: its quarters
# The most that a mean of a copy differs. JPEG of quality 30 changes means by up to 4;
# those of the next image of the same class differ by 10 or more.
NEAR = 4

Polygon = Sequence[tuple[float, float]]
Masks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of one object.

    Attributes:
        means: of red, then green, then blue, in the image's quarters, row by row: 12
            numbers in 0..255.
        polygons: that cover the object. Each corner is x to the right and y down, in
            pixels from the image's upper left corner.
    """

    means: Sequence[int]
    polygons: Sequence[Polygon]


def read_outlines(file: Path = FILE) -> dict[str, list[Outline]]:
    """Read the outlines of each class, by its name."""
    found = json.loads(file.read_bytes())
    return {name: [Outline(**each) for each in own] for name, own in found.items()}


def mask_of(polygons: Sequence[Polygon]) -> Masks:
    """Return which pixels have their centres in a polygon or more: (rows, columns).

    A centre is in a polygon if a ray from it to the right crosses an odd number of the
    polygon's sides.
    """
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    mask = np.zeros((SIDE, SIDE), bool)
    for polygon in polygons:
        corners = np.asarray(polygon, float)
        is_inside = np.zeros_like(mask)
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, 0), strict=True):
            if y0 == y1:
                continue  # no ray crosses a level side
            crosses = (y0 > y) != (y1 > y)
            is_inside ^= crosses & (x < x0 + (y - y0) / (y1 - y0) * (x1 - x0))
        mask |= is_inside
    return mask


def mean_colours(images: Bytes) -> NDArray[np.int64]:
    """Return the `means` of images (count, 3, rows, columns): (count, 12)."""
    half = SIDE // PARTS
    count = len(images)
    quarters = images.reshape(count, 3, PARTS, half, PARTS, half).mean(axis=(3, 5))
    return quarters.round().astype(np.int64).reshape(count, 3 * PARTS**2)


def outlined(
    images: Bytes,
    labels: NDArray[np.integer],
    class_names: Sequence[str],
    outlines: Mapping[str, Sequence[Outline]],
) -> tuple[NDArray[np.int64], Masks]:
    """Find the images whose objects are outlined.

    Args:
        images: (count, 3, rows, columns), the test images.
        labels: (count,).
        class_names: in the order of the labels.
        outlines: of as many images of each class.

    Returns:
        The images' places (classes, outlines), and which pixels the objects cover
        (classes, outlines, rows, columns).

    Raises:
        ValueError: an image is not among them.
    """
    places = []
    for label, name in enumerate(class_names):
        own = np.flatnonzero(labels == label)
        means = mean_colours(images[own])
        for number, outline in enumerate(outlines[name], start=1):
            apart = np.abs(means - outline.means).max(axis=1)
            if not (apart <= NEAR).any():
                raise ValueError(
                    f"the test images must be CIFAR-10's, whose objects are outlined: "
                    f"of the {len(own)} of class {name}, outlined image {number} must "
                    f"differ from one by at most {NEAR} in its mean colours, the "
                    f"nearest differs by {apart.min(initial=255)}"
                )
            places.append(own[apart.argmin()])
    masks = [mask_of(each.polygons) for name in class_names for each in outlines[name]]
    return (
        np.reshape(places, (len(class_names), -1)),
        np.reshape(masks, (len(class_names), -1, SIDE, SIDE)),
    )
