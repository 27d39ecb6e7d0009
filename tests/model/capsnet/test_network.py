"""The network, wired: the paper's sizes, and a pass told again step by step."""

import torch
import torch.nn.functional as F
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.layers.dynamic import routing_steps
from capsnet_explorer.model.layers.squash import squash


def test_the_papers_network_has_8_215_568_parameters():
    conv1 = 256 * 9 * 9 + 256
    primary = 256 * 256 * 9 * 9 + 256
    transforms = 1152 * 10 * 16 * 8
    decoder = (160 * 512 + 512) + (512 * 1024 + 1024) + (1024 * 784 + 784)
    assert conv1 + primary + transforms + decoder == 8_215_568
    assert CapsNet().parameter_count == 8_215_568


def test_a_pass_is_its_layers_one_after_the_other(network):
    """Capsules enter routing ordered by type, then row, then column."""
    images = torch.rand(2, 1, 12, 12)
    trace = network(images)

    conv1_pre = F.conv2d(images, network.conv1.weight, network.conv1.bias)
    assert_close(trace.conv1_pre, conv1_pre)
    assert_close(trace.conv1_relu, conv1_pre.clamp(min=0))
    assert_close(trace.primary_pre, network.primary(conv1_pre.clamp(min=0)))
    assert_close(trace.primary_capsules, squash(trace.primary_pre))
    votes = network.digits(trace.primary_capsules.reshape(2, 32, 4))
    for iterations in (3, 5):
        *_, last = routing_steps(votes, iterations)
        trace = network(images, iterations=None if iterations == 3 else iterations)
        assert len(trace.steps) == iterations
        assert_close(trace.capsules, last.capsules)
        assert_close(trace.lengths, last.capsules.square().sum(dim=2).sqrt())
        longest = trace.lengths.argmax(dim=1)
        assert_close(trace.reconstruction, network.decoder(last.capsules, longest))
    keep = torch.tensor([2, 0])
    drawn = network(images, keep=keep).reconstruction
    assert_close(drawn, network.decoder(network(images).capsules, keep))


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
