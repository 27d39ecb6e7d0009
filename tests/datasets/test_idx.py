"""Reading idx files: as they are, packed, and damaged."""

import gzip

import numpy as np
import pytest

from capsnet_explorer.datasets.idx import BrokenFile, read_idx, read_labelled
from tests.idx import write_idx

NAMES = ("images", "labels")


@pytest.mark.parametrize("packed", [False, True])
def test_images_are_read_with_their_labels(tmp_path, packed):
    pictures, classes = np.arange(24).reshape(2, 3, 4), np.array([7, 9])
    for name, array in zip(NAMES, (pictures, classes), strict=True):
        write_idx(tmp_path / f"{name}{'.gz' if packed else ''}", array, packed=packed)
    images, labels = read_labelled(tmp_path, NAMES)
    np.testing.assert_array_equal(images, pictures[:, None])
    np.testing.assert_array_equal(labels, classes)


def test_images_have_channels_and_labels_several_classes(tmp_path):
    pictures, classes = np.arange(120).reshape(2, 3, 4, 5), np.array([[0, 1], [1, 1]])
    for name, array in zip(NAMES, (pictures, classes), strict=True):
        write_idx(tmp_path / name, array)
    images, labels = read_labelled(tmp_path, NAMES)
    np.testing.assert_array_equal(images, pictures)
    np.testing.assert_array_equal(labels, classes)
    write_idx(tmp_path / NAMES[1], classes + 1)
    with pytest.raises(BrokenFile, match=r"labels must hold 0 and 1 .*, got 2"):
        read_labelled(tmp_path, NAMES)


def test_each_image_must_have_a_label(tmp_path):
    write_idx(tmp_path / "images", np.zeros((2, 3, 4)))
    write_idx(tmp_path / "labels", np.zeros(3))
    with pytest.raises(BrokenFile, match=r"labels must .* got 3 for 2 images"):
        read_labelled(tmp_path, NAMES)


def test_a_missing_file_is_named(tmp_path):
    write_idx(tmp_path / "images", np.zeros((2, 3, 4)))
    with pytest.raises(FileNotFoundError, match="labels"):
        read_labelled(tmp_path, NAMES)


HEADER = bytes([0, 0, 8, 1, 0, 0, 0, 3])  # three bytes in one dimension


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "labels must be an idx file of bytes with 1 dimensions, got one that "),
        (HEADER[:6], "labels must be an idx file of bytes with 1 dimensions"),
        (b"PK\3\4" + HEADER, "got one that starts with 50 4b 03 04"),
        (bytes([0, 0, 13, 1]) + HEADER[4:] + b"abc", "idx file of bytes"),  # floats
        (bytes([0, 0, 8, 3]) + HEADER[4:] + b"abc", "with 1 dimensions"),
        (HEADER + b"ab", "labels must hold 3 bytes after its header, got 2"),
        (HEADER + b"abcd", "labels must hold 3 bytes after its header, got 4"),
    ],
)
def test_a_broken_file_is_named(tmp_path, data, message):
    (tmp_path / "labels").write_bytes(data)
    with pytest.raises(BrokenFile) as caught:
        read_idx(tmp_path / "labels", dimensions=(1,))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [b"no gzip", gzip.compress(HEADER + b"abc")[:-9]],
    ids=["no gzip", "cut short"],
)
def test_a_broken_packed_file_is_named(tmp_path, data):
    (tmp_path / "labels.gz").write_bytes(data)
    with pytest.raises(BrokenFile, match=r"labels\.gz must be a gzip file, got "):
        read_idx(tmp_path / "labels.gz", dimensions=(1,))
