"""The atlases that come with the networks count as their cards do."""

import pytest
import torch

from model.measured import load_measured
from model.weights import SHIPPED, card_of, weight_files

WEIGHTS = [path for path in weight_files(SHIPPED) if "atlas" in card_of(path)]


def misread(weights):
    """The images that a network misreads, from its atlas alone."""
    found = load_measured(weights, card_of(weights)["sha256"])
    labels, predictions = (found[f"atlas.{name}"] for name in ("labels", "predictions"))
    return set((labels != predictions).nonzero()[:, 0].tolist())


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_what_is_misread_is_what_the_card_lists(weights):
    card = card_of(weights)
    assert misread(weights) == {each["index"] for each in card["mistakes"]}
    assert len(misread(weights)) == card["atlas"]["misread"]


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_every_map_on_the_card_is_there(weights):
    card = card_of(weights)
    found = load_measured(weights, card["sha256"])
    images = card["atlas"]["images"]
    for name, entry in card["atlas"]["maps"].items():
        places = found[f"atlas.positions.{name}"]
        assert places.shape == (images, 2)
        assert places.dtype == torch.float16
        assert places.abs().max() == 1
        assert 0 < entry["kept"] < 1
        assert 0.5 < entry["trustworthiness"] < 1


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_every_image_has_its_numbers_and_properties(weights):
    card = card_of(weights)
    found = load_measured(weights, card["sha256"])
    entry, images = card["numbers"], card["atlas"]["images"]
    assert entry["images"] == images
    assert found["numbers.values"].shape == (images, entry["shown"])
    assert found["numbers.properties"].shape == (images, len(entry["properties"]))
    classes = int(found["atlas.labels"].max()) + 1
    for name in ("low", "step"):
        assert found[f"numbers.{name}"].shape == (classes, entry["shown"])
