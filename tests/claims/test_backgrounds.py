"""What docs/claims.md says of pictures with a background is what cards say."""

import pytest

from capsnet_explorer.model.measuring.shares import wilson_interval
from tests.claims.document import TEXT, assert_told, card_of

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
    ("right", "without_object"): "object in the ground's mean colour",
    ("right", "other_background"): "before the grounds of other classes",
    ("background_named", "share"): "… and the ground's class is named",
}
CHANGES = {
    ("change", "without_object"): "the object painted over",
    ("change", "other_background"): "another ground",
}
KEPT = {
    ("reconstruction", "explained", "object"): "explained on the object",
    ("reconstruction", "explained", "background"): "explained on the ground",
}
TOYS = [
    ("planes, before the sky", "plane", "sky"),
    ("planes, on grass", "plane", "grass"),
    ("planes, cars and trucks, on plain ground", "all", "plain"),
    ("… among clutter", "all", "clutter"),
]


def entry(card, place):
    """Return a figure of a card's `backgrounds`; None where a network has none."""
    found = card["backgrounds"]
    for name in place:
        found = found.get(name)
        if found is None:
            return None
    return found


def percent(figure):
    """Write a share and its interval, in percent."""
    if figure is None:
        return "–"
    low, high = figure["interval"]
    return f"{100 * figure['mean']:.0f} ({100 * low:.0f} to {100 * high:.0f})"


def points(figure):
    """Write a difference and its interval, in points."""
    low, high = figure["interval"]
    written = "{:+.0f} ({:+.0f} to {:+.0f})"
    return written.format(*(100 * each for each in (figure["mean"], low, high)))


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
    for how, places in ((percent, SHARES), (points, CHANGES), (percent, KEPT)):
        for place, words in places.items():
            cells = " | ".join(how(entry(card, place)) for card in cards)
            written.append(f"| {words} | {cells} |".translate(SIGN))
    for words, name, ground in TOYS:
        cells = " | ".join(toys(card, name, ground) for card in cards)
        written.append(f"| {words} | {cells} |")
    written.append(
        f"| plain less clutter | {' | '.join(map(lost, cards))} |".translate(SIGN)
    )
    return written


def toys(card, name, ground):
    """Write the share of toys in colour named right, with its interval."""
    found = card["coloured"]["right"][name][ground]
    low, high = found["interval"]
    return f"{100 * found['share']:.0f} ({100 * low:.0f} to {100 * high:.0f})"


def lost(card):
    """Write how much less is named right on clutter, in points."""
    found = card["coloured"]["plain_less_clutter"]["all"]
    return points({"mean": found["difference"], "interval": found["interval"]})


def error_of(card):
    """Write the share of test pictures that are misread, with Wilson's interval."""
    error = card["test_error"]
    low, high = wilson_interval(error, card["test_images"])
    return f"{100 * error:.1f} ({100 * low:.1f} to {100 * high:.1f})"


@pytest.mark.parametrize("row", rows())
def test_the_tables_are_the_cards(row):
    assert row in TEXT.splitlines()


def test_the_verdict_on_backgrounds_follows_from_the_cards():
    cards = [*CARDS.values()]
    losses = [entry(card, ("change", "other_background")) for card in cards]
    clutter = [card["coloured"]["plain_less_clutter"]["all"] for card in cards]
    assert_told(
        "capsules-need-plain-backgrounds",
        "does not hold for photographs: before another background the CNN loses {} "
        "points, the CapsNets {} and {}; holds for the CapsNets on toys in colour, "
        "which lose {} and {} points among clutter, the CNN {}, which may be "
        "chance".format(
            *(f"{-100 * losses[place]['mean']:.0f}" for place in (3, 0, 1)),
            *(f"{100 * clutter[place]['difference']:.0f}" for place in (0, 1, 3)),
        ),
    )
