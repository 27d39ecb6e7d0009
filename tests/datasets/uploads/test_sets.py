"""Uploads that become sets: as people have them, and as nobody should send them."""

import gzip
import io
import json
import random
import shutil
import struct
import zipfile
import zlib
from dataclasses import replace

import numpy as np
import pytest

from capsnet_explorer.datasets import unpacking
from capsnet_explorer.datasets.archives import STRANGERS
from capsnet_explorer.datasets.catalogue import dataset_named
from capsnet_explorer.datasets.parts import class_names_in, read_part
from capsnet_explorer.datasets.uploads import images as set_images
from capsnet_explorer.datasets.uploads import reading
from capsnet_explorer.datasets.uploads.images import UPLOAD
from capsnet_explorer.datasets.uploads.reading import (
    DATA,
    FAILED,
    REQUEST,
    UNDERSTOOD,
    read_upload,
)
from tests.archives import drawing, drawings, link, zipped

SET = dataset_named("set:0123abcd")


@pytest.fixture
def read(tmp_path):
    """Return a function that reads an upload, and returns what was understood."""
    folder = tmp_path / "sets" / "0123abcd"
    folder.mkdir(parents=True)

    def reading(content, name="pictures.zip", **asked):
        (folder / UPLOAD).write_bytes(content)
        request = {"name": name, "title": "pictures", "asked": asked}
        (folder / REQUEST).write_text(json.dumps(request))
        before = everything(tmp_path)
        read_upload(folder)
        assert {
            path for path in everything(tmp_path) - before if folder not in path.parents
        } == set()
        found = folder / UNDERSTOOD
        return json.loads((found if found.exists() else folder / FAILED).read_bytes())

    reading.folder = folder
    return reading


def everything(folder):
    return set(folder.rglob("*"))


def test_pictures_become_a_data_set(read):
    found = read(
        zipped(
            drawings(within="my shapes/") | {"__MACOSX/my shapes/bar/._000.png": b""}
        )
    )
    assert found["classes"] == [
        {"name": "bar", "training": 8, "test": 2},
        {"name": "ring", "training": 8, "test": 2},
    ]
    assert (found["shape"], found["inverted"]) == ([1, 28, 28], True)
    assert "The pictures are grey, dark on light, as ink on paper." in found["lines"]
    data = read.folder / DATA
    images, labels = read_part(SET, data, train=True)
    assert images.shape == (16, 1, 28, 28)
    assert np.bincount(labels).tolist() == [8, 8]
    assert images[:, :, 0, 0].max() < 40  # paper is dark now
    assert class_names_in(SET, data, 2) == ["bar", "ring"]
    assert SET.title_in(data) == "pictures"
    assert {path.name for path in read.folder.iterdir()} == {
        DATA,
        UPLOAD,
        REQUEST,
        UNDERSTOOD,
        "progress.json",
    }


def test_parts_are_taken_as_they_are(read):
    parts = {"train": 6, "valid": 3, "test": 2}
    files = {}
    for part, each in parts.items():
        files |= drawings(each, within=f"{part}/")
    found = read(zipped(files | {"test/cat/1.png": drawing("bar", 1)}))
    assert found["classes"][0] == {"name": "bar", "training": 9, "test": 2}
    words = " ".join(found["lines"])
    assert "The pictures for validation are trained on, too." in words
    left = "test pictures of classes that are not trained on (1: test/cat/1.png)"
    assert f"Left out: {left}." in words


def csv_of(count=20):
    rows = [
        f"{number % 2}," + ",".join(["0", str(number)] * 32) for number in range(count)
    ]
    return "\n".join(rows).encode()


def npz_of():
    file = io.BytesIO()
    images = np.arange(20 * 64, dtype=np.uint16).reshape(20, 8, 8).astype(np.uint8)
    np.savez(
        file,
        x_train=images,
        y_train=np.arange(20) % 2,
        x_test=images,
        y_test=np.arange(20) % 2,
    )
    return file.getvalue()


