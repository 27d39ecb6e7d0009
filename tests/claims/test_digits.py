"""What docs/claims.md says of the laboratory's measurements is what the cards say."""

import itertools
import math
import re

import pytest

from capsnet_explorer.model.measuring.shares import Z, wilson_interval
from tests.claims.document import TEXT, WORDS, assert_told, card_of, holm, with_interval

NETWORKS = ("capsnet-mnist", "cnn-mnist", "matrix-mnist", "efficient-mnist")
CARDS = [card_of(name) for name in NETWORKS]
CAPSNET, CNN, MATRIX, EFFICIENT = CARDS
CAPSULES = (CAPSNET, MATRIX, EFFICIENT)

# Words of rows, experiment, values of its knob.
ROWS = [
    ("as they are", "rotation", [0]),
    ("turned left by {}°", "rotation", [15, 30, 45]),
    ("turned right by {}°", "rotation", [-30, -45]),
    ("turned by {}°", "rotation", [180]),
    ("shifted right by {} pixels", "shift", [4, 6]),
    ("shifted left by {} pixels", "shift", [-6]),
    ("shifted down by {} pixels, 500 digits", "shift_down", [4, 6]),
    ("shifted up by {} pixels, 500 digits", "shift_down", [-6]),
    ("at {} of their size", "scale", [0.6, 1.4]),
    ("sheared by {}°", "shear", [37.5]),
    ("ground +{}", "ground", [0.05, 0.1, 0.3]),
    ("ink at 40 %", "contrast", [0.4]),
    ("ink at 20 %", "contrast", [0.2]),
    ("noise within ±{}", "grain", [0.3, 0.6]),
    ("blurred, σ = {}", "blur", [1, 2]),
    ("strokes thicker by {} pixel at each edge", "stroke", [1]),
    ("strokes thinner by {} pixel at each edge", "stroke", [-1]),
    ("FGSM, ε = {}", "fgsm", [0.05, 0.1, 0.2, 0.3]),
    ("PGD, ε = {}", "pgd", [0.05, 0.1, 0.15, 0.2, 0.3]),
    ("Square, ε = {}", "square", [0.1, 0.2, 0.3]),
]
ATTACKS = {
    **{"noise": "noise", "fgsm": "FGSM", "pgd": "PGD"},
    "alarm": "PGD that avoids the alarm",
}
NORMS = {
    "scores": "median norm of the gradient of the scores' gap",
    "gap": "… of the gap of what scores are computed from",
}
READINGS = [
    ("turned by up to 45°", "rotation", 45),
    ("shifted sideways by up to 4 pixels", "shift", 4),
    ("at 0.7 to 1.3 of its size", "scale", 1.3),
    ("sheared by up to 30°", "shear", 30),
]
APART = [
    ("CapsNet, 16 numbers", 0, "numbers"),
    ("Efficient-CapsNet, 16 numbers", 3, "numbers"),
    ("Matrix capsules, 16 numbers", 2, "numbers"),
    ("CNN, first 16 components of its hidden layer", 1, "numbers"),
    ("pixels, their first 16 components", 0, "pixels"),
    ("the five properties themselves", 0, "properties_themselves"),
]


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def at(entry, value, figure="accuracy"):
    """Return a figure of a measurement at a value of its knob."""
    return entry[figure][entry["values"].index(value)]


def accuracy(card, experiment, value):
    return at(card["measurements"][experiment], value)


def read(card, *knob):
    return percent(accuracy(card, *knob))


def ends(card, experiment, value):
    """Return the ends of an accuracy's 95 % interval."""
    images = card["measurements"][experiment]["images"]
    return wilson_interval(accuracy(card, experiment, value), images)


def carried(card, source, value):
    """Return the accuracy on FGSM's images of another network, and its interval."""
    entry = card["measurements"]["fgsm_carried"]
    share = entry["sources"][source]["accuracy"][entry["values"].index(value)]
    return share, *wilson_interval(share, entry["images"])


def sure(entry, side):
    """Write how many jumbled digits look as sure as clean ones, with the interval."""
    share = at(entry, side, "passing")
    return with_interval(share, *wilson_interval(share, entry["images"]))


