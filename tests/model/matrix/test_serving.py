"""The network prepared for serving, against the readable one."""

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.layers.em import em_routing, operate
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.matrix.architecture import ARCHITECTURE
from capsnet_explorer.model.matrix.layers import Capsules
from capsnet_explorer.model.matrix.serving.routing import Cut, PackedRouting
from capsnet_explorer.model.surgery import surgery_on
from tests.model.matrix.routing import FIGURES, assert_same_routing

LAYERS = ("caps1", "caps2", "classes")


@pytest.fixture
def serving(network):
    return ARCHITECTURE.serving(network)


def options_of(config, count, **query):
    return [ARCHITECTURE.options(config, query)] * count


def assert_alike(values, expected):
    assert_close(values, expected.float(), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("iterations", [1, 2, 5])
@torch.inference_mode()
def test_every_figure_of_every_iteration_is_the_readable_loops(
    network, serving, sizes, images, iterations
):
    trace = serving.run(images, options_of(sizes, len(images), iterations=iterations))
    expected = network.double()(images.double(), iterations=iterations)
    assert len(trace.caps1.steps) == iterations
    assert_same_routing(trace, expected)
    assert_alike(trace.reconstruction, expected.reconstruction)


@pytest.mark.parametrize("iterations", [1, 3])
@pytest.mark.parametrize(
    "cut",
    [
        {"silence": [0, 3]},
        {"routing": "uniform"},
        {"pin": [{"capsule": 1, "digit": 2, "coupling": 0.0}]},
        {
            "silence": [5],
            "routing": "uniform",
            "pin": [{"capsule": 1, "digit": 0, "coupling": 0.75}],
        },
        {"pin": [{"capsule": i, "digit": 1, "coupling": 1.0} for i in range(4)]},
    ],
)
@torch.inference_mode()
def test_surgery_is_routed_as_by_the_readable_loop(
    network, serving, sizes, images, cut, iterations
):
    (options,) = options_of(sizes, 1, iterations=iterations, **cut)
    (plain,) = options_of(sizes, 1, iterations=iterations)
    trace = serving.run(images, [options, plain, options])
    surgery = surgery_on([options, plain, options], sizes)
    expected = network(images, iterations=iterations, surgery=surgery)
    assert_same_routing(trace, expected)
    untouched = serving.run(images, [plain] * 3)
    changed = (trace.scores != untouched.scores).any(dim=1)
    moves = iterations > 1 or cut != {"routing": "uniform"}  # the first is even
    assert changed.tolist() == [moves, False, moves]


@torch.inference_mode()
def test_a_silenced_capsule_gives_nothing_to_any_class(serving, sizes, images):
    _, rows, columns = sizes.caps2_grid
    silent = list(range(rows * columns))  # the first type
    trace = serving.run(images, options_of(sizes, len(images), silence=silent))
    flow = trace.flow.layers[-1]  # (batch, iterations, types, classes, classes)
    assert not flow[:, :, 0].any()
    expected = trace.class_capsules.steps[-1].activations[:, 0]
    assert_close(flow[:, -1].sum(dim=1).diagonal(dim1=1, dim2=2), expected)
    assert_close(trace.flow.places[:, -1].sum(dim=(1, 2, 3)), expected)


@torch.inference_mode()
def test_a_child_whose_free_shares_vanish_divides_the_rest_evenly(network):
    """Held at 0 where routing gives all, the others have come out as 0."""
    layer = network.classes
    types = layer.types
    assignments = torch.zeros(1, 1, types, layer.windows.slots)
    assignments[:, :, 2] = 1.0
    held = torch.full((1, layer.windows.slots, types), torch.nan)
    held[:, :, 2] = 0.25
    silenced = torch.zeros(1, layer.windows.slots, dtype=torch.bool)
    surgery = Surgery(silenced, torch.zeros(1, dtype=torch.bool), held)
    expected = torch.full_like(assignments, 0.75 / (types - 1))
    expected[:, :, 2] = 0.25
    assert_close(operate(assignments, surgery), expected)
    cut = Cut(silenced[0].numpy(), is_uniform=False, held=held[0].T.numpy())
    shares = assignments[0].numpy()
    cut.assign(shares)
    assert_close(torch.from_numpy(shares), expected[0])


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
    steps = PackedRouting(layer)(poses, activations, 3)
    assert all(getattr(steps[-1], figure).isfinite().all() for figure in FIGURES)
    assert_close(steps[-1].assignments, expected.assignments, rtol=1e-2, atol=1e-4)


def test_no_iteration_is_refused(network):
    routing = PackedRouting(network.classes)
    children = network.classes.windows.children
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        routing(torch.rand(1, children, 16), torch.rand(1, children), 0)