def npy_of(shape):
    """Return the beginning of an array's file, which says how large it is."""
    file = io.BytesIO()
    header = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "training"),
    [
        (csv_of(), "own.csv", 8),
        (csv_of().decode().encode("utf-16"), "own.csv", 8),
        (npz_of(), "own.npz", 10),
        (
            zipped({"own/train.csv": csv_of(), "own/test.csv": csv_of(10)}),
            "own.zip",
            10,
        ),
        (zipped({"deep/own.npz": npz_of()}), "own.zip", 10),
    ],
    ids=["csv", "utf-16 csv", "npz", "zipped csv", "zipped npz"],
)
def test_tables_and_arrays_become_data_sets(read, content, name, training):
    found = read(content, name)
    assert found["classes"][0]["training"] == training
    assert found["shape"] == [1, 8, 8]
    assert not found["can_change"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no archive at all", "CSV file"),
        (zipped(drawings())[:-30], "zip file"),
        (zipped({"readme.txt": b"nothing"}), "a set needs folders with pictures"),
        (zipped(drawings(kinds=("bar",))), "two classes or more, got bar alone"),
        (zipped({"a/1.png": b"x", "b/1.png": b"y"}), "training images of two classes"),
        (
            zipped({f"c{k}/1.png": b"" for k in range(300)}),
            "256 classes at most, got 300",
        ),
        (
            "\n".join(f"{row % 2},{row}" for row in range(40)).encode(),
            "8 rows and columns or more, got 1x1",
        ),
        (b"\x1f\x8b\x08\0 not gzip", "cut or damaged"),
        (b"x,y\n1,2,3\n", ""),
        (zipped({"x.npy": npy_of((10**7, 10**4, 10**4)), "y.npy": b""}), "more memory"),
        (zipped({"x.npy": b"no array", "y.npy": b""}), "x in upload.bin must be an"),
    ],
)
def test_what_makes_no_set_says_why_and_leaves_what_came(read, content, message):
    found = read(content, "upload.bin")
    assert message in found["error"]
    assert str(read.folder) not in found["error"]
    assert (read.folder / UPLOAD).read_bytes() == content
    left = {path.name for path in read.folder.iterdir()}
    assert left <= {REQUEST, UPLOAD, FAILED, "progress.json"}


def limit(monkeypatch, **limits):
    """Let archives of strangers hold less."""
    monkeypatch.setattr(set_images, "STRANGERS", replace(STRANGERS, **limits))


def test_names_that_lead_out_are_never_followed(read, tmp_path):
    bad = {
        "../../escaped/1.png": drawing("bar", 1),
        "/absolute/1.png": drawing("bar", 1),
        "C:\\windows\\1.png": drawing("bar", 1),
        "..\\..\\escaped\\1.png": drawing("bar", 1),
        "bar/../../1.png": drawing("bar", 1),
    }
    found = read(zipped(drawings() | bad))
    assert [each["name"] for each in found["classes"]] == ["bar", "ring"]
    assert "names that lead out of the archive (5, such as" in " ".join(found["lines"])
    assert not (tmp_path / "escaped").exists()


def test_tables_with_names_that_lead_out_stay_inside(read, tmp_path):
    found = read(zipped({"../../train.csv": csv_of(), "own.csv": csv_of()}))
    assert found["classes"][0]["training"] == 8  # of own.csv alone
    assert not list(tmp_path.glob("*.csv"))


def test_links_are_left_out(read, tmp_path):
    secret = tmp_path / "secret.png"
    secret.write_bytes(drawing("bar", 1))
    found = read(link("bar/999.png", str(secret)))
    assert found["classes"][0]["training"] + found["classes"][0]["test"] == 10
    assert "links (1: bar/999.png)" in " ".join(found["lines"])


def test_archives_inside_are_opened_where_no_pictures_lie_beside_them(read):
    inner = zipped(drawings())
    found = read(zipped({"a.zip": zipped({"b.zip": zipped({"c.zip": inner})})}))
    assert "archives too deep in others (1: a/b/c.zip)" in found["error"]
    assert read(zipped({"inner.zip": inner}))["classes"][0]["training"] == 8
    found = read(zipped(drawings() | {"bar/more.zip": inner}))
    assert found["classes"][0]["training"] == 8
    assert "Left out: .zip (1: bar/more.zip)." in found["lines"]


def test_a_file_that_unpacks_to_far_more_than_it_says_is_left_out(read):
    content = bytearray(zipped(drawings() | {"bar/bomb.png": bytes(30 << 20)}))
    # The bomb says in its list that it has a thousand bytes.
    place = content.rfind(b"PK\x01\x02")
    content[place + 24 : place + 28] = struct.pack("<L", 1000)
    found = read(bytes(content))
    assert found["classes"][0]["training"] + found["classes"][0]["test"] == 10
    assert "bar/bomb.png" in " ".join(found["warnings"])


def test_a_file_that_says_it_is_large_is_left_out(read):
    found = read(zipped(drawings() | {"bar/bomb.png": bytes(30 << 20)}))
    assert "pictures of more than 20 MB (1: bar/bomb.png)" in " ".join(found["lines"])


def test_an_archive_that_unpacks_to_too_much_is_refused(read, monkeypatch):
    limit(monkeypatch, unpacked=1000)
    assert "declares more" in read(zipped(drawings()))["error"]


