"""CIFAR-10's binary files, written here record by record."""

import hashlib
import tarfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from capsnet_explorer.datasets import cifar
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import is_there, read_part
from capsnet_explorer.model.data.files import DataError, check_files, download
from capsnet_explorer.model.data.loading import load_part

CIFAR = DATASETS["cifar10"]


def write_batches(folder, records=2):
    """Write all files, with labels that count up and a colour for each file."""
    folder = folder / cifar.FOLDER
    folder.mkdir(parents=True)
    for number, name in enumerate((*cifar.TRAINING, *cifar.TEST)):
        batch = np.zeros((records, cifar.RECORD), np.uint8)
        batch[:, 0] = (np.arange(records) + number) % 10
        batch[:, 1:] = np.repeat([10 * number, 100, 200], 1024)  # red, green, blue
        batch[:, 1 + 1024 + 33] = 7  # green, second row, second column
        batch.tofile(folder / name)
    return folder


@pytest.fixture
def data(tmp_path):
    write_batches(tmp_path / CIFAR.place)
    return tmp_path


def test_records_become_channels_of_rows(data):
    images, labels = read_part(CIFAR, data, train=True)
    assert images.shape == (10, 3, 32, 32)
    assert labels.tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert images[3, :, 5, 5].tolist() == [10, 100, 200]
    assert images[3, :, 1, 1].tolist() == [10, 7, 200]
    images, labels = read_part(CIFAR, data, train=False)
    assert labels.tolist() == [5, 6]
    assert images[0, :, 0, 0].tolist() == [50, 100, 200]


def test_all_six_files_must_be_there(data):
    assert is_there(CIFAR, data)
    (data / CIFAR.place / cifar.FOLDER / "data_batch_3.bin").unlink()
    assert not is_there(CIFAR, data)
    with pytest.raises(
        DataError, match="python -m capsnet_explorer data --dataset cifar10"
    ):
        load_part(CIFAR, data, train=True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "records of 3073 bytes, got 0"),
        (bytes(3072), "records of 3073 bytes, got 3072"),
        (bytes([10]) + bytes(3072), "labels below 10, got 10"),
    ],
)
def test_a_damaged_file_says_what_it_must_hold(data, content, words):
    (data / CIFAR.place / cifar.FOLDER / "test_batch.bin").write_bytes(content)
    with pytest.raises(BrokenFile, match=f"test_batch.bin must h.*{words}"):
        read_part(CIFAR, data, train=False)


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """The archive, on a server of its own."""
    files = write_batches(tmp_path / "server")
    path = tmp_path / "server" / cifar.ADDRESS.rpartition("/")[2]
    with tarfile.open(path, "w:gz") as packed:
        packed.add(files, cifar.FOLDER)
    md5 = hashlib.md5(path.read_bytes()).hexdigest()
    monkeypatch.setattr(cifar, "ARCHIVE_MD5", md5)
    serve = partial(SimpleHTTPRequestHandler, directory=path.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        address = f"http://127.0.0.1:{server.server_port}/{path.name}"
        monkeypatch.setattr(cifar, "ADDRESS", address)
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield path
        server.shutdown()


def test_it_is_downloaded_and_checked(archive, tmp_path):
    data = tmp_path / "data"
    download(CIFAR, data)
    assert load_part(CIFAR, data, train=True).shape == (3, 32, 32)
    damaged = data / CIFAR.place / cifar.FOLDER / "data_batch_2.bin"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\xff")
    with pytest.raises(DataError, match=r"data_batch_2\.bin is damaged"):
        check_files(CIFAR, data)
