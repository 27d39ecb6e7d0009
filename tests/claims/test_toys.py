"""What docs/claims.md says of toys from new sides is what cards say."""

from itertools import pairwise

import numpy as np

from tests.claims.document import TEXT, WORDS, assert_told, card_of


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