def spread_of_area(area, count):
    """Return the 95 % reach of an area under the ROC curve (Hanley & McNeil 1982).

    Of as many clean images as changed ones.
    """
    ahead, behind = area / (2 - area), 2 * area**2 / (1 + area)
    terms = area * (1 - area) + (count - 1) * (ahead + behind - 2 * area**2)
    return Z * math.sqrt(terms) / count


def alarmed(card, attack, value) -> str:
    """Write the shares misread, alarmed and misread without an alarm."""
    entry = card["measurements"][attack]
    misread, alarms = 1 - at(entry, value), at(entry, value, "alarms")
    unseen = at(entry, value, "unseen")
    words = with_interval(unseen, *wilson_interval(unseen, entry["images"]))
    return f"{percent(misread)} / {percent(alarms)} / {words}"


def reading(network, change, what):
    knob = CARDS[network]["measurements"]["pose_reading"]["knobs"][change]
    return knob["readings"][what]


def apart(network, what, index):
    return CARDS[network]["numbers"]["indices"][what][index]


def misread(card, iterations):
    count = round(card["errors_by_iterations"][str(iterations)] * card["test_images"])
    return f"{count:,}".replace(",", " ")


def row(words, cells):
    return f"| {words} | {' | '.join(cells)} |"


def rows_with_intervals():
    """Yield the rows that say what is read of changed digits."""
    for words, experiment, values in ROWS:
        for value in values:
            cells = [
                with_interval(
                    accuracy(card, experiment, value), *ends(card, experiment, value)
                )
                for card in CARDS
            ]
            yield row(words.format(f"{abs(value):g}"), cells)
    for value in (0.1, 0.2, 0.3):
        cells = [with_interval(*carried(card, "cnn-mnist", value)) for card in CARDS]
        yield row(f"made on the CNN, ε = {value:g}", cells)


def other_rows():
    """Yield the rows of all other tables."""
    tiles = [card["measurements"]["tiles"] for card in CARDS]
    for side in (2, 3, 4):
        cells = [
            f"{percent(at(entry, side))} / {sure(entry, side)} / "
            f"{at(entry, side, 'roc_area'):.3f}"
            for entry in tiles
        ]
        yield row(f"{side} × {side} tiles", cells)
    zeros = [card["measurements"]["zero_gradients"]["trained"] for card in CARDS]
    cells = [percent(entry["images"]) for entry in zeros]
    yield row("gradient of the trained loss exactly zero", cells)
    for of, words in NORMS.items():
        cells = [
            f"{card['measurements']['zero_gradients'][of]['norm']:.2g}"
            for card in CARDS
        ]
        yield row(words, cells)
    for attack, words in ATTACKS.items():
        for value in (0.05, 0.1, 0.15, 0.2, 0.3):
            cells = [alarmed(card, attack, value) for card in CAPSULES]
            yield row(f"{words}, ε = {value:g}", cells)
    for words, change, _ in READINGS:
        readings = [
            *(reading(network, change, "code") for network in (0, 2, 3)),
            *(reading(1, change, "code"), reading(1, change, "code_components")),
            *(reading(0, change, "pixels"), reading(0, change, "pixels_components")),
        ]
        cells = [
            "{r2:.2f} ({r2_low:.2f} to {r2_high:.2f})".format(**x) for x in readings
        ]
        yield row(words, cells)
    for words, network, what in APART:
        cells = [
            "{mean:.3f} ({low:.3f} to {high:.3f}); turned {turned:.3f} "
            "({turned_low:.3f} to {turned_high:.3f})".format(
                **apart(network, what, index)
            )
            for index in ("sap", "dci")
        ]
        yield row(words, cells)
    for words, card in (("CapsNet", CAPSNET), ("Matrix capsules", MATRIX)):
        yield row(words, [misread(card, number) for number in (1, 2, 3, 5)])


