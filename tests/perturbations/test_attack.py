"""Attacks on functions whose steepest way is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from capsnet_explorer.perturbations.attack import (
    MARGIN,
    RANDOM_STARTS,
    Attack,
    Slope,
    attacked,
    followed,
)

GENERATOR = np.random.default_rng(3)
IMAGES = GENERATOR.random((2, 4, 5))
WEIGHTS = GENERATOR.uniform(-1, 1, (2, 4, 5))
WEIGHTS[:, 0, 0] = 0
EPSILONS = (0.0, 0.02, 0.1, 0.3, 1.0)
METHODS = ("noise", "fgsm", "bim", "pgd", "square")


def linear(images, which):
    return Slope((images * WEIGHTS[which]).sum((1, 2)), WEIGHTS[which])


def wavy(images, which):
    """Has many hills, so that the way up is seldom the straight one."""
    phases = 25 * images + 9 * WEIGHTS[which]
    return Slope(np.sin(phases).sum((1, 2)), 25 * np.cos(phases))


def flat(images, _which):
    return Slope(np.zeros(len(images)), np.zeros_like(images))


def counted(raised, counts):
    def count(images, which):
        counts.append(len(images))
        return raised(images, which)

    return count


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("raised", [linear, wavy])
def test_pixels_stay_within_epsilon_and_the_range(method, raised):
    images = attacked(IMAGES, EPSILONS, Attack(method, 7), raised)
    assert images.shape == (2, 5, 4, 5)
    assert 0 <= images.min() <= images.max() <= 1
    single = images.astype(np.float32).astype(np.float64)  # as a binary answer has them
    for index, epsilon in enumerate(EPSILONS):
        for some in (images, single):
            for image in (IMAGES, IMAGES.astype(np.float32)):
                if epsilon:
                    assert np.abs(some[:, index] - image).max() <= epsilon
    assert_array_equal(images[:, 0], IMAGES)


def test_the_sign_of_the_slope_is_the_best_way_up_a_plane():
    """No change within ε has a higher value: each pixel goes as far as it may."""
    expected = (
        IMAGES[:, None] + np.array(EPSILONS)[:, None, None] * np.sign(WEIGHTS)[:, None]
    ).clip(0, 1)
    for method in ("fgsm", "bim", "pgd"):
        images = attacked(IMAGES, EPSILONS, Attack(method, 10), linear)
        moves = WEIGHTS[:, None] != 0
        assert_allclose(
            np.where(moves, images, 0), np.where(moves, expected, 0), atol=2 * MARGIN
        )


def test_where_the_slope_is_zero_nothing_moves():
    for method in ("fgsm", "bim"):
        images = attacked(IMAGES, EPSILONS, Attack(method), flat)
        assert_array_equal(images, np.repeat(IMAGES[:, None], 5, axis=1))


@pytest.mark.parametrize(
    ("method", "needed"),  # slopes of an image, and further ones for each ε above 0
    [
        ("noise", (0, 0)),
        ("fgsm", (1, 0)),
        ("bim", (1, 6)),
        ("pgd", (1, (1 + RANDOM_STARTS) * 7)),
        ("square", (0, 1 + 6)),
    ],
)
@pytest.mark.parametrize("epsilons", [(0.0,), (0.1,), EPSILONS])
def test_slopes_are_computed_no_more_often_than_needed(method, needed, epsilons):
    counts = []
    attacked(IMAGES, epsilons, Attack(method, 6), counted(linear, counts))
    above = sum(epsilon > 0 for epsilon in epsilons)
    expected = needed[0] + needed[1] * above if above else 0
    assert sum(counts) == 2 * expected


def test_noise_moves_every_pixel_by_epsilon_up_or_down():
    grey = np.full((1, 40, 50), 0.5)
    (images,) = attacked(grey, (0.1, 0.2), Attack("noise", seed=4), flat)
    for image, epsilon in zip(images, (0.1, 0.2), strict=True):
        assert_allclose(np.abs(image - 0.5), epsilon, atol=2 * MARGIN)
        assert (image > 0.5).mean() == pytest.approx(0.5, abs=0.04)
    assert_array_equal(images[0] > 0.5, images[1] > 0.5)
    again = attacked(grey, (0.1, 0.2), Attack("noise", seed=4), flat)
    assert_array_equal(again[0], images)
    other = attacked(grey, (0.1, 0.2), Attack("noise", seed=5), flat)
    assert not np.array_equal(other[0], images)


def values(images, raised):
    return np.stack(
        [
            raised(images[:, index], np.arange(len(images))).values
            for index in range(images.shape[1])
        ]
    )


@pytest.mark.parametrize("raised", [linear, wavy, flat])
def test_more_work_is_never_in_vain(raised):
    """BIM is at least as strong as no attack, and PGD at least as strong as FGSM."""
    gains = {
        method: values(attacked(IMAGES, EPSILONS, Attack(method, 5), raised), raised)
        for method in METHODS
    }
    untouched = values(np.repeat(IMAGES[:, None], 5, axis=1), raised)
    assert (gains["bim"] >= untouched).all()
    assert (gains["pgd"] >= gains["fgsm"] - 1e-12).all()


def test_pgd_climbs_hills_that_single_steps_overshoot():
    gains = {
        method: values(attacked(IMAGES, (0.3,), Attack(method, 40), wavy), wavy)
        for method in METHODS
    }
    assert (gains["pgd"] > gains["fgsm"] + 5).all()
    assert (gains["pgd"] > gains["noise"] + 5).all()
    assert (gains["pgd"] < 20).all()  # pixels, of at most 1 each


def test_squares_climb_without_a_gradient():
    """They come near the best way up a plane, whose values alone they read."""

    def hidden(images, which):
        slope = linear(images, which)
        return Slope(slope.values, np.full_like(slope.gradient, np.nan))

    images = attacked(IMAGES, (0.1,), Attack("square", 400), hidden)
    best = attacked(IMAGES, (0.1,), Attack("fgsm"), linear)
    start = values(IMAGES[:, None], linear)
    gained = (values(images, linear) - start) / (values(best, linear) - start)
    assert (gained > 0.9).all()
    inside = np.abs(images[:, 0] - IMAGES) < 0.1 - 2 * MARGIN
    assert ((images[:, 0] == 0) | (images[:, 0] == 1))[inside].all()  # at an end


def test_each_change_is_told_apart_by_its_image():
    """Slopes of one image must not be taken for another's."""
    alone = [
        attacked(
            IMAGES[index : index + 1],
            EPSILONS,
            Attack("bim", 4),
            lambda images, which, index=index: wavy(images, which + index),
        )
        for index in (0, 1)
    ]
    together = attacked(IMAGES, EPSILONS, Attack("bim", 4), wavy)
    assert_allclose(np.concatenate(alone), together)


@pytest.mark.parametrize("method", ["bim", "pgd"])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.3])
def test_a_path_leads_to_the_answer_step_by_step(method, epsilon):
    attack = Attack(method, 8, seed=2)

    def raised(images, _which):
        return wavy(images, np.zeros(len(images), int))

    way = followed(IMAGES[0], epsilon, attack, raised)
    assert way.images.shape == (9, 4, 5)
    assert_allclose(way.values, raised(way.images, None).values)
    (answer,) = attacked(IMAGES[:1], (epsilon,), attack, raised)[0]
    assert_array_equal(way.images[way.strongest], answer)
    assert np.abs(way.images - IMAGES[0]).max() <= epsilon
    step = epsilon * (1 if method == "bim" else 2.5) / 8
    moves = np.abs(np.diff(way.images, axis=0))
    assert moves.max() <= step + 1e-12
    if epsilon:
        assert moves.max() == pytest.approx(step, rel=1e-4)


@pytest.mark.parametrize("method", ["noise", "fgsm"])
def test_methods_without_steps_have_no_path(method):
    with pytest.raises(ValueError, match=f"bim or pgd, got {method}"):
        followed(IMAGES[0], 0.1, Attack(method), linear)
