"""What docs/claims.md says of the laboratory's measurements is what the cards say."""

import json
import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from model.architectures import architecture_named
from model.examples.plan import BUDGETS
from model.examples.results import difference, points, read_results
from model.figures.curves import wilson_interval

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
NETWORKS = ("capsnet-mnist", "cnn-mnist", "matrix-mnist", "efficient-mnist")
CARDS = [
    json.loads((ROOT / "weights" / f"{name}.json").read_text(encoding="utf-8"))
    for name in NETWORKS
]
CAPSNET, CNN, MATRIX, EFFICIENT = CARDS
CAPSULES = (CAPSNET, MATRIX, EFFICIENT)

# Words of a row, experiment, value of its knob.
ROWS = [
    ("as they are", "rotation", 0),
    ("turned left by 15°", "rotation", 15),
    ("turned left by 30°", "rotation", 30),
    ("turned left by 45°", "rotation", 45),
    ("turned right by 30°", "rotation", -30),
    ("turned right by 45°", "rotation", -45),
    ("turned by 180°", "rotation", 180),
    ("shifted right by 4 pixels", "shift", 4),
    ("shifted right by 6 pixels", "shift", 6),
    ("shifted left by 6 pixels", "shift", -6),
    ("shifted down by 4 pixels, 500 digits", "shift_down", 4),
    ("shifted down by 6 pixels, 500 digits", "shift_down", 6),
    ("shifted up by 6 pixels, 500 digits", "shift_down", -6),
    ("at 0.6 of their size", "scale", 0.6),
    ("at 1.4 of their size", "scale", 1.4),
    ("sheared by 37.5°", "shear", 37.5),
    ("ground +0.05", "ground", 0.05),
    ("ground +0.1", "ground", 0.1),
    ("ground +0.3", "ground", 0.3),
    ("ink at 40 %", "contrast", 0.4),
    ("ink at 20 %", "contrast", 0.2),
    ("noise within ±0.3", "grain", 0.3),
    ("noise within ±0.6", "grain", 0.6),
    ("blurred, σ = 1", "blur", 1),
    ("blurred, σ = 2", "blur", 2),
    ("strokes thicker by 1 pixel at each edge", "stroke", 1),
    ("strokes thinner by 1 pixel at each edge", "stroke", -1),
    ("FGSM, ε = 0.05", "fgsm", 0.05),
    ("FGSM, ε = 0.1", "fgsm", 0.1),
    ("FGSM, ε = 0.2", "fgsm", 0.2),
    ("FGSM, ε = 0.3", "fgsm", 0.3),
    ("PGD, ε = 0.05", "pgd", 0.05),
    ("PGD, ε = 0.1", "pgd", 0.1),
    ("PGD, ε = 0.15", "pgd", 0.15),
    ("PGD, ε = 0.2", "pgd", 0.2),
    ("PGD, ε = 0.3", "pgd", 0.3),
]

# Words of a row, id of the network that FGSM's images are made on, ε.
CARRIED = [
    (f"made on {words}, ε = {value:g}", network, value)
    for words, network in zip(
        ("the CapsNet", "the CNN", "the matrix capsules", "the Efficient-CapsNet"),
        NETWORKS,
        strict=True,
    )
    for value in (0.1, 0.2, 0.3)
]


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def cell(card, experiment, value) -> str:
    """Return an accuracy with its 95 % interval, as the document writes them."""
    entry = card["measurements"][experiment]
    accuracy = entry["accuracy"][entry["values"].index(value)]
    return with_interval(accuracy, entry["images"])


def carried_share(card, network, value) -> float:
    entry = card["measurements"]["fgsm_carried"]
    accuracy = entry["sources"][network]["accuracy"]
    return accuracy[entry["values"].index(value)]


def with_interval(share: float, images: int) -> str:
    low, high = wilson_interval(share, images)
    return f"{percent(share)} ({percent(low)} to {percent(high)})"


@pytest.mark.parametrize(("words", "experiment", "value"), ROWS)
def test_the_rows_are_the_cards(words, experiment, value):
    cells = " | ".join(cell(card, experiment, value) for card in CARDS)
    assert f"| {words} | {cells} |" in TEXT.splitlines()


@pytest.mark.parametrize(("words", "network", "value"), CARRIED)
def test_attacks_carried_over_are_the_cards(words, network, value):
    cells = [with_interval(carried_share(card, network, value), 1000) for card in CARDS]
    assert f"| {words} | {' | '.join(cells)} |" in TEXT.splitlines()


def test_attacks_were_carried_over_from_the_networks_that_are_shipped():
    for card in CARDS:
        entry = card["measurements"]["fgsm_carried"]
        assert entry["images"] == 1000
        assert {name: each["sha256"] for name, each in entry["sources"].items()} == {
            name: other["sha256"] for name, other in zip(NETWORKS, CARDS, strict=True)
        }


