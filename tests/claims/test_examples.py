"""What docs/claims.md says of few and many examples is what the runs say."""

import base64
import itertools
import json
import math
import zlib

import numpy as np
import pytest

from tests.claims.document import ROOT, TEXT, WORDS, assert_told, holm

EXAMPLES = json.loads((ROOT / "weights/measured/examples.json").read_bytes())
NUMBERS = sorted({run["examples"] for run in EXAMPLES["runs"]})
LEARNERS = {
    "CapsNet": "capsnet",
    "CNN": "cnn",
    "Matrix capsules": "matrix",
    "Efficient-CapsNet": "efficient",
}


def errors(budget, name, number):
    """Return the share of the test digits that each of three runs misreads."""
    kind = (name, number)
    shares = [
        run["wrong"] / EXAMPLES["test_images"]
        for run in EXAMPLES["runs"]
        if budget in run["budgets"] and (run["architecture"], run["examples"]) == kind
    ]
    assert len(shares) == 3
    return shares


def misread(run):
    """Return which test digits a run misreads: (10 000,) bool."""
    kept = zlib.decompress(base64.b64decode(run["misread"]))
    bits = np.unpackbits(np.frombuffer(kept, np.uint8)).astype(bool)
    assert bits.sum() == run["wrong"]
    return bits


def more_misread(budget, name, number):
    """Return how much more each run misreads than the CNN's: (runs, digits)."""

    def of(kind):
        runs = [
            run
            for run in EXAMPLES["runs"]
            if budget in run["budgets"]
            and (run["architecture"], run["examples"]) == (kind, number)
        ]
        return [misread(run) for run in sorted(runs, key=lambda run: run["seed"])]

    return np.subtract(of(name), of("cnn"), dtype=float)


def chance(more):
    """Return the p value of a difference by a bootstrap over runs and digits.

    Of the runs, each of the 27 choices counts; of the digits, whose number is large,
    the normal law that means of so many choices follow.
    """
    runs, digits = more.shape
    below = []
    for choice in itertools.product(range(runs), repeat=runs):
        mean_of_runs = more[[*choice]].mean(axis=0)
        spread = mean_of_runs.std() / math.sqrt(digits)
        below.append(math.erfc(mean_of_runs.mean() / spread / math.sqrt(2)) / 2)
    share = sum(below) / len(below)
    return 2 * min(share, 1 - share)


def row(budget, words):
    """Return a network's row: the mean of its runs, the least and the most."""
    cells = []
    for number in NUMBERS:
        shares = [100 * share for share in errors(budget, LEARNERS[words], number)]
        mean = sum(shares) / len(shares)
        cells.append(f"{mean:.2f} ({min(shares):.2f} to {max(shares):.2f})")
    return f"| {words} | {' | '.join(cells)} |"


@pytest.mark.parametrize("budget", ["images", "time"])
@pytest.mark.parametrize("words", LEARNERS)
def test_errors_by_examples_are_the_measured_ones(budget, words):
    assert row(budget, words) in TEXT.splitlines()


def test_the_verdict_on_examples_follows_from_the_runs():
    capsnet, cnn, in_time = (
        100 * sum(shares) / len(shares)
        for shares in (
            errors("images", "capsnet", 300),
            errors("images", "cnn", 300),
            errors("time", "cnn", 300),
        )
    )
    assert_told(
        "capsules-need-fewer-examples",
        "holds only if images are counted and not time, and not for matrix capsules: "
        f"with 300 examples the CapsNet misreads {capsnet:.2f} % of the test digits, "
        f"the CNN {cnn:.2f} %, and {in_time:.2f} % in as much time",
    )


def test_what_is_beyond_chance_is_so_among_all_comparisons():
    """With Holm's correction for all 36."""
    kinds = [name for name in LEARNERS.values() if name != "cnn"]
    compared = [*itertools.product(("images", "time"), kinds, NUMBERS)]
    differences = [more_misread(*comparison) for comparison in compared]
    corrected = holm([chance(comparison) for comparison in differences])
    signs = {
        comparison: np.sign(more.mean())
        for comparison, more, p in zip(compared, differences, corrected, strict=True)
        if p < 0.05
    }

    def numbers(budget, kind, sign):
        return [
            number for number in NUMBERS if signs.get((budget, kind, number)) == sign
        ]

    assert len(compared) == 36
    assert "Holm's correction for all 36" in WORDS
    assert numbers("images", "capsnet", -1) == [300]
    assert not numbers("images", "capsnet", 1)
    assert "the CapsNet errs less than the CNN with 300 examples alone" in WORDS
    assert numbers("images", "efficient", -1) == [300, 1000]
    assert numbers("images", "efficient", 1) == [100]
    assert "the Efficient-CapsNet with 300 and 1 000, and more with 100" in WORDS
    for budget in ("images", "time"):
        assert numbers(budget, "matrix", 1) == NUMBERS
    assert not any(numbers("time", kind, -1) for kind in kinds)
    assert numbers("time", "capsnet", 1) == [3000, 10_000, 60_000]
    assert numbers("time", "efficient", 1) == [10_000, 60_000]
    best = min(
        differences[compared.index(("images", "efficient", number))].mean()
        / np.mean(errors("images", "cnn", number))
        for number in (300, 1000)
    )
    assert f"That is at best {-100 * best:.0f} % fewer errors." in WORDS
