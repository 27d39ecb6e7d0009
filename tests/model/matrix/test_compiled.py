"""The compiled loops of training, against the readable one."""

import copy

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.matrix.architecture import ARCHITECTURE
from capsnet_explorer.model.matrix.config import LossConfig
from capsnet_explorer.model.matrix.layers import Capsules
from capsnet_explorer.model.presence import multi_hot
from capsnet_explorer.model.training.objective import Objective
from tests.model.matrix.routing import assert_same_routing

pytest.importorskip("numba", reason="Numba compiles the loops of training")

CPU = Computing(torch.device("cpu"))


@pytest.fixture
def compiled(network):
    twin = copy.deepcopy(network)
    ARCHITECTURE.prepare_training(twin, twin.config, CPU)
    assert all(layer.faster is not None for layer in twin.routed_layers)
    return twin


@pytest.mark.parametrize("threads", [1, 2])
def test_results_and_gradients_are_the_readable_loops(
    network, compiled, images, threads
):
    labels = multi_hot(torch.tensor([0, 3, 2]), network.config.classes)
    readable = copy.deepcopy(network).double()
    means = objective(readable, images.double(), labels)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        found = objective(compiled, images, labels)
    finally:
        torch.set_num_threads(before)
    assert_close(found, means.float())
    pairs = zip(readable.named_parameters(), compiled.parameters(), strict=True)
    for (name, parameter), twin in pairs:
        error = (twin.grad - parameter.grad).norm() / parameter.grad.norm()
        assert error < 1e-4, name


def objective(network, images, labels):
    module = Objective(ARCHITECTURE, network.train(), LossConfig(), bfloat16=False)
    means = module(images, labels)
    means[:2].sum().backward()
    return means.detach()


@torch.no_grad()
def test_every_iteration_is_kept(network, compiled, images):
    one, other = network(images, iterations=4), compiled(images, iterations=4)
    assert_same_routing(other, one)


@torch.no_grad()
def test_votes_far_from_every_mean_are_assigned_as_by_the_readable_loop(
    network, compiled
):
    below = Capsules(30 * torch.randn(2, 2, 9, 9, 16), torch.rand(2, 2, 9, 9))
    one, other = network.caps1(below).steps[-1], compiled.caps1(below).steps[-1]
    assert_close(one.assignments, other.assignments, rtol=1e-2, atol=1e-4)
    assert other.means.isfinite().all()


def test_without_numba_the_readable_loop_trains(network, monkeypatch):
    monkeypatch.setattr(
        "capsnet_explorer.model.matrix.compiled.find_spec", lambda name: None
    )
    ARCHITECTURE.prepare_training(network, network.config, CPU)
    assert all(layer.faster is None for layer in network.routed_layers)
