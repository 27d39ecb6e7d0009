"""Changes of an image, against hand-worked values and a slow, obvious version."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from capsnet_explorer.perturbations.changes import TOGETHER, Change, changed

IMAGE = np.random.default_rng(5).random((7, 7))
WIDE = np.random.default_rng(6).random((5, 8))


def after(image, **parts):
    (result,) = changed(image, [Change(**parts)])
    return result


def plainly_moved(image, matrix, shift):
    """Find the source of each pixel, and weigh the four pixels around it."""
    rows, columns = image.shape
    centre = np.array([(columns - 1) / 2, (rows - 1) / 2])
    back = np.linalg.inv(matrix)
    moved = np.zeros_like(image)
    for row in range(rows):
        for column in range(columns):
            origin = np.array([column, row]) - centre - shift
            x, y = back @ origin + centre
            for near_row in (math.floor(y), math.floor(y) + 1):
                for near_column in (math.floor(x), math.floor(x) + 1):
                    if 0 <= near_row < rows and 0 <= near_column < columns:
                        weight = (1 - abs(y - near_row)) * (1 - abs(x - near_column))
                        moved[row, column] += weight * image[near_row, near_column]
    return moved


def turn(degrees):
    """Counter-clockwise as seen, where y points down."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return np.array([[cosine, sine], [-sine, cosine]])


def lean(degrees):
    return np.array([[1, -math.tan(math.radians(degrees))], [0, 1]])


@pytest.mark.parametrize("image", [IMAGE, WIDE, np.zeros((1, 1)), np.ones((28, 28))])
def test_no_change_returns_the_image_bit_for_bit(image):
    assert_array_equal(after(image), image)
    assert_array_equal(after(image, seed=7, rotate=360, scale=1), image)


def test_quarter_turns_are_exact_and_counter_clockwise():
    for times in range(-4, 5):
        assert_array_equal(after(IMAGE, rotate=90 * times), np.rot90(IMAGE, times))
    turned = IMAGE
    for _ in range(4):
        turned = after(turned, rotate=90)
    assert_array_equal(turned, IMAGE)


@pytest.mark.parametrize("right", [-8, -3, 0, 1, 4])
@pytest.mark.parametrize("down", [-6, -1, 0, 2, 9])
def test_whole_pixel_shifts_are_exact(right, down):
    expected = np.zeros_like(WIDE)
    for row in range(5):
        for column in range(8):
            if 0 <= row - down < 5 and 0 <= column - right < 8:
                expected[row, column] = WIDE[row - down, column - right]
    assert_array_equal(after(WIDE, shift=(right, down)), expected)


def test_a_positive_shear_leans_the_top_to_the_right():
    bar = np.zeros((5, 5))
    bar[:, 2] = 1
    assert_allclose(after(bar, shear=45), np.eye(5)[::-1], atol=1e-12)


@pytest.mark.parametrize("image", [IMAGE, WIDE], ids=["square", "wide"])
@pytest.mark.parametrize(
    "parts",
    [
        {"rotate": 33.0},
        {"scale": 0.6},
        {"shear": -20.0},
        {"shift": (1.3, -2.6)},
        {"scale": 1.4, "shear": 25.0, "rotate": -70.0, "shift": (0.7, 1.2)},
        {"scale": 0.4, "shear": -45.0, "rotate": 180.0, "shift": (-3.0, 0.5)},
    ],
)
def test_moves_apply_in_their_order(image, parts):
    matrix = (
        turn(parts.get("rotate", 0))
        @ lean(parts.get("shear", 0))
        @ (parts.get("scale", 1) * np.eye(2))
    )
    expected = plainly_moved(image, matrix, np.array(parts.get("shift", (0, 0))))
    assert_allclose(after(image, **parts), expected, atol=1e-12)


def plainly_restroked(image, width):
    """Take the most or least ink within a disc, mixed between whole radii."""
    rows, columns = image.shape
    pick = max if width > 0 else min

    def within(radius, row, column):
        return pick(
            image[y, x] if 0 <= y < rows and 0 <= x < columns else 0.0
            for y in range(row - radius, row + radius + 1)
            for x in range(column - radius, column + radius + 1)
            if (y - row) ** 2 + (x - column) ** 2 <= radius**2
        )

    whole = math.floor(abs(width))
    part = abs(width) - whole
    return np.array(
        [
            [
                (1 - part) * within(whole, row, column)
                + part * within(whole + 1, row, column)
                for column in range(columns)
            ]
            for row in range(rows)
        ]
    )


