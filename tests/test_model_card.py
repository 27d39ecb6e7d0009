"""What the documents say of the networks is what the networks' cards say."""

import json
from pathlib import Path

import pytest

from capsnet_explorer.model.measuring.shares import wilson_interval
from capsnet_explorer.model.weights import load_weights

ROOT = Path(__file__).parent.parent
WEIGHTS = ROOT / "weights"
CARDS = sorted(WEIGHTS.glob("*.json"))

each_card = pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)


def section_on(name: str) -> str:
    text = (WEIGHTS / "README.md").read_text(encoding="utf-8")
    _, _, after = text.partition(f"\n## {name}\n")
    return after.partition("\n## ")[0]


def errors_of_pairs(card):
    """Return the lines on what was misread of two digits and of one, by both counts."""
    overlaps, is_cnn = card["overlaps"], card["architecture"] == "cnn"
    two = "two highest probabilities" if is_cnn else "two longest capsules"
    named = overlaps["one_or_two"]
    entries = {
        f"pairs misread, by the {two}": overlaps["pairs"],
        "pairs misnamed, by its own rule": named["pairs"],
        "single digits misread": overlaps["singles"],
        "single digits misnamed": named["singles"],
    }
    return {
        what: f"{percent(entry['error'])} ({entry['wrong']:,} of {entry['images']:,} "
        "images)"
        for what, entry in entries.items()
    }


def rows_of(card):
    """Return the lines of the table that the card calls for."""
    errors, names = card["class_errors"], card["class_names"]
    worst, best = errors.index(max(errors)), errors.index(min(errors))
    images = card["test_images"]
    wrong = round(card["test_error"] * images)
    figures = {
        **(
            errors_of_pairs(card)
            if "overlaps" in card
            else {
                "test error": f"{percent(card['test_error'])} "
                f"({wrong} of {images:,} images)"
            }
        ),
        "worst class": f"{names[worst]}: {percent(errors[worst])}",
        "best class": f"{names[best]}: {percent(errors[best])}",
        "training": f"{counted(card['epochs'], 'epoch')} of "
        f"{card['training_images']:,} images",
        "training time": f"{duration(card['training_time_s'])} "
        f"({card['device']}, torch {card['torch']})",
        "predictions that half precision changed": str(
            card["half_precision"]["predictions_changed"]
        ),
    }
    if "reconstruction_mse" in card:
        mse = card["reconstruction_mse"]
        figures["reconstruction"] = f"{mse:.4f} mean squared error a pixel"
    return [f"| {what} | {figure} |" for what, figure in figures.items()]


def duration(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 60 else f"{seconds / 60:.0f} minutes"


def counted(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def percent(share: float) -> str:
    return f"{share:.2%}".replace("%", " %")


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
    sections = {
        line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")
    }
    assert sections == {path.stem for path in CARDS}


def test_the_readme_compares_the_networks_as_their_cards_do():
    names = ("capsnet-mnist", "cnn-mnist", "matrix-mnist", "efficient-mnist")
    networks = [load_weights(WEIGHTS / f"{name}.safetensors") for name in names]
    wrong = [{mistake["index"] for mistake in net.card["mistakes"]} for net in networks]
    alone = [
        len(misread.difference(*wrong[:i], *wrong[i + 1 :]))
        for i, misread in enumerate(wrong)
    ]
    figures = {
        "parameters": [
            f"{trained.network.parameter_count:,}".replace(",", " ")
            for trained in networks
        ],
        "test error, one run each, seed 0": [
            f"{percent(len(misread) / 10_000)} ({len(misread)} of 10 000 test digits)"
            for misread in wrong
        ],
        "its 95 % interval (Wilson)": [
            "{:.2f} to {:.2f} %".format(
                *(100 * end for end in wilson_interval(len(misread) / 10_000, 10_000))
            )
            for misread in wrong
        ],
        "misread by this network alone": [str(count) for count in alone],
        "one image, forward, on one thread": [
            f"{trained.card['forward']['milliseconds']:.2g} ms" for trained in networks
        ],
    }
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for what, cells in figures.items():
        assert f"| {what} | {' | '.join(cells)} |" in text.splitlines()
