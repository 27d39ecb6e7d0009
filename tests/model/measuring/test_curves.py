"""The laboratory's curves as a table and a picture."""

import csv
import json
import sys

import pytest
from PIL import Image

from capsnet_explorer.cli import main
from capsnet_explorer.model.measuring.curves import (
    Measured,
    curve_names,
    curves_picture,
    curves_table,
)
from capsnet_explorer.model.measuring.shares import wilson_interval


def entry(values, accuracy, images=100):
    return {
        "knob": "degrees",
        "images": images,
        "values": values,
        "accuracy": accuracy,
        "true_score": [0.5] * len(values),
        "winner_score": [0.75] * len(values),
    }


ONE = Measured("One", {"rotation": entry([0, 15], [1.0, 0.5])})
OTHER = Measured(
    "Other",
    {
        "zero_gradients": {"images": 3},
        "fgsm": entry([0.1], [0.25], images=4),
        "rotation": entry([0], [0.9]),
    },
)


def test_experiments_without_a_curve_are_left_out():
    assert curve_names([ONE, OTHER]) == ["rotation", "fgsm"]
    assert curve_names([Measured("None", {})]) == []


def test_the_table_has_a_line_for_each_network_and_value():
    lines = list(csv.DictReader(curves_table([ONE, OTHER]).splitlines()))
    told = [(line["experiment"], line["network"], line["value"]) for line in lines]
    assert told == [
        ("rotation", "One", "0"),
        ("rotation", "One", "15"),
        ("rotation", "Other", "0"),
        ("fgsm", "Other", "0.1"),
    ]
    low, high = wilson_interval(0.5, 100)
    assert float(lines[1]["accuracy_low"]) == pytest.approx(low, abs=1e-6)
    assert float(lines[1]["accuracy_high"]) == pytest.approx(high, abs=1e-6)
    assert lines[3]["images"] == "4"
    assert lines[3]["knob"] == "degrees"


def test_the_picture_has_a_panel_for_each_experiment_and_a_line_for_each_network():
    pytest.importorskip("matplotlib")
    figure = curves_picture([ONE, OTHER])
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in shown] == ["rotation", "fgsm"]
    drawn = [[list(line.get_ydata()) for line in axes.lines] for axes in shown]
    assert drawn == [[[1.0, 0.5], [0.9]], [[0.25]]]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["One", "Other"]


@pytest.fixture
def measured(tmp_path):
    """A folder with a network whose card has a curve, and one whose card has none."""
    for name, entries in (("one", ONE.entries), ("none", {})):
        (tmp_path / f"{name}.safetensors").write_bytes(b"")
        about = {"title": name, "architecture": "cnn", "config": {}, "sha256": ""}
        card = about | {"measurements": entries}
        (tmp_path / f"{name}.json").write_text(json.dumps(card))
    return tmp_path


def test_the_command_writes_both_files_and_names_them(measured, capsys):
    assert main(["figures", str(measured), "--output", str(measured / "to")]) == 0
    table, picture = capsys.readouterr().out.splitlines()
    assert table == str(measured / "to" / "measurements.csv")
    with Image.open(picture) as drawn:
        assert drawn.convert("L").getextrema() == (0, 255)


def test_without_curves_it_is_told_how_to_measure(measured, capsys):
    assert main(["figures", str(measured / "none.safetensors")]) == 2
    assert "python -m capsnet_explorer measure" in capsys.readouterr().err


def test_without_matplotlib_it_is_told_what_to_install(measured, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["figures", str(measured)]) == 2
    assert "pip install -r requirements-train.txt" in capsys.readouterr().err
