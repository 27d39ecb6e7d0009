"""What chapters say of measurements: by the knob's value, or not at all."""

from typing import Any

import numpy as np
import pytest

from capsnet_explorer.app.content.guide import networks
from capsnet_explorer.app.content.guide.filling import _measured
from capsnet_explorer.app.content.guide.names import parse_placeholder
from capsnet_explorer.app.engines.protocol import Trace

QUANTITIES: Any = networks.QUANTITIES  # some are asked with a run, some without

MEASURED = {
    "rotation": {"images": 7, "values": [-30, 0, 30], "accuracy": [0.5, 1.0, 0.6]},
    "ground": {"images": 7, "values": [0.0, 0.1], "accuracy": [0.9, 0.8]},
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rotation.accuracy@30", 0.6),
        ("rotation.accuracy@-30", 0.5),
        ("ground.accuracy@0,1", 0.8),
        ("rotation.images", 7),
        ("rotation.accuracy@45", None),
        ("rotation.roc_area@30", None),
        ("pgd.accuracy@0,1", None),
    ],
)
def test_a_figure_is_found_by_the_knob_and_missing_ones_are_left_out(name, value):
    path = parse_placeholder(f"card.measurements.{name}").path
    assert _measured(MEASURED, path[1:]) == value


def test_numbers_with_one_meaning_and_with_several_are_counted():
    classes = [
        {"numbers": [{"is_single": True}, {"is_single": False}]},
        None,  # a class without images
        {"numbers": [{"is_single": True}, {"is_single": False}, {"is_single": False}]},
    ]
    written = [
        parse_placeholder(f"card.meanings.classes | {form}").written(classes)
        for form in ("singles", "mixed")
    ]
    assert written == ["2", "3"]


def test_long_digits_are_counted_and_the_reconstruction_is_held_to_the_input():
    trace = Trace(
        1,
        {
            "scores": np.array([0.5, 0.51, 0.9, 0.1], np.float32),
            "input": np.array([[0, 1], [0.5, 0]], np.float32),
            "reconstruction": np.array([[0, 0.5], [0.5, 0.5]], np.float32),
        },
        (1,),
    )
    assert QUANTITIES["capsnet"]["long"].of(trace) == 2
    assert QUANTITIES["capsnet"]["error"].of(trace) == pytest.approx(0.5 / 4)
