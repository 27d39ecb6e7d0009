"""Figures on legibility, against values by hand and against votes formed one by one."""

from dataclasses import asdict

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.voters import PrimaryVoters, contributions
from capsnet_explorer.model.layers.dynamic import Votes
from capsnet_explorer.model.legibility import LegibilityMeter, effective_number


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([1, 1, 1, 1], 4),
        ([5, 0, 0, 0], 1),
        ([0, 0, 0, 0], 0),
        ([3, 1, 0, 0], 16 / 10),
        ([0.5, 0.5, 0.25, 0.25], 2.25 / 0.625),
    ],
)
def test_the_effective_number_by_hand(weights, expected):
    number = effective_number(torch.tensor([weights], dtype=torch.float32))
    assert_close(number, torch.tensor([float(expected)]))


def test_contributions_by_hand():
    # Two capsules of one number, two digits of two numbers.
    transforms = torch.zeros(2, 2, 2, 1)
    transforms[0, 1, :, 0] = torch.tensor([3.0, 4.0])
    transforms[1, 1, :, 0] = torch.tensor([0.0, -2.0])
    votes = Votes(torch.tensor([[[0.5], [0.25]]]), transforms)
    couplings = torch.tensor([[[0.9, 0.1], [0.6, 0.4]]])
    capsules = torch.tensor([[[0.7, 0.7], [0.0, 0.5]]])
    by_capsule = contributions(votes, couplings, capsules, torch.tensor([1]))
    # Digit 1's direction is (0, 1): the votes (1.5, 2) and (0, -0.5) give 2 and -0.5.
    assert_close(by_capsule, torch.tensor([[0.1 * 2, 0.4 * -0.5]]))


def slowly(network: CapsNet, images: torch.Tensor) -> dict[str, list[float]]:
    """Measure one image at a time, with all votes, as the definitions read."""
    empty = network(torch.zeros(1, *images.shape[1:]))
    rows = []
    for image in images:
        trace = network(image[None])
        step, digit = trace.steps[-1], int(trace.lengths.argmax())
        direction = step.capsules[0, digit] / step.capsules[0, digit].norm()
        c = step.couplings[0, :, digit]
        w = (c * (trace.votes.formed[0, :, digit] @ direction)).clamp(min=0)
        blank = (c * (empty.votes.formed[0, :, digit] @ direction)).clamp(min=0)
        of_types = w.reshape(network.config.primary_types, -1).sum(dim=1)
        maps = trace.conv1_relu[0].flatten(1)
        rows.append(
            {
                "voters": w.sum() ** 2 / (w**2).sum(),
                "types": of_types.sum() ** 2 / (of_types**2).sum(),
                "largest_share": w.max() / w.sum(),
                "heard_coupling": (w * c).sum() / w.sum(),
                "blank_share": torch.minimum(w, blank).sum() / w.sum(),
                "saturated": (trace.primary_capsules.norm(dim=4) > 0.95).float().mean(),
                "conv1_alive": (maps.amax(dim=1) > 0.02).float().mean(),
                "conv1_bright": (maps > 0.02).float().mean(),
            }
        )
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


MEDIANS = ("voters", "types", "largest_share", "heard_coupling", "blank_share")


@pytest.mark.usefixtures("way_of_voting")
@torch.no_grad()
def test_the_meter_finds_what_the_definitions_say(network, digits):
    with torch.no_grad():
        network.digits.transforms *= 5  # so that routing has something to decide
        network.primary.convolution.weight *= 80
    images = digits.images / 255
    meter = LegibilityMeter(network, PrimaryVoters())
    for part in images.split(4):  # parts of unlike size
        meter.add(network(part))
    figures = asdict(meter.figures)
    for name, values in slowly(network, images).items():
        of_images = torch.tensor(values)
        assert of_images.max() > of_images.min(), f"{name} must tell images apart"
        expected = of_images.quantile(0.5) if name in MEDIANS else of_images.mean()
        assert figures[name] == pytest.approx(float(expected), rel=1e-3, abs=1e-5), name
    empty = network(torch.zeros(1, 1, 12, 12)).lengths.max()
    assert figures["empty_length"] == pytest.approx(float(empty), rel=1e-5)
