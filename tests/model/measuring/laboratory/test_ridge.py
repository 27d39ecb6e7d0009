"""Ridge regression against the normal equations, and R² by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capsnet_explorer.model.measuring.laboratory import ridge
from capsnet_explorer.model.measuring.laboratory.ridge import (
    Directions,
    explained,
    explained_interval,
    fitted_and_read,
)

DRAW = np.random.default_rng(3)
VECTORS = DRAW.normal(size=(40, 5)) * (4, 3, 2, 1, 0.5) + 7
AMOUNTS = VECTORS @ (0.5, -1, 2, 0, 1) + DRAW.normal(size=40)


def test_the_weights_solve_the_normal_equations():
    found = Directions.of(VECTORS).fitted(AMOUNTS - AMOUNTS.mean(), np.array([0, 0.3]))
    centred = VECTORS - VECTORS.mean(axis=0)
    squares = centred.T @ centred
    penalty = 0.3 * np.trace(squares) / 5
    for weights, own in zip(found, (0, penalty), strict=True):
        expected = np.linalg.solve(
            squares + own * np.eye(5), centred.T @ (AMOUNTS - AMOUNTS.mean())
        )
        assert_allclose(weights, expected)


def test_few_directions_are_those_of_most_variance():
    found = Directions.of(VECTORS, 2)
    values, axes = np.linalg.eigh(np.cov(VECTORS.T))
    assert_allclose(np.abs(found.axes @ axes[:, [4, 3]]), np.eye(2), atol=1e-9)
    assert_allclose(found.spread**2 / 39, values[[4, 3]])


def test_what_is_linear_is_read_from_vectors_never_seen():
    unseen = DRAW.normal(size=(10, 5))
    way = np.array([1.0, 2, 3, 4, 5])
    read = fitted_and_read(VECTORS, VECTORS @ way - 2, unseen)
    assert_allclose(read, unseen @ way - 2, rtol=1e-3, atol=1e-3)


def test_the_penalty_is_what_serves_the_images_held_out(monkeypatch):
    """Of more numbers than images, only a strong penalty reads others."""
    noise = DRAW.normal(size=(40, 200))
    amounts = DRAW.normal(size=40)
    read = fitted_and_read(noise, amounts, DRAW.normal(size=(50, 200)))
    monkeypatch.setattr(ridge, "STRENGTHS", (1e-9,))
    loose = fitted_and_read(noise, amounts, DRAW.normal(size=(50, 200)))
    assert np.std(read) < 0.3 * np.std(loose)


def test_vectors_that_are_all_alike_tell_the_mean():
    same = np.ones((8, 3))
    assert_allclose(fitted_and_read(same, np.arange(8.0), same[:2]), 3.5)


def test_too_few_vectors_are_refused():
    with pytest.raises(ValueError, match="at least 4 images of a class, got 3"):
        fitted_and_read(VECTORS[:3], AMOUNTS[:3], VECTORS)


def test_r2_by_hand():
    amounts = np.array([1.0, 2, 3])
    assert explained(amounts, amounts) == 1
    assert explained(amounts, np.full(3, 2.0)) == 0
    assert explained(amounts, np.array([1.0, 2, 4])) == 0.5
    assert explained(amounts, np.array([3.0, 2, 1])) == -3


def test_the_interval_holds_r2_and_narrows_with_more_images():
    amounts = DRAW.normal(size=4000)
    read = amounts + DRAW.normal(size=4000)  # of variance 1 each: R² is 0

    def width(count):
        low, high = explained_interval(amounts[:count], read[:count], seed=0)
        assert low < explained(amounts[:count], read[:count]) < high
        return high - low

    assert width(4000) < 0.4 * width(400)


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    covered = 0
    for _ in range(100):
        amounts = DRAW.normal(size=200)
        read = amounts + 0.5 * DRAW.normal(size=200)
        low, high = explained_interval(amounts, read, seed=1)
        covered += low <= 0.75 <= high
    assert covered >= 88
