"""What docs/claims.md says of few and many examples is what the runs say."""

import json

import pytest

from tests.claims.document import ROOT, TEXT, assert_told

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
    asked = (name, number)
    found = [
        run["wrong"] / EXAMPLES["test_images"]
        for run in EXAMPLES["runs"]
        if budget in run["budgets"] and (run["architecture"], run["examples"]) == asked
    ]
    assert len(found) == 3
    return found


def row(budget, words):
    """Return a network's row: the mean of its runs, the least and the most."""
    cells = []
    for number in NUMBERS:
        found = [100 * each for each in errors(budget, LEARNERS[words], number)]
        mean = sum(found) / len(found)
        cells.append(f"{mean:.2f} ({min(found):.2f} to {max(found):.2f})")
    return f"| {words} | {' | '.join(cells)} |"


@pytest.mark.parametrize("budget", ["images", "time"])
@pytest.mark.parametrize("words", LEARNERS)
def test_errors_by_examples_are_the_measured_ones(budget, words):
    assert row(budget, words) in TEXT.splitlines()


def test_the_verdict_on_examples_follows_from_the_runs():
    capsnet, cnn, in_time = (
        100 * sum(found) / len(found)
        for found in (
            errors("images", "capsnet", 1000),
            errors("images", "cnn", 1000),
            errors("time", "cnn", 1000),
        )
    )
    assert_told(
        "capsules-need-fewer-examples",
        "holds only if images are counted and not time, and not for matrix capsules: "
        f"with 1 000 examples the CapsNet misreads {capsnet:.2f} % of the test digits, "
        f"the CNN {cnn:.2f} %, and {in_time:.2f} % in as much time",
    )
