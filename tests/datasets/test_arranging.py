"""Which part and class pictures belong to, by their names alone."""

import pytest

from capsnet_explorer.datasets.arranging import arranged, class_name

BOTH = ("cat/1.png", "dog/1.png")
WHOLE = {"cat": ["cat/1.png"], "dog": ["dog/1.png"]}


def under(*folders):
    return [f"{'/'.join(folders)}/{name}" for name in BOTH]


@pytest.mark.parametrize(
    ("training", "validation", "test"),
    [
        ("train", "val", "test"),
        ("Training", "valid", "Testing"),
        ("train_set", "validation", "test-set"),
        ("TrainingData", "dev", "tst"),
        ("dataset_train", "dataset_valid", "dataset_test"),
        ("mnist-train", "mnist-val", "mnist-test"),
        ("tr", "val2017", "test images"),
    ],
)
def test_parts_have_their_usual_names(training, validation, test):
    names = [*under("pets", training), *under("pets", validation), *under("pets", test)]
    arrangement = arranged(names)
    assert list(arrangement.parts) == ["training", "validation", "test"]
    assert all(
        list(classes) == ["cat", "dog"] for classes in arrangement.parts.values()
    )
    assert arrangement.whole == {}


@pytest.mark.parametrize("end", ["jfif", "avif", "pgm", "JPE", "webp", "tif", "bmp"])
def test_every_ending_of_a_picture_counts(end):
    assert arranged([f"a/1.{end}", f"b/1.{end}"]).whole.keys() == {"a", "b"}


def test_folders_of_other_data_sets_are_not_looked_through():
    arrangement = arranged(under("CIFAR10", "train"), closed={"CIFAR10"})
    assert list(arrangement.whole) == ["CIFAR10"]


def test_archives_may_have_backslashes():
    assert arranged([r"pets\cat\1.png", r"pets\dog\1.png"]).whole.keys() == {
        "cat",
        "dog",
    }


def test_names_of_classes_are_readable_in_any_encoding():
    assert class_name("Cafe\u0301") == "Caf\xe9"  # as macOS stores it
    assert class_name("猫") == "猫"
    stored = "gr\xfcn".encode("cp1252").decode("utf-8", "surrogateescape")
    assert class_name(stored) == "gr\xfcn"
    assert class_name("two\nlines\t") == "two lines"
    long = [class_name("x" * 300 + end) for end in "ab"]
    assert [len(name) for name in long] == [80, 80]
    assert long[0] != long[1]
    assert class_name("\n") == "?"
