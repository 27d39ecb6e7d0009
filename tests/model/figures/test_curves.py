"""The laboratory's curves as a table and a picture."""

import csv

import pytest

from capsnet_explorer.model.figures.curves import (
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
