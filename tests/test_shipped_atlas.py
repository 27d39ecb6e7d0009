"""The atlases that come with the networks count as their cards do."""

import pytest

from capsnet_explorer.model.measured import load_measured
from capsnet_explorer.model.measuring.atlas import are_misread
from capsnet_explorer.model.weights import SHIPPED, card_of, weight_files

WEIGHTS = [path for path in weight_files(SHIPPED) if "atlas" in card_of(path)]


def misread(weights):
    """The images that a network misreads, from its atlas alone."""
    measured = load_measured(weights, card_of(weights)["sha256"])
    labels, predictions = (
        measured[f"atlas.{name}"] for name in ("labels", "predictions")
    )
    return set(are_misread(labels, predictions).nonzero()[:, 0].tolist())


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.stem)
def test_what_is_misread_is_what_the_card_lists(weights):
    card = card_of(weights)
    indices = misread(weights)
    if "mistakes" in card:
        assert indices == {mistake["index"] for mistake in card["mistakes"]}
    assert len(indices) == card["atlas"]["misread"]
    assert len(indices) / card["test_images"] == pytest.approx(card["test_error"])