def test_the_rows_with_intervals_are_the_cards_and_no_others():
    text, _, _ = TEXT.partition("\n## Capsules need plain backgrounds")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = len(CARDS) + 3  # with the words and both ends
    written = [
        x for x in lines if x.count("|") == cells - 1 and " to " in x.split("|")[2]
    ]
    written = [row for row in written if " / " not in row]
    assert sorted(written) == sorted(rows_with_intervals())


@pytest.mark.parametrize("line", [*other_rows()])
def test_the_other_rows_are_the_cards(line):
    assert line in TEXT.splitlines()


def test_networks_were_measured_and_trained_alike():
    for card in CARDS:
        assert card["measurements"]["zero_gradients"]["gap"]["images"] == 0
        for change in ("shift", "contrast", "ground", "noise", "toned", "flags"):
            assert card["training"][change] == CAPSNET["training"][change]


def test_how_long_networks_were_trained_and_what_they_misread_is_the_cards():
    epochs = [card["lineage"]["epochs"] for card in CARDS]
    assert epochs[0] == epochs[1]
    assert (
        f"The Efficient-CapsNet was trained for {epochs[3]} epochs, the matrix "
        f"capsules for {epochs[2]}, the others for {epochs[0]}."
    ) in WORDS
    wrong = [len(card["mistakes"]) for card in CARDS]
    assert (
        f"They misread {wrong[0]} (CapsNet), {wrong[1]} (CNN), {wrong[2]} (matrix "
        f"capsules) and {wrong[3]} (Efficient-CapsNet) of the 10 000 digits."
    ) in WORDS
    zeros = [
        card["measurements"]["zero_gradients"]["trained"]["images"] for card in CAPSULES
    ]
    shares = f"{percent(min(zeros))} to {percent(max(zeros))}"
    assert f"with {shares} % of the digits, which have no" in WORDS


def test_the_verdict_on_viewpoints_follows_from_the_cards():
    turned, moved = ("rotation", 30), ("shift", -6)
    assert_told(
        "capsules-keep-up-when-a-digit-is-turned-shifted-or-scaled",
        f"does not hold for this CapsNet: it reads {read(CAPSNET, *turned)} % of the "
        f"test digits turned left by 30°, the CNN {read(CNN, *turned)} %; holds for "
        "shifts and sizes of these matrix capsules, "
        f"{read(MATRIX, *moved)} % shifted left by 6 "
        f"pixels, where the CNN reads {read(CNN, *moved)} %; this Efficient-CapsNet is "
        "ahead of the CNN, too, but in turns no further than a larger CNN, "
        f"{read(EFFICIENT, *turned)} % beside 89.7 %",
    )
    # Of a CNN that is not shipped.
    assert "The larger CNN reads 89.7 and 68.8 % after a turn" in WORDS
    larger = {30: wilson_interval(0.897, 10000), 45: wilson_interval(0.688, 10000)}
    turns = [("rotation", value) for value in (-45, -30, 30, 45)]
    sizes = [("scale", 0.6), ("scale", 1.4)]
    for knob in [*turns, *sizes]:
        behind = accuracy(CAPSNET, *knob)
        assert accuracy(EFFICIENT, *knob) > accuracy(CNN, *knob) > behind
    assert all(accuracy(MATRIX, *knob) > accuracy(CNN, *knob) for knob in sizes)
    assert all(ends(CNN, *knob)[0] > ends(MATRIX, *knob)[1] for knob in turns)
    # "beyond chance", in both directions together
    assert all(ends(CNN, *knob)[0] > ends(CAPSNET, *knob)[1] for knob in turns[1:])
    assert ends(EFFICIENT, *turns[3])[0] > ends(CNN, *turns[3])[1]
    level = [
        *larger.items(),
        *((value, ends(CNN, "rotation", value)) for value in (30, -30, -45)),
    ]
    for value, (low, high) in level:  # within chance
        reach = ends(EFFICIENT, "rotation", value)
        assert reach[0] < high
        assert low < reach[1]
    for knob in [("shift", 6), ("shift", -6), ("shift_down", 6), ("shift_down", -6)]:
        ahead = min(accuracy(MATRIX, *knob), accuracy(EFFICIENT, *knob))
        assert ahead > accuracy(CNN, *knob) > accuracy(CAPSNET, *knob)


