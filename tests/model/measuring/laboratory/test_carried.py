"""FGSM's images carried over, against networks whose answers are known."""

import numpy as np
import pytest
import torch

from capsnet_explorer.laboratory.attack import Slope
from capsnet_explorer.model.__main__ import main
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.carried import (
    EPSILONS,
    carried,
    carried_report,
    measured_carried,
)
from capsnet_explorer.model.measuring.laboratory.experiments import EXPERIMENTS
from capsnet_explorer.model.weights import load_weights
from tests.model.measuring.laboratory.entries import by_way_of_the_card, last

CPU = torch.device("cpu")


class Reader:
    """Reads class 1 where the mean of the pixels is above 0.5, else class 0."""

    device = CPU

    @staticmethod
    def scores(images):
        ink = torch.from_numpy(images.mean(axis=(1, 2, 3)))
        return torch.stack([torch.full_like(ink, 0.5), ink], dim=1)


class Source:
    """Has a gradient that takes ink away, or with `way` 1 adds some."""

    def __init__(self, way):
        self.way = way

    def slope(self, images, labels):
        return Slope(np.zeros(len(images)), np.full(images.shape, self.way))


@pytest.fixture
def greys():
    """Images of 0.52, 0.58, 0.65, 0.75 and 0.95, all of class 1."""
    levels = torch.tensor([133, 148, 166, 191, 242], dtype=torch.uint8)
    return LabelledImages(
        levels[:, None, None, None].expand(5, 1, 4, 4), torch.ones(5, dtype=torch.int64)
    )


SOURCES = {"lighter": ("a", Source(-1.0)), "darker": ("b", Source(1.0))}


def test_accuracies_by_hand(greys):
    told = []
    entry = last(
        measured_carried(Reader, SOURCES, greys, None, lambda *now: told.append(now))
    )
    assert entry["values"] == [0.05, 0.1, 0.2, 0.3]
    assert entry["images"] == 5
    assert entry["sources"] == {
        "lighter": {"sha256": "a", "accuracy": [4 / 5, 3 / 5, 2 / 5, 1 / 5]},
        "darker": {"sha256": "b", "accuracy": [1, 1, 1, 1]},
    }
    assert told == [(1, 5, 5), (2, 5, 5)]


def test_sources_with_other_weights_are_measured_again(greys):
    *_, entry = by_way_of_the_card(measured_carried(Reader, SOURCES, greys))
    assert not list(measured_carried(Reader, SOURCES, greys, entry))
    # The same weights, but unlike before: only what is asked anew can tell.
    turned = {"lighter": ("c", Source(1.0)), "darker": ("b", Source(-1.0))}
    found = list(measured_carried(Reader, turned, greys, entry))
    assert list(found[0]["sources"]) == ["darker"]
    assert found[-1]["sources"] == {
        "lighter": {"sha256": "c", "accuracy": [1, 1, 1, 1]},
        "darker": entry["sources"]["darker"],
    }
    gone = list(measured_carried(Reader, {"lighter": SOURCES["lighter"]}, greys, entry))
    assert [list(each["sources"]) for each in gone] == [["lighter"]]
    fewer = LabelledImages(greys.images[:3], greys.labels[:3])
    assert len(list(measured_carried(Reader, SOURCES, fewer, entry))) == 2


def test_images_made_on_a_network_itself_are_its_own_fgsm(subject, five):
    (batch,) = batches(five, CPU)
    found = carried(subject, batch)
    for place, value in enumerate(EPSILONS):
        own = EXPERIMENTS["fgsm"].change(subject, batch, value)
        assert np.array_equal(found[:, place], own)


def test_the_command_takes_the_networks_beside(capsys, sizes, stored, mnist_folder):
    paths = {
        "one": stored("one"),
        "two": stored("two", CapsNet(sizes).eval()),
        "three": stored("three", dataset="fashion-mnist"),
    }
    options = ("--data", str(mnist_folder), "--images", "6")
    only = ("--only", "fgsm_carried")
    assert main(["measure", str(paths["one"]), *only, *options]) == 0
    entry = load_weights(paths["one"]).card["measurements"]["fgsm_carried"]
    assert list(entry["sources"]) == ["one", "two"]
    for name, found in entry["sources"].items():
        assert found["sha256"] == load_weights(paths[name]).card["sha256"]
        assert len(found["accuracy"]) == len(entry["values"]) == 4
    assert carried_report(entry) in capsys.readouterr().out
