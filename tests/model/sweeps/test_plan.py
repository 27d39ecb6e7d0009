"""What a sweep's file asks for."""

import re

import pytest

from capsnet_explorer.model.sweeps.plan import planned, read_plan

FILE = """
dataset = "drawn"
batch-size = 20
seeds = [0, 1]

[grid]
learning_rate = [0.001, 0.003]
decoder_hidden = [[16, 32], [32, 64]]
"""


def test_a_grid_is_every_combination_with_every_seed(tmp_path):
    file = tmp_path / "sweep.toml"
    file.write_text(FILE)
    runs = read_plan(file)
    assert [(run.seed, *run.settings.values()) for run in runs] == [
        (seed, rate, hidden)
        for seed in (0, 1)
        for rate in (0.001, 0.003)
        for hidden in ([16, 32], [32, 64])
    ]
    assert runs[0].arguments == (
        *("--batch-size", "20", "--dataset", "drawn", "--decoder-hidden", "16", "32"),
        *("--learning-rate", "0.001", "--seed", "0"),
    )
    assert runs[0].title == "learning_rate 0.001, decoder_hidden 16 32, seed 0"
    assert all(re.fullmatch(r"capsnet-drawn-[0-9a-f]{8}", run.name) for run in runs)
    assert len({run.name for run in runs}) == 8


def test_a_run_keeps_its_name_when_the_file_asks_for_more():
    def names(rates, seeds):
        asked = {"seeds": seeds, "grid": {"learning_rate": rates}}
        return [run.name for run in planned(asked)]

    assert set(names([0.1], [0])) < set(names([0.2, 0.1], [3, 0]))


def test_without_a_table_there_is_a_run_for_each_seed():
    assert [run.seed for run in planned({"seeds": [4, 2]})] == [4, 2]
    assert planned({})[0].settings == {}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"grid": [1]}, r"grid must be a table: write \[grid\]"),
        ({"grid": {"epochs": 3}}, "grid.epochs must be a list of values"),
        ({"grid": {"epochs": []}}, "grid.epochs must be a list of values"),
        ({"epochs": 2, "grid": {"epochs": [3]}}, "epochs is both fixed and varied"),
        ({"seeds": 3}, "seeds must be a list of different whole numbers"),
        ({"seeds": [1, 1]}, "seeds must be a list of different whole numbers"),
        ({"seed": 3}, "seed is not for a sweep's file: use seeds"),
        ({"run": "x"}, "run is not for a sweep's file"),
        ({"architecture": "gnn"}, "architecture must be one of capsnet, cnn"),
        ({"epoch": 2}, "unrecognized arguments: --epoch 2"),
        ({"epochs": "many"}, "argument --epochs: invalid int value: 'many'"),
        ({"epochs": 0}, "epochs"),
        ({"dataset": "imagenet"}, "imagenet"),
        ({"primary_types": 0}, "primary_types must be at least 1, got 0"),
        ({"network": {"epochs": 2}}, "network must be a value, got a table"),
        ({"grid": {"epochs": list(range(1, 10_002))}}, "at most 10000 runs"),
    ],
)
def test_what_could_not_work_is_refused_before_anything_is_trained(asked, words):
    with pytest.raises(ValueError, match=words):
        planned(asked)


def test_a_file_that_is_no_toml_is_named(tmp_path):
    file = tmp_path / "sweep.toml"
    file.write_text("epochs: 3")
    with pytest.raises(ValueError, match=r"sweep\.toml must be a TOML file: "):
        read_plan(file)
