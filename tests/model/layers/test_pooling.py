"""Which value of each window max-pooling takes."""

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.layers.pooling import winners


def test_the_first_of_equal_pixels_wins():
    maps = torch.tensor(
        [
            [0.0, 0.0, 1.0, 2.0, 3.0, 3.0],
            [0.0, 0.0, 2.0, 2.0, 3.0, 3.0],
            [4.0, 5.0, 4.0, 4.0, 0.0, 1.0],
            [6.0, 5.0, 4.0, 7.0, 1.0, 0.0],
        ]
    )
    assert winners(maps, 2).tolist() == [[0, 1, 0], [2, 3, 1]]


def test_winners_are_the_pixels_that_pooling_took():
    maps = torch.randint(0, 4, (2, 3, 8, 8)).float()  # with many ties
    largest, places = torch.nn.functional.max_pool2d(maps, 2, return_indices=True)
    rows, columns = winners(maps, 2).long() // 2, winners(maps, 2).long() % 2
    rows += 2 * torch.arange(4)[:, None]
    columns += 2 * torch.arange(4)
    assert_close(8 * rows + columns, places)
    assert_close(maps.flatten(2).gather(2, places.flatten(2)), largest.flatten(2))


def test_a_last_odd_row_and_column_are_in_no_window():
    maps = torch.zeros(5, 7)
    maps[1, 1] = 1.0
    maps[4], maps[:, 6] = 9.0, 9.0
    assert winners(maps, 2).tolist() == [[3, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_winners_of_any_window_are_those_that_torch_names(size):
    maps = torch.randint(0, 4, (2, 3, 11, 16)).float()  # with ties, and a remainder
    _, places = torch.nn.functional.max_pool2d(maps, size, return_indices=True)
    found = winners(maps, size).long()
    rows, columns = found // size, found % size
    rows += size * torch.arange(11 // size)[:, None]
    columns += size * torch.arange(16 // size)
    assert_close(16 * rows + columns, places)