def beside_the_cnn(attack):
    """Return the p values of each capsule network's share less the CNN's, corrected.

    By Fisher's exact test, with Holm's correction for all networks and values of ε.
    """
    compared = [
        (card, value) for value in (0.05, 0.1, 0.15, 0.2, 0.3) for card in CAPSULES
    ]
    corrected = holm([fisher(card, CNN, attack, value) for card, value in compared])
    return {
        (value, CARDS.index(card)): p
        for (card, value), p in zip(compared, corrected, strict=True)
    }


def fisher(card, other, attack, value):
    """Return the p value of two shares of digits read right (Fisher's exact test)."""
    entries = [entry["measurements"][attack] for entry in (card, other)]
    images = [entry["images"] for entry in entries]
    right = [
        round(at(entry, value) * count)
        for entry, count in zip(entries, images, strict=True)
    ]
    whole = math.comb(sum(images), sum(right))
    chances = [
        math.comb(images[0], k) * math.comb(images[1], sum(right) - k) / whole
        for k in range(sum(right) + 1)
    ]
    return sum(chance for chance in chances if chance <= chances[right[0]] * (1 + 1e-9))


def ahead_of_the_cnn(attack, sign=1):
    """Return where networks read more (or fewer) digits than the CNN, beyond chance."""
    return {
        (value, network)
        for (value, network), p in beside_the_cnn(attack).items()
        if p < 0.05
        and sign
        * (accuracy(CARDS[network], attack, value) - accuracy(CNN, attack, value))
        > 0
    }


def test_the_verdict_on_attacks_follows_from_the_cards():
    kept = max(CAPSULES, key=lambda card: accuracy(card, "pgd", 0.2))
    assert_told(
        "capsules-resist-adversarial-pixels",
        "does not hold for these networks: after ten steps at ε = 0.2, the capsule "
        f"networks read at most {read(kept, 'pgd', 0.2)} % of the test digits, the CNN "
        f"{read(CNN, 'pgd', 0.2)} %",
    )
    assert all(accuracy(card, "pgd", 0.3) == 0 for card in CARDS)
    capsnet, matrix, efficient = (CARDS.index(card) for card in CAPSULES)
    assert ahead_of_the_cnn("pgd") == {
        *((0.1, matrix), (0.15, matrix)),
        (0.15, efficient),
    }
    assert ahead_of_the_cnn("pgd", -1) == {(0.1, capsnet), (0.15, capsnet)}
    for card, value in itertools.product(CAPSULES, (0.1, 0.2, 0.3)):
        # "in fewer digits than FGSM by its own gradient does"
        assert carried(card, "cnn-mnist", value)[0] > accuracy(card, "fgsm", value)
    shares, of = zip(
        *(
            (read(card, "noise", 0.3), card["measurements"]["noise"]["images"])
            for card in CARDS[:2]
        ),
        strict=True,
    )
    assert (
        f"leaves the CapsNet {shares[0]} % of {of[0]} digits at ε = 0.3 and the CNN "
        f"{shares[1]} % of {of[1]:,}".replace(",", " ")
    ) in WORDS


def test_attacks_of_every_network_are_the_strongest_of_three():
    for card in CARDS:
        for attack in ("fgsm", "pgd"):
            entry = card["measurements"][attack]
            assert entry["losses"] == ["gap", "entropy", "scores"]
        for value in (0.05, 0.1, 0.15, 0.2, 0.3):
            # No network hides its gradients: a search without them does less.
            assert (
                accuracy(card, "square", value) >= accuracy(card, "pgd", value) - 0.05
            )


def test_on_how_many_digits_attacks_were_measured_is_told():
    names = "CapsNet", "CNN", "matrix capsules", "Efficient-CapsNet"
    for attack, words in (("fgsm", "FGSM"), ("pgd", "PGD"), ("square", "Square")):
        counts = [card["measurements"][attack]["images"] for card in CARDS]
        digits = [
            f"{count:,} ({name})".replace(",", " ")
            for count, name in zip(counts, names, strict=True)
        ]
        assert (
            f"{words} of {digits[0]}, {digits[1]}, {digits[2]} and {digits[3]} digits"
            in WORDS
        )


