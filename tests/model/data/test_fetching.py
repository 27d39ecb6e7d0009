"""Data sets fetched from a server of the test: good, damaged, slow, cut off."""

import gzip
import hashlib
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from capsnet_explorer.datasets.catalogue import DATASETS, TEST, TRAINING
from capsnet_explorer.model.data import fetching
from capsnet_explorer.model.data.files import DataError, check_files, download
from capsnet_explorer.model.data.loading import load_part
from tests.mirror import Mirror, serving

NAMES = (*TRAINING, *TEST)


@pytest.fixture
def mirror(idx_folder):
    archives = {
        f"{name}.gz": gzip.compress((idx_folder / name).read_bytes()) for name in NAMES
    }
    with serving(Mirror(archives)) as mirror:
        yield mirror


@pytest.fixture
def mnist(mirror, idx_folder):
    """MNIST with the synthetic digits in its archives."""
    return replace(
        DATASETS["mnist"],
        archives=tuple((name, md5(mirror.archives[name])) for name in mirror.archives),
        archive_bytes=sum(map(len, mirror.archives.values())),
        raw_md5=tuple((name, md5((idx_folder / name).read_bytes())) for name in NAMES),
    )


def md5(content):
    return hashlib.md5(content).hexdigest()


def files_below(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_what_is_missing_comes_whole_and_is_told_as_it_comes(
    tmp_path, mirror, mnist, digits
):
    fetched = []
    download(mnist, tmp_path, mirror=mirror.address, advance=fetched.append)
    assert files_below(tmp_path / "MNIST") == sorted(NAMES)
    assert (load_part(mnist, tmp_path, train=True).labels == digits.labels).all()
    assert fetched == sorted(fetched)
    assert fetched[-1] == mnist.archive_bytes
    check_files(mnist, tmp_path)


def test_only_what_is_missing_or_damaged_is_asked_for(tmp_path, mirror, mnist):
    download(mnist, tmp_path, mirror=mirror.address)
    files = mnist.files_in(tmp_path)
    (files / TEST[1]).write_bytes(b"damaged")
    (files / TEST[0]).unlink()
    mirror.asked.clear()
    download(mnist, tmp_path, mirror=mirror.address)
    assert mirror.asked == [f"{name}.gz" for name in TEST]
    check_files(mnist, tmp_path)


def test_an_archive_stays_where_its_file_has_no_md5_of_its_own(tmp_path, mirror, mnist):
    download(replace(mnist, raw_md5=()), tmp_path, mirror=mirror.address)
    archives = [f"{name}.gz" for name in NAMES]
    assert files_below(tmp_path / "MNIST") == sorted([*NAMES, *archives])


def test_a_server_that_gives_unpacked_files_by_the_names_of_archives_is_taken(
    tmp_path, mirror, mnist
):
    for name in NAMES:
        mirror.archives[f"{name}.gz"] = gzip.decompress(mirror.archives[f"{name}.gz"])
    download(mnist, tmp_path, mirror=mirror.address)
    assert files_below(tmp_path / "MNIST") == sorted(NAMES)
    check_files(mnist, tmp_path)


def damage(mirror):
    mirror.archives[f"{TEST[1]}.gz"] = b"other labels"


def lose(mirror):
    del mirror.archives[f"{TEST[1]}.gz"]


def cut_off(mirror):
    mirror.announced = 1000


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (damage, f"{TEST[1]}.gz: the file is damaged, its MD5 is"),
        (lose, f"{TEST[1]}.gz: Not Found"),
        (cut_off, "it broke off 1000 bytes before the end"),
    ],
)
def test_of_a_download_that_fails_nothing_stays(tmp_path, mirror, mnist, spoil, reason):
    spoil(mirror)
    with pytest.raises(DataError, match="could not download MNIST") as caught:
        download(mnist, tmp_path, mirror=mirror.address)
    assert reason in str(caught.value)
    assert "put MNIST's files into MNIST/raw" in str(caught.value)
    assert files_below(tmp_path / "MNIST") == []


def test_a_second_server_is_asked_where_the_first_gives_a_damaged_file(
    tmp_path, mirror, mnist
):
    bad = Mirror({**mirror.archives, f"{TEST[1]}.gz": b"other labels"})
    with serving(bad):
        both = replace(mnist, mirrors=(f"{bad.address}/", f"{mirror.address}/"))
        download(both, tmp_path)
    assert mirror.asked == [f"{TEST[1]}.gz"]
    check_files(mnist, tmp_path)


def test_a_server_that_says_nothing_is_given_up(tmp_path, mirror, mnist, monkeypatch):
    monkeypatch.setattr(fetching, "PATIENCE_S", 0.2)
    mirror.slow = f"{TRAINING[0]}.gz"
    with pytest.raises(DataError, match=f"{TRAINING[0]}.gz: timed out"):
        download(mnist, tmp_path, mirror=mirror.address)


def test_a_server_that_cannot_be_reached_is_named(tmp_path, mnist):
    with pytest.raises(DataError, match=r"http://127\.0\.0\.1:9/.*Connection refused"):
        download(mnist, tmp_path, mirror="http://127.0.0.1:9")


def test_a_command_that_is_asked_to_end_leaves_nothing(tmp_path, mirror):
    mirror.slow = f"{TRAINING[0]}.gz"
    command = ("-m", "capsnet_explorer", "data", "--lines", "--mirror", mirror.address)
    with subprocess.Popen(
        [sys.executable, *command, "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        half = len(mirror.archives[mirror.slow]) // 2
        assert process.stdout.readline() == f"{half}\n"
        assert len(files_below(tmp_path / "MNIST")) == 1  # in a hidden folder
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 130
    assert files_below(tmp_path / "MNIST") == []
