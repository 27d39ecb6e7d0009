"""Downloads of data sets, from a server that the test starts."""

import gzip
import hashlib
import json
import sys
from pathlib import Path
from urllib.parse import urljoin

import numpy as np
import pytest

from capsnet_explorer.app.engines import downloads as engines_downloads
from capsnet_explorer.app.engines.downloads import EXTENSION, Downloads
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.datasets.catalogue import TEST, TRAINING
from tests.app.training import app_of, wait_for
from tests.idx import write_idx
from tests.mirror import Mirror, serving

URL = "/api/downloads/mnist"

# The command, for archives that are not MNIST's own.
PROGRAM = """
import sys
from dataclasses import replace
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.cli import main
archives, raw = ({archives!r}, {raw!r})
DATASETS["mnist"] = replace(DATASETS["mnist"], archives=archives, raw_md5=raw)
sys.exit(main(["data", "--lines", "--mirror", {mirror!r}, *sys.argv[1:]]))
"""


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    archives = {}
    for images, labels in (TRAINING, TEST):
        write_idx(folder / images, np.arange(20 * 28 * 28).reshape(20, 28, 28) % 251)
        write_idx(folder / labels, np.arange(20) % 10)
        for name in (images, labels):
            archives[f"{name}.gz"] = gzip.compress((folder / name).read_bytes())
    return archives


@pytest.fixture
def mirror(archives):
    with serving(Mirror(dict(archives))) as mirror:
        yield mirror


@pytest.fixture
def client(tmp_path, mirror):
    runs = Runs(tmp_path / "runs", tmp_path / "data", tmp_path / "kept")
    app = app_of(runs)
    program = PROGRAM.format(
        archives=tuple((name, md5(packed)) for name, packed in mirror.archives.items()),
        raw=tuple(
            (name.removesuffix(".gz"), md5(gzip.decompress(packed)))
            for name, packed in mirror.archives.items()
        ),
        mirror=mirror.address,
    )
    downloads = Downloads(tmp_path / "data", (sys.executable, "-c", program))
    app.extensions[EXTENSION] = downloads
    yield app.test_client()
    downloads.close()
    runs.close()


def md5(content):
    return hashlib.md5(content).hexdigest()


def until(client, is_so):
    return wait_for(lambda: client.get(URL).json, is_so)


def is_over(download):
    return download["state"] != "running"


def start(client):
    answer = client.post("/api/downloads", json={"dataset": "mnist"})
    assert answer.status_code == 202
    assert urljoin("/api/downloads", answer.headers["Location"]) == URL
    return answer.json


def mnist_in(client):
    known = client.get("/api/recipes").json["datasets"]
    return next(dataset for dataset in known if dataset["name"] == "mnist")


def files_below(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_what_comes_is_there_at_once(client, tmp_path):
    assert client.get(URL).json["state"] == "none"
    assert not mnist_in(client)["ready"]
    assert "missing" in client.get("/api/datasets").json
    started = start(client)
    assert (started["state"], started["total"]) == ("running", 11_594_722)
    download = until(client, is_over)
    assert (download["state"], download["message"]) == ("done", None)
    assert download["bytes"] == download["total"]
    assert mnist_in(client)["ready"]
    listed = client.get("/api/datasets").json
    assert "missing" not in listed
    assert listed["datasets"][0]["id"] == "mnist-test"
    digit = client.get("/api/datasets/mnist-test/digits/3").json
    assert digit["label"] == 3
    assert files_below(tmp_path / "data") == sorted([*TRAINING, *TEST])


def test_two_tabs_find_the_same_and_either_can_cancel(client, mirror, tmp_path):
    mirror.slow = f"{TRAINING[0]}.gz"
    start(client)
    assert start(client)["state"] == "running"
    until(client, lambda download: download["bytes"] > 0)
    assert mirror.asked == [f"{TRAINING[0]}.gz"]
    assert not mnist_in(client)["ready"]
    answer = client.delete(URL)
    assert (answer.status_code, answer.json["state"]) == (200, "stopped")
    assert files_below(tmp_path / "data") == []
    mirror.slow = None
    mirror.go_on.set()
    start(client)
    assert until(client, is_over)["state"] == "done"


def test_a_damaged_download_says_so_and_leaves_nothing(client, mirror, tmp_path):
    mirror.archives[f"{TEST[0]}.gz"] = b"damaged"
    start(client)
    download = until(client, is_over)
    assert download["state"] == "failed"
    assert download["message"].startswith("could not download MNIST: http://127.0.0.1:")
    assert "the file is damaged" in download["message"]
    assert download["message"].endswith("into MNIST/raw in the data folder")
    assert files_below(tmp_path / "data") == []


@pytest.mark.parametrize("name", ["toys", "drawn", "transformer"])
def test_what_cannot_be_downloaded_is_refused(client, name):
    answers = (
        client.post("/api/downloads", json={"dataset": name}),
        client.get(f"/api/downloads/{name}"),
        client.delete(f"/api/downloads/{name}"),
    )
    for answer in answers:
        assert (answer.status_code, answer.json["error"]["field"]) == (422, "dataset")
        assert "must be one of mnist, overlapping, fashion-mnist, kmnist" in answer.text


def test_the_size_and_the_servers_are_told_beforehand(client, monkeypatch):
    known = mnist_in(client)
    assert known["download_bytes"] == 11_594_722
    assert known["hosts"][0] == "ossci-datasets.s3.amazonaws.com"
    monkeypatch.setenv("CAPSNET_MIRROR", "http://school.example:8000/mnist/")
    assert mnist_in(client)["hosts"] == ["school.example:8000"]


def test_how_drawn_digits_prepare_for_real_ones_is_told_as_it_was_measured(client):
    known = client.get("/api/recipes").json["datasets"]
    (drawn,) = (dataset for dataset in known if dataset["real"])
    assert (drawn["name"], drawn["ready"], drawn["download_bytes"]) == (
        "drawn",
        True,
        0,
    )
    root = Path(engines_downloads.ROOT)
    measured = json.loads((root / "weights/measured/drawn.json").read_bytes())
    assert drawn["real"] == measured
