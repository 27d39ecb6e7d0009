"""The atlases that come with the networks count as their cards do."""

import pytest

from capsnet_explorer.model.measured import load_measured
from capsnet_explorer.model.measuring.atlas import are_misread
from capsnet_explorer.model.weights import SHIPPED, card_of, weight_files

WEIGHTS = [path for path in weight_files(SHIPPED) if "atlas" in card_of(path)]


def misread(weights):
    """The images that a network misreads, from its atlas alone."""
    found = load_measured(weights, card_of(weights)["sha256"])
    labels, predictions = (found[f"atlas.{name}"] for name in ("labels", "predictions"))
    return set(are_misread(labels, predictions).nonzero()[:, 0].tolist())


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_what_is_misread_is_what_the_card_lists(weights):
    card = card_of(weights)
    found = misread(weights)
    if "mistakes" in card:
        assert found == {each["index"] for each in card["mistakes"]}
    assert len(found) == card["atlas"]["misread"]
    assert len(found) / card["test_images"] == pytest.approx(card["test_error"])


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_toys_have_a_view_for_each_image_and_pairs_their_two_digits(weights):
    card = card_of(weights)
    found = load_measured(weights, card["sha256"])
    images = card["atlas"]["images"]
    if card.get("dataset") == "toys":
        views = found["atlas.views"]
        toys, labels = views[:, 0], found["atlas.labels"]
        assert views.shape == (images, 4)
        assert (labels == toys % len(card["class_names"])).all()
        assert len(views.unique(dim=0)) == images
    if card.get("dataset") == "overlapping":
        digits, shifts = found["atlas.digits"], found["atlas.shifts"]
        assert digits[:, 0].tolist() == list(range(images))
        assert shifts.shape == (images, 2, 2)
        labels = found["atlas.labels"]
        assert (labels == labels[:, 0][digits.long()]).all()
