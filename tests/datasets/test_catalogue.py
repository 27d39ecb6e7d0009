"""Data sets: their names, and the names of their classes."""

import pytest

from capsnet_explorer.datasets.catalogue import DATASETS, dataset_of
from capsnet_explorer.datasets.parts import class_names_in

IDX = DATASETS["idx"]


def test_classes_of_ones_own_are_numbered(tmp_path):
    assert class_names_in(IDX, tmp_path, 3) == ["0", "1", "2"]


def test_classes_of_ones_own_can_be_named(tmp_path):
    (tmp_path / "classes.txt").write_text("dark\nupper half\nÄ \n\n", encoding="utf-8")
    assert class_names_in(IDX, tmp_path, 3) == ["dark", "upper half", "Ä"]
    with pytest.raises(ValueError, match=r"must name 4 classes, one a line, got 3"):
        class_names_in(IDX, tmp_path, 4)


def test_ones_own_data_is_called_like_its_folder(tmp_path):
    assert IDX.title_in(tmp_path / "letters") == "letters"
    assert IDX.files_in(tmp_path).resolve() == tmp_path


def test_a_card_names_its_data_set():
    assert dataset_of({"dataset": "kmnist"}) is DATASETS["kmnist"]
    assert dataset_of({}) is DATASETS["mnist"]
    with pytest.raises(ValueError, match=r"dataset must be .* got cifar"):
        dataset_of({"dataset": "cifar"})