def test_what_is_said_of_attacks_carried_over_follows_from_the_cards():
    own, other = NETWORKS[:2]
    for value in (0.05, 0.1, 0.2):
        assert carried_share(CAPSNET, other, value) > carried_share(CAPSNET, own, value)
    for value in (0.05, 0.1, 0.2, 0.3):
        assert carried_share(CNN, own, value) > carried_share(CNN, other, value)
    # The exception, beyond chance.
    low, _ = wilson_interval(carried_share(CAPSNET, own, 0.3), 1000)
    _, high = wilson_interval(carried_share(CAPSNET, other, 0.3), 1000)
    assert high < low
    words = " ".join(TEXT.split())
    left = percent(carried_share(CNN, own, 0.3))
    assert f"The CNN still reads {left} % of the CapsNet's images at ε = 0.3" in words
    # "Matrix capsules, too": beyond chance, whatever network it was made on.
    for value in (0.1, 0.2, 0.3):
        _, high = wilson_interval(carried_share(MATRIX, NETWORKS[2], value), 1000)
        for name in (NETWORKS[0], NETWORKS[1], NETWORKS[3]):
            low, _ = wilson_interval(carried_share(MATRIX, name, value), 1000)
            assert low > high
    # The Efficient-CapsNet's exception is the CapsNet's.
    own, carried = (
        carried_share(EFFICIENT, each, 0.3) for each in (NETWORKS[3], other)
    )
    assert wilson_interval(carried, 1000)[1] < wilson_interval(own, 1000)[0]
    assert (
        f"it reads {percent(own)} % of its own images at ε = 0.3, "
        f"and {percent(carried)} % of the CNN's." in words
    )


def test_every_row_of_these_tables_is_tested():
    told = {words for words, _, _ in ROWS + CARRIED}
    rows = [line.split("|") for line in TEXT.splitlines() if line.startswith("| ")]
    networks = len(CARDS) + 3  # cells, with the words and both ends
    with_intervals = [row for row in rows if " to " in row[2] and len(row) == networks]
    assert {row[1].strip() for row in with_intervals} == told


@pytest.mark.parametrize("place", range(3))
def test_the_jumbled_parts_are_the_cards(place):
    tiles = [card["measurements"]["tiles"] for card in CARDS]
    at = [entry["values"].index(place + 2) for entry in tiles]
    cells = [
        f"{percent(entry['accuracy'][k])} / {percent(entry['passing'][k])} / "
        f"{entry['roc_area'][k]:.3f}"
        for entry, k in zip(tiles, at, strict=True)
    ]
    side = place + 2
    assert f"| {side} × {side} tiles | {' | '.join(cells)} |" in TEXT.splitlines()


def test_the_zero_gradients_are_the_cards():
    cells = [
        percent(card["measurements"]["zero_gradients"]["trained"]["images"])
        for card in CARDS
    ]
    assert (
        f"| gradient of the trained loss exactly zero | {' | '.join(cells)} |" in TEXT
    )
    assert all(
        card["measurements"]["zero_gradients"]["gap"]["images"] == 0 for card in CARDS
    )
    shares = [
        card["measurements"]["zero_gradients"]["trained"]["images"] for card in CAPSULES
    ]
    ends = f"{percent(min(shares))} to {percent(max(shares))}"
    told = f"with {ends} % of the digits, which have no"
    assert told in " ".join(TEXT.split())


def test_how_long_networks_were_trained_is_the_cards():
    epochs = [card["lineage"]["epochs"] for card in CARDS]
    assert epochs[0] == epochs[1]
    words = " ".join(TEXT.split())
    assert (
        f"The Efficient-CapsNet was trained for {epochs[3]} epochs, the matrix "
        f"capsules for {epochs[2]}, the others for {epochs[0]}."
    ) in words
    wrong = [len(card["mistakes"]) for card in CARDS]
    assert (
        f"They misread {wrong[0]} (CapsNet), {wrong[1]} (CNN), {wrong[2]} (matrix "
        f"capsules) and {wrong[3]} (Efficient-CapsNet) of the 10 000 digits."
    ) in words
    for card in CARDS:  # "the same changes"
        for change in ("shift", "contrast", "ground", "noise", "toned", "flags"):
            assert card["training"][change] == CAPSNET["training"][change]


@pytest.mark.parametrize("attack", ["noise", "fgsm", "pgd", "aware"])
def test_the_alarm_is_the_cards(attack):
    """Rows of one attack: share of images misread without an alarm, and ROC areas."""
    names = {
        "noise": "noise",
        "fgsm": "FGSM",
        "pgd": "PGD",
        "aware": "PGD that avoids the alarm",
    }
    entries = [card["measurements"]["alarm"]["attacks"][attack] for card in CAPSULES]
    shared = [
        value
        for value in entries[0]["values"]
        if all(value in entry["values"] for entry in entries)
    ]
    for value in shared:
        cells = []
        for entry in entries:
            k = entry["values"].index(value)
            cells.append(
                f"{percent(1 - entry['accuracy'][k])} / {percent(entry['alarms'][k])} "
                f"/ {percent(entry['unseen'][k])} / {entry['roc_area'][k]:.3f}"
            )
        row = f"| {names[attack]}, ε = {value:g} | {' | '.join(cells)} |"
        assert row in TEXT.splitlines()


# Degrees to the left, and what the text gives for the CNN that is not shipped.
LARGER_CNN = [(30, 0.897), (45, 0.688)]


