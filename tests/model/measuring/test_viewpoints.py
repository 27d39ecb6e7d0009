"""Errors on toys by the side from which they are seen."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.viewpoints import (
    interval_over_toys,
    viewpoint_figures,
)

# Two toys, of the classes 0 and 1, from two sides and two heights each.
VIEWS = np.array(
    [
        [toy, side, height, 0]
        for toy in (0, 1)
        for side in (0, 20)
        for height in (30, 35)
    ]
)
LABELS = [0, 0, 0, 0, 1, 1, 1, 1]
READ = [0, 0, 0, 1, 1, 0, 1, 0]  # the second toy is misread from above; once the first


class Table(nn.Module):
    """Reads each image as the class that a table has for its first pixel."""

    def __init__(self, read):
        super().__init__()
        self.read = torch.tensor(read)

    def forward(self, images):
        read = self.read[images.flatten(1)[:, 0].mul(255).round().long()]
        scores = torch.eye(2)[read]
        return SimpleNamespace(scores=scores, poses=None, reconstruction=None)


def images():
    numbers = torch.arange(len(LABELS), dtype=torch.uint8).reshape(-1, 1, 1, 1)
    return LabelledImages(numbers, torch.tensor(LABELS))


def test_mistakes_are_counted_by_side_and_by_toy():
    entry = viewpoint_figures(Table(READ), images(), VIEWS)["viewpoints"]
    assert entry["azimuths"] == [0, 20]
    assert entry["elevations"] == [30, 35]
    assert entry["errors"] == [[0, 0], [0.5, 1]]
    assert (entry["views"], entry["wrong"]) == (4, [1, 2])
    # Of draws of two toys, a quarter each has the first twice, and the second twice.
    assert entry["interval"] == [0.25, 0.5]


def test_the_interval_is_over_toys_and_wider_than_over_their_views():
    low, high = interval_over_toys([0] * 90 + [50] * 10, 100)
    assert 0.02 < low < 0.03 < 0.07 < high < 0.09
    assert interval_over_toys([7, 7], 10) == [0.7, 0.7]


@pytest.mark.parametrize("name", ["matrix-toys", "cnn-toys", "efficient-toys"])
def test_the_cards_have_the_interval_of_their_own_counts(name):
    weights = Path(__file__).parents[3] / "weights" / f"{name}.json"
    entry = json.loads(weights.read_text(encoding="utf-8"))["viewpoints"]
    assert entry["interval"] == interval_over_toys(entry["wrong"], entry["views"])
