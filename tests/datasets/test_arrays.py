"""Images and labels in NumPy's files, as they are usually called."""

import numpy as np
import pytest

from capsnet_explorer.datasets.arrays import role_of
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import class_names_in, read_part, read_validation
from capsnet_explorer.datasets.pixels import as_images, as_labels

NPZ = DATASETS["npz"]
IMAGES = np.arange(60 * 8 * 8, dtype=np.uint16).reshape(60, 8, 8).astype(np.uint8)
LABELS = np.arange(60) % 3


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("x_train", ("training", "images")),
        ("y_test", ("test", "labels")),
        ("val_images", ("validation", "images")),
        ("trainX", ("training", "images")),
        ("k49-test-labels", ("test", "labels")),
        ("kmnist-train-imgs", ("training", "images")),
        ("images", (None, "images")),
        ("Target", (None, "labels")),
        ("weights", None),
    ],
)
def test_names_say_what_arrays_are(name, role):
    assert role_of(name) == role


def test_three_parts_and_labels_that_begin_with_one(tmp_path):
    np.savez(
        tmp_path / "own.npz",
        train_images=IMAGES,
        train_labels=LABELS[:, None] * 2 + 5,  # some numbers are left out
        val_images=IMAGES[:4],
        val_labels=LABELS[:4] * 2 + 5,
        test_images=IMAGES[:3],
        test_labels=LABELS[:3] * 2 + 5,
    )
    _, labels = read_part(NPZ, tmp_path, train=True)
    assert labels.tolist() == LABELS.tolist()
    validation = read_validation(NPZ, tmp_path)
    assert validation is not None
    _, labels = validation
    assert labels.tolist() == LABELS[:4].tolist()
    assert class_names_in(NPZ, tmp_path, 3) == ["5", "7", "9"]


@pytest.mark.parametrize(
    ("name", "names", "labels", "expected"),
    [
        ("target_names", ["a", "b", "c"], LABELS, ["a", "b", "c"]),
        ("classnames", [b"a", b"b", b"c", b"d"], LABELS, ["a", "b", "c"]),
        ("label_names", ["a", "b", "c"], LABELS + 1, ["a", "b", "c"]),
        ("class_names", ["a", "b", "c", "d"], LABELS + 1, ["b", "c", "d"]),
        ("label_names", ["a", "b", "c"] * 20, LABELS, ["0", "1", "2"]),
        ("feature_names", ["a", "b", "c"], LABELS, ["0", "1", "2"]),
        ("class_names", ["a", "b", "c"], np.array(["x", "y"] * 30), ["x", "y"]),
    ],
)
def test_names_of_classes_are_those_of_their_labels(
    tmp_path, name, names, labels, expected
):
    np.savez(tmp_path / "own.npz", **{name: names}, images=IMAGES, labels=labels)
    assert class_names_in(NPZ, tmp_path, len(expected)) == expected
    np.savez(tmp_path / "own.npz", IMAGES, labels, **{name: names})
    assert class_names_in(NPZ, tmp_path, len(expected)) == expected


def test_names_that_do_not_suffice_are_told(tmp_path):
    np.savez(tmp_path / "own.npz", x=IMAGES, y=LABELS, class_names=["a", "b"])
    with pytest.raises(BrokenFile, match="name the labels 0 to 2, got 2 names"):
        class_names_in(NPZ, tmp_path, 3)


@pytest.mark.parametrize(
    ("array", "shape", "largest"),
    [
        (np.ones((2, 4, 5)), (2, 1, 4, 5), 255),
        (np.full((2, 4, 5, 3), 255.0), (2, 3, 4, 5), 255),
        (np.full((2, 3, 4, 5), 17, np.uint8), (2, 3, 4, 5), 17),
        (np.full((2, 8, 8), 16, np.uint8), (2, 1, 8, 8), 255),
        (np.full((2, 64), 8.0), (2, 1, 8, 8), 128),
        (np.zeros((2, 8, 8)) - np.eye(8), (2, 1, 8, 8), 128),
        (np.full((2, 8, 8), 4095), (2, 1, 8, 8), 255),
        (np.full((2, 12 * 12), 60000, np.uint16), (2, 1, 12, 12), 233),
        (np.ones((2, 4, 5), bool), (2, 1, 4, 5), 255),
    ],
)
def test_arrays_become_images(array, shape, largest):
    images = as_images(array)
    assert images.shape == shape
    assert images.dtype == np.uint8
    assert images.max() == largest


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.full((2, 4, 5), -2.0), "in a usual range .*, got -2 to 0"),
        (np.full((2, 4, 5), np.nan), "finite numbers, got nan"),
        (np.zeros((2, 4, 5, 4)), "four channels"),
        (np.zeros((2, 15)), "15 numbers must be the pixels of square images"),
        (np.zeros((2, 4, 5), complex), "must be numbers"),
        (np.zeros(2), "got the shape 2"),
    ],
)
def test_arrays_that_are_no_images_are_refused(array, message):
    with pytest.raises(BrokenFile, match=message):
        as_images(array)


def test_labels_may_be_one_of_each_row_or_words():
    assert as_labels(np.eye(3)[[2, 0]]).tolist() == [2, 0]
    assert as_labels(np.array(["cat", "dog"])).tolist() == ["cat", "dog"]
    assert as_labels(np.array([1.0, 3.0])).tolist() == [1, 3]
    for encoding in ("utf-8", "cp1252"):
        words = np.array(["\xe9t\xe9".encode(encoding), b"b"])
        assert as_labels(words).tolist() == ["\xe9t\xe9", "b"]
    with pytest.raises(BrokenFile, match="whole numbers or words"):
        as_labels(np.array([0.5]))


def test_objects_are_never_loaded(tmp_path):
    np.save(tmp_path / "x_train.npy", np.array([print], object), allow_pickle=True)
    np.save(tmp_path / "y_train.npy", LABELS[:1])
    with pytest.raises(BrokenFile, match=r"x_train\.npy must be an array of num") as no:
        read_part(NPZ, tmp_path, train=True)
    assert "save it as array.astype(str)" in str(no.value)
    assert "pickle" not in str(no.value)


def test_damaged_arrays_are_told(tmp_path):
    np.savez_compressed(tmp_path / "own.npz", x=np.arange(4000) % 251, y=LABELS)
    content = bytearray((tmp_path / "own.npz").read_bytes())
    content[60:260] = bytes(200)
    (tmp_path / "own.npz").write_bytes(content)
    with pytest.raises(BrokenFile, match=r"x in own\.npz must be an array of numbers"):
        read_part(NPZ, tmp_path, train=True)


def test_arrays_that_no_memory_holds_are_told(tmp_path):
    np.save(tmp_path / "x.npy", IMAGES)
    np.save(tmp_path / "y.npy", LABELS)
    content = (tmp_path / "x.npy").read_bytes()
    huge = content.replace(b"(60, 8, 8), }" + b" " * 12, b"(60, 8, 8000000000000), }")
    assert huge != content
    (tmp_path / "x.npy").write_bytes(huge)
    with pytest.raises(BrokenFile, match=r"x\.npy needs more memory than there is"):
        read_part(NPZ, tmp_path, train=True)
