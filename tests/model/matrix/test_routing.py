"""EM routing, against loops from the paper; its properties; the pitfalls."""

import copy

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.layers.em import em_routing, heat
from capsnet_explorer.model.layers.windows import Windows
from capsnet_explorer.model.matrix import layers
from capsnet_explorer.model.matrix.config import POSE, MatrixConfig
from capsnet_explorer.model.matrix.layers import Capsules, MatrixCapsules
from capsnet_explorer.model.matrix.network import MatrixNetwork
from tests.model.matrix.paper import routed, votes_of


def capsules_on(windows, batch=2):
    grid = windows.grid
    return Capsules(
        torch.randn(batch, *grid, POSE).double(), torch.rand(batch, *grid).double()
    )


def layer_on(windows, *, coordinates=False):
    layer = MatrixCapsules(
        windows, 3, iterations=3, variance_floor=0.4, coordinates=coordinates
    ).double()
    with torch.no_grad():
        layer.beta_u.normal_(-0.5, 0.2)
        layer.beta_a.normal_(-4, 1)
    return layer


WINDOWS = {
    "stride 1": (Windows((2, 4, 5), kernel=(3, 3), stride=1), False),
    "stride 2": (Windows((2, 5, 5), kernel=(3, 3), stride=2), False),
    "classes": (Windows((4, 3, 3), kernel=(3, 3), stride=1), True),
}


@pytest.mark.parametrize("case", WINDOWS)
@torch.no_grad()
def test_it_does_what_the_papers_loops_do(case):
    windows, coordinates = WINDOWS[case]
    layer, below = layer_on(windows, coordinates=coordinates), capsules_on(windows)
    routing = layer(below)
    children = windows.members().tolist()
    for image in range(2):
        slow = slow_steps(layer, below, image)
        for step, (assignments, capsules) in zip(routing.steps, slow, strict=True):
            for (position, kind), figures in capsules.items():
                cell = (image, position, kind)
                arrays = (step.means, step.variances, step.costs, step.activations)
                for array, figure in zip(arrays, figures, strict=True):
                    np.testing.assert_allclose(
                        array[cell], figure, rtol=1e-5, atol=1e-7
                    )
                np.testing.assert_allclose(
                    step.assignments[cell],
                    [assignments[i, (position, kind)] for i in children[position]],
                    rtol=1e-5,
                    atol=1e-7,
                )


def slow_steps(layer, below, image):
    windows = layer.windows
    votes = votes_of(
        below.poses[image].reshape(-1, 4, 4).numpy(),
        layer.slot_transforms.detach().numpy(),
        windows,
        None if layer.added is None else layer.added.numpy(),
    )
    return routed(
        votes,
        below.activations[image].flatten().tolist(),
        beta_u=layer.beta_u.tolist(),
        beta_a=layer.beta_a.tolist(),
        scales=[float(layer.inverse_temperature) * heat(t, 3) for t in range(3)],
        floor=layer.variance_floor,
    )


@pytest.mark.parametrize("case", WINDOWS)
@torch.no_grad()
def test_a_childs_assignments_sum_to_1_over_all_types_and_positions(case):
    windows, coordinates = WINDOWS[case]
    layer = layer_on(windows, coordinates=coordinates)
    for step in layer(capsules_on(windows), iterations=4).steps:
        sums = torch.zeros(2, windows.children).double()
        for position, children in enumerate(windows.members()):
            for slot, child in enumerate(children.tolist()):
                sums[:, child] += step.assignments[:, position, :, slot].sum(dim=1)
        assert_close(sums, torch.ones_like(sums))


def test_a_child_in_the_middle_is_shared_by_every_window_that_holds_it():
    windows = Windows((1, 3, 3), kernel=(2, 2), stride=1)
    even = windows.even(types=5)
    middle, corner = 4, 0
    assert even[windows.members()[:, None] == middle].tolist() == pytest.approx(
        [1 / 20] * 4
    )
    assert even[windows.members()[:, None] == corner].tolist() == pytest.approx([1 / 5])


def test_gradients_flow_through_every_iteration():
    """Differences of the results would show gradients that stop at the assignments."""
    windows = Windows((1, 3, 3), kernel=(2, 2), stride=1)
    layer = layer_on(windows)
    presence = torch.rand(1, 9).double().requires_grad_()
    votes = torch.randn(1, 4, 3, 4, 16).double().requires_grad_()

    def results(votes, presence):
        *_, last = em_routing(votes, presence, layer.layer, layer.settings, 3)
        return last.means, last.logits

    assert torch.autograd.gradcheck(results, (votes, presence), fast_mode=True)


