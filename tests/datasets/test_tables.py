"""Images in CSV files, as people have them."""

import io
from dataclasses import replace

import numpy as np
import pytest

from capsnet_explorer.datasets import tables
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.describing import described
from capsnet_explorer.datasets.form import Form
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import class_names_in, is_there, read_part

CSV = DATASETS["csv"]
IMAGES = (np.arange(20 * 8 * 8) * 7 % 256).reshape(20, 8, 8)
LABELS = np.arange(20) % 2 + 3
HEADER = ",".join(["label", *(f"pixel{column}" for column in range(64))])


def lines(images=IMAGES, labels=LABELS, separator=","):
    return [
        separator.join([str(label), *map(str, image.ravel().tolist())])
        for image, label in zip(images, labels, strict=True)
    ]


def write(path, rows, header=None):
    path.write_text("\n".join([*([header] if header else []), *rows]) + "\n")


@pytest.mark.parametrize("header", [None, HEADER])
def test_kaggles_file_is_divided(tmp_path, header):
    write(tmp_path / "train.csv", lines(), header)
    unlabelled = [row.partition(",")[2] for row in lines()]
    write(tmp_path / "test.csv", unlabelled, header and header.partition(",")[2])
    write(tmp_path / "sample_submission.csv", ["1,0"], "ImageId,Label")
    assert is_there(CSV, tmp_path)
    images, labels = read_part(CSV, tmp_path, train=True)
    assert images.shape == (16, 1, 8, 8)
    assert labels.tolist() == [0, 1] * 8
    np.testing.assert_array_equal(images[0, 0], IMAGES[0])
    images, labels = read_part(CSV, tmp_path, train=False)
    assert labels.tolist() == [0, 1] * 2
    np.testing.assert_array_equal(images[:, 0], IMAGES[[8, 9, 18, 19]])
    assert class_names_in(CSV, tmp_path, 2) == ["3", "4"]


def test_labels_may_be_words_in_the_last_column(tmp_path):
    names = np.where(LABELS == 3, "gr\xfcn", "rot")
    rows = [
        f"{row.partition(';')[2]};{name}"
        for row, name in zip(lines(separator=";"), names, strict=True)
    ]
    header = ";".join([*(f"p{column}" for column in range(64)), "character"])
    (tmp_path / "all.csv").write_bytes("\n".join([header, *rows]).encode("cp1252"))
    assert class_names_in(CSV, tmp_path, 2) == ["gr\xfcn", "rot"]
    assert read_part(CSV, tmp_path, train=True)[0].shape == (16, 1, 8, 8)


def test_columns_whose_names_are_sorted_as_words_are_put_in_order(tmp_path):
    order = sorted(range(64), key=str)
    header = ",".join(["label", *(f"pixel{column}" for column in order)])
    shuffled = IMAGES.reshape(20, 64)[:, order]
    write(tmp_path / "all.csv", lines(shuffled), header)
    np.testing.assert_array_equal(
        read_part(CSV, tmp_path, train=True)[0][0, 0], IMAGES[0]
    )
    assert "in the order of the numbers" in described(tmp_path).lines[-1]


def test_images_that_are_not_square_need_their_size(tmp_path):
    write(tmp_path / "all.csv", lines(IMAGES[:, :, :5]))
    with pytest.raises(BrokenFile, match="40 numbers must be the pixels of square"):
        read_part(CSV, tmp_path, train=True)
    wide = replace(CSV, form=Form(8, 8))
    with pytest.raises(
        BrokenFile, match="40 numbers must be the pixels of images of 8x8"
    ):
        read_part(wide, tmp_path, train=True)


def test_emnists_images_are_turned_upright(tmp_path):
    labels = np.arange(20) % 2 + 1
    write(tmp_path / "emnist-letters-train.csv", lines(labels=labels))
    images, _ = read_part(CSV, tmp_path, train=True)
    np.testing.assert_array_equal(images[0, 0], IMAGES[0].T)
    assert class_names_in(CSV, tmp_path, 2) == ["A", "B"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: [*rows, "3,1,2"], r"all\.csv, line 21 must have 64 numbers"),
        (lambda rows: [*rows, rows[0].replace(",0,", ",x,", 1)], "line 21 must have"),
        (lambda rows: [*rows, "," + rows[0].partition(",")[2]], "line 21, must have a"),
        (
            lambda rows: [rows[0].replace(",7,", ",-7,", 1), *rows],
            r"line 1, must have numbers from 0 on.*got -7",
        ),
        (
            lambda rows: [*rows, f"{rows[0]},1"],
            "line 21, must have 65 columns .*got 66",
        ),
        (lambda rows: [], "must have a line for each image, got none"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, change, message):
    write(tmp_path / "all.csv", change(lines()))
    with pytest.raises(BrokenFile, match=message):
        read_part(CSV, tmp_path, train=True)


def test_no_more_is_unpacked_than_tells_that_it_is_no_table(tmp_path, monkeypatch):
    """Half a kilobyte may unpack to far more."""
    monkeypatch.setattr(tables, "LONGEST_LINE", 1000)
    counted = []

    class Counted(io.BytesIO):
        def readline(self, size=-1):
            counted.append(size)
            return super().readline(size)

    monkeypatch.setattr(tables, "_bytes_of", lambda _: Counted(bytes([48]) * 500_000))
    (tmp_path / "all.csv").write_bytes(b"0")
    with pytest.raises(BrokenFile, match="must have a line for each image"):
        tables.layout_of(tmp_path / "all.csv")
    assert counted == [1000]
