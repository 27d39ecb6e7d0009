"""Outlines: which pixels they cover, and which images they belong to."""

import io
from math import atan2, tau

import numpy as np
import pytest
from PIL import Image

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.dataset_files.outlines import (
    SIDE,
    Outline,
    mask_of,
    mean_colours,
    outlined,
    read_outlines,
)

CLASSES = DATASETS["cifar10"].class_names


def covered(*polygons):
    return {(int(row), int(column)) for row, column in np.argwhere(mask_of(polygons))}


def test_a_pixel_is_covered_if_its_centre_is():
    assert covered([[1, 2], [4, 2], [4, 3], [1, 3]]) == {(2, 1), (2, 2), (2, 3)}
    assert covered([[1.4, 2.4], [2.6, 2.4], [2.6, 2.6], [1.4, 2.6]]) == {(2, 1), (2, 2)}
    assert covered([[1.6, 2], [2.4, 2], [2.4, 9], [1.6, 9]]) == set()
    # A triangle: its long side passes above the centres of the diagonal.
    assert covered([[0, 0], [3.1, 3], [0, 3]]) == {
        *((0, 0), (1, 0), (1, 1)),
        *((2, 0), (2, 1), (2, 2)),
    }


def test_polygons_add_up_and_a_side_that_doubles_back_leaves_a_hole():
    first = [[0, 0], [2, 0], [2, 1], [0, 1]]
    second = [[1, 0], [3, 0], [3, 1], [1, 1]]
    assert covered(first, second) == {(0, 0), (0, 1), (0, 2)}
    ring = [[0, 0], [3, 0], [3, 3], [0, 3], [0, 0], [1, 1], [1, 2], [2, 2], [2, 1]]
    assert covered([*ring, [1, 1]]) == {
        (row, column) for row in range(3) for column in range(3)
    } - {(1, 1)}


def test_polygons_side_by_side_share_no_pixel_and_leave_none_out():
    """Corners at halves lie on centres."""
    corners = [[0.5, 0.5], [20.5, 3.5], [31.5, 28.5], [4.5, 30.5]]
    middle = [13.5, 14.5]
    parts = [
        mask_of([[corners[place - 1], corners[place], middle]]) for place in range(4)
    ]
    assert (np.sum(parts, axis=0) == mask_of([corners])).all()


def turns_around(polygon, x, y):
    """Return whether a polygon's corners go once around a point."""
    angles = [atan2(corner[1] - y, corner[0] - x) for corner in polygon]
    steps = [
        (after - before + tau / 2) % tau - tau / 2
        for before, after in zip(angles, angles[1:] + angles[:1], strict=True)
    ]
    return abs(sum(steps)) > tau / 2


def test_a_mask_is_what_the_outline_goes_around():
    generator = np.random.default_rng(0)
    angles = np.sort(generator.uniform(0, tau, 12))
    reach = generator.uniform(3, 17, 12)
    polygon = np.stack([16 + reach * np.cos(angles), 15 + reach * np.sin(angles)], 1)
    mask = mask_of([polygon.tolist()])
    assert mask.any()
    for row in range(SIDE):
        for column in range(SIDE):
            expected = turns_around(polygon.tolist(), column + 0.5, row + 0.5)
            assert mask[row, column] == expected


def test_means_are_of_each_colour_in_each_quarter():
    image = np.zeros((1, 3, SIDE, SIDE), np.uint8)
    image[0, 0, :16, 16:] = 100  # red, upper right
    image[0, 2, 16:, :16] = 80  # blue, lower left,
    image[0, 2, 16:24, :16] = 41  # half of it darker
    expected = [0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 60, 0]
    assert mean_colours(image).tolist() == [expected]


@pytest.fixture
def pictures():
    """Twenty smooth pictures of each of two classes, and their labels."""
    generator = np.random.default_rng(1)
    coarse = generator.integers(40, 216, (40, 3, 4, 4), np.uint8)
    return coarse.repeat(8, axis=2).repeat(8, axis=3), np.arange(40) % 2


def again(image):
    """Return an image as JPEG keeps it."""
    data = io.BytesIO()
    Image.fromarray(image.transpose(1, 2, 0)).save(data, "JPEG", quality=75)
    with Image.open(data) as opened:
        return np.asarray(opened).transpose(2, 0, 1)


def square(place):
    return [[[place, 1], [place + 2, 1], [place + 2, 3], [place, 3]]]


def test_images_are_found_in_any_order_and_after_jpeg(pictures):
    images, labels = pictures
    chosen = {"first": [4, 10, 6], "second": [1, 39, 7]}
    outlines = {
        name: [
            Outline(mean_colours(images[[place]])[0].tolist(), square(place % 20))
            for place in places
        ]
        for name, places in chosen.items()
    }
    order = np.random.default_rng(2).permutation(40)
    copies = np.stack([again(images[place]) for place in order])
    assert (copies != images[order]).any()
    places, masks = outlined(copies, labels[order], [*chosen], outlines)
    assert order[places].tolist() == [*chosen.values()]
    assert masks.shape == (2, 3, SIDE, SIDE)
    assert (masks[1, 2] == mask_of(square(7))).all()


def test_an_image_that_is_not_there_is_named(pictures):
    images, labels = pictures
    means = mean_colours(images[[4]])[0]
    outlines = {"first": [Outline((means + 5).tolist(), square(3))]}
    with pytest.raises(
        ValueError, match=r"must be CIFAR-10's.*first, outlined image 1 .* by 5$"
    ):
        outlined(images, labels, ["first"], outlines)
    with pytest.raises(ValueError, match="of the 0 of class first"):
        outlined(images, labels + 1, ["first"], outlines)


def test_ten_images_of_each_class_are_outlined():
    outlines = read_outlines()
    assert [*outlines] == [*CLASSES]
    for own in outlines.values():
        assert len(own) == 10
        for outline in own:
            assert len(outline.means) == 12
            assert min(map(len, outline.polygons)) >= 3
            corners = np.concatenate([np.array(each) for each in outline.polygons])
            assert corners.shape[1] == 2
            assert corners.min() >= 0
            assert corners.max() <= SIDE
            assert 0.01 < mask_of(outline.polygons).mean() < 0.95