def test_the_verdict_on_the_alarm_follows_from_the_cards():
    def unseen(attack, value):
        return percent(at(CAPSNET["measurements"][attack], value, "unseen"))

    assert_told(
        "a-capsule-network-notices-that-it-is-being-attacked",
        "holds only if the attacker changes much and does not know of the alarm: this "
        f"CapsNet misreads {unseen('pgd', 0.3)} % of the test digits unnoticed at "
        f"ε = 0.3, but {unseen('pgd', 0.1)} % at ε = 0.1, and {unseen('alarm', 0.3)} % "
        "at ε = 0.3 where the attack avoids the alarm",
    )
    # "it hardly helps"
    for card in CAPSULES:
        assert at(card["measurements"]["alarm"], 0.3, "unseen") > 0.85
        assert at(card["measurements"]["pgd"], 0.3, "unseen") < 0.5


def test_the_verdict_on_poses_follows_from_the_cards():
    capsules, others = (0, 2, 3), ("rotation", "scale", "shear")

    def reach(source, *changes):
        shares = [
            reading(network, x, source)["r2"] for network in capsules for x in changes
        ]
        return " to ".join({f"{end:.2f}": None for end in (min(shares), max(shares))})

    assert_told(
        "the-pose-in-a-capsule-follows-the-object",
        f"holds for shifts in these networks: R² {reach('code', 'shift')} from a "
        f"capsule, {reach('pixels', 'shift')} from the pixels; is not shown for turns, "
        f"scale and shears: R² {reach('code', *others)} from a capsule and from the "
        "pixels",
    )


def test_the_verdict_on_single_numbers_follows_from_the_cards():
    saps = [apart(network, "numbers", "sap")["mean"] for network in (0, 2, 3)]
    turned = [apart(network, "numbers", "sap")["turned"] for network in (0, 2, 3)]
    pixels = apart(0, "pixels", "sap")
    assert_told(
        "each-number-of-a-capsule-stands-for-one-property",
        "is not shown by these networks: of 1, capsules' numbers reach a SAP of {} to "
        "{}, the same numbers turned at random {} to {}, the pixels' first components "
        "{}".format(
            *(f"{end(values):.3f}" for values in (saps, turned) for end in (min, max)),
            f"{pixels['mean']:.3f}",
        ),
    )


def test_other_sections_are_referred_to_by_links_that_lead_there():
    """Sections are added and moved, and what stood before is another one then."""
    by_place = r"(previous|next|last) section|section (before|above|below)"
    assert not re.search(by_place, WORDS)
    titles = re.findall(r"^#+ (.+)$", TEXT, flags=re.MULTILINE)
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= anchors


def test_the_verdict_on_jumbled_parts_follows_from_the_cards():
    capsnet, cnn, matrix, efficient = (
        [at(card["measurements"]["tiles"], side, "passing") for side in (2, 3, 4)]
        for card in CARDS
    )
    most = [
        "{} % ({} to {})".format(
            *map(percent, (share, *wilson_interval(share, 10_000)))
        )
        for share in map(max, (efficient, capsnet, matrix, cnn))
    ]
    assert_told(
        "capsules-see-that-a-jumbled-face-is-none",
        f"holds for these networks: cut in three ways, at most {most[0]} of the "
        "jumbled digits look as sure as clean ones to the Efficient-CapsNet, "
        f"{most[1]} to the CapsNet, {most[2]} to matrix capsules and {most[3]} to the "
        "CNN",
    )
    entries = [card["measurements"]["tiles"] for card in CARDS]
    reach = max(
        end - at(entry, side)
        for entry in entries
        for side in (2, 3, 4)
        for end in wilson_interval(at(entry, side), entry["images"])
    )
    areas = [at(entry, side, "roc_area") for entry in entries for side in (2, 3, 4)]
    spread = max(spread_of_area(area, 10_000) for area in areas)
    assert (
        f"accuracies reach {100 * reach:.1f} points to either side, those of areas "
        f"{spread:.3f}"
    ) in WORDS
    assert max(capsnet) < 0.025  # "about two in a hundred"
    assert max(efficient) < 0.01
    assert 0.065 < min(cnn) < max(cnn) < 0.13
    assert 0.03 < min(matrix) < max(matrix) < 0.09
    for most, some, fewer, fewest in zip(cnn, matrix, capsnet, efficient, strict=True):
        assert most > some > fewer > fewest