def test_the_verdict_on_rotation_follows_from_the_cards():
    def ends(card, value):
        entry = card["measurements"]["rotation"]
        accuracy = entry["accuracy"][entry["values"].index(value)]
        return wilson_interval(accuracy, entry["images"])

    for value in (-45, -30, 30, 45):
        assert ends(CNN, value)[0] > ends(CAPSNET, value)[0]
        assert ends(CNN, value)[0] > ends(MATRIX, value)[1]
    # "beyond chance", in both directions together
    assert all(ends(CNN, value)[0] > ends(CAPSNET, value)[1] for value in (30, -30, 45))
    assert ends(EFFICIENT, 45)[0] > ends(CNN, 45)[1]
    larger = [(value, wilson_interval(share, 10000)) for value, share in LARGER_CNN]
    for value, (low, high) in [
        *larger,
        *((at, ends(CNN, at)) for at in (30, -30, -45)),
    ]:
        assert ends(EFFICIENT, value)[0] < high  # level within chance
        assert low < ends(EFFICIENT, value)[1]


def test_figures_within_sentences_are_the_cards():
    words = " ".join(TEXT.split())
    noise = [card["measurements"]["noise"] for card in CARDS[:2]]
    left = [percent(each["accuracy"][each["values"].index(0.3)]) for each in noise]
    assert f"leaves the CapsNet {left[0]} % at ε = 0.3 and the CNN {left[1]} %" in words
    attacks = [card["measurements"]["alarm"]["attacks"] for card in CAPSULES]
    pgd = attacks[0]["pgd"]
    place = pgd["values"].index(0.1)
    assert 0.4 < pgd["unseen"][place] / (1 - pgd["accuracy"][place]) < 0.5
    unseen = [
        each["aware"]["unseen"][each["aware"]["values"].index(0.1)] for each in attacks
    ]
    told = (
        f"gets {percent(unseen[0])} % of the CapsNet's digits misread without one at "
        f"ε = 0.1, where PGD gets {percent(pgd['unseen'][place])} %, "
        f"and {percent(unseen[1])} % of the matrix capsules'"
    )
    assert told in words

    def unnoticed(attack, value):
        found = attacks[2][attack]
        return percent(found["unseen"][found["values"].index(value)])

    assert (
        f"Of the Efficient-CapsNet's digits, PGD gets {unnoticed('pgd', 0.3)} % "
        "misread without an alarm even at ε = 0.3. Avoiding the alarm gains nothing "
        f"there: {unnoticed('aware', 0.1)} % at ε = 0.1, where PGD gets "
        f"{unnoticed('pgd', 0.1)} %."
    ) in words
    assert float(unnoticed("aware", 0.1)) < float(unnoticed("pgd", 0.1))
    measured = max(attacks[0]["aware"]["values"])
    assert f"who does was measured up to ε = {measured:g}" in words


def test_the_verdict_on_attacks_follows_from_the_cards():
    capsnet, cnn, matrix, efficient = (card["measurements"] for card in CARDS)

    def at(entries, attack, value):
        return entries[attack]["accuracy"][entries[attack]["values"].index(value)]

    assert min(at(each, "fgsm", 0.3) for each in (capsnet, matrix, efficient)) > 0.5
    assert at(cnn, "fgsm", 0.3) < 0.1
    for card in CARDS:
        assert at(card["measurements"], "pgd", 0.3) < 0.03
    assert at(capsnet, "pgd", 0.05) < at(cnn, "pgd", 0.05)
    assert at(capsnet, "pgd", 0.15) > at(cnn, "pgd", 0.15)
    most = (matrix, efficient)
    for value in (0.05, 0.1, 0.15, 0.2):
        others = [at(entries, "pgd", value) for entries in (capsnet, cnn)]
        assert min(at(each, "pgd", value) for each in most) >= max(others)
    for each in most:
        low, _ = wilson_interval(at(each, "pgd", 0.05), 1000)
        _, high = wilson_interval(at(cnn, "pgd", 0.05), 1000)
        assert low < high  # "no more than the CNN beyond chance"
        assert at(each, "pgd", 0.15) >= 2 * at(cnn, "pgd", 0.15)
    low, _ = wilson_interval(at(efficient, "pgd", 0.2), 1000)
    others = (capsnet, cnn, matrix)
    assert all(wilson_interval(at(x, "pgd", 0.2), 1000)[1] < low for x in others)


READINGS = [
    ("turned by up to 45°", "rotation", 45),
    ("shifted sideways by up to 4 pixels", "shift", 4),
    ("at 0.7 to 1.3 of its size", "scale", 1.3),
    ("sheared by up to 30°", "shear", 30),
]


def reading(place, change, what):
    knob = CARDS[place]["measurements"]["pose_reading"]["knobs"][change]
    return knob["readings"][what]


@pytest.mark.parametrize(("words", "change", "high"), READINGS)
def test_what_is_read_of_poses_is_the_cards(words, change, high):
    told = [
        *(reading(place, change, "code") for place in (0, 2, 3)),
        *(reading(1, change, "code"), reading(1, change, "code_components")),
        *(reading(0, change, "pixels"), reading(0, change, "pixels_components")),
    ]
    assert [each["numbers"] for each in told] == [16, 16, 16, 512, 16, 784, 16]
    cells = [
        f"{each['r2']:.2f} ({each['r2_low']:.2f} to {each['r2_high']:.2f})"
        for each in told
    ]
    assert f"| {words} | {' | '.join(cells)} |" in TEXT.splitlines()
    knob = CARDS[0]["measurements"]["pose_reading"]["knobs"][change]
    assert knob["high"] == high


