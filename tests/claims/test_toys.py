"""What docs/claims.md says of toys from new sides is what cards say."""

from itertools import pairwise

import pytest

from tests.claims.document import TEXT, WORDS, card_of


def novel_at(curve, level):
    """Return the novel error where a run's familiar error falls to a level for good."""
    for (_, before, old), (_, after, new) in reversed([*pairwise(curve)]):
        if after <= level <= before:
            return old + (new - old) * (before - level) / ((before - after) or 1)
    return curve[-1][2]


def mean(values):
    return sum(values) / len(values)


KINDS = {
    "Matrix capsules": "matrix-toys",
    "CNN": "cnn-toys",
    "CNN of 4.2 million": "measured/cnn-large-toys",
    "Efficient-CapsNet": "efficient-toys",
}
RESTRICTED = ("azimuths", "elevations")


def entries_of(restricted):
    """Return what every kind's card says of runs that lacked some sides."""
    return {
        kind: card_of(name)["novel_views"][restricted] for kind, name in KINDS.items()
    }


def novel_rates(entry):
    """Return each run's error on new sides."""
    toys = len(entry["runs"][0]["novel"])
    return [sum(run["novel"]) / (toys * entry["novel"]) for run in entry["runs"]]


def rows_of(restricted):
    """Return a table of the section; at equal errors where all runs have curves."""
    entries = entries_of(restricted)
    cells = {
        "sides that training showed": [
            f"{100 * entry['errors']['familiar']:.1f}" for entry in entries.values()
        ],
        "new sides": [
            f"{100 * entry['errors']['novel']:.1f}" for entry in entries.values()
        ],
        "… run by run": [
            ", ".join(f"{100 * rate:.1f}" for rate in novel_rates(entry))
            for entry in entries.values()
        ],
    }
    curves = [run["curve"] for entry in entries.values() for run in entry["runs"]]
    if all(curves):
        level = max(
            mean([run["curve"][-1][1] for run in entry["runs"]])
            for entry in entries.values()
        )
        words = f"new sides, where {100 * level:.1f} % of the known ones are misread"
        cells[words] = [
            f"{100 * matched(entry, level):.1f}" for entry in entries.values()
        ]
    return [
        "| misread, % of the views of 100 new toys | " + " | ".join(entries) + " |",
        *(f"| {row} | " + " | ".join(shares) + " |" for row, shares in cells.items()),
    ]


def matched(entry, level):
    """Return the mean novel error of a kind where its familiar error is at a level."""
    return mean([novel_at(run["curve"], level) for run in entry["runs"]])


@pytest.mark.parametrize("restricted", RESTRICTED)
def test_the_tables_of_new_sides_are_the_cards(restricted):
    for row in rows_of(restricted):
        assert row in TEXT.splitlines()


def test_what_is_misread_where_all_sides_are_known_is_the_cards():
    errors = [f"{100 * card_of(name)['test_error']:.2f}" for name in KINDS.values()]
    assert (
        f"matrix capsules misread {errors[0]} %, the CNN {errors[1]} %, the larger CNN "
        f"{errors[2]} % and the Efficient-CapsNet {errors[3]} % of 16 200" in WORDS
    )


def test_what_can_be_read_of_the_side_is_the_cards():
    for kind, words in (("matrix", "pose"), ("cnn", "hidden layer")):
        knobs = card_of(f"{kind}-toys")["measurements"]["pose_reading"]["knobs"]
        read = knobs["azimuth"]["readings"]
        assert f"{words} with R² = {read['code']['r2']:.2f}" in WORDS
        pixels = read["pixels_components"]["r2"]
        assert f"first 16 components with R² = {pixels:.2f}" in WORDS


def test_what_single_numbers_follow_is_the_cards():
    knobs = card_of("matrix-toys")["measurements"]["pose_reading"]["knobs"]
    ends = [
        f"{min(best):.2f} to {max(best):.2f}"
        for best in (
            knobs[name]["follow"]["largest"]["code"]
            for name in ("azimuth", "elevation", "light")
        )
    ]
    assert f"tells best has R² = {ends[0]}, category by category." in WORDS
    assert f"height it is {ends[1]}, of the lamp's side {ends[2]}." in WORDS
