"""What pictures show: the worst digits by hand, sweeps against one decoding each."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.figures.pictures import (
    STEPS,
    capsule_of,
    measured_bounds,
    most_unsure,
    most_wrong,
    papers_bounds,
    reconstructions,
    sheet,
    typical,
)
from capsnet_explorer.model.measuring.evaluation import Evaluation


@pytest.fixture
def found():
    """Six images of two classes; the second, fifth and sixth are read wrong."""
    lengths = [[0.9, 0.1], [0.8, 0.3], [0.4, 0.5], [0.1, 0.9], [0.6, 0.5], [0.1, 0.9]]
    labels = torch.tensor([0, 1, 1, 1, 1, 0])
    return Evaluation(labels, torch.tensor(lengths))


def test_the_surest_mistakes_come_first(found):
    assert most_wrong(found, 10).tolist() == [5, 1, 4]
    assert most_wrong(found, 2).tolist() == [5, 1]


def test_the_least_sure_are_those_whose_two_longest_are_nearest(found):
    assert sorted(most_unsure(found, 2).tolist()) == [2, 4]
    assert most_unsure(found, 3)[-1] == 1


def test_with_a_single_class_nothing_is_unsure(found):
    assert len(most_unsure(replace(found, scores=found.scores[:, :1]), 3)) == 0


def test_a_typical_image_is_read_right_and_of_median_length(found):
    assert typical(found) == {0: 0, 1: 2}  # of 0.5 and 0.9, the lower is the median


def test_a_class_that_is_never_read_right_has_no_typical_image(found):
    assert typical(replace(found, labels=1 - found.predictions)) == {}


def test_bounds_hold_the_capsule_itself():
    ranges = torch.tensor([[-0.2, 0.3], [0.1, 0.2], [-0.4, -0.1]])
    capsule = torch.tensor([0.0, 0.5, -0.5])
    expected = [[-0.2, 0.3], [0.1, 0.5], [-0.5, -0.1]]
    assert_close(measured_bounds(ranges, capsule), torch.tensor(expected))
    expected = [[-0.25, 0.25], [0.25, 0.75], [-0.75, -0.25]]
    assert_close(papers_bounds(capsule), torch.tensor(expected))


def test_each_image_of_a_sheet_is_one_number_moved(network, sizes):
    capsule = torch.rand(sizes.digit_dim)
    bounds = papers_bounds(capsule)
    drawn = sheet(network, 1, capsule, bounds)
    assert drawn.shape == (sizes.digit_dim, STEPS, 1, 12, 12)
    for number in range(sizes.digit_dim):
        for step in range(STEPS):
            pose = capsule.clone()
            low, high = bounds[number]
            pose[number] = low + (high - low) * step / (STEPS - 1)
            capsules = torch.zeros(1, sizes.classes, sizes.digit_dim)
            capsules[0, 1] = pose
            with torch.no_grad():
                expected = network.decoder(capsules, torch.tensor([1]))[0]
            assert_close(drawn[number, step], expected)


def test_the_middle_of_the_papers_sheet_is_the_reconstruction(network, digits):
    capsule = capsule_of(network, digits, 4, 2)
    middle = sheet(network, 2, capsule, papers_bounds(capsule))[:, STEPS // 2]
    (drawn,) = reconstructions(network, digits.images[4:5], torch.tensor([2]))
    assert_close(middle, drawn.expand_as(middle))
    with torch.no_grad():
        trace = network(to_network(digits.images[4:5]))
    assert_close(capsule, trace.capsules[0, 2])
