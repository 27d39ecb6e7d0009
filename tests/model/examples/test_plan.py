"""Which runs there are, in which order, and how long they are."""

from capsnet_explorer.model.examples.plan import Grid, planned, whole_batches

SPEEDS = {"capsnet": 100.0, "cnn": 250.0, "matrix": 50.0, "efficient": 94.0}
BATCHES = {"capsnet": 10, "cnn": 10, "matrix": 4, "efficient": 10}


def runs_of(**changes):
    grid = {"numbers": (100,), "seeds": (0,), "presented": 1000, **changes}
    return list(planned(Grid(tuple(SPEEDS), **grid), SPEEDS, BATCHES))


def test_equal_images_come_first_and_equal_times_follow_from_the_speeds():
    found = [(run.architecture, run.presented, run.budgets) for run in runs_of()]
    assert found == [
        ("capsnet", 1000, ("images", "time")),
        ("cnn", 1000, ("images",)),
        ("matrix", 1000, ("images",)),
        ("efficient", 1000, ("images", "time")),  # six in a hundred slower
        ("cnn", 2500, ("time",)),
        ("matrix", 500, ("time",)),
    ]


def test_all_of_a_seed_comes_before_the_next():
    runs = runs_of(seeds=(3, 1), numbers=(100, 300))
    assert [run.seed for run in runs] == 12 * [3] + 12 * [1]
    assert [run.examples for run in runs[:8]] == 4 * [100] + 4 * [300]
    assert len({run.key for run in runs}) == len(runs)


def test_runs_are_whole_batches():
    assert whole_batches(1000, 64) == 1024
    assert whole_batches(990, 64) == 960
    assert whole_batches(3, 64) == 128  # a first step, and one that is timed
