"""Pairs of digits follow from their labels and a name alone."""

import numpy as np
import pytest

from capsnet_explorer.datasets.overlapping import REACH, fixed_pairs

LABELS = np.random.default_rng(0).integers(0, 10, 500)


def test_every_digit_is_the_first_of_one_pair_beside_one_of_another_class():
    digits, shifts = fixed_pairs(LABELS, "test")
    assert digits[:, 0].tolist() == list(range(500))
    assert (LABELS[digits[:, 0]] != LABELS[digits[:, 1]]).all()
    assert np.unique(shifts).tolist() == list(range(-REACH, REACH + 1))
    assert shifts.shape == (500, 2, 2)


def test_a_name_gives_the_same_pairs_every_time_and_another_name_others():
    first, again, other = (fixed_pairs(LABELS, name) for name in ("a", "a", "b"))
    assert all(np.array_equal(*pair) for pair in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])
    assert not np.array_equal(first[1], other[1])


def test_digits_of_one_class_are_refused():
    with pytest.raises(ValueError, match="at least two classes, got 1"):
        fixed_pairs(np.zeros(4, int), "test")
