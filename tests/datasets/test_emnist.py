"""EMNIST as it is distributed, and MNIST's files under all their names."""

import gzip

import numpy as np
import pytest

from capsnet_explorer.datasets.catalogue import (
    DATASETS,
    TEST,
    TRAINING,
    dataset_named,
)
from capsnet_explorer.datasets.idx import BrokenFile, find_idx
from capsnet_explorer.datasets.parts import class_names_in, is_there, read_part
from capsnet_explorer.model.data.files import DataError, check_files
from capsnet_explorer.model.data.loading import load_part
from tests.idx import write_idx

IMAGES = np.arange(5 * 4 * 3).reshape(5, 4, 3)
LABELS = np.array([1, 2, 26, 1, 3])


def write_emnist(folder, split="letters", labels=LABELS):
    for part in ("train", "test"):
        start = folder / f"emnist-{split}-{part}"
        write_idx(
            start.with_name(f"{start.name}-images-idx3-ubyte.gz"), IMAGES, packed=True
        )
        write_idx(
            start.with_name(f"{start.name}-labels-idx1-ubyte.gz"), labels, packed=True
        )


@pytest.mark.parametrize("folder", [".", "gzip", "EMNIST/raw"])
def test_letters_are_upright_and_begin_with_a(tmp_path, folder):
    write_emnist(tmp_path / folder)
    letters = dataset_named("emnist-letters")
    assert is_there(letters, tmp_path)
    check_files(letters, tmp_path)
    images, labels = read_part(letters, tmp_path, train=True)
    np.testing.assert_array_equal(images[:, 0], IMAGES.swapaxes(1, 2))
    assert labels.tolist() == [0, 1, 25, 0, 2]
    names = class_names_in(letters, tmp_path, 26)
    assert (names[0], names[25]) == ("A", "Z")


def test_the_files_themselves_say_what_labels_mean(tmp_path):
    write_emnist(tmp_path, "digits", np.array([0, 1, 2, 0, 1]))
    (tmp_path / "emnist-digits-mapping.txt").write_text("0 120\n1 121\n2 122\n")
    digits = dataset_named("emnist-digits")
    assert class_names_in(digits, tmp_path, 3) == ["x", "y", "z"]
    dataset = DATASETS["idx"]
    assert is_there(dataset, tmp_path)
    assert class_names_in(dataset, tmp_path, 3) == ["x", "y", "z"]
    images, _ = read_part(dataset, tmp_path, train=False)
    np.testing.assert_array_equal(images[:, 0], IMAGES.swapaxes(1, 2))


def test_of_several_data_sets_one_must_be_named(tmp_path):
    for split in ("digits", "letters"):
        write_emnist(tmp_path, split, np.array([1, 2, 3, 1, 2]))
    with pytest.raises(
        BrokenFile, match="one data set, got emnist-digits, emnist-letters"
    ):
        read_part(DATASETS["idx"], tmp_path, train=True)


def test_a_label_without_a_name_is_refused(tmp_path):
    write_emnist(tmp_path, labels=np.array([0, 1, 2, 3, 4]))
    with pytest.raises(DataError, match="labels must be from 1 to 26, got 0"):
        load_part(dataset_named("emnist-letters"), tmp_path, train=True)


def test_an_unknown_data_set_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="got emnist-words"):
        dataset_named("emnist-words")


NAMES = [
    lambda name: name,
    lambda name: f"{name}.gz",
    lambda name: name.replace("-idx", ".idx"),
    lambda name: name.replace("-idx", ".idx") + ".gz",
    lambda name: name.replace("t10k", "test"),
    lambda name: f"{name.replace('-idx', '.idx')}/{name.replace('-idx', '.idx')}",
]


@pytest.mark.parametrize("called", NAMES)
def test_mnists_files_are_found_under_their_usual_names(tmp_path, called):
    for names in (TRAINING, TEST):
        for name, array in zip(names, (IMAGES, LABELS % 3), strict=True):
            path = tmp_path / called(name)
            write_idx(path, array, packed=path.suffix == ".gz")
    dataset = DATASETS["idx"]
    check_files(dataset, tmp_path)
    loaded = load_part(dataset, tmp_path, train=False)
    np.testing.assert_array_equal(loaded.images[:, 0], IMAGES)
    assert loaded.labels.tolist() == (LABELS % 3).tolist()


def test_a_file_that_a_browser_unpacked_is_read_whatever_its_name(tmp_path):
    write_idx(tmp_path / "train-images-idx3-ubyte.gz", IMAGES)
    packed = tmp_path / "train-labels-idx1-ubyte"
    write_idx(packed, LABELS)
    packed.write_bytes(gzip.compress(packed.read_bytes()))
    for name in TRAINING:
        assert find_idx(tmp_path, name) is not None
    write_idx(tmp_path / TEST[0], IMAGES)
    write_idx(tmp_path / TEST[1], LABELS)
    loaded = load_part(DATASETS["idx"], tmp_path, train=True)
    assert loaded.labels.tolist() == LABELS.tolist()