def test_a_table_that_unpacks_to_too_much_is_refused(read, monkeypatch):
    monkeypatch.setattr(unpacking, "MOST", 1000)
    found = read(zipped({"train.csv": csv_of(), "test.csv": csv_of()}))
    assert "unpacked" in found["error"]


def test_a_million_entries_are_refused_before_they_are_read(read, monkeypatch):
    content = bytearray(zipped(drawings()))
    place = content.rfind(b"PK\x05\x06")
    content[place + 10 : place + 12] = struct.pack("<H", 60_000)
    limit(monkeypatch, entries=50_000)
    monkeypatch.setattr(zipfile, "ZipFile", None)  # which would read them
    assert "50000 files at most, this one has 60000" in read(bytes(content))["error"]


def test_a_list_that_memory_cannot_hold_is_refused(read, monkeypatch):
    content = bytearray(zipped(drawings()))
    place = content.rfind(b"PK\x05\x06")
    content[place + 12 : place + 16] = struct.pack("<L", 1 << 30)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert "list of an archive's files" in read(bytes(content))["error"]


def test_encrypted_files_are_left_out(read):
    content = bytearray(zipped({"bar/locked.png": drawing("bar", 1)} | drawings()))
    place = content.find(b"PK\x01\x02")
    content[place + 8] |= 1
    found = read(bytes(content))
    assert "encrypted files (1: bar/locked.png)" in " ".join(found["lines"])


def test_pictures_that_crash_or_fool_decoders_are_counted(read):
    bad = {"bar/x1.png": b"\x89PNG\r\n\x1a\n" + bytes(50), "ring/x2.jpg": b"<svg/>"}
    found = read(zipped(drawings() | bad))
    (warning,) = (each for each in found["warnings"] if "no pictures" in each)
    assert "bar/x1.png" in warning
    assert "ring/x2.jpg" in warning


def test_a_picture_that_would_be_huge_is_never_decoded(read):
    """In sets pictures keep the limits of uploads."""
    header = struct.pack(">LLBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    bomb = b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            struct.pack(">L", len(header)) + chunk,
            struct.pack(">L", zlib.crc32(chunk)),
        )
    )
    found = read(zipped(drawings() | {"bar/huge.png": bomb}))
    assert found["classes"][0]["training"] + found["classes"][0]["test"] == 10
    assert any("bar/huge.png" in each for each in found["warnings"])


def test_a_fault_names_the_file_as_people_know_it(read):
    broken = csv_of().replace(b"0,19", b"0,x")
    assert "own table.csv, line 20 must have" in read(broken, "own table.csv")["error"]


def test_too_many_pictures_are_refused(read, monkeypatch):
    monkeypatch.setattr(set_images, "MOST_PICTURES", 15)
    assert "15 pictures at most, got 20" in read(zipped(drawings()))["error"]


def test_images_that_are_all_equal_are_warned_of(read):
    same = {f"{name}/{k}.png": drawing("bar", 1) for name in "ab" for k in range(10)}
    assert any("are equal" in each for each in read(zipped(same))["warnings"])


def table(rows=20):
    """Return a table of tiny images with labels."""
    chosen = random.Random(7)
    pixels = [[str(chosen.randrange(256)) for _ in range(784)] for _ in range(rows)]
    lines = [f"{row % 2}," + ",".join(own) for row, own in enumerate(pixels)]
    return "\n".join(lines).encode() + b"\n"


def flipped(content):
    return content[:-6] + bytes([content[-6] ^ 1]) + content[-5:]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("cut.csv.gz", gzip.compress(table())[:-20], "cut or damaged"),
        ("bad.csv.gz", flipped(gzip.compress(table(200))), "damaged"),
        ("quote.csv", b'"' + b"7," * 90_000 + b"\n" + table(), "too long"),
        ("long.csv", b"label," + b"x" * 200_000 + b"\n" + table(), "long"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(read, name, content, words):
    found = read(content, name)
    assert words in found["error"]
    assert name in found["error"]
    assert (read.folder / UPLOAD).read_bytes() == content


def test_what_nobody_foresaw_has_a_sentence(read, monkeypatch):
    def fail(*arguments):
        raise KeyError("surprise")

    monkeypatch.setattr(reading, "made_of", fail)
    found = read(b"anything", "odd.zip")
    assert "KeyError" in found["error"]
    assert "odd.zip" in found["error"]


def test_images_that_the_disk_cannot_hold_say_what_they_need(read, monkeypatch):
    usage = shutil.disk_usage(read.folder)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    found = read(zipped(drawings()))
    assert found["error"] == (
        "the disk is full: the images need 16 kB, there are 1 kB free"
    )