def test_poses_are_read_from_the_same_images_on_all_networks():
    entries = [card["measurements"]["pose_reading"] for card in CARDS]
    assert {(each["images"], each["training_images"]) for each in entries} == {
        (1000, 3000)
    }
    assert {tuple(each["knobs"]) for each in entries} == {
        tuple(change for _, change, _ in READINGS)
    }
    for change in entries[0]["knobs"]:
        for what in ("pixels", "pixels_components"):
            assert len({reading(place, change, what)["r2"] for place in range(4)}) == 1


def test_what_is_said_of_poses_follows_from_the_cards():
    """Above and below as the ends of the intervals are; else only as what is read."""
    capsules, cnn = (0, 2, 3), 1

    def above(one, other):
        return one["r2_low"] > other["r2_high"]

    for place in capsules:
        shift = reading(place, "shift", "code")
        assert above(shift, reading(cnn, "shift", "code"))
        assert above(shift, reading(cnn, "shift", "pixels"))
        turn = reading(place, "rotation", "code")
        assert above(reading(cnn, "rotation", "code"), turn)
        for change in ("rotation", "scale", "shear"):
            own = reading(place, change, "code")
            assert own["r2"] > 0.5  # "a capsule does follow"
            is_exception = CARDS[place] is MATRIX and change == "rotation"
            components = reading(place, change, "pixels_components")
            assert above(own, components) is is_exception
            assert not above(own, reading(place, change, "pixels"))
            assert not above(own, reading(cnn, change, "code"))
    shuffled = [
        reading(place, change, "shuffled")["r2"]
        for place in range(4)
        for _, change, _ in READINGS
    ]
    low, high = (
        f"{end:.2f}".replace("-", "−") for end in (min(shuffled), max(shuffled))
    )
    assert f"R² is between {low} and {high} for every" in " ".join(TEXT.split())
    images = CARDS[0]["measurements"]["pose_reading"]["training_images"]
    assert images == 10 * 300


APART = [
    ("CapsNet, 16 numbers", 0, "numbers"),
    ("Efficient-CapsNet, 16 numbers", 3, "numbers"),
    ("Matrix capsules, 16 numbers", 2, "numbers"),
    ("CNN, first 16 components of its hidden layer", 1, "numbers"),
    ("pixels, their first 16 components", 0, "pixels"),
    ("the five properties themselves", 0, "properties_themselves"),
]


def apart(place, what, index):
    return CARDS[place]["numbers"]["indices"][what][index]


@pytest.mark.parametrize(("words", "place", "what"), APART)
def test_how_far_numbers_are_apart_is_the_cards(words, place, what):
    cells = [
        "{mean:.3f} ({low:.3f} to {high:.3f}); turned {turned:.3f} "
        "({turned_low:.3f} to {turned_high:.3f})".format(**apart(place, what, index))
        for index in ("sap", "dci")
    ]
    assert f"| {words} | {' | '.join(cells)} |" in TEXT.splitlines()


def test_numbers_were_judged_alike_on_all_networks():
    entries = [card["numbers"] for card in CARDS]
    assert {entry["shown"] for entry in entries} == {16}
    assert [entry["numbers"] for entry in entries] == [16, 512, 16, 16]
    for entry, card in zip(entries, CARDS, strict=True):
        assert entry["images"] == card["test_images"] == 10000
        assert entry["indices"]["turns"] == 100
        assert entry["indices"]["properties"] == [
            *("thickness", "slant", "width", "height", "bow")
        ]
        for what in ("pixels", "properties_themselves"):
            assert entry["indices"][what] == entries[0]["indices"][what]


def test_what_is_said_of_single_numbers_follows_from_the_cards():
    assert_told(
        "each-number-of-a-capsule-stands-for-one-property",
        "does not hold; the pixels' first components are further apart",
    )
    for index in ("sap", "dci"):
        for place in (0, 2, 3):
            own = apart(place, "numbers", index)
            assert own["turned_low"] < own["mean"] < own["turned_high"]
        best = apart(0, "properties_themselves", index)["low"]
        for place in range(len(CARDS)):
            assert apart(place, "numbers", index)["high"] < best / 2
    pixels = apart(0, "pixels", "sap")
    for place in (0, 2, 3):
        assert pixels["low"] > apart(place, "numbers", "sap")["high"]
    for index in ("sap", "dci"):
        for place, what in ((0, "pixels"), (1, "numbers")):
            components = apart(place, what, index)
            assert components["low"] > components["turned_high"]


def test_other_sections_are_referred_to_by_links_that_lead_there():
    """Sections are added and moved, and what stood before is another one then."""
    words = " ".join(TEXT.split())
    by_place = r"(previous|next|last) section|section (before|above|below)"
    assert not re.search(by_place, words)
    titles = re.findall(r"^#+ (.+)$", TEXT, flags=re.MULTILINE)
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= anchors


# The table at the top says each verdict in a line, which the page shows.


def accuracy(card, experiment, value):
    entry = card["measurements"][experiment]
    return entry["accuracy"][entry["values"].index(value)]


def assert_told(section, verdict):
    assert any(
        line.startswith("| [") and f"](#{section}) | {verdict} |" in line
        for line in TEXT.splitlines()
    )


