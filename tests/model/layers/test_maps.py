"""Which maps a thumbnail shows."""

import pytest
import torch

from capsnet_explorer.model.layers.maps import GLIMPSE, strongest


def maps_of(energies: list[float]) -> torch.Tensor:
    """Return a map of six cells for each energy, all of it in one cell."""
    maps = torch.zeros(len(energies), 2, 3)
    maps[:, 1, 2] = torch.tensor(energies).sqrt()
    return maps


def test_the_maps_of_most_energy_are_chosen_in_their_order():
    energies = [float(number * 7 % 40) for number in range(40)]
    chosen = [number for number, energy in enumerate(energies) if energy >= 24]
    assert len(chosen) == GLIMPSE
    assert strongest(maps_of(energies)).tolist() == chosen


def test_energy_counts_every_cell():
    maps = maps_of([1.0] * 17)
    maps[16] = 0.9  # no cell is as bright as one above, but there are six
    assert strongest(maps).tolist() == [*range(15), 16]


@pytest.mark.parametrize("count", [17, 16, 5])
def test_of_equal_maps_the_first_are_chosen(count):
    assert strongest(torch.zeros(count, 2, 3)).tolist() == [*range(min(count, 16))]
