"""Files in smallNORB's format, written here byte by byte."""

import struct

import numpy as np
import pytest

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.dataset_files.idx import BrokenFile
from capsnet_explorer.dataset_files.norb import (
    NAMES,
    has_norb,
    read_matrix,
    read_norb,
    read_views,
)
from capsnet_explorer.model.data.loading import DataError, load_part


def matrix(magic, array):
    sizes = [*array.shape, *[1] * (3 - array.ndim)]
    head = struct.pack(f"<Ii{len(sizes)}i", magic, array.ndim, *sizes)
    return head + array.tobytes()


@pytest.fixture
def folder(tmp_path):
    """Two pairs: a grey square on a white ground, and the ground alone; black right."""
    pairs = np.zeros((2, 2, 96, 96), np.uint8)
    pairs[:, 0] = 200
    pairs[0, 0, 30:60, 33:63] = 50
    pairs[1, 0, :3, :3] = 250
    for name in NAMES:
        (tmp_path / f"{name}-dat.mat").write_bytes(matrix(0x1E3D4C55, pairs))
        labels = np.array([4, 1], "<i4")
        (tmp_path / f"{name}-cat.mat").write_bytes(matrix(0x1E3D4C54, labels))
        info = np.array([[7, 0, 34, 5], [9, 8, 0, 2]], "<i4")
        (tmp_path / f"{name}-info.mat").write_bytes(matrix(0x1E3D4C54, info))
    return tmp_path


def test_the_left_image_becomes_ink_on_a_smaller_grid(folder):
    images, labels = read_norb(folder, train=True)
    expected = np.zeros((2, 1, 32, 32), np.uint8)
    expected[0, 0, 10:20, 11:21] = round(255 * (1 - 50 / 200))
    np.testing.assert_array_equal(images, expected)
    assert labels.tolist() == [4, 1]


def test_views_are_in_degrees(folder):
    """The files count elevations from 30° in fives, and azimuths in tens."""
    assert read_views(folder, train=False).tolist() == [[7, 340, 30, 5], [9, 0, 70, 2]]


def test_it_is_a_data_set(folder, tmp_path):
    folder.rename(tmp_path.parent / "smallnorb")
    found = load_part(DATASETS["smallnorb"], tmp_path.parent, train=False)
    assert found.images.shape == (2, 1, 32, 32)
    assert found.labels.tolist() == [4, 1]
    with pytest.raises(DataError, match="belong unpacked into smallnorb there"):
        load_part(DATASETS["smallnorb"], tmp_path / "nowhere", train=True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "got one that starts with nothing"),
        (b"\x00\x00\x08\x03" * 5, "must be a file of smallNORB"),
        (matrix(0x1E3D4C54, np.zeros(3, "<i4"))[:-1], "must hold 12 bytes .*, got 11"),
        (matrix(0x1E3D4C55, np.zeros((2, 96, 96), np.uint8)), "pairs of images"),
    ],
)
def test_damaged_files_are_named(folder, content, words):
    path = folder / f"{NAMES[0]}-dat.mat"
    path.write_bytes(content)
    with pytest.raises(BrokenFile, match=words):
        read_norb(folder, train=True)
    assert len(read_matrix(folder / f"{NAMES[1]}-cat.mat")) == 2


def test_images_and_categories_must_be_as_many(folder):
    labels = matrix(0x1E3D4C54, np.zeros(3, "<i4"))
    (folder / f"{NAMES[0]}-cat.mat").write_bytes(labels)
    with pytest.raises(BrokenFile, match="one category for each of 2 pairs"):
        read_norb(folder, train=True)


def test_all_files_of_both_parts_are_needed(folder, tmp_path):
    assert not has_norb(tmp_path / "nowhere")
    assert has_norb(folder)
    (folder / f"{NAMES[1]}-info.mat").unlink()
    assert not has_norb(folder)
