"""The network's sizes, loss, options and surgery."""

from typing import Any

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.matrix.architecture import ARCHITECTURE, DECODER_FACTOR
from capsnet_explorer.model.matrix.config import LossConfig, MatrixConfig
from capsnet_explorer.model.matrix.loss import spread_losses
from capsnet_explorer.model.matrix.network import MatrixNetwork
from tests.tiny import square


def test_the_default_network_has_30_332_parameters_besides_its_decoder():
    network = MatrixNetwork()
    conv1 = 64 * 25 + 2 * 64
    primary = 64 * 8 * 17 + 8 * 17
    caps = 2 * (9 * 8 * 8 * 16 + 2 * 8)
    classes = 8 * 10 * 16 + 2 * 10
    assert conv1 + primary + caps + classes == 30_332
    decoder = sum(parameter.numel() for parameter in network.decoder.parameters())
    assert network.parameter_count - decoder == 30_332


@pytest.mark.parametrize(
    ("side", "read", "grids"),
    [
        (28, (2, 27), (11, 5, 3)),
        (29, (0, 29), (13, 6, 4)),
        (32, (2, 31), (13, 6, 4)),
        (17, (0, 17), (7, 3, 1)),
    ],
)
def test_windows_cover_all_that_is_read(side, read, grids):
    """Rows and columns alike, each for itself."""
    config = MatrixConfig(image_rows=side, image_columns=28)
    assert config.read == (slice(*read), slice(2, 27))
    for grid, rows, columns in zip(
        (config.primary_grid, config.caps1_grid, config.caps2_grid),
        *(grids, (11, 5, 3)),
        strict=True,
    ):
        assert grid == (8, rows, columns)
    first, last = read
    assert (last - first - 5) % 2 == 0
    assert (grids[0] - 3) % 2 == 0


@pytest.mark.parametrize(
    ("settings", "changes", "message"),
    [
        (MatrixConfig, {**square(16)}, "at least 17x17"),
        (MatrixConfig, {"variance_floor": 0.0}, "variance_floor must be at least"),
        (LossConfig, {"first_margin": 0.95}, "margins must be"),
    ],
)
def test_settings_that_cannot_work_are_refused(settings, changes, message):
    with pytest.raises(ValueError, match=message):
        settings(**changes)


@pytest.mark.parametrize(
    ("activations", "present", "loss"),
    [
        ([0.9, 0.5, 0.1], [1, 0, 0], 0.1**2),  # 0.5 - 0.4; the third is far enough
        ([0.2, 0.6, 0.3], [1, 0, 0], 0.9**2 + 0.6**2),
        ([0.9, 0.5, 0.1], [1, 1, 0], 0.1**2),  # the least active of several counts
        ([0.9, 0.5, 0.1], [0, 0, 0], 0.4**2),  # without any, all are held against 1
    ],
)
def test_spread_loss_by_hand(activations, present, loss):
    losses = spread_losses(
        torch.tensor([activations]), torch.tensor([present]), margin=0.5
    )
    assert_close(losses, torch.tensor([loss]))


def test_the_margin_rises_to_its_end_and_stays():
    loss = LossConfig(first_margin=0.2, last_margin=0.9, margin_rise=0.5)
    margins = [loss.at(progress).last_margin for progress in (0, 0.25, 0.5, 1)]
    assert margins == pytest.approx([0.2, 0.55, 0.9, 0.9])


def test_the_decoder_learns_at_a_lower_rate(network):
    others, decoder = ARCHITECTURE.parameter_groups(network)
    assert others.get("factor", 1) == 1
    assert decoder["factor"] == DECODER_FACTOR < 1
    ids = {id(parameter) for parameter in network.decoder.parameters()}
    assert {id(parameter) for parameter in decoder["params"]} == ids
    assert len(others["params"]) + len(ids) == len(list(network.parameters()))


def run(network, images, **query) -> Any:
    options = ARCHITECTURE.options(network.config, query)
    return ARCHITECTURE.serving(network).run(images, [options] * len(images))


@torch.no_grad()
def test_a_silenced_capsule_has_no_say(network, images):
    trace = run(network, images[:1], silence=[3])
    step = trace.class_capsules.steps[0]
    votes = trace.class_capsules.votes[0, 0]
    present = trace.caps2.capsules.activations.flatten(1)[0].clone()
    present[3] = 0
    expected = (present[:, None] * votes).sum(dim=1) / present.sum()
    assert_close(step.means[0, 0], expected)


@torch.no_grad()
def test_uniform_assignments_stay_even(network, images):
    both = [
        ARCHITECTURE.options(network.config, query)
        for query in ({"routing": "uniform"}, {})
    ]
    trace: Any = ARCHITECTURE.serving(network).run(images[:2], both)
    uniform, usual = trace.class_capsules.steps[-1].assignments
    assert_close(uniform, torch.full_like(uniform, 1 / 5))
    assert (usual - 1 / 5).abs().max() > 1e-4


@torch.no_grad()
def test_a_pinned_assignment_is_held_and_the_others_share_the_rest(network, images):
    pin = [{"capsule": 2, "digit": 4, "coupling": 0.75}]
    trace = run(network, images[:1], pin=pin)
    for step in trace.class_capsules.steps:
        shares = step.assignments[0, 0, :, 2]
        assert_close(shares[4].item(), 0.75)
        assert_close(shares.sum().item(), 1.0)
    assert_close(
        shares[:4] / shares[:4].sum(), free_shares(trace), rtol=1e-3, atol=1e-4
    )


def free_shares(trace):
    """What capsule 2 would give the first four classes, of what it gives these."""
    step = trace.class_capsules.steps[1]
    away = trace.class_capsules.votes[0, 0, :4, 2] - step.means[0, 0, :4]
    logs = -(away.square() / step.variances[0, 0, :4] + step.variances[0, 0, :4].log())
    joint = step.logits[0, 0, :4].sigmoid().log() + logs.sum(dim=1) / 2
    return joint.softmax(dim=0)