def test_the_verdict_on_ground_and_light_follows_from_the_cards():
    """Networks that saw grounds read them; which those are, their cards say."""
    assert (
        "**Verdict:** what counts is what a network was trained on, not whether it has "
        "capsules: on a ground of +0.3, which training showed, all four read "
        f"{min(read(card, 'ground', 0.3) for card in CARDS)} % of the test digits or "
        "more; with ink at 20 %, which it did not show, the CNN reads "
        f"{read(CNN, 'contrast', 0.2)} %, the CapsNet "
        f"{read(CAPSNET, 'contrast', 0.2)} %."
    ) in WORDS
    for card in CARDS:
        has_seen = card["training"].get("ground", 0) > 0
        assert (accuracy(card, "ground", 0.1) > 0.95) is has_seen
        assert card["training"]["contrast"] == 0.4  # ink of 60 % and more
    assert accuracy(MATRIX, "contrast", 0.2) < 0.12
    for knob in [("contrast", 0.2), ("grain", 0.6), ("stroke", -1)]:
        assert max(CARDS, key=lambda card: accuracy(card, *knob)) is CNN


def test_what_routing_saves_is_told_with_what_chance_would_do():
    saved, spoiled = (CAPSNET[f"{what}_by_routing"] for what in ("saved", "spoiled"))
    count = saved + spoiled
    worse = sum(math.comb(count, k) for k in range(saved, count + 1))
    chance = f"{100 * worse / 2 ** (count - 1):.0f}"
    assert f"save {saved} digits of 10 000 and spoil {spoiled}." in WORDS
    assert f"divide {count} digits as unevenly in {chance} % of cases" in WORDS
    even = round(EFFICIENT["error_without_agreement"] * EFFICIENT["test_images"])
    without = f"{even:,}".replace(",", " ")
    usual = len(EFFICIENT["mistakes"])
    assert f"it misreads {without} of the 10 000 digits in place of {usual}." in WORDS
    assert_told(
        "routing-makes-the-difference",
        "is not shown for this CapsNet's accuracy on single digits: it misreads "
        f"{misread(CAPSNET, 3)} of 10 000, and {misread(CAPSNET, 1)} with one "
        "iteration, which may be chance; holds for another on pairs, for these matrix "
        f"capsules, {misread(MATRIX, 3)} and {misread(MATRIX, 1)}, and for this "
        f"Efficient-CapsNet, {usual} and {without} without agreement",
    )
    pairs = card_of("capsnet-overlapping")
    gained = [
        (card["saved_by_routing"] - card["spoiled_by_routing"]) / card["test_images"]
        for card in (pairs, CAPSNET)
    ]
    # Of images that one way alone reads right: a count that varies as itself.
    spread = Z * math.sqrt(
        sum(
            (card["saved_by_routing"] + card["spoiled_by_routing"])
            / card["test_images"] ** 2
            for card in (pairs, CAPSNET)
        )
    )
    more = gained[0] - gained[1]
    assert (
        "it saves {:.2f} points of the pairs, here {:.2f} points of the digits. The "
        "difference of these is {:.2f} points ({:.2f} to {:.2f}).".format(
            *(100 * x for x in (*gained, more, more - spread, more + spread))
        )
    ) in WORDS


def test_how_often_the_test_digits_were_read_is_told():
    """Counted by the values of every knob that was measured on the CapsNet."""
    entries = CAPSNET["measurements"].values()
    readings = sum(len(entry.get("values", ())) for entry in entries)
    assert f"the CapsNet's card has {readings} further readings of them" in WORDS
