"""The intake's tools, against slow and obvious versions and values found by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from capsnet_explorer.pictures.reading.components import label
from capsnet_explorer.pictures.reading.levels import histogram, otsu_threshold, quantile
from capsnet_explorer.pictures.reading.placing import fitted, place, scale_to_box
from capsnet_explorer.pictures.reading.strokes import thickness
from capsnet_explorer.pictures.reading.windows import (
    disk_max,
    window_max,
    window_mean,
    window_min,
)

SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 9))
PLANES = arrays(np.float32, SHAPES, elements=st.floats(0, 1, width=16))
MASKS = arrays(np.bool_, SHAPES)


def by_windows(values, radius, reduce):
    """Look at each pixel's window on its own."""
    rows, columns = values.shape
    result = np.empty_like(values)
    for row in range(rows):
        for column in range(columns):
            top, left = max(row - radius, 0), max(column - radius, 0)
            window = values[top : row + radius + 1, left : column + radius + 1]
            result[row, column] = reduce(window)
    return result


@pytest.mark.parametrize(
    ("fast", "reduce"),
    [(window_max, np.max), (window_min, np.min), (window_mean, np.mean)],
)
@settings(max_examples=40, deadline=None)
@given(values=PLANES, radius=st.integers(0, 6))
def test_windows_are_what_looking_at_each_pixel_gives(fast, reduce, values, radius):
    expected = by_windows(values, radius, reduce)
    np.testing.assert_allclose(fast(values, radius), expected, atol=1e-6)


def test_a_point_grows_to_an_octagon():
    point = np.zeros((13, 13), np.float32)
    point[6, 6] = 1
    grown = disk_max(point, 5)
    assert grown[6, 1] == grown[1, 6] == 1
    assert grown[6, 0] == grown[0, 6] == 0
    assert grown[2, 2] == 0  # at a distance of 5.7
    assert grown[3, 3] == 1  # at a distance of 4.2


def flooded(mask):
    """Give each pixel the first pixel of its component, by filling one after one."""
    owner = np.full(mask.shape, -1)
    for start in zip(*np.nonzero(mask), strict=True):
        if owner[start] >= 0:
            continue
        number = owner.max() + 1
        waiting = [start]
        while waiting:
            row, column = waiting.pop()
            inside = 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1]
            if not inside or not mask[row, column] or owner[row, column] >= 0:
                continue
            owner[row, column] = number
            waiting += [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return owner + 1


@settings(max_examples=60, deadline=None)
@given(MASKS)
def test_components_are_those_that_flooding_finds(mask):
    parts, expected = label(mask), flooded(mask)
    np.testing.assert_array_equal(parts.labels, expected)
    for part in range(len(parts.area)):
        rows, columns = np.nonzero(expected == part + 1)
        assert parts.area[part] == len(rows)
        assert (parts.top[part], parts.bottom[part]) == (rows.min(), rows.max() + 1)
        assert (parts.left[part], parts.right[part]) == (
            columns.min(),
            columns.max() + 1,
        )


@settings(max_examples=25, deadline=None)
@given(PLANES)
def test_otsus_threshold_makes_the_tightest_classes(values):
    counts = histogram(values)
    levels = np.arange(256) / 255
    binned = np.repeat(levels, counts)

    def within(threshold):
        classes = binned[binned <= threshold], binned[binned > threshold]
        return sum(group.var() * group.size for group in classes if group.size)

    best = min(within(threshold) for threshold in levels)
    assert within(otsu_threshold(counts)) == pytest.approx(best, abs=1e-9)


def test_quantiles_of_levels():
    counts = histogram(np.array([[0, 0, 0.2, 1]], np.float32))
    assert quantile(counts, 0.5) == 0
    assert quantile(counts, 0.75) == pytest.approx(0.2)
    assert quantile(counts, 1.0) == 1


@pytest.mark.parametrize("width", [2, 5, 9])
@pytest.mark.parametrize("strength", [0.3, 1.0])
def test_the_thickness_of_a_bar_is_its_width(width, strength):
    bar = np.zeros((300, 20), np.float32)
    bar[:, 5 : 5 + width] = strength
    assert thickness(bar) == pytest.approx(width, rel=0.05)


def test_a_box_is_placed_by_its_mass():
    box = np.zeros((20, 20), np.float32)
    box[3, 4:7] = 1  # mass at row 3, column 5
    assert np.argwhere(place(box)).tolist() == [[14, 13], [14, 14], [14, 15]]
    bar = place(np.ones((20, 5), np.float32))  # mass at row 9.5, column 2
    assert np.flatnonzero(bar.any(axis=0)).tolist() == [12, 13, 14, 15, 16]
    assert np.flatnonzero(bar.any(axis=1)).tolist() == list(range(4, 24))


def test_an_image_of_the_wanted_size_is_left_alone():
    image = np.eye(28, dtype=np.float32)[None]
    assert fitted(image, (1, 28, 28)) is image


@pytest.mark.parametrize("side", [36, 37])
def test_an_image_that_is_not_scaled_stands_in_the_middle(side):
    image = np.random.default_rng(1).random((1, 28, 28), np.float32)
    result = fitted(image, (1, side, side), is_scaled=False)
    assert result.shape == (1, side, side)
    np.testing.assert_array_equal(result[:, 4:32, 4:32], image)
    assert result.sum() == pytest.approx(image.sum())
    small = fitted(image, (1, 14, 14), is_scaled=False)
    np.testing.assert_array_equal(small, fitted(image, (1, 14, 14)))


def test_a_fitted_pixel_is_the_mean_of_what_it_covers():
    image = np.zeros((1, 3, 4), np.float32)
    image[0, 0, 0], image[0, 1, 3] = 1, 0.5
    # Two rows of 1.5 each, two columns of 2 each.
    expected = np.array([[1 / 3, 0.5 * 0.5 / 3], [0, 0.5 * 0.5 / 3]])
    result = fitted(image, (1, 2, 2))
    assert result.dtype == np.float32
    np.testing.assert_allclose(result[0], np.rint(expected * 255) / 255, atol=1e-6)
    coloured = fitted(image, (3, 2, 2))
    np.testing.assert_array_equal(coloured, np.repeat(result, 3, axis=0))


def test_lopsided_ink_does_not_leave_the_image():
    box = np.full((20, 20), 0.01, np.float32)
    box[0, 0] = 100  # mass at row and column 0.4: both would have to start at 14
    assert np.argwhere(place(box)).min(axis=0).tolist() == [8, 8]


def test_scaling_to_the_box_keeps_proportions_and_covers_alike():
    box = scale_to_box(np.ones((200, 50), np.float32))
    assert box.shape == (20, 20)
    assert box.sum(axis=1) == pytest.approx(np.full(20, 5), abs=0.01)
    np.testing.assert_array_equal(box, scale_to_box(np.ones((50, 200), np.float32)).T)
