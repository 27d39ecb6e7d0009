"""The network prepared for serving, against the readable one."""

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.layers.em import em_routing
from capsnet_explorer.model.matrix.architecture import ARCHITECTURE
from capsnet_explorer.model.matrix.layers import Capsules
from capsnet_explorer.model.matrix.serving.routing import PackedRouting
from capsnet_explorer.model.surgery import surgery_on
from tests.model.matrix.routing import FIGURES, assert_same_routing

LAYERS = ("caps1", "caps2", "classes")


@pytest.fixture
def serving(network):
    return ARCHITECTURE.serving(network)


def asked(config, count, **options):
    return [ARCHITECTURE.options(config, options)] * count


def assert_alike(found, expected):
    assert_close(found, expected.float(), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("iterations", [1, 2, 5])
@torch.inference_mode()
def test_every_figure_of_every_iteration_is_the_readable_loops(
    network, serving, sizes, images, iterations
):
    found = serving.run(images, asked(sizes, len(images), iterations=iterations))
    expected = network.double()(images.double(), iterations=iterations)
    assert len(found.caps1.steps) == iterations
    assert_same_routing(found, expected)
    assert_alike(found.reconstruction, expected.reconstruction)


@torch.inference_mode()
def test_surgery_is_routed_as_by_the_readable_loop(network, serving, sizes, images):
    cut = {"silence": [0, 3]}
    found = serving.run(images, asked(sizes, 3, **cut))
    plain = serving.run(images, asked(sizes, 3))
    assert not torch.equal(found.scores, plain.scores)
    surgery = surgery_on(asked(sizes, 3, **cut), sizes)
    assert_alike(found.scores, network(images, surgery=surgery).scores)


@pytest.mark.parametrize("name", LAYERS)
@torch.inference_mode()
def test_votes_far_from_every_mean_leave_finite_figures(network, name):
    layer = getattr(network, name)
    types, rows, columns = layer.windows.grid
    poses = 30 * torch.randn(2, types * rows * columns, 16)
    activations = torch.rand(2, types * rows * columns)
    below = Capsules(
        poses.unflatten(1, layer.windows.grid),
        activations.unflatten(1, layer.windows.grid),
    )
    votes = layer.votes(below.poses)
    *_, expected = em_routing(votes, activations, layer.layer, layer.settings, 3)
    found = PackedRouting(layer)(poses, activations, 3)
    assert all(getattr(found[-1], each).isfinite().all() for each in FIGURES)
    assert_close(found[-1].assignments, expected.assignments, rtol=1e-2, atol=1e-4)


def test_no_iteration_is_refused(network):
    routing = PackedRouting(network.classes)
    children = network.classes.windows.children
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        routing(torch.rand(1, children, 16), torch.rand(1, children), 0)
