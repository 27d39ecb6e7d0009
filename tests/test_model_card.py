"""What weights/README.md says of each network is what the network's card says."""

import json
from pathlib import Path

import pytest

WEIGHTS = Path(__file__).parent.parent / "weights"
CARDS = sorted(WEIGHTS.glob("*.json"))

each_card = pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)


def section_on(name: str) -> str:
    text = (WEIGHTS / "README.md").read_text(encoding="utf-8")
    _, _, after = text.partition(f"\n## {name}\n")
    return after.partition("\n## ")[0]


def rows_of(card):
    """Return the lines of the table that the card calls for."""
    errors, names = card["class_errors"], card["class_names"]
    worst, best = errors.index(max(errors)), errors.index(min(errors))
    wrong, images = len(card["mistakes"]), card["test_images"]
    figures = {
        "test error": f"{percent(card['test_error'])} ({wrong} of {images:,} images)",
        "worst class": f"{names[worst]}: {percent(errors[worst])}",
        "best class": f"{names[best]}: {percent(errors[best])}",
        "reconstruction": f"{card['reconstruction_mse']:.4f} "
        "mean squared error a pixel",
        "training": f"{card['epochs']} epochs of {card['training_images']:,} images",
        "training time": f"{card['training_time_s'] / 60:.0f} minutes "
        f"({card['device']}, torch {card['torch']})",
        "predictions that half precision changed": str(
            card["half_precision"]["predictions_changed"]
        ),
    }
    return [f"| {what} | {figure} |" for what, figure in figures.items()]


def percent(share: float) -> str:
    return f"{share:.2%}".replace("%", " %")


def test_there_is_a_card():
    assert CARDS


@each_card
def test_every_figure_is_the_cards(path):
    card = json.loads(path.read_text(encoding="utf-8"))
    lines = section_on(path.stem).splitlines()
    for row in rows_of(card):
        assert row in lines


@each_card
def test_the_command_is_the_cards(path):
    card = json.loads(path.read_text(encoding="utf-8"))
    assert card["command"] in section_on(path.stem).splitlines()


def test_nothing_is_said_of_networks_that_are_not_there():
    text = (WEIGHTS / "README.md").read_text(encoding="utf-8")
    told = {
        line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")
    }
    assert told == {path.stem for path in CARDS}
