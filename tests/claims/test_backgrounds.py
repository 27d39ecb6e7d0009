"""What docs/claims.md says of pictures with a background is what cards say."""

import math

import numpy as np
import pytest

from capsnet_explorer.model.measuring.shares import Z, wilson_interval
from tests.claims.document import TEXT, WORDS, assert_told, card_of, holm, with_interval

KINDS = {
    "CapsNet": "capsnet-cifar10",
    "… without none of the above": "capsnet-cifar10-without-none",
    "Efficient-CapsNet": "efficient-cifar10",
    "CNN": "cnn-cifar10",
}
CARDS = {kind: card_of(name) for kind, name in KINDS.items()}
SIGN = str.maketrans({"-": "−"})

# The rows on outlined pictures: where the card has each, and its words.
SHARES = {
    ("right", "as_they_are"): "as they are",
    ("right", "mean_background"): "ground in its own mean colour",
    ("right", "grey_background"): "ground in mid grey",
    ("right", "without_object"): "object in the ground's mean colour",
    ("right", "other_background"): "before the grounds of other classes",
    ("background_named", "share"): "… and the ground's class is named",
}
CHANGES = {
    ("change", "without_object"): "the object painted over",
    ("change", "grey_background"): "a grey ground",
    ("change", "other_background"): "another ground",
}
KEPT = {
    ("reconstruction", "explained", "object"): "explained on the object",
    ("reconstruction", "explained", "background"): "explained on the ground",
}
GROUNDS = {"plain": "on plain ground", "clutter": "among clutter"}
TOYS = [
    ("planes, before the sky", "plane", "sky"),
    ("planes, on grass", "plane", "grass"),
    *(
        (f"{name}s, {words}", name, ground)
        for name in ("plane", "car", "truck")
        for ground, words in (
            ("plain", "on plain ground"),
            ("clutter", "among clutter"),
        )
    ),
]


def entry(card, path):
    """Return a figure of a card's `backgrounds`; None where a network has none."""
    figure = card["backgrounds"]
    for name in path:
        figure = figure.get(name)
        if figure is None:
            return None
    return figure


def percent(figure):
    """Write a share and its interval, in percent."""
    if figure is None:
        return "–"
    return with_interval(figure["mean"], *figure["interval"], digits=0)


def points(figure):
    """Write a difference and its interval, in points."""
    low, high = figure["interval"]
    written = "{:+.0f} ({:+.0f} to {:+.0f})"
    return written.format(*(100 * share for share in (figure["mean"], low, high)))


def rows():
    """Return the rows of the section's tables."""
    cards = CARDS.values()
    written = [
        "| test pictures misread, % | " + " | ".join(map(error_of, cards)) + " |",
        "| epochs; minutes | "
        + " | ".join(
            f"{card['epochs']}; {card['training_time_s'] / 60:.0f}" for card in cards
        )
        + " |",
    ]
    for how, paths in ((percent, SHARES), (points, CHANGES), (percent, KEPT)):
        for path, words in paths.items():
            cells = " | ".join(how(entry(card, path)) for card in cards)
            written.append(f"| {words} | {cells} |".translate(SIGN))
    for words, name, ground in TOYS:
        cells = " | ".join(toys(card, name, ground) for card in cards)
        written.append(f"| {words} | {cells} |")
    for name in ("plane", "car", "truck"):
        cells = " | ".join(points(lost(card, name)) for card in cards)
        written.append(f"| {name}s, plain less clutter | {cells} |".translate(SIGN))
    return written


def toys(card, name, ground):
    """Write the share of toys in colour named right, with its interval."""
    figure = card["coloured"]["right"][name][ground]
    return with_interval(figure["share"], *figure["interval"], digits=0)


def lost(card, name):
    """Return how much less is named right on clutter, and its interval."""
    figure = card["coloured"]["plain_less_clutter"][name]
    return {"mean": figure["difference"], "interval": figure["interval"]}


def more_lost(card, other):
    """Return how much more a card loses of planes than another one, and its p value.

    Both means count as normal and independent, with the spread of their intervals.
    """
    loss, loss_beside = lost(card, "plane"), lost(other, "plane")
    difference = loss["mean"] - loss_beside["mean"]
    spread = math.hypot(
        *(np.diff(figure["interval"])[0] / (2 * Z) for figure in (loss, loss_beside))
    )
    return difference, math.erfc(abs(difference) / spread / math.sqrt(2))


def error_of(card):
    """Write the share of test pictures that are misread, with Wilson's interval."""
    error = card["test_error"]
    return with_interval(error, *wilson_interval(error, card["test_images"]))


@pytest.mark.parametrize("row", rows())
def test_the_tables_are_the_cards(row):
    assert row in TEXT.splitlines()


def test_the_verdict_on_backgrounds_follows_from_the_cards():
    cards = [*CARDS.values()]
    losses = [entry(card, ("change", "other_background")) for card in cards]
    clutter = [lost(card, "plane") for card in cards]
    assert_told(
        "capsules-need-plain-backgrounds",
        "is not shown for photographs: before another background this CNN loses {} "
        "points, these CapsNets {} and {}; holds for these CapsNets on planes in "
        "colour: among clutter they lose {} and {} points, the CNN {}".format(
            *(f"{-100 * losses[network]['mean']:.0f}" for network in (3, 0, 1)),
            *(f"{100 * clutter[network]['mean']:.0f}" for network in (0, 1, 3)),
        ),
    )
    (more, p), (most, least_p), (less, other_p) = (
        more_lost(card, cards[3]) for card in cards[:3]
    )
    corrected = holm([p, least_p, other_p])
    assert (
        f"lose {100 * more:.0f} and {100 * most:.0f} points more than the CNN (Holm's "
        f"correction for three: p = {corrected[0]:.2f} and {corrected[1]:.3f}), the "
        f"Efficient-CapsNet {-100 * less:.0f} less, which may be chance "
        f"(p = {corrected[2]:.2f})"
    ) in WORDS
    # "within wide intervals", none of them apart from another
    ends = [loss["interval"] for loss in losses]
    assert max(low for low, _ in ends) < min(high for _, high in ends)
    # "none beyond chance", of the Efficient-CapsNet
    assert clutter[2]["interval"][0] < 0
