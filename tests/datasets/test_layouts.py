"""What is understood of folders, tables and arrays, and told: by command and page."""

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from capsnet_explorer.datasets.catalogue import DATASETS, dataset_of
from capsnet_explorer.datasets.describing import NothingFound, described
from capsnet_explorer.datasets.form import Form
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import is_there, read_part
from capsnet_explorer.datasets.uploads.folder import UPLOAD
from capsnet_explorer.datasets.uploads.images import made_of
from tests.archives import zipped
from tests.datasets.layouts import LAYOUTS, OTHERS, archive_of, cases, lay_out, named

DOCUMENT = Path(__file__).parents[2] / "docs" / "data.md"
FORM = {"image_rows": 32, "image_columns": 32, "image_channels": 3}
BEGINNING = "| layout | understood |"
CASES = cases()


def test_each_row_of_the_document_is_tried():
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n")
    start = lines.index(BEGINNING) + 2
    end = next(k for k in range(start, len(lines)) if not lines[k].startswith("|"))
    rows = [line.split(" | ")[0].removeprefix("| ") for line in lines[start:end]]
    tried = LAYOUTS.read_text("utf-8").partition(OTHERS)[0].splitlines()[::3]
    assert rows == tried


@pytest.mark.parametrize("layout", CASES)
def test_a_layout_is_understood_by_the_command(layout, tmp_path):
    files, classes, counts, expected = CASES[layout]
    lay_out(tmp_path, files)
    if classes is None:
        with pytest.raises((BrokenFile, NothingFound, FileNotFoundError)) as refusal:
            described(tmp_path)
        assert all(words in str(refusal.value) for words in expected)
        return
    description = described(tmp_path)
    assert ", ".join(description.counts["training"]) == classes
    parts = ("training", "test")
    assert [sum(description.counts[part].values()) for part in parts] == counts
    sentences = " ".join([*description.lines, *description.warnings])
    assert all(words in sentences for words in expected)
    if "damage" in layout:
        return
    # What is described can be read so, and is as bright as it should be.
    for part, count in zip((True, False), counts, strict=True):
        images, labels = read_part(description.dataset, tmp_path, train=part)
        assert len(labels) == len(images) == count
    if "16" in layout or "−1" in layout:
        assert np.asarray(images).max(axis=(1, 2, 3)).min() == 255
        assert np.asarray(images).min() == 0


@pytest.mark.parametrize("layout", CASES)
def test_a_layout_is_understood_by_the_page(layout, tmp_path):
    files, classes, counts, expected = CASES[layout]
    (tmp_path / "own").mkdir()
    lay_out(tmp_path / "own", files)
    (tmp_path / "set").mkdir()
    with zipfile.ZipFile(tmp_path / "set" / UPLOAD, "w") as archive:
        for file in sorted((tmp_path / "own").rglob("*")):
            if file.is_file() or file.is_dir():  # no pipe, and no link to nowhere
                archive.write(file, f"own/{file.relative_to(tmp_path / 'own')}")
    request = {"name": "own.zip"}
    if classes is None:
        with pytest.raises(ValueError) as refusal:  # noqa: PT011
            made_of(tmp_path / "set", request, print)
        message = str(refusal.value)
        assert all(text.partition(". Say")[0] in message for text in expected)
        return
    dataset = made_of(tmp_path / "set", request, print)
    wrong = "09.png" in " ".join(dataset.warnings)
    assert ", ".join(dataset.class_names) == classes
    sums = [len(dataset.labels[part]) for part in ("training", "test")]
    assert [sums[0], sums[1] + wrong] == counts


def test_a_zip_file_of_the_training_part_is_divided_as_its_folder_is(tmp_path):
    content = archive_of(named("a", "b"))
    (tmp_path / "train.zip").write_bytes(content)
    counts = described(tmp_path / "train.zip").counts
    assert [*counts["training"].values(), *counts["test"].values()] == [8, 8, 2, 2]


def test_folders_are_what_people_say(tmp_path):
    lay_out(tmp_path, CASES["`ada/0`, `ada/1`, `bob/0`, `bob/1` …"][0])
    by_parts = described(tmp_path, "parts")
    assert [*by_parts.counts["training"]] == ["0", "1"]
    assert "ada, bob, eve divide the pictures" in " ".join(by_parts.lines)
    assert [*described(tmp_path, "classes").counts["training"]] == ["ada", "bob", "eve"]


def test_a_part_that_no_name_tells_is_for_training_if_people_say_parts(tmp_path):
    lay_out(tmp_path, "learning/cat*10 learning/dog*10 test/cat*5 test/dog*5")
    with pytest.raises(BrokenFile, match="each have the folders cat, dog in them"):
        described(tmp_path)
    description = described(tmp_path, "parts")
    assert [*description.counts["training"].values()] == [10, 10]
    assert [*description.counts["test"].values()] == [5, 5]
    assert "Taken for the training part: learning." in description.lines


def test_whoever_says_what_folders_are_gets_a_command_that_says_so(tmp_path):
    lay_out(tmp_path, "train*2 test*2")
    description = described(tmp_path, "classes")
    assert [*description.counts["training"]] == ["test", "train"]
    assert description.text(tmp_path).endswith("--folders classes")
    assert is_there(description.dataset, tmp_path)
    assert not is_there(DATASETS["folder"], tmp_path)
    card = {"dataset": "folder", "folders": "classes", "config": FORM}
    assert dataset_of(card) == replace(description.dataset, form=Form())


def test_no_command_is_promised_while_a_picture_is_damaged(tmp_path):
    lay_out(tmp_path, "cat*10 dog*10 cat/00.png=<html>404</html>")
    last = described(tmp_path).text(tmp_path).rpartition("\n")[2]
    assert last.startswith("Once files that are no pictures are mended or gone")


def test_tables_and_empty_folders_of_an_archive_are_told_by_the_command(tmp_path):
    lay_out(tmp_path, "all.csv:")
    content = (tmp_path / "all.csv").read_bytes()
    (tmp_path / "own.zip").write_bytes(zipped({"own/all.csv": content, "own/c/": b""}))
    description = described(tmp_path / "own.zip")
    assert description.dataset.name == "csv"
    assert (
        len(read_part(description.dataset, tmp_path / "own.zip", train=True)[1]) == 32
    )
