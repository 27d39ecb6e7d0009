"""Digits: read, checked, scaled, shifted, and put in order."""

import hashlib

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model import data
from model.data import (
    DataError,
    DigitImages,
    broken_files,
    epoch_batches,
    load_mnist,
    shifted,
    to_network,
)


def shifted_one_by_one(images, offsets):
    moved = torch.zeros_like(images)
    _, rows, columns = images.shape
    for image, (down, right) in enumerate(offsets.tolist()):
        for row in range(rows):
            for column in range(columns):
                to_row, to_column = row + down, column + right
                if 0 <= to_row < rows and 0 <= to_column < columns:
                    moved[image, to_row, to_column] = images[image, row, column]
    return moved


def test_pixels_are_scaled_from_0_255_to_0_1():
    pixels = to_network(torch.tensor([[[0, 51], [128, 255]]], dtype=torch.uint8))
    expected = torch.tensor([[[0, 0.2], [128 / 255, 1]]])
    torch.testing.assert_close(pixels, expected)


def test_training_batches_hold_pixels_of_0_to_1(digits):
    batches = epoch_batches(digits, epoch=0, batch_size=17, shift=0, seed=0)
    images = batches[0].read().images
    assert images.dtype == torch.float32
    assert images.min() >= 0
    assert 0.5 < images.max() <= 1


def test_a_shift_by_hand():
    image = torch.tensor([[[1, 2], [3, 4]]], dtype=torch.uint8)
    assert shifted(image, torch.tensor([[1, 0]])).tolist() == [[[0, 0], [1, 2]]]
    assert shifted(image, torch.tensor([[0, -1]])).tolist() == [[[2, 0], [4, 0]]]


@given(
    rows=st.integers(1, 5),
    columns=st.integers(1, 5),
    offsets=st.lists(
        st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=4
    ),
)
def test_a_shift_moves_every_pixel_and_fills_with_nothing(rows, columns, offsets):
    count = len(offsets) * rows * columns
    images = torch.arange(1, count + 1, dtype=torch.uint8)
    images = images.reshape(len(offsets), rows, columns)
    moved = shifted(images, torch.tensor(offsets))
    assert moved.dtype == torch.uint8
    assert torch.equal(moved, shifted_one_by_one(images, torch.tensor(offsets)))


def test_an_epoch_covers_each_image_exactly_once(digits):
    batches = epoch_batches(digits, epoch=3, batch_size=5, shift=2, seed=7)
    assert [len(batch.indices) for batch in batches] == [5, 5, 5, 2]
    seen = torch.cat([batch.indices for batch in batches])
    assert sorted(seen.tolist()) == list(range(17))


def test_an_epoch_keeps_image_offset_and_label_together(digits):
    for batch in epoch_batches(digits, epoch=0, batch_size=4, shift=2, seed=0):
        read = batch.read()
        moved = shifted_one_by_one(digits.images[batch.indices], batch.offsets)
        assert torch.equal(read.images, moved.float() / 255)
        assert torch.equal(read.labels, digits.labels[batch.indices])


def test_shifts_reach_every_offset_asked_for_and_none_beyond():
    many = DigitImages(torch.zeros(2000, 1, 1), torch.zeros(2000))
    [batch] = epoch_batches(many, epoch=0, batch_size=2000, shift=2, seed=0)
    found = {tuple(offset) for offset in batch.offsets.tolist()}
    assert found == {(down, right) for down in range(-2, 3) for right in range(-2, 3)}


def plan(digits, *, epoch, seed):
    batches = epoch_batches(digits, epoch=epoch, batch_size=5, shift=2, seed=seed)
    return torch.cat(
        [torch.cat([batch.indices[:, None], batch.offsets], 1) for batch in batches]
    ).tolist()


def test_order_and_shifts_follow_from_seed_and_epoch_alone(digits):
    before = plan(digits, epoch=1, seed=4)
    torch.manual_seed(99)
    torch.rand(3)
    assert plan(digits, epoch=1, seed=4) == before


def test_another_epoch_and_another_seed_are_other_plans(digits):
    plans = [
        plan(digits, epoch=epoch, seed=seed) for epoch in range(3) for seed in range(3)
    ]
    assert all(plans.count(one) == 1 for one in plans)


def test_the_held_out_images_are_the_last(digits):
    training, held_out = digits.split(4)
    assert (len(training), len(held_out)) == (13, 4)
    assert torch.equal(torch.cat([training.images, held_out.images]), digits.images)
    assert torch.equal(held_out.labels, digits.labels[-4:])
    assert len(digits.split(0)[1]) == 0


@pytest.mark.parametrize("train", [True, False])
def test_mnist_is_read_from_its_raw_files(mnist_folder, digits, train):
    read = load_mnist(mnist_folder, train=train)
    assert torch.equal(read.images, digits.images)
    assert torch.equal(read.labels, digits.labels)
    assert read.labels.dtype == torch.int64


def test_missing_mnist_says_how_to_get_it(tmp_path):
    with pytest.raises(DataError, match="python -m model data") as caught:
        load_mnist(tmp_path, train=True)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("kept", [0, 3, 10, 100])
@pytest.mark.parametrize("part", ["images-idx3", "labels-idx1"])
def test_a_truncated_file_is_refused(mnist_folder, part, kept):
    path = mnist_folder / "MNIST" / "raw" / f"train-{part}-ubyte"
    whole = path.read_bytes()
    path.write_bytes(whole[: min(kept, len(whole) - 1)])
    with pytest.raises(DataError):
        load_mnist(mnist_folder, train=True)


def test_labels_that_do_not_match_the_images_are_refused(mnist_folder, write):
    path = mnist_folder / "MNIST" / "raw" / "train-labels-idx1-ubyte"
    write(path, np.zeros(16))
    with pytest.raises(DataError, match="got 16 for 17"):
        load_mnist(mnist_folder, train=True)


def test_files_that_are_not_mnists_are_named(mnist_folder, monkeypatch):
    raw = mnist_folder / "MNIST" / "raw"
    names = sorted(path.name for path in raw.iterdir())
    right = {name: hashlib.md5((raw / name).read_bytes()).hexdigest() for name in names}
    monkeypatch.setattr(data, "RAW_MD5", right)
    assert list(broken_files(mnist_folder)) == []

    (raw / names[1]).unlink()
    (raw / names[2]).write_bytes((raw / names[2]).read_bytes() + b"\0")
    assert list(broken_files(mnist_folder)) == names[1:3]
