"""What docs/claims.md says of two digits on top of each other is what cards say."""

import math

from tests.claims.document import (
    TEXT,
    WORDS,
    assert_told,
    card_of,
    spaced,
    with_interval,
)


def misread(figures):
    return with_interval(figures["error"], *figures["interval"])


PAIR_NETWORKS = ("capsnet", "efficient", "cnn")

# CapsNets for pairs that are not shipped, five epochs each, and the pairs that they
# misread of 10 000: with one iteration of routing, and with three.
FIVE_EPOCHS = {1: 2100, 3: 1941}


def pair_cards():
    """Return the cards of the networks, which were trained alike."""
    return [card_of(f"{name}-overlapping") for name in PAIR_NETWORKS]


def figure_at(card, path):
    """Return a figure of a card, by the keys that lead there."""
    for key in path.split():
        card = card[int(key) if key.isdigit() else key]
    return card


def pair_rows():
    """Return the rows of the section's tables."""
    cards = pair_cards()
    figures = {
        "two digits, misnamed by its own rule": "overlaps one_or_two pairs",
        "two digits, misread by the two highest scores": "overlaps pairs",
        "… the fifth that shares the least ink": "overlaps by_shared_ink 0",
        "… the fifth that shares the most ink": "overlaps by_shared_ink 4",
        "one digit alone, misnamed": "overlaps one_or_two singles",
        "one digit alone, misread": "overlaps singles",
        "two digits of one class, of which it is to be named first": (
            "ink twins misread"
        ),
        "… another class named as well": "ink twins second",
    }
    rows = [
        f"| {what} | {' | '.join(misread(figure_at(card, path)) for card in cards)} |"
        for what, path in figures.items()
    ]
    errors = cards[0]["errors_by_iterations"]
    counts = (round(errors[number] * 10_000) for number in ("1", "2", "3", "5"))
    cells = " | ".join(map(spaced, counts))
    return [*rows, f"| CapsNet for pairs | {cells} |"]


def difference_of(more, less):
    """Return a difference of two shares of 10 000 images, in points, with its interval.

    As if both had read images of their own, which is wide for the same images.
    """
    half = 1.96 * math.sqrt(sum(share * (1 - share) for share in (more, less)) / 10_000)
    ends = (more - less - half, more - less + half)
    low, high = (f"{100 * end:.1f}".replace("-", "−") for end in ends)
    return (
        f"{100 * (more - less):.1f} points of the pairs",
        f"(95 % interval {low} to {high})",
        ends,
    )


def test_what_is_said_of_pairs_is_the_cards():
    for row in pair_rows():
        assert row in TEXT.splitlines()
    cards = pair_cards()
    assert len({card["overlaps"]["images_sha256"] for card in cards}) == 1
    for key in ("epochs", "shift", "batch_size", "learning_rate", "averaging", "seed"):
        assert len({card["training"][key] for card in cards}) == 1
    areas = [card["overlaps"]["one_or_two"]["roc_area"] for card in cards]
    form = "{:.3f} (CapsNet), {:.3f} (Efficient-CapsNet) and {:.3f} (CNN)"
    assert f"The area under the ROC curve is {form.format(*areas)}" in WORDS
    assert {card["start"]["training"]["learning_rate"] for card in cards} == {0.002}
    (epochs,) = {card["lineage"]["epochs"] for card in cards}
    images = epochs * cards[0]["training_images"] / 1e6
    assert f"the same {images:.1f} million pairs and single digits" in WORDS
    seconds = "{:.0f}, {:.0f} and {:.0f}".format(
        *(card["lineage"]["training_time_s"] for card in cards)
    )
    assert f"Training took {seconds} seconds" in WORDS
    shares = "{:.1f} % (CapsNet) and {:.1f} % (Efficient-CapsNet)".format(
        *(100 * card["overlaps"]["ink_given_right"] for card in cards[:2])
    )
    assert f"{shares} go to the right capsule" in WORDS


COUNTS = {"named": "misnames", "two_highest": "misreads"}
OTHERS = {"CapsNet": "capsnet", "Efficient-CapsNet": "efficient"}


def alone(card, other, count):
    """Return how many pairs only the first of two cards gets wrong, and the second."""
    first, second = (
        set(entry["overlaps"]["misread"][count]) for entry in (card, other)
    )
    return len(first - second), len(second - first)


def beside_the_cnn(name, count):
    """Return what one count says of a capsule network beside the CNN.

    McNemar's exact test, over the same pairs.
    """
    cards = dict(zip(PAIR_NETWORKS, pair_cards(), strict=True))
    counts = alone(cards[OTHERS[name]], cards["cnn"], count)
    both = sum(counts)
    tail = sum(math.comb(both, number) for number in range(min(counts) + 1))
    p = min(1.0, 2 * tail / 2**both)
    better = "fewer" if counts[0] < counts[1] else "more"
    verdict = f"{better}, beyond chance" if p < 0.05 else "within chance"
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.{3 if p < 0.01 else 2}f}"
    alone_it, alone_cnn = map(spaced, counts)
    return (
        f"it alone {COUNTS[count]} {alone_it} pairs, the CNN alone {alone_cnn}: "
        f"{verdict} ({chance})"
    )


