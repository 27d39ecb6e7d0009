"""Errors on changed images, against a network whose answer to any image is known."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.robustness import (
    CHANGES,
    robustness,
    tone_changes,
)

CPU = torch.device("cpu")


class ReadsTheRowOfTheInk(nn.Module):
    """Says 1 if most ink is in the upper half, else 0; draws what it sees."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.seen = []

    def forward(self, images):
        self.seen.append(images)
        upper = images[:, :, :6].sum((1, 2, 3)) > images[:, :, 6:].sum((1, 2, 3))
        scores = torch.stack([~upper, upper, 0 * upper], dim=1).float()
        return SimpleNamespace(scores=scores, poses=None, reconstruction=images)


@pytest.fixture
def reader(sizes):
    return ReadsTheRowOfTheInk(sizes)


@pytest.fixture
def bars():
    """Forty images: a bar right above the middle, which is class 1."""
    images = torch.zeros(40, 1, 12, 12, dtype=torch.uint8)
    images[:, 0, 5, 3:9] = 255
    return LabelledImages(images, torch.ones(40, dtype=torch.int64))


def test_shifts_that_cross_the_middle_are_counted(reader, bars):
    found = {each.change: each.error for each in robustness(reader, bars, CPU)}
    assert found["nothing"] == 0
    # Two of the five shifts up to 2 take the bar down across the middle; four of nine.
    assert found["shifts up to 2 px"] == pytest.approx(2 / 5, abs=0.2)
    assert found["shifts up to 4 px"] == pytest.approx(4 / 9, abs=0.2)
    assert found["thickness up to 40% of the way"] == 0
    again = robustness(reader, bars, CPU)
    assert {each.change: each.error for each in again} == found


def test_every_change_changes_images_and_keeps_their_range(reader, bars):
    list(robustness(reader, bars, CPU))
    first, *others = reader.seen
    assert len(others) == len(CHANGES) + 8 == 20
    for images in others:
        assert not torch.equal(images, first)
        assert 0 <= images.min() <= images.max() <= 1


def test_tones_change_by_exactly_what_is_said(reader, bars):
    seen = {
        change: toned().images.float() / 255 for change, toned in tone_changes(bars)
    }
    is_ink = bars.images == 255
    assert seen["ink at 60% of its strength"][is_ink].unique() == pytest.approx(0.6)
    assert seen["ink at 60% of its strength"][~is_ink].max() == 0
    grey = seen["a grey ground of 0.1"][~is_ink].unique()
    assert grey == pytest.approx(0.1, abs=1 / 255)
    noise = seen["every pixel up or down by 0.2"]
    assert noise[~is_ink].unique().tolist() == pytest.approx([0, 0.2])
    assert noise[is_ink].unique().tolist() == pytest.approx([0.8, 1])
    assert (noise[~is_ink] > 0).float().mean() == pytest.approx(0.5, abs=0.03)
