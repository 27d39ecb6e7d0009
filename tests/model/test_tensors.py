"""Tensors of a trace that are made for a glimpse."""

import pytest
import torch

from model.tensors import glimpse


@pytest.mark.parametrize(
    ("count", "chosen"),
    [
        (256, list(range(0, 256, 16))),
        (33, list(range(0, 32, 2))),
        (17, list(range(16))),
        (16, list(range(16))),
        (5, list(range(5))),
    ],
)
def test_maps_are_chosen_evenly_apart_from_the_first_on(count, chosen):
    maps = torch.arange(count)[:, None, None].expand(count, 2, 3)
    seen = glimpse(maps)
    assert seen[:, 0, 0].tolist() == chosen
    assert seen.shape == (len(chosen), 2, 3)