def wrong_of(card, count):
    overlaps = card["overlaps"]
    entry = overlaps["one_or_two"] if count == "named" else overlaps
    return entry["pairs"]["wrong"]


def test_the_cards_list_the_pairs_that_they_count():
    for card in pair_cards():
        for count in COUNTS:
            listed = card["overlaps"]["misread"][count]
            assert len(set(listed)) == len(listed) == wrong_of(card, count)


def test_the_verdict_on_pairs_follows_from_the_cards():
    capsnet, efficient, cnn = (
        {count: wrong_of(card, count) / 100 for count in COUNTS}
        for card in pair_cards()
    )
    # The words of the line at the top; networks trained anew may need others.
    assert "fewer, beyond" in beside_the_cnn("Efficient-CapsNet", "named")
    assert "more, beyond" in beside_the_cnn("CapsNet", "named")
    assert "fewer, beyond" in beside_the_cnn("CapsNet", "two_highest")
    assert_told(
        "capsules-pull-overlapping-digits-apart",
        "holds for this Efficient-CapsNet: it misnames "
        f"{efficient['named']:.1f} % of the pairs, a CNN {cnn['named']:.1f} %; holds "
        "only if told that there are two for this CapsNet: it then misreads "
        f"{capsnet['two_highest']:.1f} %, the CNN {cnn['two_highest']:.1f} %, but "
        f"misnames {capsnet['named']:.1f} %; both capsule networks draw each digit by "
        "itself",
    )
    for name in OTHERS:
        for count in COUNTS:
            assert beside_the_cnn(name, count) in WORDS, f"{name}, {count}"


def test_the_thresholds_of_the_rule_are_the_cards():
    capsnet, efficient, cnn = (card["present"]["threshold"] for card in pair_cards())
    assert (
        f"{capsnet} (CapsNet), {efficient} (Efficient-CapsNet) and {cnn} (CNN)" in WORDS
    )


def test_what_routing_does_to_pairs_is_the_cards():
    capsnet, efficient, _ = pair_cards()
    low, high = capsnet["overlaps"]["pairs"]["interval"]
    assert low < capsnet["errors_by_iterations"]["2"] < high  # "as well as three"
    saved, spoiled = (capsnet[f"{what}_by_routing"] for what in ("saved", "spoiled"))
    assert f"Routing saves {saved} pairs and spoils {spoiled}," in WORDS
    # Far from chance: more than five standard deviations.
    assert saved - spoiled > 5 * math.sqrt(saved + spoiled)
    ink = capsnet["ink"]
    with_one, with_three = (
        100 * ink["given_right"][number]["mean"] for number in ("1", "3")
    )
    low, high = (100 * end for end in ink["gain"]["interval"])
    assert (
        f"{with_one:.1f} % of a digit's own ink go to its capsule with one iteration, "
        f"{with_three:.1f} % with three: {100 * ink['gain']['mean']:.1f} points more "
        f"({low:.1f} to {high:.1f})"
    ) in WORDS
    even = 100 * efficient["error_without_agreement"]
    assert f"it misreads {even:.1f} % of the pairs" in WORDS
    with_one, with_three = (wrong / 10_000 for wrong in FIVE_EPOCHS.values())
    points, interval, _ = difference_of(with_one, with_three)
    assert (
        f"with one iteration misreads {100 * with_one:.1f} %, its twin with three "
        f"{100 * with_three:.1f} %: {points} {interval}"
    ) in WORDS


def test_what_is_drawn_of_absent_digits_is_the_cards():
    capsnet, efficient, _ = (card["ink"].get("absent") for card in pair_cards())

    def mean(entry, name, digits=1, factor=1):
        low, high = (factor * end for end in entry[name]["interval"])
        middle = factor * entry[name]["mean"]
        return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"

    assert (
        f"of mean length {capsnet['length']['mean']:.2f} draws {mean(capsnet, 'ink')} "
        "units of ink, where that of a digit which is there draws "
        f"{capsnet['present_ink']['mean']:.1f}"
    ) in WORDS
    assert f"{mean(capsnet, 'on_ink', 1, 100)} % of it on ink of the image" in WORDS
    assert (
        f"the Efficient-CapsNet's {mean(efficient, 'ink')} and "
        f"{efficient['present_ink']['mean']:.1f}, {mean(efficient, 'on_ink', 1, 100)} %"
    ) in WORDS