@pytest.mark.parametrize("width", [-2, -1.5, -0.25, 0.5, 1, 2.75])
@pytest.mark.parametrize("image", [IMAGE, WIDE], ids=["square", "wide"])
def test_strokes_thicken_and_thin_as_discs_do(image, width):
    expected = plainly_restroked(image, width)
    assert_allclose(after(image, stroke=width), expected, atol=1e-12)


def test_a_blur_weighs_by_a_gaussian_and_loses_ink_only_at_the_edge():
    dot = np.zeros((21, 21))
    dot[10, 10] = 1
    blurred = after(dot, blur=1.5)
    assert blurred.sum() == pytest.approx(1)
    offsets = np.arange(-10, 11)
    weights = np.exp(-(offsets**2) / (2 * 1.5**2))
    weights[np.abs(offsets) > 6] = 0  # four standard deviations
    weights /= weights.sum()
    assert_allclose(blurred, np.outer(weights, weights), atol=1e-12)
    corner = after(np.pad([[1.0]], ((0, 20), (0, 20))), blur=1.5)
    expected = np.pad(blurred[10:, 10:], ((0, 10), (0, 10)))
    assert_allclose(corner, expected, atol=1e-12)


def test_a_blur_wider_than_the_image_is_the_same_gaussian():
    wide = np.zeros((41, 41))
    wide[20, 20] = 1
    expected = after(wide, blur=4)[18:23, 18:23]
    dot = np.zeros((5, 5))
    dot[2, 2] = 1
    assert_allclose(after(dot, blur=4), expected, atol=1e-12)


def test_tones_apply_in_their_order_and_are_clipped_at_the_end():
    image = np.array([[0.0, 0.5, 1.0]])
    assert_allclose(after(image, contrast=0.5, ground=0.1), [[0.1, 0.35, 0.6]])
    assert_allclose(after(image, contrast=3, ground=-0.7), [[0, 0.8, 1]])
    assert_allclose(after(image, contrast=0, ground=0.25), [[0.25] * 3])


def test_moves_come_before_strokes_these_before_the_blur_and_it_before_the_contrast():
    image = np.pad([[0.8]], 5)
    together = after(image, shift=(1, -1), stroke=1, blur=0.7, contrast=2)
    blurred = after(after(after(image, shift=(1, -1)), stroke=1), blur=0.7)
    assert_allclose(together, (2 * blurred).clip(0, 1), atol=1e-12)


def test_noise_is_uniform_and_belongs_to_its_seed():
    grey = np.full((60, 60), 0.5)
    noisy = after(grey, noise=0.2, seed=3)
    moves = (noisy - 0.5) / 0.2
    assert -1 <= moves.min() < -0.99
    assert 0.99 < moves.max() <= 1
    quarters, _ = np.histogram(moves, bins=4, range=(-1, 1))
    assert_allclose(quarters / moves.size, 0.25, atol=0.03)
    assert_array_equal(after(grey, noise=0.2, seed=3), noisy)
    assert_allclose(after(grey, noise=0.1, seed=3) - 0.5, (noisy - 0.5) / 2)
    assert np.abs(after(grey, noise=0.2, seed=4) - noisy).max() > 0.1


def test_each_change_is_on_its_own():
    generator = np.random.default_rng(0)
    changes = [
        Change(
            rotate=float(generator.uniform(-180, 180)),
            shift=(float(generator.uniform(-3, 3)), 0.0),
            stroke=float(generator.choice([0, 0.5, -1])),
            blur=float(generator.choice([0, 0.7, 2])),
            noise=float(generator.choice([0, 0.1])),
            seed=index,
        )
        for index in range(2 * TOGETHER + 3)
    ]
    images = changed(IMAGE, changes)
    assert images.shape == (len(changes), 7, 7)
    assert 0 <= images.min() <= images.max() <= 1
    for image, change in zip(images, changes, strict=True):
        assert_allclose(image, changed(IMAGE, [change])[0], atol=1e-12)


def test_the_image_itself_stays_as_it_is():
    image = IMAGE.copy()
    changed(image, [Change(), Change(ground=0.5, noise=0.1)])
    assert_array_equal(image, IMAGE)