def test_the_line_on_viewpoints_follows_from_the_cards():
    assert_told(
        "capsules-keep-up-when-a-digit-is-turned-shifted-or-scaled",
        "does not hold for the CapsNet; holds for matrix capsules' shifts and sizes; "
        "the Efficient-CapsNet is ahead of the CNN, but in turns no further than a "
        "larger CNN",
    )
    turns = [("rotation", value) for value in (-45, -30, 30, 45)]
    sizes = [("scale", 0.6), ("scale", 1.4)]
    for knob in [*turns, *sizes]:
        behind = accuracy(CAPSNET, *knob)
        assert accuracy(EFFICIENT, *knob) > accuracy(CNN, *knob) > behind
    assert all(accuracy(CNN, *knob) > accuracy(MATRIX, *knob) for knob in turns)
    assert all(accuracy(MATRIX, *knob) > accuracy(CNN, *knob) for knob in sizes)
    for knob in [("shift", 6), ("shift", -6), ("shift_down", 6), ("shift_down", -6)]:
        ahead = min(accuracy(MATRIX, *knob), accuracy(EFFICIENT, *knob))
        assert ahead > accuracy(CNN, *knob) > accuracy(CAPSNET, *knob)


def test_the_line_on_poses_follows_from_the_cards():
    assert_told(
        "the-pose-in-a-capsule-follows-the-object",
        "holds for shifts; "
        "of turns, scale and shears, capsules tell no more than pixels do",
    )
    for place in (0, 2, 3):
        shift = reading(place, "shift", "code")
        assert shift["r2_low"] > reading(place, "shift", "pixels")["r2_high"]
        for change in ("rotation", "scale", "shear"):
            own = reading(place, change, "code")
            assert own["r2_low"] <= reading(place, change, "pixels")["r2_high"]


def test_the_line_on_jumbled_parts_follows_from_the_cards():
    assert_told(
        "capsules-see-that-a-jumbled-face-is-none",
        "holds; most for the Efficient-CapsNet, least for matrix capsules",
    )
    capsnet, cnn, matrix, efficient = (
        [tiles["passing"][tiles["values"].index(side)] for side in (2, 3, 4)]
        for tiles in (card["measurements"]["tiles"] for card in CARDS)
    )
    assert max(capsnet) < 0.025  # "about two in a hundred"
    assert max(efficient) < 0.01
    assert 0.065 < min(cnn) < max(cnn) < 0.13
    assert 0.03 < min(matrix) < max(matrix) < 0.09
    for most, some, fewer, fewest in zip(cnn, matrix, capsnet, efficient, strict=True):
        assert most > some > fewer > fewest


def test_the_lines_on_attacks_follow_from_the_cards():
    assert_told("capsules-resist-adversarial-pixels", "does not hold")
    for card in CAPSULES:
        assert accuracy(card, "pgd", 0.3) < 0.03
    assert_told(
        "a-capsule-network-notices-that-it-is-being-attacked",
        "holds only if the attacker changes much and does not know of the alarm",
    )
    attacks = CARDS[0]["measurements"]["alarm"]["attacks"]

    def unseen(attack, value):
        return attacks[attack]["unseen"][attacks[attack]["values"].index(value)]

    assert unseen("pgd", 0.3) < 0.01
    assert unseen("pgd", 0.1) > 0.1
    assert unseen("aware", 0.1) > unseen("pgd", 0.1)


def test_the_line_on_ground_and_light_follows_from_the_cards():
    """Networks that saw grounds read them; which those are, their cards say."""
    words = " ".join(TEXT.split())
    assert (
        "**Verdict:** what counts is what a network was trained on, "
        "not whether it has capsules." in words
    )
    for card in CARDS:
        has_seen = card["training"].get("ground", 0) > 0
        assert (accuracy(card, "ground", 0.1) > 0.95) is has_seen
    # Training showed ink of 60 % and more.
    assert all(card["training"]["contrast"] == 0.4 for card in CARDS)
    assert accuracy(MATRIX, "contrast", 0.2) < 0.12
    for knob in [("contrast", 0.2), ("grain", 0.6), ("stroke", -1)]:
        assert max(CARDS, key=lambda card: accuracy(card, *knob)) is CNN


def test_errors_by_iterations_are_the_cards():
    for name, card in (("CapsNet", CAPSNET), ("Matrix capsules", MATRIX)):
        counts = (
            round(card["errors_by_iterations"][number] * card["test_images"])
            for number in ("1", "2", "3", "5")
        )
        cells = " | ".join(f"{count:,}".replace(",", " ") for count in counts)
        assert f"| {name} | {cells} |" in TEXT


def test_what_routing_saves_is_told_with_what_chance_would_do():
    saved, spoiled = (CARDS[0][f"{what}_by_routing"] for what in ("saved", "spoiled"))
    count = saved + spoiled
    chance = sum(math.comb(count, k) for k in range(saved, count + 1)) / 2 ** (
        count - 1
    )
    text = " ".join(TEXT.split())
    assert f"save {saved} digits of 10 000 and spoil {spoiled}." in text
    assert f"divide {count} digits as unevenly in {100 * chance:.0f} % of cases" in text


