"""The indices of disentanglement against their definitions and known answers."""

import numpy as np
import pytest

from capsnet_explorer.model.measuring.disentanglement import (
    Coded,
    chosen_penalties,
    correlations,
    gaps,
    indices,
    lasso,
    measured_indices,
    separateness,
)


def drawn(seed, images=400, properties=3):
    return np.random.default_rng(seed).normal(size=(images, properties))


def index_of(numbers, properties):
    coded = Coded(numbers, properties)
    penalties = chosen_penalties(numbers[None], properties)
    return indices(correlations(coded), penalties)[0]


def test_numbers_that_are_the_properties_are_apart():
    properties = drawn(1)
    order = [2, 0, 1]
    sap, dci = index_of(properties[:, order] * [1.0, -5.0, 0.1], properties)
    assert sap == pytest.approx(1, abs=0.05)
    assert dci == pytest.approx(1, abs=0.05)


def test_numbers_that_share_in_all_properties_are_not_apart():
    properties = drawn(2)
    mixed = properties @ np.array([[1.0, 1, 1], [1, -1, 0], [1, 1, -2]]).T
    sap, dci = index_of(mixed, properties)
    assert sap < 0.25
    assert dci < 0.5


def test_a_property_in_two_numbers_alike_has_no_gap():
    properties = drawn(3, properties=1)
    numbers = np.hstack([properties, properties, drawn(4, properties=1)])
    shared = correlations(Coded(numbers, properties)).shared
    assert gaps(shared**2) == pytest.approx(0, abs=1e-9)


def test_correlations_of_drawn_images_are_those_of_the_images_listed():
    properties, numbers = drawn(5, 30), drawn(6, 30, 4)
    counts = np.random.default_rng(7).multinomial(30, np.full(30, 1 / 30), 3)
    found = correlations(Coded(numbers, properties), counts)
    for row, own, shared in zip(counts, found.own, found.shared, strict=True):
        some = np.repeat(np.arange(30), row)
        slow = np.corrcoef(np.hstack([numbers, properties])[some].T)
        assert own == pytest.approx(slow[:4, :4])
        assert shared == pytest.approx(slow[:4, 4:])


def test_the_lasso_ends_where_no_weight_can_be_better():
    """The optimum's conditions: slopes of the penalty, or within it where it is 0."""
    numbers, noise = drawn(8, 200, 6), drawn(9, 200, 2)
    properties = numbers[:, :2] @ [[1.0, 0.3], [0.5, -1.0]] + 0.3 * noise
    found = correlations(Coded(numbers, properties))
    penalties = np.array([[0.05, 0.2]])
    weights = lasso(found.own, found.shared, penalties)
    slopes = found.shared - found.own @ weights
    for place, penalty in enumerate(penalties[0]):
        weight, slope = weights[0, :, place], slopes[0, :, place]
        is_out = weight == 0
        assert is_out.any()
        assert (np.abs(slope[is_out]) <= penalty + 1e-6).all()
        assert slope[~is_out] == pytest.approx(penalty * np.sign(weight[~is_out]))


def test_separateness_is_one_less_the_entropy():
    alone = np.array([[[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
    assert separateness(alone) == pytest.approx(1)
    even = np.array([[[1.0, 1.0], [3.0, 0.0]]])
    assert separateness(even) == pytest.approx((2 * 0 + 3 * 1) / 5)


def test_the_interval_holds_the_mean_and_turning_takes_apart_what_was_apart():
    classes = [
        Coded(each + 0.5 * drawn(seed + 9), each)
        for seed, each in ((seed, drawn(seed)) for seed in (10, 11))
    ]
    found = measured_indices(classes)
    for entry in found.values():
        assert entry["low"] <= entry["mean"] <= entry["high"]
        assert entry["turned_high"] < entry["low"]
        assert entry["mean"] == pytest.approx(np.mean(entry["classes"]), abs=1e-3)
    assert found == measured_indices(classes)
