"""The strongest of several attacks, on planes whose slopes are known."""

import numpy as np
import torch
from numpy.testing import assert_allclose, assert_array_equal

from capsnet_explorer.model.measuring.laboratory.strongest import Batch, strongest
from capsnet_explorer.perturbations.attack import Attack, Slope

# Images with 0.2, 0.4 and 0.6 in each of four pixels; read wrong above their bound.
PIXELS = np.full((3, 1, 2, 2), 0.0) + np.array([0.2, 0.4, 0.6])[:, None, None, None]
BOUNDS = np.array([0.55, 0.45, 0.45])
BATCH = Batch(PIXELS, torch.tensor([0, 1, 2]), first=0)


def over(images, labels):
    """Return by how much the mean of an image is above its label's bound."""
    return torch.from_numpy(images.mean((1, 2, 3)) - BOUNDS[labels])


def climbing(sign, attacked):
    """Go up the plane, or down it; note which images were looked at."""

    def climb(images, labels):
        attacked.extend(labels.tolist())
        return Slope(over(images, labels).numpy(), np.full_like(images, sign))

    return climb


def test_what_misleads_more_counts_whichever_way_it_is_found():
    wrong, right = [], []
    ways = [climbing(-1, wrong), climbing(1, right)]
    changed = strongest(BATCH, 0.1, Attack("fgsm"), ways, over)
    # The third is misread all the same.
    moves = np.array([0.1, 0.1, -0.1])[:, None, None, None]
    assert_allclose(changed, PIXELS + moves, atol=1e-6)
    assert wrong == [0, 1, 2]
    assert right == [0, 1]


def test_an_image_that_is_misled_is_attacked_no_further():
    first, second = [], []
    ways = [climbing(1, first), climbing(1, second)]
    changed = strongest(BATCH, 0.1, Attack("pgd", steps=5), ways, over)
    assert_array_equal(over(changed, BATCH.labels) > 0, [False, True, True])
    assert second.count(0) > 5
    assert 1 not in second
    assert 2 not in second
    assert first.count(2) == 1  # it is misread without any change
    assert first.count(1) == 2  # FGSM's image already misleads
    assert_array_equal(changed[2], PIXELS[2])


def test_without_epsilon_nothing_changes_and_nothing_is_computed():
    attacked = []
    changed = strongest(BATCH, 0, Attack("pgd"), [climbing(1, attacked)], over)
    assert_array_equal(changed, PIXELS)
    assert not attacked
