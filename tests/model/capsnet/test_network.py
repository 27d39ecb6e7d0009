"""The network, wired: the paper's sizes, and a pass told again step by step."""

from dataclasses import replace

import torch
import torch.nn.functional as F
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.serving.network import answer_alike, pack
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
    contributions = named.read(trace, 1)
    assert contributions.shape == named.shape
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
            along = torch.stack([vote @ total / total.norm() for vote in weighted])
            of_digit = contributions[step, ..., digit].flatten()
            assert_close(of_digit, along, rtol=1e-3, atol=1e-6)
            assert_close(of_digit.sum(), total.norm(), rtol=1e-3, atol=1e-6)


def test_what_types_give_is_their_votes_by_their_couplings(network):
    """Told again capsule by capsule; over the types it is s, whose squash is v."""
    with torch.no_grad():
        trace = network(torch.rand(2, 1, 12, 12))
    tensors = ARCHITECTURE.tensors(network.config)
    sums = tensors["routing.given"].read(trace, 1)
    assert sums.shape == tensors["routing.given"].shape
    grid = network.config.primary_grid
    places = grid[1] * grid[2]
    votes = trace.votes.formed[1]
    for step, iteration in enumerate(trace.steps):
        for type in range(grid[0]):
            by_hand = torch.zeros_like(sums[0, 0])
            for capsule in range(type * places, (type + 1) * places):
                by_hand += iteration.couplings[1, capsule, :, None] * votes[capsule]
            assert_close(sums[step, type], by_hand, rtol=1e-4, atol=1e-6)
        assert_close(squash(sums[step].sum(dim=0)), iteration.capsules[1])


def test_imported_networks_compute_as_they_were_trained(network):
    """With `axis` the capsules compete; with `view` a capsule is cut of one map."""
    images = torch.rand(2, 1, 12, 12)
    axis, view = (
        CapsNet(replace(network.config, mistake=mistake)).eval()
        for mistake in ("axis", "view")
    )
    for other in (axis, view):
        other.load_state_dict(network.state_dict())
        assert answer_alike(pack(other), other)
    assert_close(axis(images).steps[-1].couplings.sum(dim=1), torch.ones(2, 3))
    assert_close(network(images).steps[-1].couplings.sum(dim=2), torch.ones(2, 32))
    maps = network.conv1(images).relu()
    channels = network.primary.convolution(maps)
    assert_close(view.primary(maps)[0, 0, 0, 0], channels[0, 0, 0, :4])
    assert_close(network.primary(maps)[0, 0, 0, 0], channels[0, :4, 0, 0])
