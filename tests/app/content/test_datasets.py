"""Test sets to browse: found, named, and left out if damaged."""

import gzip
from types import SimpleNamespace

import numpy as np

from capsnet_explorer.app.content.datasets import (
    Library,
    open_shelf,
    open_test_set,
    read_by,
)
from capsnet_explorer.datasets.parts import read_part
from tests.archives import drawings


def test_images_and_labels_are_read(data_folder, pictures):
    dataset = open_test_set(data_folder)
    np.testing.assert_array_equal(dataset.images, pictures[:, None])
    assert dataset.labels.tolist() == [7, 2, 1, 0, 4, 1, 4, 9]


def test_images_stay_on_disk(data_folder):
    dataset = open_test_set(data_folder)
    assert isinstance(dataset.images, np.memmap)
    assert not dataset.images.flags.writeable


def test_packed_files_are_found(data_folder, pictures):
    raw = data_folder / "MNIST" / "raw"
    for file in list(raw.iterdir()):
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    np.testing.assert_array_equal(open_test_set(data_folder).images, pictures[:, None])


def test_pictures_are_shown_as_the_network_reads_them(tmp_path):
    """In folders they have no form of their own: the card says which one."""
    for name, content in drawings(2).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    sizes = {"image_rows": 20, "image_columns": 24, "image_channels": 1}
    card = {"dataset": "folder", "inverted": True, "config": sizes}
    engines = {
        name: SimpleNamespace(info=SimpleNamespace(card=card))
        for name, card in {"digits": {"dataset": "mnist"}, "own": card}.items()
    }
    dataset = open_shelf(tmp_path, read_as=read_by(engines)).datasets["folder-test"]
    assert dataset.shape == (1, 20, 24)
    assert dataset.image(0)[0, 0, 0] < 0.1  # paper, whose light became dark
    assert open_shelf(tmp_path).datasets["folder-test"].shape == (3, 32, 32)


def test_the_test_sets_of_other_data_are_found(data_folder, write, pictures):
    raw = data_folder / "FashionMNIST/raw"
    write(raw / "t10k-images-idx3-ubyte", pictures[:3])
    write(raw / "t10k-labels-idx1-ubyte", np.array([1, 0, 3]))
    write(data_folder / "t10k-images-idx3-ubyte", pictures[:2, :16, :16])
    write(data_folder / "t10k-labels-idx1-ubyte", np.array([0, 1]))
    shelf = open_shelf(data_folder)
    assert shelf.missing is None
    titles = {id: (entry.dataset, entry.title) for id, entry in shelf.datasets.items()}
    assert titles == {
        "mnist-test": ("mnist", "MNIST test set"),
        "fashion-mnist-test": ("fashion-mnist", "Fashion-MNIST test set"),
        "idx-test": ("idx", f"Test set in {data_folder.name}"),
        "drawn-test": ("drawn", "Test digits that this project draws"),
    }
    assert shelf.datasets["fashion-mnist-test"].label_counts() == [1, 1, 0, 1]
    assert shelf.datasets["idx-test"].image(1).shape == (1, 16, 16)


def test_one_broken_set_leaves_the_others(data_folder, write, pictures, caplog):
    write(data_folder / "KMNIST/raw/t10k-images-idx3-ubyte", pictures)
    write(data_folder / "KMNIST/raw/t10k-labels-idx1-ubyte", np.array([1]))
    shelf = open_shelf(data_folder)
    assert list(shelf.datasets) == ["mnist-test", "drawn-test"]
    assert shelf.missing is not None
    assert shelf.missing.startswith("Kuzushiji-MNIST test set cannot be read: ")
    assert "t10k-labels-idx1-ubyte" in caplog.text


def test_drawn_digits_are_always_there(tmp_path):
    dataset = open_shelf(tmp_path).datasets["drawn-test"]
    assert (len(dataset), dataset.images.shape) == (2000, (2000, 1, 28, 28))
    assert dataset.label_counts() == [200] * 10
    np.testing.assert_array_equal(255 * dataset.image(7), dataset.images[7])


def test_mnist_is_found_when_it_comes_later(data_folder, tmp_path):
    later = tmp_path / "later"
    library = Library(later)
    missing = library.shelf
    assert missing.missing is not None
    assert library.shelf is missing
    later.mkdir()
    (data_folder / "MNIST").rename(later / "MNIST")
    shelf = library.shelf
    assert (shelf.missing, len(shelf.datasets["mnist-test"])) == (None, 8)
    assert library.shelf is shelf


def test_nothing_is_opened_before_somebody_asks(data_folder, monkeypatch):
    opened = []
    monkeypatch.setattr(
        "capsnet_explorer.app.content.datasets.read_part",
        lambda *files, **how: opened.append(files) or read_part(*files, **how),
    )
    library = Library(data_folder)
    assert not opened
    assert "mnist-test" in library.shelf.datasets
    before = len(opened)
    assert library.shelf.datasets
    assert len(opened) == before > 0
