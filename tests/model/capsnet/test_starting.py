"""A CapsNet that begins with the weights of one of other sizes."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.starting import averaged, begun_from
from tests.tiny import SIZES, UNLIKE_SIZES

LARGER = replace(SIZES, image_rows=16, image_columns=18)


def test_a_larger_row_by_hand():
    """A digit of two cells stands in three, to the left or to the right."""
    sizes = replace(SIZES, image_columns=14, kernel_size=3)  # 4 x 5 cells from 4 x 4
    old = torch.zeros(1, 4, 4, 1)
    old[0, 0, :, 0] = torch.tensor([2.0, 4.0, 6.0, 8.0])
    new = averaged(old, sizes)
    assert new.shape == (1, 4, 5, 1)
    assert new[0, 0, :, 0].tolist() == [1, 3, 5, 7, 4]
    assert not new[0, 1:].any()


def test_each_transform_is_the_mean_over_all_places_of_a_digit():
    _, rows, columns = LARGER.primary_grid
    old = torch.randn(2, 4, 4, 3, 5, 4)
    found = averaged(old, LARGER)
    assert (rows, columns) == (6, 7)
    for row in range(rows):
        for column in range(columns):
            total, places = torch.zeros(2, 3, 5, 4), 0
            for down in range(3):
                for right in range(4):
                    places += 1
                    if 0 <= row - down < 4 and 0 <= column - right < 4:
                        total += old[:, row - down, column - right]
            assert places == 12
            assert_close(found[:, row, column], total / 12)


@pytest.mark.parametrize("sizes", [SIZES, UNLIKE_SIZES])
@pytest.mark.parametrize(
    "changes", [{"routing_iterations": 1}, {"none_of_the_above": "yes"}]
)
def test_of_the_same_sizes_it_is_the_same(sizes, changes):
    start, other = CapsNet(sizes), replace(sizes, **changes)
    begun = ARCHITECTURE.begun_from(start, other)
    assert begun.config == other
    for name, value in start.state_dict().items():
        assert torch.equal(begun.state_dict()[name], value)


def test_convolutions_see_on_a_larger_image_what_they_saw():
    start = CapsNet(SIZES).eval()
    image = torch.rand(1, 1, 12, 12)
    larger = torch.zeros(1, 1, 16, 18)
    larger[..., 2:14, 4:16] = image
    old, new = start(image), begun_from(start, LARGER)(larger)
    assert_close(new.primary_pre[:, :, 1:5, 2:6], old.primary_pre)


def test_the_picture_stays_in_the_middle_and_its_edge_is_continued():
    start = CapsNet(SIZES).eval()
    begun = begun_from(start, LARGER)
    poses = torch.randn(2, 5)
    old, new = start.decode(1, poses), begun.decode(1, poses)
    assert new.shape == (2, 1, 16, 18)
    assert_close(new[..., 2:14, 3:15], old)
    assert_close(new[..., 0, 3:15], old[..., 0, :])
    assert_close(new[..., 15, 17], old[..., 11, 11])


def test_the_kernels_types_and_units_that_do_most_stay():
    """Those that do nothing can go, and the network answers as before."""
    sizes = replace(
        UNLIKE_SIZES, conv1_kernels=4, primary_types=2, decoder_hidden=(6, 7)
    )
    start = CapsNet(UNLIKE_SIZES).eval()
    with torch.no_grad():
        start.primary.convolution.weight[:, [0, 3]] = 0
        start.digits.transforms.unflatten(0, UNLIKE_SIZES.primary_grid)[1] = 0
        start.decoder.get_parameter("layers.2.weight")[:, [2, 5]] = 0
        start.decoder.get_parameter("layers.4.weight")[:, [1, 8]] = 0
    begun = begun_from(start, sizes).eval()
    images = torch.rand(3, 1, 12, 12)
    old, new = (
        start(images, keep=torch.ones(3, 5)),
        begun(images, keep=torch.ones(3, 5)),
    )
    kept = [0, 2]
    assert_close(new.primary_capsules, old.primary_capsules[:, kept])
    assert_close(new.lengths, old.lengths)
    assert_close(new.reconstruction, old.reconstruction)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"digit_dim": 6}, "must be a network with digit_dim 6, got 5"),
        ({"classes": 4}, "must be a network with classes 4, got 3"),
        ({"conv1_kernels": 5}, "with at least conv1_kernels 5, got 4"),
        ({"decoder_hidden": (8, 9)}, r"with at least decoder_hidden \(8, 9\), got"),
        ({"image_rows": 11}, "with at most image_rows 11, got 12"),
    ],
)
def test_a_network_that_does_not_fit_is_refused_by_the_size_at_fault(changes, message):
    with pytest.raises(ValueError, match=message):
        begun_from(CapsNet(SIZES), replace(SIZES, **changes))
