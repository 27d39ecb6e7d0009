"""What is read of poses, and attacks carried over, as tables."""

import csv

import pytest

from capsnet_explorer.model.figures.curves import Measured, wilson_interval
from capsnet_explorer.model.figures.tables import further_tables

READING = {"numbers": 16, "r2": 0.9, "r2_low": 0.8, "r2_high": 0.95, "error": 3.2}
ONE = Measured(
    "One",
    {
        "pose_reading": {
            "images": 10,
            "training_images": 30,
            "knobs": {
                "shift": {
                    "knob": "pixels to the right",
                    "low": -4,
                    "high": 4,
                    "readings": {"code": READING, "pixels": READING | {"r2": 0.5}},
                }
            },
        },
        "fgsm_carried": {
            "images": 20,
            "values": [0.1, 0.2],
            "sources": {"other-net": {"sha256": "a", "accuracy": [0.75, 0.5]}},
        },
    },
)


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def test_every_reading_has_a_line():
    code, pixels = rows(further_tables([ONE])["pose-reading"])
    assert code == {
        **{"change": "shift", "knob": "pixels to the right", "low": "-4", "high": "4"},
        **{"network": "One", "read": "code", "numbers": "16", "images": "10"},
        **{"training_images": "30", "r2": "0.9", "r2_low": "0.8", "r2_high": "0.95"},
        "error": "3.2",
    }
    assert (pixels["read"], pixels["r2"]) == ("pixels", "0.5")


def test_every_source_and_value_has_a_line_with_its_interval():
    first, second = rows(further_tables([ONE])["fgsm-carried"])
    assert (first["made_on"], first["read_by"]) == ("other-net", "One")
    assert [row["epsilon"] for row in (first, second)] == ["0.1", "0.2"]
    low, high = wilson_interval(0.75, 20)
    assert float(first["accuracy_low"]) == pytest.approx(low, abs=1e-6)
    assert float(first["accuracy_high"]) == pytest.approx(high, abs=1e-6)


def test_tables_without_a_line_are_left_out():
    assert further_tables([Measured("None", {"rotation": {}})]) == {}
