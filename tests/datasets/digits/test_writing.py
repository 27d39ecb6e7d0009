"""Digits as many hands would write them."""

import numpy as np
import pytest

from capsnet_explorer.datasets.digits import load_samples, writing
from capsnet_explorer.datasets.digits.writing import (
    Form,
    forms,
    labels_of,
    smooth,
    varied,
    written,
)


@pytest.fixture(scope="module")
def test_digits():
    return written("test")


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(writing, "COUNTS", {"training": 200, "test": 100})


def test_they_have_mnists_form(test_digits):
    assert (test_digits.shape, test_digits.dtype) == ((2000, 28, 28), np.uint8)
    assert np.bincount(labels_of("test")).tolist() == [200] * 10
    mass = test_digits.sum(axis=(1, 2), dtype=float)
    index = np.arange(28)
    rows = (test_digits.sum(axis=2) @ index) / mass
    columns = (test_digits.sum(axis=1) @ index) / mass
    assert np.abs(rows - 14).max() < 1.5
    assert np.abs(columns - 14).max() < 1.5
    inked = test_digits > 127
    heights, widths = (inked.any(axis=axis).sum(axis=1) for axis in (2, 1))
    assert set(np.maximum(heights, widths)) <= {19, 20, 21}
    assert test_digits.max(axis=(1, 2)).min() > 200
    assert not test_digits[:, 0].any()


def test_a_seed_decides_on_every_digit(few):
    digits, other = written("training"), written("training", 1)
    assert (digits == written("training")).all()
    assert (digits != other).any(axis=(1, 2)).all()
    assert len(np.unique(digits.reshape(len(digits), -1), axis=0)) == len(digits)


def test_training_and_test_share_no_stroke():
    assert {form.label for form in forms("training")} == {*range(10)}
    training = {points(form) for form in forms("training")}
    assert len(training) == len(forms("training"))
    assert not training & {points(form) for form in forms("test")}
    # Those of the test are the samples that resemble no other class on purpose.
    easy = [sample.label for sample in load_samples() if not sample.hard]
    assert [form.label for form in forms("test")] == easy


def points(form: Form) -> bytes:
    return np.concatenate(form.strokes).tobytes()


@pytest.mark.parametrize("name", ["SWAY", "TURN", "NARROW", "UPPER", "BOW"])
def test_each_change_moves_strokes(name, monkeypatch):
    form = forms("test")[0]
    for change in ("SWAY", "TURN", "NARROW", "UPPER", "BOW", "PLACE"):
        monkeypatch.setattr(writing, change, 0.0)
    monkeypatch.setattr(writing, "SLANT", (0.0, 0.0))
    (still,) = varied(form, 2, np.random.default_rng(0))
    np.testing.assert_allclose(still, [form.strokes[0]] * 2, atol=1e-5)
    monkeypatch.setattr(writing, name, 0.3)
    (moved,) = varied(form, 2, np.random.default_rng(0))
    assert np.abs(moved - still).max() > 0.05
    assert np.abs(moved[0] - moved[1]).max() > 0.01


def test_a_pen_covers_what_is_near_its_line():
    ends = np.array([[[[8, 14], [20, 14]]]], np.float32)  # one line, to the right
    (ink,) = writing._ink(ends, np.array([4.0], np.float32))
    assert ink[14, 8:21].min() == 1
    assert ink[12, 14] == 0.5  # two pixels above, at the pen's edge
    assert ink[11, 14] == 0
    assert ink[14, 5] == 0
    np.testing.assert_allclose(ink, ink[::-1][np.r_[27, 0:27]], atol=1e-6)


def test_a_curve_passes_through_every_point():
    stroke = np.array([[0, 0], [3, 1], [4, 5], [4, 5], [1, 6], [0, 9.0]])
    curve = smooth(stroke)
    for point in stroke:
        assert np.linalg.norm(curve - point, axis=1).min() < 1e-12


def test_the_middle_of_an_even_span_is_the_known_blend():
    # With equal chords the curve's middle is (-a + 9b + 9c - d) / 16.
    points = np.array([[0, 0], [1, 0], [1, 1], [2, 1.0]])
    span = smooth(points)[8:17]
    np.testing.assert_allclose(span[4], points.T @ [-1, 9, 9, -1] / 16)


def test_a_corner_stays_sharp():
    corner = np.array([[0, 0], [1, 0], [1, 0], [1, 1.0]])
    np.testing.assert_array_equal(smooth(corner), corner)
