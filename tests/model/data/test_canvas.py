"""Digits on a larger canvas, placed at random or changed."""

import numpy as np
import pytest
import torch

from capsnet_explorer.dataset_files.catalogue import TEST, TRAINING
from capsnet_explorer.dataset_files.idx import read_labelled
from capsnet_explorer.model.data.canvas import AFFINE, MARGIN, PLACED, write_canvases
from capsnet_explorer.model.data.images import LabelledImages

COUNT = 40


@pytest.fixture(scope="module")
def digit():
    """A bar of full ink, off the middle."""
    image = torch.zeros(28, 28, dtype=torch.uint8)
    image[5:19, 12:15] = 255
    return image


@pytest.fixture(scope="module")
def written(tmp_path_factory, digit):
    digits = LabelledImages(digit.repeat(COUNT, 1, 1, 1), torch.arange(COUNT) % 10)
    folder = tmp_path_factory.mktemp("canvases")
    write_canvases(digits, digits, folder)
    return folder


def test_training_images_stand_in_the_middle_with_their_labels(written, digit):
    images, labels = read_labelled(written / PLACED, TRAINING)
    assert images.shape == (COUNT, 1, 40, 40)
    assert (images[:, 0, MARGIN:-MARGIN, MARGIN:-MARGIN] == digit.numpy()).all()
    assert images.sum() == COUNT * int(digit.sum())  # nothing outside the middle
    assert labels.tolist() == [place % 10 for place in range(COUNT)]


def test_placed_digits_are_moved_and_otherwise_as_they_were(written):
    images, _ = read_labelled(written / PLACED, TEST)
    corners = set()
    for image in images[:, 0]:
        rows, columns = np.nonzero(image)
        corners.add((rows[0], columns[0]))
        assert (image[rows[0] : rows[0] + 14, columns[0] : columns[0] + 3] == 255).all()
        assert len(rows) == 14 * 3
    assert len(corners) > COUNT / 2
    assert all(5 <= row <= 5 + 2 * MARGIN for row, _ in corners)
    assert all(12 <= column <= 12 + 2 * MARGIN for _, column in corners)


def test_affine_changes_stay_within_their_ranges_and_lose_no_ink(written, digit):
    images, labels = read_labelled(written / AFFINE, TEST)
    assert labels.tolist() == [place % 10 for place in range(COUNT)]
    ink = float(digit.sum())
    for image in images[:, 0]:
        # Ink grows with the square of the scale; smoothed edges cost a little.
        assert 0.6 * ink < image.sum() < 1.5 * ink
        rows, columns = np.nonzero(image)
        length = rows.max() - rows.min()
        assert 8 <= length <= 18
        slant = np.polyfit(rows, columns, 1)[0]
        assert abs(slant) < np.tan(np.radians(20 + 11.4))
    assert len({image.tobytes() for image in images}) == COUNT


def test_the_same_seed_writes_the_same(tmp_path, digit):
    digits = LabelledImages(digit.repeat(3, 1, 1, 1), torch.arange(3))
    first = write_canvases(digits, digits, tmp_path / "first")
    again = write_canvases(digits, digits, tmp_path / "again")
    for one, other in zip(first, again, strict=True):
        assert (one / TEST[0]).read_bytes() == (other / TEST[0]).read_bytes()


def test_an_empty_image_stays_empty(tmp_path):
    empty = LabelledImages(
        torch.zeros(2, 1, 28, 28, dtype=torch.uint8), torch.arange(2)
    )
    for folder in write_canvases(empty, empty, tmp_path):
        assert not read_labelled(folder, TEST)[0].any()
