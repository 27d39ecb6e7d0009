"""What training minimises, by hand."""

import math

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.margin_loss import (
    MarginLoss,
    class_losses,
    length_cross_entropy,
    margin_losses,
    reconstruction_loss,
)

PAPER = MarginLoss()


@pytest.mark.parametrize(
    ("lengths", "present", "expected"),
    [
        ([0.5, 0.3], [1, 0], 0.4**2 + 0.5 * 0.2**2),
        ([0.5, 0.3], [0, 1], 0.6**2 + 0.5 * 0.4**2),
        ([0.95, 0.05], [1, 0], 0.0),  # both beyond their margins
        ([0.0, 0.0, 0.0], [0, 0, 1], 0.9**2),
        ([0.9, 0.1, 0.6], [1, 0, 0], 0.5 * 0.5**2),
        ([0.9, 0.1, 0.6], [1, 0, 1], 0.3**2),
        ([0.9, 0.1, 0.6], [0, 0, 0], 0.5 * (0.8**2 + 0.5**2)),
    ],
)
def test_margin_loss_by_hand(lengths, present, expected):
    losses = margin_losses(torch.tensor([lengths] * 2), torch.tensor([present]), PAPER)
    assert_close(losses, torch.tensor([expected] * 2))


def test_margin_loss_follows_its_settings():
    config = MarginLoss(present_margin=0.8, absent_margin=0.2, absent_weight=0.25)
    losses = margin_losses(torch.tensor([[0.5, 0.6]]), torch.tensor([[1, 0]]), config)
    assert_close(losses, torch.tensor([0.3**2 + 0.25 * 0.4**2]))


def test_reconstruction_loss_is_0_392_times_the_mean_squared_difference():
    drawn, images = torch.rand(2, 5, 28, 28)
    losses = reconstruction_loss(drawn, images, PAPER.reconstruction_weight)
    squares = (drawn - images).square()
    assert_close(losses, 0.0005 * squares.sum() / 5)
    assert_close(losses, 0.392 * squares.mean())


# Ten times these lengths are logits of the probabilities 1/4, 1/4 and 1/2.
LENGTHS = torch.tensor([[0.0, 0.0, math.log(2) / 10]])


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ([0, 0, 1], math.log(2)),
        ([1, 0, 0], math.log(4)),
        ([1, 0, 1], (math.log(4) + math.log(2)) / 2),
        ([0, 0, 0], 0.0),
    ],
)
def test_cross_entropy_of_lengths_by_hand(present, expected):
    losses = length_cross_entropy(LENGTHS, torch.tensor([present]))
    assert_close(losses, torch.tensor([expected]))


def test_the_settings_choose_the_loss():
    lengths, present = torch.rand(3, 10), torch.eye(10)[:3]
    assert_close(
        class_losses(lengths, present, MarginLoss(class_loss="cross_entropy")),
        length_cross_entropy(lengths, present),
    )
    assert_close(
        class_losses(lengths, present, PAPER), margin_losses(lengths, present, PAPER)
    )
    with pytest.raises(ValueError, match="must be one of margin, cross_entropy, got"):
        MarginLoss(class_loss="hinge")