def test_what_attention_saves_is_the_cards():
    even = round(EFFICIENT["error_without_agreement"] * EFFICIENT["test_images"])
    told = f"{even:,}".replace(",", " ")
    assert (
        f"it misreads {told} of the 10 000 digits in place of "
        f"{len(EFFICIENT['mistakes'])}."
    ) in " ".join(TEXT.split())
    assert_told(
        "routing-makes-the-difference",
        "does not hold for the CapsNet's accuracy; "
        "holds for matrix capsules and the Efficient-CapsNet",
    )


# Two digits on top of each other.


def card_of(name):
    return json.loads((ROOT / f"weights/{name}.json").read_text(encoding="utf-8"))


def misread(figures):
    low, high = figures["interval"]
    return f"{100 * figures['error']:.1f} ({100 * low:.1f} to {100 * high:.1f})"


PAIR_NETWORKS = ("capsnet", "efficient", "cnn")

# CapsNets for pairs that are not shipped, five epochs each, and the pairs that they
# misread of 10 000: with one iteration of routing, and with three.
FIVE_EPOCHS = {1: 2100, 3: 1941}


def pair_cards():
    return [card_of(f"{name}-overlapping") for name in PAIR_NETWORKS]


def pair_rows():
    """Return the rows of the section's tables."""
    cards = pair_cards()
    overlaps = [card["overlaps"] for card in cards]
    parts = {
        "two digits, both to be named": [each["pairs"] for each in overlaps],
        "… the fifth that shares the least ink": [
            each["by_shared_ink"][0] for each in overlaps
        ],
        "… the fifth that shares the most ink": [
            each["by_shared_ink"][4] for each in overlaps
        ],
        "one digit alone": [each["singles"] for each in overlaps],
        "two digits of one class, of which it is to be named first": [
            card["ink"]["twins"]["misread"] for card in cards
        ],
        "… another class named as well": [
            card["ink"]["twins"]["second"] for card in cards
        ],
    }
    rows = [
        f"| {what} | {' | '.join(map(misread, those))} |"
        for what, those in parts.items()
    ]
    errors = cards[0]["errors_by_iterations"]
    counts = (round(errors[number] * 10_000) for number in ("1", "2", "3", "5"))
    told = " | ".join(f"{count:,}".replace(",", "\u00a0") for count in counts)
    return [*rows, f"| CapsNet for pairs | {told} |"]


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


def pair_words():
    return " ".join(TEXT.split())


def test_what_is_said_of_pairs_is_the_cards():
    for row in pair_rows():
        assert row in TEXT.splitlines()
    cards = pair_cards()
    assert len({each["overlaps"]["images_sha256"] for each in cards}) == 1
    for key in ("epochs", "shift", "batch_size", "learning_rate", "averaging", "seed"):
        assert len({each["training"][key] for each in cards}) == 1
    words = pair_words()
    areas = [each["overlaps"]["one_or_two"]["roc_area"] for each in cards]
    told = "{:.3f} (CapsNet), {:.3f} (Efficient-CapsNet) and {:.3f} (CNN)"
    assert f"The area under the ROC curve is {told.format(*areas)}" in words
    minutes = "{:.0f}, {:.0f} and {:.0f}".format(
        *(each["training_time_s"] / 60 for each in cards)
    )
    assert f"Training took {minutes} minutes" in words
    given = "{:.1f} % (CapsNet) and {:.1f} % (Efficient-CapsNet)".format(
        *(100 * each["overlaps"]["ink_given_right"] for each in cards[:2])
    )
    assert f"{given} go to the right capsule" in words


def test_the_verdict_on_pairs_follows_from_the_cards():
    assert_told(
        "capsules-pull-overlapping-digits-apart",
        "holds for the Efficient-CapsNet, by two points of the pairs; the CapsNet "
        "names both digits no better than a CNN; both draw each digit by itself",
    )
    capsnet, efficient, cnn = (
        each["overlaps"]["pairs"]["error"] for each in pair_cards()
    )
    words = pair_words()
    points, interval, (low, high) = difference_of(cnn, efficient)
    assert low > 0
    assert round(100 * (cnn - efficient)) == 2  # "by two points"
    verdict = "**Verdict: holds** for the Efficient-CapsNet, by"
    assert f"{verdict} {points} {interval}" in words
    points, interval, (low, high) = difference_of(cnn, capsnet)
    assert low < 0 < high
    assert f"the difference of {points} is within chance {interval}" in words


def test_what_routing_does_to_pairs_is_the_cards():
    capsnet, efficient, _ = pair_cards()
    words = pair_words()
    low, high = capsnet["overlaps"]["pairs"]["interval"]
    assert low < capsnet["errors_by_iterations"]["2"] < high  # "as well as three"
    saved, spoiled = (capsnet[f"{what}_by_routing"] for what in ("saved", "spoiled"))
    assert f"Routing saves {saved} pairs and spoils {spoiled}." in words
    # Far from chance: more than five standard deviations.
    assert saved - spoiled > 5 * math.sqrt(saved + spoiled)
    ink = capsnet["ink"]
    one, three = (100 * ink["given_right"][number]["mean"] for number in ("1", "3"))
    low, high = (100 * end for end in ink["gain"]["interval"])
    assert (
        f"{one:.1f} % of a digit's own ink go to its capsule with one iteration, "
        f"{three:.1f} % with three: {100 * ink['gain']['mean']:.1f} points more "
        f"({low:.1f} to {high:.1f})"
    ) in words
    even = 100 * efficient["error_without_agreement"]
    assert f"it misreads {even:.1f} % of the pairs" in words
    with_one, with_three = (wrong / 10_000 for wrong in FIVE_EPOCHS.values())
    points, interval, _ = difference_of(with_one, with_three)
    assert (
        f"with one iteration misreads {100 * with_one:.1f} %, its twin with three "
        f"{100 * with_three:.1f} %: {points} {interval}"
    ) in words
    minutes = capsnet["training_time_s"] * 5 / capsnet["epochs"] / 60
    assert (
        f"Trained for five epochs, {minutes:.0f} minutes, it misreads "
        f"{100 * with_three:.1f} %"
    ) in words


