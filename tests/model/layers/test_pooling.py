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


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_winners_of_any_window_are_those_that_torch_names(size):
    maps = torch.randint(0, 4, (2, 3, 11, 16)).float()  # with ties, and a remainder
    _, places = torch.nn.functional.max_pool2d(maps, size, return_indices=True)
    in_window = winners(maps, size).long()
    rows, columns = in_window // size, in_window % size
    rows += size * torch.arange(11 // size)[:, None]
    columns += size * torch.arange(16 // size)
    assert_close(16 * rows + columns, places)
