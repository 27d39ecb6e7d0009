"""The runs, their file, and how they go on after an interruption."""

import json

import pytest

from capsnet_explorer.model.examples import running
from capsnet_explorer.model.examples.results import points, read_results, unpacked


def test_each_result_is_in_the_file(start, tmp_path):
    found, said = start()
    assert found == json.loads((tmp_path / "examples.json").read_bytes())
    assert found["command"] == "python -m model examples"
    assert (found["presented"], found["training_images"]) == (20, 17)
    assert set(found["speeds"]) == set(found["recipes"]) == {"capsnet", "cnn"}
    for run in found["runs"]:
        assert unpacked(run["misread"], found["test_images"]).sum() == run["wrong"]
        assert run["seconds"] > 0
        assert run["presented"] % 5 == 0
    for budget in ("images", "time"):
        for name in ("capsnet", "cnn"):
            own = [
                (point.examples, [run["seed"] for run in point.runs])
                for point in points(found)
                if (point.budget, point.architecture) == (budget, name)
            ]
            assert own == [(6, [0, 1]), (17, [0, 1])]
    assert said[-1].endswith("done")


def test_the_same_command_goes_on(start, monkeypatch, tmp_path):
    path = tmp_path / "examples.json"
    train, left = running.trained, iter([True, True, False])

    def interrupted(*arguments):
        if not next(left):
            raise KeyboardInterrupt
        return train(*arguments)

    monkeypatch.setattr(running, "trained", interrupted)
    with pytest.raises(KeyboardInterrupt):
        start()
    before = read_results(path)
    assert len(before["runs"]) == 2
    monkeypatch.setattr(running, "trained", train)
    after, _ = start()
    assert after["runs"][:2] == before["runs"]
    assert after["speeds"] == before["speeds"]
    assert after == start()[0]  # nothing is left to do


def with_another_recipe(path):
    found = json.loads(path.read_bytes())
    found["recipes"]["cnn"]["training"]["shift"] = 2
    path.write_text(json.dumps(found))


@pytest.mark.parametrize(
    ("spoil", "asked", "message"),
    [
        (None, {"presented": 25}, "presented 20, got 25: name another file"),
        (None, {"numbers": (18,)}, r"numbers must be at most 17, .* got 18"),
        (with_another_recipe, {}, "runs of cnn with another recipe"),
    ],
)
def test_runs_that_do_not_go_with_those_in_the_file_are_refused(
    start, tmp_path, spoil, asked, message
):
    start(numbers=(6,), seeds=(0,))
    if spoil:
        spoil(tmp_path / "examples.json")
    with pytest.raises(ValueError, match=message):
        start(**asked)


def test_a_file_of_something_else(start, tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"capsnet": {}}')
    with pytest.raises(ValueError, match="must be written by"):
        start(path)
    assert path.read_text() == '{"capsnet": {}}'
