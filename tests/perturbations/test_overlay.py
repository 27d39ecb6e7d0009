"""Two digits on top of each other: placed, added, and whose ink is whose."""

import numpy as np

from capsnet_explorer.perturbations.overlay import overlaid, owners, placed, shared_ink


def test_an_image_is_moved_from_the_middle_right_and_down():
    image = np.array([[1, 2], [3, 4]])
    assert placed(image, [1, -1], [4, 4]).tolist() == [
        [0, 0, 1, 2],
        [0, 0, 3, 4],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]


def test_what_leaves_the_canvas_is_lost():
    image = np.array([[1, 2], [3, 4]])
    assert placed(image, [2, -2], [4, 4]).tolist() == [
        [0, 0, 0, 3],
        *([0] * 4 for _ in range(3)),
    ]
    assert not placed(image, [9, 0], [4, 4]).any()
    assert not placed(image, [0, -9], [4, 4]).any()


def test_ink_is_added_up_to_1():
    digit, other = np.array([[0.5, 0.25]]), np.array([[0.75, 0.5]])
    assert overlaid(digit, other).tolist() == [[1, 0.75]]


def test_a_pixel_belongs_to_none_one_or_both():
    digit = np.array([[0.2, 0.3, 0.0, 1.0]])
    other = np.array([[0.0, 0.2, 0.21, 1.0]])
    assert owners(digit, other).tolist() == [[0, 1, 2, 3]]


def test_shared_ink_is_a_share_of_the_smaller_digit():
    digit = np.array([[1.0, 1.0, 1.0, 0.0]])
    other = np.array([[0.0, 0.0, 1.0, 1.0]])
    assert shared_ink(digit, other) == shared_ink(other, digit) == 0.5
    assert shared_ink(digit, np.zeros_like(digit)) == 0
