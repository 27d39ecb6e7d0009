"""The tables of a sweep."""

import csv
import json

import pytest

from capsnet_explorer.model.sweeps.plan import planned
from capsnet_explorer.model.sweeps.results import (
    interval,
    report,
    rows_of,
    student,
    write_results,
)

RUNS = planned({"seeds": [0, 1], "grid": {"epochs": [1, 2, 3]}})
ERRORS = {1: (0.04, 0.06), 2: (0.03,), 3: ()}  # by epochs, for each seed that is done


@pytest.fixture
def sweep(tmp_path):
    """The folder of a sweep of which some runs are done."""
    (tmp_path / "weights").mkdir()
    for run in RUNS:
        known = ERRORS[run.settings["epochs"]]
        if run.seed < len(known):
            part = ("test", "validation")[run.seed]  # images that a run holds out
            card = {
                "measured_on": part,
                f"{part}_error": known[run.seed],
                f"{part}_images": 100,
            }
            (tmp_path / "weights" / f"{run.name}.json").write_text(json.dumps(card))
    return tmp_path


def test_the_best_come_first_and_what_is_not_trained_last(sweep):
    rows = rows_of(RUNS, sweep)
    assert [row.settings["epochs"] for row in rows] == [2, 1, 3]
    assert [len(row.left) for row in rows] == [1, 0, 2]


def test_an_interval_of_several_seeds_is_students():
    # Mean 0.05, deviation 0.01 * sqrt(2), t of one degree 12.706: +- 0.12706.
    assert interval([0.04, 0.06], 100) == pytest.approx((0, 0.17706), abs=1e-5)
    # Deviation 0.01, t of two degrees 4.303, divided by sqrt(3).
    assert interval([0.04, 0.05, 0.06], 100) == pytest.approx(
        (0.05 - 0.024843, 0.05 + 0.024843), abs=1e-5
    )


@pytest.mark.parametrize(
    ("degrees", "known"), [(1, 12.706), (30, 2.042), (60, 2.000), (120, 1.980)]
)
def test_students_quantiles_are_those_of_tables(degrees, known):
    assert student(degrees) == pytest.approx(known, abs=1e-3)


def test_the_table_has_a_line_for_each_run(sweep):
    failed = next(run for run in RUNS if run.settings["epochs"] == 3)
    write_results(RUNS, sweep, {failed.name: "the disk, it is full"})
    with (sweep / "results.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [(line["epochs"], line["seed"], line["error"]) for line in lines] == [
        *(("2", "0", "0.03"), ("2", "1", "")),
        *(("1", "0", "0.04"), ("1", "1", "0.06")),
        *(("3", "0", ""), ("3", "1", "")),
    ]
    assert [line["failed"] for line in lines] == [
        *("", "not trained", "", "", "the disk, it is full", "not trained")
    ]


def test_the_report_is_one_line_for_each_combination(sweep):
    assert report(RUNS, sweep).splitlines() == [
        "3.00% (1.03% to 8.45%, 1 seed)       epochs 2",
        "5.00% (0.00% to 17.71%, 2 seeds)     epochs 1",
        "not trained                          epochs 3",
    ]
