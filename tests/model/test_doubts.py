"""Measures of how unlike its training digits a network finds a picture, by hand."""

import pytest
import torch

from capsnet_explorer.model.doubts import OF_RECONSTRUCTION, OF_SCORES

PIXELS = torch.tensor([[[[1.0, 1.0], [0.0, 0.0]]]])
RECONSTRUCTIONS = torch.tensor([[[[0.5, 1.0], [0.5, 0.0]]]])
SCORES = torch.tensor([[0.2, 0.9, 0.6]])


# tests/static/lib/statistics.test.js has the same numbers.
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("error", 0.125),  # (0.25 + 0 + 0.25 + 0) / 4
        ("relative", 0.25),  # 0.5 / 2
        ("angle", 0.1339746),  # 1 - 1.5 / sqrt(2 * 1.5)
        ("score", 0.1),
        ("gap", 0.7),
    ],
)
def test_a_measure_is_what_it_says(name, value):
    measure = (OF_RECONSTRUCTION | OF_SCORES)[name]
    doubts = measure(PIXELS, RECONSTRUCTIONS, SCORES)
    assert doubts.shape == (1,)
    assert doubts.item() == pytest.approx(value)


def test_an_empty_picture_measures_a_finite_number():
    nothing = torch.zeros_like(PIXELS)
    assert OF_RECONSTRUCTION["relative"](nothing, RECONSTRUCTIONS, SCORES) == 1.5
    assert OF_RECONSTRUCTION["angle"](nothing, nothing, SCORES) == 1
