"""Routing with its way back by hand, against torch's through the readable loop."""

import copy

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.matrix.image_gradients import (
    DifferentiableRouting,
    differentiable,
)
from capsnet_explorer.model.matrix.layers import Capsules

LAYERS = ("caps1", "caps2", "classes")


def below_of(layer, images):
    """Return poses (images, children, 16) and activations of the capsules below."""
    children = layer.windows.children
    poses = torch.randn(images, children, 16)
    return poses, torch.rand(images, children)


def gradients_of(route, poses, activations, iterations):
    """Return the gradients of a sum that weighs every mean and logit differently."""
    given = [each.clone().requires_grad_() for each in (poses, activations)]
    last = route(*given, iterations)[-1]
    total = sum(
        (torch.linspace(-1, 1, each.numel()).view(each.shape).to(each) * each).sum()
        for each in (last.means, last.logits)
    )
    return torch.autograd.grad(total, given)


def readable(layer):
    """The readable loop in double precision, in the form of what takes its place."""
    plain = copy.deepcopy(layer).double().requires_grad_(False)

    def route(poses, activations, iterations):
        grid = plain.windows.grid
        below = Capsules(poses.unflatten(1, grid), activations.unflatten(1, grid))
        return plain(below, iterations=iterations).steps

    return route


def assert_alike(found, expected):
    for one, other in zip(found, expected, strict=True):
        wanted = other.float()
        assert_close(one, wanted, rtol=1e-3, atol=1e-4 * float(wanted.abs().max()))


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("iterations", [1, 2, 4])
def test_the_way_back_is_the_readable_loops(network, name, iterations):
    layer = getattr(network, name)
    poses, activations = below_of(layer, 3)
    found = gradients_of(DifferentiableRouting(layer), poses, activations, iterations)
    expected = gradients_of(
        readable(layer), poses.double(), activations.double(), iterations
    )
    assert_alike(found, expected)


def test_only_means_and_logits_of_the_last_iteration_have_gradients(network):
    layer = network.caps2
    poses, activations = below_of(layer, 1)
    steps = DifferentiableRouting(layer)(poses.requires_grad_(), activations, 3)
    assert len(steps) == 3
    for step in steps[:2]:
        assert not step.means.requires_grad
        assert not step.logits.requires_grad
    assert steps[2].means.requires_grad
    assert steps[2].logits.requires_grad
    assert not steps[2].assignments.requires_grad


def test_no_iterations_are_refused(network):
    with pytest.raises(ValueError, match="at least 1, got 0"):
        DifferentiableRouting(network.caps1)(*below_of(network.caps1, 1), 0)


@pytest.mark.parametrize("may_compile", [False, True])
def test_nothing_is_compiled_while_somebody_waits(network, may_compile):
    pytest.importorskip("numba", reason="Numba compiles the loops of training")
    fast = differentiable(network, may_compile=may_compile)
    for layer in fast.routed_layers:
        assert isinstance(layer.faster, DifferentiableRouting) is not may_compile