@pytest.mark.parametrize(
    ("scale", "presence"), [(0.0, 1), (1.0, 1), (1e3, 1), (1.0, 0)]
)
def test_votes_that_agree_fully_or_lie_far_apart_or_do_not_count_give_numbers(
    scale, presence
):
    windows = Windows((2, 3, 3), kernel=(3, 3), stride=1)
    layer = layer_on(windows).float()
    below = Capsules(
        (scale * torch.randn(1, 2, 3, 3, 16)).requires_grad_(),
        torch.full((1, 2, 3, 3), float(presence), requires_grad=True),
    )
    last = layer(below).steps[-1]
    (last.means.sum() + last.logits.sum()).backward()
    for value in (last.assignments, last.means, last.logits):
        assert value.isfinite().all()
    assert below.poses.grad.isfinite().all() or not presence


@torch.no_grad()
def test_iterations_are_as_many_as_are_asked_for():
    windows = Windows((1, 3, 3), kernel=(3, 3), stride=1)
    layer, below = layer_on(windows), capsules_on(windows)
    three, five = layer(below).steps, layer(below, iterations=5).steps
    assert (len(three), len(five)) == (3, 5)
    for step, step_of_five in zip(three, five[:3], strict=True):
        assert_close(step.logits, step_of_five.logits)
    with pytest.raises(ValueError, match="at least 1, got 0"):
        layer(below, iterations=0)


# The pitfalls that cost others their networks, on the untrained default network.


@pytest.fixture(scope="module")
def strokes():
    """Images with a bright stroke each, at another place and angle."""
    generator = torch.Generator().manual_seed(4)
    y, x = torch.meshgrid(torch.arange(28.0), torch.arange(28.0), indexing="ij")
    centres = 8 + 12 * torch.rand(24, 2, generator=generator)
    angles = 3.14 * torch.rand(24, generator=generator)
    across = (x - centres[:, :1, None]) * angles.sin()[:, None, None]
    across -= (y - centres[:, 1:, None]) * angles.cos()[:, None, None]
    near = (x - centres[:, :1, None]).hypot(y - centres[:, 1:, None]) < 8
    return ((2 - across.abs()).clamp(0, 1) * near)[:, None]


def fitted(strokes, **changes):
    torch.manual_seed(2)
    network = MatrixNetwork(MatrixConfig(**changes))
    network.fit(strokes)
    return network.train()


@pytest.fixture(scope="module")
def fitted_once(strokes):
    return fitted(strokes)


@pytest.fixture
def network(fitted_once):
    """The default network before anything is learned; to fit one takes seconds."""
    return copy.deepcopy(fitted_once)


def entropies(network, strokes):
    """Mean entropy of the last assignments to the classes, as a share of the most."""
    with torch.no_grad():
        shares = network(strokes).class_capsules.steps[-1].assignments[:, 0]
    return -torch.xlogy(shares, shares).sum(dim=1).mean() / np.log(10)


def test_assignments_are_soft_before_anything_is_learned(network, strokes):
    soft = entropies(network, strokes)
    assert soft > 0.6
    assert entropies(fitted(strokes, variance_floor=0.001), strokes) < soft / 2


def test_at_the_start_no_vote_costs_its_capsule_anything(network, strokes):
    """With β_u + log σ above 0 the class without votes would win."""
    with torch.no_grad():
        trace = network(strokes)
    routed_layers = (trace.caps1, trace.caps2, trace.class_capsules)
    for layer, routing in zip(network.routed_layers, routed_layers, strict=True):
        for step in routing.steps:
            per_vote = layer.beta_u + step.variances.log().mean(dim=-1) / 2
            assert (per_vote < 0).all()
    shares = trace.class_capsules.steps[-1].assignments[:, 0].mean(dim=2)
    logits = trace.logits
    both = torch.stack([shares.flatten(), logits.flatten()])
    assert torch.corrcoef(both)[0, 1] > 0.5


def test_the_start_is_fitted_so_that_costs_decide_and_do_not_saturate(network, strokes):
    with torch.no_grad():
        trace = network(strokes)
    for routing in (trace.caps1, trace.caps2, trace.class_capsules):
        logits = routing.steps[-1].logits
        assert abs(logits.mean()) < 0.2
        assert 0.1 < logits.std() < 1  # with λ 0.01 it would be 0.01


def test_votes_for_different_classes_differ_before_anything_is_learned(
    network, strokes, monkeypatch
):
    """With W of deviation 0.01 all classes would be the same class."""

    def spread(network):
        with torch.no_grad():
            return network(strokes).poses.std(dim=1).mean()

    assert spread(network) > 0.03
    monkeypatch.setattr(layers, "TRANSFORM_STD", 0.01)
    assert spread(fitted(strokes)) < 0.005


def test_conv1_is_normalised_over_the_batch_and_a_fit_leaves_its_figures_alone(
    network, strokes
):
    assert (network.norm.running_mean == 0).all()
    assert (network.norm.running_variance == 1).all()
    with torch.no_grad():
        maps = network(strokes).conv1_pre
    assert_close(maps.mean(dim=(0, 2, 3)), torch.zeros(64), atol=1e-5, rtol=0)
    assert_close(maps.std(dim=(0, 2, 3)), torch.ones(64), atol=0.01, rtol=0)
