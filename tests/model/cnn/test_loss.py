"""Cross entropy, worked out by hand, and what a training step is given."""

import math
from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.cnn.architecture import ARCHITECTURE
from capsnet_explorer.model.cnn.config import CnnConfig, LossConfig
from capsnet_explorer.model.cnn.loss import binary_cross_entropy, cross_entropy
from capsnet_explorer.model.cnn.network import Cnn
from capsnet_explorer.model.margin_loss import MarginLoss, margin_losses
from capsnet_explorer.model.presence import multi_hot
from capsnet_explorer.model.training.objective import Objective

# Softmax gives 1/4, 1/4, 1/2 and 1/6, 1/3, 1/2.
LOGITS = torch.tensor([[1.0, 1.0, 2.0], [1.0, 2.0, 3.0]]).log()
PRESENT = torch.tensor([[0, 0, 1], [1, 0, 0]])


def test_cross_entropy_is_the_label_s_surprise():
    losses = cross_entropy(LOGITS, PRESENT, LossConfig())
    assert_close(losses, torch.tensor([math.log(2), math.log(6)]))


def test_several_classes_share_the_target():
    present = torch.tensor([[1, 0, 1], [0, 0, 0]])
    losses = cross_entropy(LOGITS, present, LossConfig())
    assert_close(losses, torch.tensor([(math.log(4) + math.log(2)) / 2, 0.0]))


def test_smoothed_labels_ask_a_little_of_every_class():
    losses = cross_entropy(LOGITS[:1], PRESENT[:1], LossConfig(label_smoothing=0.3))
    # The target is 0.1, 0.1, 0.8.
    expected = 2 * 0.1 * math.log(4) + 0.8 * math.log(2)
    assert_close(losses, torch.tensor([expected]))


@pytest.mark.filterwarnings("default")
def test_bfloat16_changes_little_and_keeps_the_loss_in_float32(network):
    images, labels = torch.rand(5, 1, 12, 12), torch.tensor([0, 1, 2, 0, 1])
    exact = Objective(ARCHITECTURE, network, LossConfig(), bfloat16=False)
    halved = Objective(ARCHITECTURE, network, LossConfig(), bfloat16=True)
    losses = halved(images, multi_hot(labels, 3))
    assert losses.dtype == torch.float32
    assert not torch.equal(losses[0], exact(images, multi_hot(labels, 3))[0])
    assert_close(losses[0], exact(images, multi_hot(labels, 3))[0], atol=0.02, rtol=0)


def test_each_class_is_decided_on_by_itself():
    # Sigmoid gives 1/2, 3/4 and 1/5.
    logits = torch.tensor([[1.0, 3.0, 0.25]]).log()
    present = torch.tensor([[1, 1, 0]])
    losses = binary_cross_entropy(logits, present, LossConfig())
    by_hand = math.log(2) + math.log(4 / 3) + math.log(5 / 4)
    assert_close(losses, torch.tensor([by_hand]))
    smoothed = binary_cross_entropy(logits, present, LossConfig(label_smoothing=0.2))
    mixed = by_hand - 0.1 * (math.log(4 / 3) - math.log(4))
    mixed -= 0.1 * (math.log(5 / 4) - math.log(5))
    assert_close(smoothed, torch.tensor([mixed]))


def test_a_network_of_sigmoids_minimises_that(network):
    sigmoids = Cnn(replace(network.config, probabilities="sigmoid")).eval()
    sigmoids.load_state_dict(network.state_dict())
    images, present = torch.rand(2, 1, 12, 12), torch.tensor([[1, 0, 1], [0, 1, 1]])
    trace = sigmoids(images)
    assert_close(trace.scores, 1 / (1 + (-network(images).logits).exp()))
    losses = ARCHITECTURE.class_loss(trace, present, LossConfig())
    assert_close(losses, binary_cross_entropy(trace.logits, present, LossConfig()))


def test_a_margin_loss_is_that_of_the_probabilities():
    network = Cnn(CnnConfig())
    trace = network(torch.rand(2, 1, 28, 28))
    present = multi_hot(torch.tensor([3, 5]), 10)
    losses = ARCHITECTURE.class_loss(trace, present, LossConfig(class_loss="margin"))
    assert_close(losses, margin_losses(trace.scores, present, MarginLoss()))
