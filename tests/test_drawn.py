"""What documents say of drawn digits is what was measured."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MEASURED = json.loads((ROOT / "weights/measured/drawn.json").read_bytes())


def words_of(name):
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("name", ["docs/data.md", "CHANGELOG.md"])
def test_how_drawn_digits_prepare_for_real_ones(name):
    capsnet, cnn = (
        f"{1 - MEASURED[each]['wrong'] / MEASURED[each]['images']:.1%}".replace(
            "%", " %"
        )
        for each in ("capsnet", "cnn")
    )
    words = words_of(name)
    assert f"reads {capsnet} of" in words
    assert f"a CNN {cnn}" in words


def test_how_many_real_digits_are_misread():
    words = words_of("docs/data.md")
    assert f"({MEASURED['capsnet']['wrong']} of 10 000 misread)" in words
    assert f"({MEASURED['cnn']['wrong']} misread)" in words
    for each in MEASURED.values():
        assert (each["preset"], each["epochs"], each["seed"]) == ("live", 3, 0)
        assert each["wrong"] / each["images"] < 0.1
