"""Toys in colour before networks of photographs, counted by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.model.measuring.coloured import CLASSES, coloured_figures, summary
from capsnet_explorer.model.measuring.report import report_coloured
from capsnet_explorer.toys.colours import GROUNDS

NAMES = DATASETS["cifar10"].class_names
CLUTTER = list(GROUNDS).index("clutter")


class Blueness(torch.nn.Module):
    """Names a picture by its upper left corner: airplane where that is the sky's."""

    def __init__(self, channels=3):
        super().__init__()
        self.config = SimpleNamespace(
            image_channels=channels, image_rows=32, image_columns=32, classes=10
        )

    def forward(self, images):
        sky = torch.tensor(GROUNDS["sky"].colour)
        is_sky = (images[:, :, 0, 0] - sky).abs().amax(dim=1) < 0.01
        named = torch.where(is_sky, NAMES.index("airplane"), NAMES.index("truck"))
        scores = torch.eye(10)[named]
        return SimpleNamespace(scores=scores, poses=None, reconstruction=None)


def test_each_toy_is_counted_by_its_category_and_ground(monkeypatch):
    found = coloured_figures(
        Blueness(), NAMES, seeds=(2000, 2001), azimuths=(0, 90), elevations=(10,)
    )["coloured"]
    assert (found["toys"], found["pictures"]) == (2, 2 * 4)
    shares = {
        name: [entry["share"] for entry in right.values()]
        for name, right in found["right"].items()
    }
    others = [1] * 5
    assert shares == {
        "plane": [1, 0, 0, 0, 0, 0, 0.2],
        "car": [0] * 7,
        "truck": [0, *others, 0.8],
        "all": [pytest.approx(1 / 3, abs=1e-5)] * 7,
    }
    assert list(found["right"]["car"]) == [*GROUNDS, "plain"]
    less = found["plain_less_clutter"]
    assert [less[name]["difference"] for name in less] == [0.2, 0, -0.2, 0]
    assert less["truck"]["interval"] == [-0.2, -0.2]  # all toys are alike


def test_the_interval_is_over_toys_and_the_difference_is_paired():
    """Two toys of each category: one always right, one never, but for clutter."""
    is_right = np.zeros((3, 2, len(GROUNDS), 4), bool)
    is_right[:, 0] = True
    found = summary(is_right)
    for name in CLASSES:
        assert found["right"][name]["sky"] == {"share": 0.5, "interval": [0, 1]}
        # Whichever toys are drawn, both grounds show the same ones.
        assert found["plain_less_clutter"][name] == {
            **{"difference": 0, "interval": [0, 0]}
        }
    low, high = found["right"]["all"]["sky"]["interval"]
    assert 0 < low < 0.5 < high < 1  # the mean of three varies less
    is_right[:, 0, CLUTTER, :3] = False
    found = summary(is_right)["plain_less_clutter"]["car"]
    assert found == {"difference": 0.375, "interval": [0, 0.75]}


def test_a_network_that_cannot_name_them_is_refused():
    with pytest.raises(ValueError, match=r"lacks airplane, automobile"):
        coloured_figures(Blueness(), ["cat", "truck"])
    with pytest.raises(ValueError, match=r"reads 1 x 32 x 32 and lacks none"):
        coloured_figures(Blueness(1), NAMES)


def test_the_report_has_every_ground_and_the_difference():
    is_right = np.zeros((3, 2, len(GROUNDS), 4), bool)
    is_right[0] = True
    lines = report_coloured(summary(is_right)).splitlines()
    assert lines[0] == "| ground | plane | car | truck | all |"
    assert lines[2].startswith(
        "| sky | 100.0 % (100.0 to 100.0) | 0.0 % (0.0 to 0.0) |"
    )
    assert len(lines) == 2 + len(GROUNDS) + 1 + 1 + 1
    assert "| plain less clutter | +0.0 % (+0.0 to +0.0)" in lines[-2]
    is_right[0] = False
    is_right[0, :, CLUTTER] = True
    less = report_coloured(summary(is_right)).splitlines()[-2]
    assert less.startswith("| plain less clutter | −100.0 % (−100.0 to −100.0) |")
    assert "no network was trained on them" in lines[-1]