def test_what_is_drawn_of_absent_digits_is_the_cards():
    capsnet, efficient, _ = (each["ink"].get("absent") for each in pair_cards())
    words = pair_words()

    def mean(entry, name, digits=1, factor=1):
        low, high = (factor * end for end in entry[name]["interval"])
        middle = factor * entry[name]["mean"]
        return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"

    assert (
        f"of mean length {capsnet['length']['mean']:.2f} draws {mean(capsnet, 'ink')} "
        "units of ink, where that of a digit which is there draws "
        f"{capsnet['present_ink']['mean']:.1f}"
    ) in words
    assert f"{mean(capsnet, 'on_ink', 1, 100)} % of it on ink of the image" in words
    assert (
        f"the Efficient-CapsNet's {mean(efficient, 'ink')} and "
        f"{efficient['present_ink']['mean']:.1f}, {mean(efficient, 'on_ink', 1, 100)} %"
    ) in words


# The error over the number of examples.

EXAMPLES = read_results(ROOT / "weights/measured/examples.json")
POINTS = {
    (each.budget, each.architecture, each.examples): each for each in points(EXAMPLES)
}
NUMBERS = (100, 300, 1_000, 3_000, 10_000, 60_000)
LEARNERS = {
    "CapsNet": "capsnet",
    "CNN": "cnn",
    "Matrix capsules": "matrix",
    "Efficient-CapsNet": "efficient",
}
SIGN = str.maketrans({"-": "−"})


def apart_from_the_cnn(budget, name, number):
    """Return how many more digits than the CNN a network misreads, with an interval."""
    return difference(POINTS[budget, name, number], POINTS[budget, "cnn", number])


def example_rows(budget):
    """Return the rows of the section's table for one budget."""
    rows = []
    for words, name in LEARNERS.items():
        cells = []
        for number in NUMBERS:
            point = POINTS[budget, name, number]
            low, high = min(point.errors), max(point.errors)
            cells.append(
                f"{100 * point.error:.2f} ({100 * low:.2f} to {100 * high:.2f})"
            )
        rows.append(f"| {words} | {' | '.join(cells)} |")
    for words, name in LEARNERS.items():
        if name == "cnn":
            continue
        cells = []
        for number in NUMBERS:
            found = (100 * each for each in apart_from_the_cnn(budget, name, number))
            cells.append("{:+.2f} ({:+.2f} to {:+.2f})".format(*found).translate(SIGN))
        rows.append(f"| {words} less CNN, points | {' | '.join(cells)} |")
    return rows


def ahead_of_the_cnn(budget, name):
    """Return with how many examples a network is ahead beyond chance, and behind."""
    ends = {number: apart_from_the_cnn(budget, name, number)[1:] for number in NUMBERS}
    return (
        [number for number in NUMBERS if ends[number][1] < 0],
        [number for number in NUMBERS if ends[number][0] > 0],
    )


TOLD = [(words, name) for words, name in LEARNERS.items() if name != "cnn"]


@pytest.mark.parametrize("budget", BUDGETS)
def test_errors_by_examples_are_the_measured_ones(budget):
    for row in example_rows(budget):
        assert row in TEXT.splitlines()


def parameters_of(name):
    """Return the parameters of a network of the runs, with its decoder."""
    architecture = architecture_named(name)
    sizes = EXAMPLES["recipes"][name]["sizes"]
    plain = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in sizes.items()
    }
    return architecture.build(architecture.settings.sizes(**plain)).parameter_count


def test_runs_on_few_and_many_examples_were_alike():
    assert {each.examples for each in POINTS.values()} == set(NUMBERS)
    assert all(len(each.runs) == 3 for each in POINTS.values())
    assert EXAMPLES["test_images"] == 10_000
    words = " ".join(TEXT.split())
    shown = {name: POINTS["time", name, 100].presented for name in LEARNERS.values()}
    assert shown["capsnet"] == EXAMPLES["presented"] == 60_032
    told = (
        "the CNN is shown {} images, the matrix capsules {} and the "
        "Efficient-CapsNet {}"
    )
    counts = (
        f"{shown[name]:,}".replace(",", " ") for name in ("cnn", "matrix", "efficient")
    )
    assert told.format(*counts) in words
    seconds = [
        each.seconds for each in POINTS.values() if each.architecture == "capsnet"
    ]
    assert f"{min(seconds):.0f} to {max(seconds):.0f} seconds of one core" in words
    millions = [f"{parameters_of(name) / 1e6:.2f}" for name in LEARNERS.values()]
    assert (
        "{} (CapsNet), {} (CNN), {} (matrix capsules) and {} million parameters "
        "(Efficient-CapsNet)".format(*millions)
        in words
    )


