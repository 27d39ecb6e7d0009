"""Data sets on the disk: read, checked, and missed with words that help."""

import gzip
import hashlib
from dataclasses import replace

import numpy as np
import pytest
import torch

from capsnet_explorer.datasets.catalogue import DATASETS, TEST, TRAINING
from capsnet_explorer.model.data.files import (
    DataError,
    broken_files,
    check_files,
    download,
)
from capsnet_explorer.model.data.loading import load_part

MNIST, FASHION, IDX = (DATASETS[name] for name in ("mnist", "fashion-mnist", "idx"))


def md5(content):
    return hashlib.md5(content).hexdigest()


@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("name", ["mnist", "fashion-mnist", "kmnist", "idx"])
def test_a_data_set_is_read_from_its_four_files(
    tmp_path, idx_folder, digits, name, train
):
    folder = tmp_path / "data"
    files = DATASETS[name].files_in(folder)
    files.parent.mkdir(parents=True, exist_ok=True)
    if name == "idx":
        folder = idx_folder
    else:
        idx_folder.rename(files)
    read = load_part(DATASETS[name], folder, train=train)
    assert torch.equal(read.images, digits.images)
    assert torch.equal(read.labels, digits.labels)
    assert read.labels.dtype == torch.int64


def test_a_damaged_file_is_named(mnist_folder):
    labels = mnist_folder / MNIST.place / TRAINING[1]
    labels.write_bytes(labels.read_bytes()[:-1])
    with pytest.raises(DataError, match=rf"{TRAINING[1]} must hold 17 bytes .* got 16"):
        load_part(MNIST, mnist_folder, train=True)


@pytest.mark.parametrize(
    ("dataset", "command"),
    [
        (MNIST, "`python -m capsnet_explorer data`"),
        (FASHION, "data --dataset fashion-mnist`"),
    ],
)
def test_a_missing_data_set_says_how_to_get_it(tmp_path, dataset, command):
    with pytest.raises(DataError) as caught:
        load_part(dataset, tmp_path, train=True)
    assert command in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_missing_files_of_ones_own_are_named(tmp_path):
    with pytest.raises(DataError) as caught:
        check_files(IDX, tmp_path)
    assert all(name in str(caught.value) for name in (*TRAINING, *TEST))
    with pytest.raises(DataError, match="must hold four files"):
        download(IDX, tmp_path)


def test_files_that_are_not_mnists_are_named(mnist_folder):
    raw = mnist_folder / "MNIST" / "raw"
    right = {name: md5((raw / name).read_bytes()) for name in (*TRAINING, *TEST)}
    dataset = replace(MNIST, raw_md5=tuple(right.items()))
    assert list(broken_files(dataset, mnist_folder)) == []
    check_files(dataset, mnist_folder)
    # Some servers unpack what they give, and leave its name.
    (raw / TEST[1]).rename(raw / f"{TEST[1]}.gz")
    assert list(broken_files(dataset, mnist_folder)) == []
    (raw / f"{TEST[1]}.gz").rename(raw / TEST[1])

    (raw / TRAINING[0]).write_bytes((raw / TRAINING[0]).read_bytes() + b"\0")
    with pytest.raises(DataError, match=f"{TRAINING[0]} is damaged"):
        check_files(dataset, mnist_folder)
    (raw / TEST[0]).unlink()
    assert list(broken_files(dataset, mnist_folder)) == [TRAINING[0], TEST[0]]


@pytest.fixture
def fashion(tmp_path, idx_folder):
    """Files that were unpacked from archives, whose MD5 is known."""
    raw = FASHION.files_in(tmp_path)
    raw.parent.mkdir()
    idx_folder.rename(raw)
    known = []
    for name in (*TRAINING, *TEST):
        packed = gzip.compress((raw / name).read_bytes())
        (raw / f"{name}.gz").write_bytes(packed)
        known.append((f"{name}.gz", md5(packed)))
    return raw, replace(FASHION, archives=tuple(known))


def test_files_are_right_that_their_archives_unpack_to(tmp_path, fashion):
    _, dataset = fashion
    assert list(broken_files(dataset, tmp_path)) == []


def damage_file(raw):
    (raw / TEST[1]).write_bytes(b"other labels")


def damage_archive(raw):
    archive = raw / f"{TEST[1]}.gz"
    archive.write_bytes(archive.read_bytes()[:-1])


def lose_archive(raw):
    (raw / f"{TEST[1]}.gz").unlink()


@pytest.mark.parametrize("damage", [damage_file, damage_archive, lose_archive])
def test_files_are_not_right_without_their_archives_word(tmp_path, fashion, damage):
    raw, dataset = fashion
    damage(raw)
    assert list(broken_files(dataset, tmp_path)) == [TEST[1]]


def test_your_own_files_are_taken_as_they_are(idx_folder, write):
    write(idx_folder / TEST[1], np.ones(17))
    check_files(IDX, idx_folder)


def test_drawn_digits_need_no_files(tmp_path):
    drawn = DATASETS["drawn"]
    check_files(drawn, tmp_path)
    test = load_part(drawn, tmp_path, train=False)
    assert test.images.shape == (2000, 1, 28, 28)
    assert test.labels.bincount().tolist() == [200] * 10
    with pytest.raises(DataError):
        download(drawn, tmp_path)
