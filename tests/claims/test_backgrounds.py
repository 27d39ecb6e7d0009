"""What docs/claims.md says of pictures with a background is what cards say."""

import pytest

from capsnet_explorer.model.measuring.shares import wilson_interval
from tests.claims.document import TEXT, WORDS, assert_told, card_of
from tests.test_model_card import mcnemar

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


def test_what_is_said_beside_the_tables_is_the_cards():
    cards = [*CARDS.values()]
    with_none, without = (
        {each["index"] for each in one["mistakes"]} for one in cards[:2]
    )
    counts = len(with_none - without), len(without - with_none)
    assert f"the one with it misreads {counts[0]}, the other {counts[1]} " in WORDS
    assert f"(McNemar's exact test: p = {mcnemar(*counts):.2f})" in WORDS
    places = [("right", name) for name in ("other_background", "as_they_are")]
    kept = [
        entry(card, places[0])["mean"] / entry(card, places[1])["mean"]
        for card in cards
    ]
    assert f"names {100 * min(kept):.0f} to {100 * max(kept):.0f} % of what it" in WORDS
    for card in cards:
        shares = card["backgrounds"]["right"]
        left = shares["without_object"]["mean"] / shares["as_they_are"]["mean"]
        assert 0.45 < left < 0.57  # "about half as often"
    beyond = [entry(card, ("gradient", "beyond")) for card in cards]
    means = [100 * each["mean"] for each in beyond]
    assert f"gets {min(means):.0f} to {max(means):.0f} points more" in WORDS
    assert [each["interval"][0] < 0 for each in beyond] == [True, True, False, False]
    supports = [entry(card, ("support", "beyond")) for card in cards[:2]]
    low, high = (100 * end for end in supports[0]["interval"])
    written = f"{100 * supports[0]['mean']:.1f} points ({low:.1f} to {high:.1f})"
    assert written.translate(SIGN) in WORDS
    assert all(each["interval"][0] < 0 < each["interval"][1] for each in supports)
    none = cards[0]["backgrounds"]["none"]["weighted"]
    for part, words in (
        ("object", "of what capsules on"),
        ("background", "on the back"),
    ):
        assert f"{100 * none[part]['mean']:.2f} % {words}" in WORDS
        assert none[part]["mean"] < 1 / 11
    explained = [
        entry(card, ("reconstruction", "explained", "object")) for card in cards
    ]
    means = [100 * each["mean"] for each in explained if each]
    assert f"differ, and {min(means):.0f} to {max(means):.0f} % of how" in WORDS


def test_what_is_said_of_toys_in_colour_is_the_cards():
    cards = [*CARDS.values()]
    planes = [card["coloured"]["right"]["plane"] for card in cards]
    assert all(each["sky"]["share"] > 0.95 for each in planes)
    told = (1 / 8, 1 / 9, 4 / 5, 2 / 3)  # on grass, in the order of the cards
    for plane, share in zip(planes, told, strict=True):
        assert plane["grass"]["share"] == pytest.approx(share, abs=0.03)
    less = [card["coloured"]["plain_less_clutter"]["all"]["interval"] for card in cards]
    assert [low > 0 for low, _ in less] == [True, True, False, False]
    for name in ("car", "truck"):  # "seldom right on any ground"
        grounds = [card["coloured"]["right"][name] for card in cards]
        assert all(each["share"] < 0.5 for one in grounds for each in one.values())
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
    assert all(losses[-1]["interval"][0] < each["mean"] for each in losses)
    assert min(each["mean"] for each in losses[:2]) > losses[-1]["interval"][0]