def test_the_verdict_on_examples_follows_from_the_runs():
    assert_told(
        "capsules-need-fewer-examples",
        "holds only if images are counted and not time, and not for matrix capsules",
    )
    words = " ".join(TEXT.split())
    assert ahead_of_the_cnn("images", "capsnet") == ([300, 1_000], [])
    assert ahead_of_the_cnn("images", "efficient") == ([*NUMBERS[1:]], [100])
    assert (
        "Shown as many images, the CapsNet errs less than the CNN, beyond chance, with "
        "300 and 1 000 examples; the Efficient-CapsNet with 300 and more, and more "
        "with 100."
    ) in words
    for budget in BUDGETS:
        assert ahead_of_the_cnn(budget, "matrix") == ([], [*NUMBERS])
    assert "Matrix capsules err more with every number, in both comparisons." in words
    many = [*NUMBERS[3:]]
    assert ahead_of_the_cnn("time", "capsnet") == ([], many)
    assert ahead_of_the_cnn("time", "efficient") == ([], [100, *many])
    assert (
        "In the same time none errs less than the CNN beyond chance, and with 3 000 "
        "examples and more each errs more."
    ) in words
    fewer = max(
        1 - POINTS["images", name, number].error / POINTS["images", "cnn", number].error
        for name in ("capsnet", "efficient")
        for number in NUMBERS
    )
    assert f"at best {100 * fewer:.0f} % fewer errors" in words


# Toys from new sides.


def novel_at(curve, level):
    """Return the novel error where a run's familiar error falls to a level for good."""
    for (_, before, old), (_, after, new) in reversed([*pairwise(curve)]):
        if after <= level <= before:
            return old + (new - old) * (before - level) / ((before - after) or 1)
    return curve[-1][2]


def mean(values):
    return sum(values) / len(values)


def novel_rows():
    """Return the section's table, and the interval of the difference over toys."""
    entries = [card_of(f"{name}-toys")["novel_views"]["azimuths"] for name in KINDS]
    finals = [[run["curve"][-1][1] for run in each["runs"]] for each in entries]
    level = max(map(mean, finals))
    rows = [
        "| sides that training showed | "
        + " | ".join(f"{100 * each['errors']['familiar']:.1f}" for each in entries)
        + " |",
        "| new sides | "
        + " | ".join(f"{100 * each['errors']['novel']:.1f}" for each in entries)
        + " |",
        "| … run by run | "
        + " | ".join(
            ", ".join(
                f"{100 * sum(run['novel']) / (100 * each['novel']):.1f}"
                for run in each["runs"]
            )
            for each in entries
        )
        + " |",
        f"| new sides, where {100 * level:.1f} % of the known ones are misread | "
        + " | ".join(
            f"{100 * mean([novel_at(run['curve'], level) for run in each['runs']]):.1f}"
            for each in entries
        )
        + " |",
    ]
    return rows, interval_over_toys(entries)


KINDS = ("matrix", "cnn")


def interval_over_toys(entries):
    """Return the 95 % interval of matrix capsules less CNN, in points (bootstrap)."""
    own, other = (
        np.mean([run["novel"] for run in each["runs"]], axis=0) / each["novel"]
        for each in entries
    )
    draws = np.random.default_rng(0).integers(0, len(own), (10_000, len(own)))
    found = (own - other)[draws].mean(axis=1)
    return [100 * float(each) for each in np.percentile(found, [2.5, 97.5])]


def test_what_is_said_of_new_sides_is_the_cards():
    rows, (low, high) = novel_rows()
    for row in rows:
        assert row in TEXT.splitlines()
    words = " ".join(TEXT.split())
    assert f"is {low:.1f} to {high:.1f} points".replace("-", "−") in words
    errors = [f"{100 * card_of(f'{kind}-toys')['test_error']:.2f}" for kind in KINDS]
    assert f"matrix capsules misread {errors[0]} %, the CNN {errors[1]} %" in words
    assert_told(
        "a-new-side-of-an-old-toy",
        "holds for turned toys, by half as much as in the paper",
    )
    entries = [card_of(f"{kind}-toys")["novel_views"]["azimuths"] for kind in KINDS]
    runs = [
        [sum(run["novel"]) / each["novel"] for run in each["runs"]] for each in entries
    ]
    assert max(runs[0]) < min(runs[1])  # "each run"
    own, other = (float(each.strip(" |")) for each in rows[-1].split(" | ")[-2:])
    fewer = 1 - own / other
    assert 1 / 7 < fewer < 1 / 5  # "about a sixth"
    assert 0.4 < fewer / (1 - 13.5 / 20.0) < 0.6  # "half as much"
    for kind, words_of_it in zip(KINDS, ("pose", "hidden layer"), strict=True):
        knobs = card_of(f"{kind}-toys")["measurements"]["pose_reading"]["knobs"]
        read = knobs["azimuth"]["readings"]
        assert f"{words_of_it} with R² = {read['code']['r2']:.2f}" in words
        assert (
            f"first 16 components with R² = {read['pixels_components']['r2']:.2f}"
            in (words)
        )
