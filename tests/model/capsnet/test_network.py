"""The network, wired: the paper's sizes, and a pass told again step by step."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.layers.dynamic import routing_steps
from capsnet_explorer.model.layers.squash import squash


@pytest.fixture(scope="module")
def paper_network():
    return CapsNet()


def test_the_papers_network_has_8_215_568_parameters(paper_network):
    conv1 = 256 * 9 * 9 + 256
    primary = 256 * 256 * 9 * 9 + 256
    transforms = 1152 * 10 * 16 * 8
    decoder = (160 * 512 + 512) + (512 * 1024 + 1024) + (1024 * 784 + 784)
    assert conv1 + primary + transforms + decoder == 8_215_568
    assert paper_network.parameter_count == 8_215_568


def test_the_papers_network_has_the_papers_shapes(paper_network):
    with torch.no_grad():
        trace = paper_network(torch.rand(1, 1, 28, 28))
    assert trace.conv1_pre.shape == trace.conv1_relu.shape == (1, 256, 20, 20)
    assert trace.primary_pre.shape == (1, 32, 6, 6, 8)
    assert trace.primary_capsules.shape == (1, 32, 6, 6, 8)
    assert trace.votes.formed.shape == (1, 1152, 10, 16)
    assert [step.couplings.shape for step in trace.steps] == 3 * [(1, 1152, 10)]
    assert trace.capsules.shape == (1, 10, 16)
    assert trace.lengths.shape == (1, 10)
    assert trace.reconstruction.shape == (1, 1, 28, 28)


def test_a_pass_is_its_layers_one_after_the_other(network):
    images = torch.rand(2, 1, 12, 12)
    trace = network(images)

    conv1_pre = F.conv2d(images, network.conv1.weight, network.conv1.bias)
    assert_close(trace.conv1_pre, conv1_pre)
    assert_close(trace.conv1_relu, conv1_pre.clamp(min=0))
    assert_close(trace.primary_pre, network.primary(conv1_pre.clamp(min=0)))
    assert_close(trace.primary_capsules, squash(trace.primary_pre))
    votes = network.digits(trace.primary_capsules.reshape(2, 32, 4))
    *_, last = routing_steps(votes, 3)
    assert_close(trace.capsules, last.capsules)
    assert_close(trace.lengths, last.capsules.square().sum(dim=2).sqrt())
    longest = trace.lengths.argmax(dim=1)
    assert_close(trace.reconstruction, network.decoder(last.capsules, longest))


def test_capsules_enter_routing_ordered_by_type_then_row_then_column(network):
    trace = network(torch.rand(1, 1, 12, 12))
    flat = 1 * 16 + 2 * 4 + 3
    assert_close(trace.votes.primary[0, flat], trace.primary_capsules[0, 1, 2, 3])


@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_a_pass_routes_as_often_as_asked(network, iterations):
    images = torch.rand(1, 1, 12, 12)
    assert len(network(images, iterations=iterations).steps) == iterations


def test_a_pass_routes_as_often_as_the_config_says_by_default(sizes):
    assert len(CapsNet(sizes)(torch.rand(1, 1, 12, 12)).steps) == 3


def test_the_capsule_that_is_reconstructed_can_be_chosen(network):
    images = torch.rand(2, 1, 12, 12)
    keep = torch.tensor([2, 0])
    trace = network(images, keep=keep)
    assert_close(trace.reconstruction, network.decoder(trace.capsules, keep))


def test_contributions_to_a_digit_add_up_to_the_length_of_its_sum(network):
    """Told again capsule by capsule, from the votes and couplings of each iteration."""
    with torch.no_grad():
        trace = network(torch.rand(2, 1, 12, 12))
    named = ARCHITECTURE.tensors(network.config)["routing.contributions"]
    found = named.read(trace, 1)
    assert found.shape == named.shape
    votes = trace.votes.formed[1]
    for step, iteration in enumerate(trace.steps):
        for digit in range(network.config.classes):
            weighted = [
                coupling * vote
                for coupling, vote in zip(
                    iteration.couplings[1, :, digit], votes[:, digit], strict=True
                )
            ]
            total = torch.stack(weighted).sum(dim=0)
            along = torch.stack([each @ total / total.norm() for each in weighted])
            own = found[step, ..., digit].flatten()
            assert_close(own, along, rtol=1e-3, atol=1e-6)
            assert_close(own.sum(), total.norm(), rtol=1e-3, atol=1e-6)
