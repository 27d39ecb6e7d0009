"""Tensors of a trace that are made for a glimpse."""

import pytest
import torch

from model.tensors import GLIMPSE, glimpse


def maps_of(energies: list[float]) -> torch.Tensor:
    """Return a map of six cells for each energy, all of it in one cell."""
    maps = torch.zeros(len(energies), 2, 3)
    maps[:, 1, 2] = torch.tensor(energies).sqrt()
    return maps


def test_the_maps_of_most_energy_are_chosen_in_their_order():
    energies = [float(number * 7 % 40) for number in range(40)]
    seen = glimpse(maps_of(energies))
    chosen = seen.square().sum(dim=(1, 2)).round().tolist()
    assert chosen == [energy for energy in energies if energy >= 24]
    assert seen.shape == (GLIMPSE, 2, 3)


def test_energy_counts_every_cell():
    maps = maps_of([1.0] * 17)
    maps[16] = 0.9  # no cell is as bright as one above, but there are six
    assert (glimpse(maps)[-1] == 0.9).all()


@pytest.mark.parametrize("count", [17, 16, 5])
def test_of_equal_maps_the_first_are_chosen(count):
    numbers = torch.zeros(count, 2, 3)
    numbers[:, 0, 0] = torch.tensor([(-1.0) ** number for number in range(count)])
    seen = glimpse(numbers)
    assert seen[:, 0, 0].tolist() == numbers[:GLIMPSE, 0, 0].tolist()
