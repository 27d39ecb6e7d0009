"""The terms that keep a network legible, by hand and by what a step along them does."""

import math

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.capsnet.legible_loss import (
    LIT,
    anything_term,
    dark_term,
    empty_primary,
    legible_loss,
    saturation_term,
    voters_term,
)
from capsnet_explorer.model.capsnet.voters import contributions
from capsnet_explorer.model.capsnet.winograd import WinogradConvolution
from capsnet_explorer.model.legibility import effective_number
from capsnet_explorer.model.presence import multi_hot

WEIGHTS = tuple(
    f"{name}_weight" for name in ("voters", "saturation", "blank", "dark", "anything")
)


@pytest.fixture
def images(digits):
    return digits.images / 255


def number_of_voters(network, images, labels):
    trace = network(images)
    step = trace.steps[-1]
    return effective_number(
        contributions(trace.votes, step.couplings, step.capsules, labels).relu()
    )


def test_what_an_image_lacks_of_its_voters_is_a_difference_of_logs(
    network, images, digits
):
    number = number_of_voters(network, images, digits.labels)
    term = voters_term(network(images), digits.labels, 30.0)
    assert_close(term, (math.log(30) - number.log()).relu().mean())
    assert voters_term(network(images), digits.labels, 1.0) == 0
    term = voters_term(network(images), digits.labels, 1.0, 2.0)
    assert_close(term, (number.log() - math.log(2)).relu().mean())
    assert term > 0


def test_nobody_who_contributes_leaves_the_term_finite(network, digits):
    with torch.no_grad():
        network.digits.transforms.zero_()
    term = voters_term(network(digits.images / 255), digits.labels, 30.0)
    assert_close(term, torch.tensor(math.log(30)))
    term.backward()
    assert network.digits.transforms.grad.isfinite().all()


def test_saturation_by_hand():
    # ‖p‖² is 3 and 0: the lengths after squash are 3/4 and 0; -log(1 - 3/4) = log 4.
    primary = torch.tensor([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    assert_close(saturation_term(primary), torch.tensor(math.log(4) / 2))


@pytest.mark.parametrize("winograd", [False, True])
def test_an_empty_image_shows_the_same_everywhere_and_needs_no_pass(network, winograd):
    if winograd:
        layer = WinogradConvolution(network.primary.convolution, network.config)
        network.primary.register_module("convolution", layer)
    with torch.no_grad():
        network.conv1.bias.uniform_(-0.5, 0.5)
        everywhere = network(torch.zeros(1, 1, 12, 12)).primary_pre[0]
    for row in range(4):
        for column in range(4):
            assert_close(everywhere[:, row, column], empty_primary(network).detach())


def test_darkness_by_hand(network):
    maps = torch.full((1, 4, 10, 10), -1.0)
    with torch.no_grad():
        network.conv1.bias.copy_(torch.tensor([-1.0, 0.2, -1.0, -1.0]))
    maps[0, 0, 0, :4] = LIT  # just lit: four values are 4 % of a hundred
    maps[0, 1] = 0.2  # glows as much as on an empty image
    maps[0, 2, 0, :4] = LIT / 2
    maps[0, 3, 0, :2] = 1.0  # two of the four are bright, the other two at zero
    maps[0, 3, 0, 2:4] = 0.0
    term = dark_term(maps, network)
    assert_close(term, torch.tensor((0 + 1 + 0.5 + 0.5) / 4))


def capsules_of(lengths):
    """Two types on a grid of 6 x 12 places, before squash: (1, 2, 6, 12, 1)."""
    lengths = torch.tensor(lengths)
    return (lengths / (1 - lengths)).sqrt().view(1, 2, 6, 12, 1)


def test_a_type_that_answers_to_anything_costs_the_log_of_how_far():
    selective, always = [0.8] + 71 * [0.1], [0.8] + 71 * [0.6]
    primary = capsules_of([selective, always])
    ratios = [sum(type) / 72 / 0.8 for type in (selective, always)]
    assert ratios[0] < 0.25 < ratios[1]
    assert_close(anything_term(primary, 0.25), torch.tensor(math.log(ratios[1] / 0.25)))
    assert anything_term(primary, 1.0) == 0


def test_a_step_along_the_term_makes_a_type_more_selective():
    primary = capsules_of([[0.8] + 71 * [0.5], [0.3] + 71 * [0.01]]).requires_grad_()
    anything_term(primary, 0.25).backward()
    steps = -primary.grad[0, 0].flatten()
    assert steps[0] > 0  # its longest grows
    assert (steps[1:] < 0).all()
    assert (primary.grad[0, 1] == 0).all()


def test_types_that_are_silent_cost_no_more_than_even_ones():
    silent = torch.zeros(1, 2, 6, 12, 1, requires_grad=True)
    term = anything_term(silent, 0.25)
    assert_close(term, torch.tensor(2 * math.log(4)))
    term.backward()
    assert silent.grad.isfinite().all()


def test_the_sum_is_weighted_and_the_paper_has_none_of_it(network, images, digits):
    trace, present = network(images), multi_hot(digits.labels, 3)
    assert legible_loss(network, trace, present, LossConfig()) == 0
    terms = [
        legible_loss(network, trace, present, LossConfig(**{name: 1.0}))
        for name in WEIGHTS
    ]
    assert all(total > 0 for total in terms)
    weights = dict(zip(WEIGHTS, (0.5, 2.0, 3.0, 0.25, 4.0), strict=True))
    weighted = legible_loss(network, trace, present, LossConfig(**weights))
    parts = zip(weights.values(), terms, strict=True)
    assert_close(weighted, sum(weight * total for weight, total in parts))


def test_the_terms_are_those_of_products_in_half_precision_too(network, images, digits):
    present = multi_hot(digits.labels, network.config.classes)
    config = LossConfig(voters=30.0, **dict.fromkeys(WEIGHTS, 1.0))
    exact = legible_loss(network, network(images), present, config)
    with torch.autocast("cpu", torch.bfloat16):
        trace = network(images)
    assert_close(
        legible_loss(network, trace, present, config), exact, atol=0.02, rtol=0.02
    )
