"""A trace's routing, computed anew in NumPy from its votes."""

import numpy as np
import pytest
import torch

from capsnet_explorer.model.layers.em import heat
from capsnet_explorer.model.matrix.architecture import ARCHITECTURE


@pytest.fixture
def trace(network, images):
    with torch.no_grad():
        return network(images)


@pytest.fixture
def read(trace, sizes):
    """Return any tensor of the second image in float64."""
    named = ARCHITECTURE.tensors(sizes)
    return lambda name: named[name].read(trace, 1).double().numpy()


def figures_of(votes, weights, even_mass, layer, sizes, iteration, kinds=slice(None)):
    """Return μ, σ, cost and a of capsules above: votes (children, above, 16)."""
    beta_u = layer.beta_u[kinds].detach().double().numpy()
    beta_a = layer.beta_a[kinds].detach().double().numpy()
    mass = weights.sum(axis=0)
    means = np.einsum("ij,ijh->jh", weights, votes) / mass[:, None]
    away = (votes - means) ** 2
    variances = np.einsum("ij,ijh->jh", weights, away) / mass[:, None]
    deviations = np.sqrt(variances + sizes.variance_floor)
    costs = (beta_u[:, None] + np.log(deviations)).sum(axis=1) * mass / even_mass
    scale = float(layer.inverse_temperature) * heat(iteration, sizes.routing_iterations)
    return {
        **{"means": means, "deviations": deviations, "costs": costs},
        "activations": 1 / (1 + np.exp(-scale * (beta_a - costs))),
    }


def test_routing_to_the_classes_follows_from_the_votes(read, network, sizes):
    votes = read("votes").reshape(-1, sizes.classes, 16)
    present = read("caps2.activations").flatten()
    assignments = read("routing.assignments").reshape(3, -1, sizes.classes)
    np.testing.assert_allclose(assignments[0], 1 / sizes.classes, rtol=1e-6)
    even = present.sum() / sizes.classes
    for step in range(3):
        weights = assignments[step] * present[:, None]
        figures = figures_of(votes, weights, even, network.classes, sizes, step)
        for name, expected in figures.items():
            np.testing.assert_allclose(
                read(f"routing.{name}")[step], expected, rtol=2e-4, atol=1e-5
            )
    np.testing.assert_allclose(read("scores"), figures["activations"], rtol=2e-4)
    np.testing.assert_allclose(
        read("classes.poses").reshape(-1, 16), figures["means"], rtol=2e-4, atol=1e-5
    )


def test_votes_follow_from_poses_and_weights(read, network, sizes):
    poses = read("caps2.poses")
    transforms = network.classes.transforms[:, 0, 0].detach().double().numpy()
    votes = np.einsum("tyxik,tckj->tyxcij", poses, transforms)
    centres = (np.arange(2) + 0.5) / 2
    votes[..., 0, 3] += centres[:, None, None]
    votes[..., 1, 3] += centres[:, None]
    np.testing.assert_allclose(read("votes"), votes.reshape(4, 2, 2, 5, 16), atol=1e-5)


@pytest.mark.parametrize(
    ("name", "below", "stride"), [("caps1", "primary", 2), ("caps2", "caps1", 1)]
)
def test_routing_below_follows_from_the_votes(
    read, network, sizes, name, below, stride
):
    assignments, votes = read(f"{name}.routing.assignments"), read(f"{name}.votes")
    np.testing.assert_allclose(assignments.sum(axis=(4, 5, 6)), 1, rtol=1e-5)
    present = read(f"{below}.activations")
    layer = getattr(network, name)
    transforms = layer.transforms.detach().double().numpy()
    for kind, row, column in [(0, 0, 0), (2, 1, 1)]:
        rows = slice(stride * row, stride * row + 3)
        columns = slice(stride * column, stride * column + 3)
        poses = read(f"{below}.poses")[:, rows, columns]
        formed = np.einsum("tyxik,tyxkj->tyxij", poses, transforms[:, :, :, kind])
        formed = formed.reshape(*formed.shape[:3], 16)
        np.testing.assert_allclose(votes[kind, row, column], formed, atol=1e-5)
        for step in range(3):
            shares = assignments[step, :, rows, columns, kind, row, column]
            even = assignments[0, :, rows, columns, kind, row, column]
            here = present[:, rows, columns]
            figures = figures_of(
                formed.reshape(-1, 1, 16),
                (shares * here).reshape(-1, 1),
                (even * here).sum(),
                *(layer, sizes, step, [kind]),
            )
            for figure, expected in figures.items():
                np.testing.assert_allclose(
                    read(f"{name}.routing.{figure}")[step, kind, row, column],
                    expected[0],
                    rtol=2e-4,
                    atol=1e-5,
                )
    np.testing.assert_allclose(
        read(f"{name}.activations"), read(f"{name}.routing.activations")[-1], rtol=1e-6
    )


def test_what_flows_to_the_classes_is_shares_of_shares(read, network, sizes):
    """Told again path by path: capsule, window above it, window above that, class."""
    classes = read("routing.activations")
    kinds = [
        ("routing", "caps2"),
        ("caps2.routing", "caps1"),
        ("caps1.routing", "primary"),
    ]
    for step in range(3):
        passed = np.diag(classes[step])  # (capsules above, classes)
        above = (sizes.classes, 1)
        for name, below in kinds:
            assigned = read(f"{name}.assignments")[step]
            active = read(f"{below}.activations")
            types, places = len(active), active[0].size
            assigned = assigned.reshape(types * places, -1)
            flow = np.zeros((types, above[0], sizes.classes))
            down = np.zeros((types * places, sizes.classes))
            for j in range(assigned.shape[1]):
                weights = assigned[:, j] * active.flatten()
                for i in np.flatnonzero(weights):
                    part = weights[i] / weights.sum() * passed[j]
                    flow[i // places, j // above[1]] += part
                    down[i] += part
            on_trace = read(f"{name}.flow")[step]
            if name == "routing":  # each passes on to itself alone
                flow = np.einsum("tjj->tj", flow)
            np.testing.assert_allclose(on_trace, flow, rtol=1e-4, atol=1e-7)
            passed, above = down, (types, places)
            np.testing.assert_allclose(passed.sum(axis=0), classes[step], rtol=1e-5)
        np.testing.assert_allclose(
            read("primary.flow")[step].reshape(passed.shape),
            passed,
            rtol=1e-4,
            atol=1e-7,
        )


def test_what_a_type_says_is_the_mean_of_its_votes(read):
    active = read("caps2.activations")[..., None]
    for step in range(3):
        weights = (read("routing.assignments")[step] * active)[..., None]
        expected = (weights * read("votes")).sum((1, 2)) / weights.sum((1, 2))
        np.testing.assert_allclose(
            read("routing.given")[step], expected, rtol=1e-3, atol=1e-5
        )


def test_conv1_is_the_convolution_with_the_kernels_that_are_served(
    trace, network, images
):
    kernels, bias = network.folded_conv1()
    first = network.config.read[0].start
    window = images[1, 0, first + 4 : first + 9, first + 6 : first + 11]
    expected = (kernels[5, 0] * window).sum() + bias[5]
    torch.testing.assert_close(
        trace.conv1_pre[1, 5, 2, 3], expected, rtol=1e-4, atol=1e-5
    )
