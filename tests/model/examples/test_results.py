"""What is read from the file: packed mistakes, errors, differences."""

import numpy as np
import pytest

from capsnet_explorer.model.examples.results import (
    Point,
    difference,
    packed,
    report_examples,
    unpacked,
)

GENERATOR = np.random.default_rng(3)


def point(name, misread, seeds=(0, 1, 2)):
    runs = [
        {
            "architecture": name,
            "examples": 100,
            "seed": seed,
            "presented": 320,
            "budgets": ["images", "time"],
            "seconds": 2.0,
            "wrong": int(each.sum()),
            "misread": packed(each),
        }
        for seed, each in zip(seeds, misread, strict=True)
    ]
    return Point(name, 100, "images", runs, misread.shape[1])


def mistakes(share, images=400, runs=3):
    return GENERATOR.random((runs, images)) < share


@pytest.mark.parametrize("images", [1, 8, 17, 10_000])
def test_mistakes_survive_packing(images):
    is_misread = mistakes(0.1, images, 1)[0]
    assert np.array_equal(unpacked(packed(is_misread), images), is_misread)


def test_errors_of_a_point():
    misread = np.array([[1, 0, 0, 0], [1, 1, 0, 0]], dtype=bool)
    found = point("cnn", misread, (0, 1))
    assert found.errors == [0.25, 0.5]
    assert found.error == 0.375
    assert (found.seconds, found.presented) == (2, 320)


def test_a_difference_and_its_interval_against_a_plain_bootstrap():
    first, second = mistakes(0.3), mistakes(0.2)
    second[0] |= mistakes(0.1)[0]  # so that the seeds differ, too
    mean, low, high = difference(point("cnn", first), point("capsnet", second))
    differences = first.astype(float) - second
    assert mean == pytest.approx(differences.mean())
    shares = []
    for _ in range(4000):
        seeds = GENERATOR.integers(3, size=3)
        images = GENERATOR.integers(400, size=400)
        shares.append(differences[seeds][:, images].mean())
    assert [low, high] == pytest.approx(np.quantile(shares, [0.025, 0.975]), abs=0.01)


def test_runs_of_one_seed_are_compared_with_each_other():
    misread = mistakes(0.3)
    both = point("cnn", misread), point("capsnet", misread[[2, 0, 1]], (2, 0, 1))
    assert difference(*both) == (0, 0, 0)


def test_the_report_names_errors_and_differences():
    misread = np.zeros((2, 200), dtype=bool)
    misread[0, :10] = misread[1, :20] = True
    runs = [
        run
        for name, wrong in (("capsnet", misread), ("cnn", ~misread))
        for run in point(name, wrong, (0, 1)).runs
    ]
    speeds = {"capsnet": 1.0, "cnn": 2.0}
    words = report_examples({"runs": runs, "speeds": speeds, "test_images": 200})
    first, second, *others = words.splitlines()
    assert len(others) == 2
    assert first == (
        "equal images, capsnet, 100 examples, 320 images in 2 s: 7.50% "
        "(5.00% to 10.00%)"
    )
    assert "92.50% (90.00% to 95.00%); minus capsnet +85.00 (" in second
