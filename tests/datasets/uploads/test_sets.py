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
    CHANGE,
    DATA,
    FAILED,
    REQUEST,
    UNCHANGED,
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

    def reading(content, name="pictures.zip", **change):
        (folder / UPLOAD).write_bytes(content)
        request = {"name": name, "title": "pictures"}
        (folder / REQUEST).write_text(json.dumps(request))
        if change:
            (folder / CHANGE).write_text(json.dumps({"asked": change}))
        before = everything(tmp_path)
        read_upload(folder)
        assert {
            path for path in everything(tmp_path) - before if folder not in path.parents
        } == set()
        endings = (folder / name for name in (UNDERSTOOD, FAILED, UNCHANGED))
        return json.loads(next(file for file in endings if file.exists()).read_bytes())

    vars(reading)["folder"] = folder
    return reading


def everything(folder):
    return set(folder.rglob("*"))


def test_pictures_become_a_data_set(read):
    answer = read(
        zipped(
            drawings(within="my shapes/") | {"__MACOSX/my shapes/bar/._000.png": b""}
        )
    )
    assert answer["classes"] == [
        {"name": "bar", "training": 8, "test": 2},
        {"name": "ring", "training": 8, "test": 2},
    ]
    assert (answer["shape"], answer["inverted"]) == ([1, 28, 28], True)
    assert "The pictures are grey, dark on light, as ink on paper." in answer["lines"]
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
    for part, kinds in parts.items():
        files |= drawings(kinds, within=f"{part}/")
    answer = read(zipped(files | {"test/cat/1.png": drawing("bar", 1)}))
    assert answer["classes"][0] == {"name": "bar", "training": 9, "test": 2}
    words = " ".join(answer["lines"])
    assert "The pictures for validation are trained on, too." in words
    words_left = "test pictures of classes that are not trained on (1: test/cat/1.png)"
    assert f"Left out: {words_left}." in words


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
    answer = read(content, name)
    assert answer["classes"][0]["training"] == training
    assert answer["shape"] == [1, 8, 8]
    assert not answer["can_change"]


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
    answer = read(content, "upload.bin")
    assert message in answer["error"]
    assert str(read.folder) not in answer["error"]
    assert (read.folder / UPLOAD).read_bytes() == content
    files = {path.name for path in read.folder.iterdir()}
    assert files <= {REQUEST, UPLOAD, FAILED, "progress.json"}


def hostile():
    """Return archives that hold something bad beside drawings, by what is told."""
    bad_names = ["../../escaped/1.png", "/absolute/1.png", "C:\\windows\\1.png"]
    bad_names += ["..\\..\\escaped\\1.png", "bar/../../1.png"]
    bomb = zipped(drawings() | {"bar/bomb.png": bytes(30 << 20)})
    lying = bytearray(bomb)  # it says in its list that it has a thousand bytes
    size = lying.rfind(b"PK\x01\x02") + 24
    lying[size : size + 4] = struct.pack("<L", 1000)
    locked = bytearray(zipped({"bar/locked.png": drawing("bar", 1)} | drawings()))
    locked[locked.find(b"PK\x01\x02") + 8] |= 1
    header = b"IHDR" + struct.pack(">LLBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    huge = b"\x89PNG\r\n\x1a\n" + struct.pack(">L", len(header) - 4) + header
    huge += struct.pack(">L", zlib.crc32(header))
    broken = {"bar/x1.png": b"\x89PNG\r\n\x1a\n" + bytes(50), "ring/x2.jpg": b"<svg/>"}
    return {
        "names that lead out of the archive (5, such as": zipped(
            drawings() | {name: drawing("bar", 1) for name in bad_names}
        ),
        "links (1: bar/999.png)": link("bar/999.png", "/etc/passwd"),
        "pictures of more than 20 MB (1: bar/bomb.png)": bomb,
        "no pictures that can be read: bar/bomb.png": bytes(lying),
        "encrypted files (1: bar/locked.png)": bytes(locked),
        "can be read: bar/huge.png": zipped(drawings() | {"bar/huge.png": huge}),
        "can be read: bar/x1.png, ring/x2.jpg": zipped(drawings() | broken),
        ".zip (1: bar/more.zip)": zipped(drawings() | {"bar/more.zip": zipped({})}),
    }


@pytest.mark.parametrize("words", hostile())
def test_what_is_hostile_is_left_out_and_named(read, words):
    """That nothing is written elsewhere, `read` makes sure of."""
    answer = read(hostile()[words])
    counts = {c["name"]: c["training"] + c["test"] for c in answer["classes"]}
    assert counts == {"bar": 10, "ring": 10}
    assert words in " ".join([*answer["lines"], *answer["warnings"]])


def test_tables_with_names_that_lead_out_stay_inside(read, tmp_path):
    answer = read(zipped({"../../train.csv": csv_of(), "own.csv": csv_of()}))
    assert answer["classes"][0]["training"] == 8  # of own.csv alone
    assert not list(tmp_path.glob("*.csv"))


def test_archives_inside_are_opened_where_no_pictures_lie_beside_them(read):
    inner = zipped(drawings())
    answer = read(zipped({"a.zip": zipped({"b.zip": zipped({"c.zip": inner})})}))
    assert "archives too deep in others (1: c.zip)" in answer["error"]
    assert read(zipped({"inner.zip": inner}))["classes"][0]["training"] == 8


def declared(start, form, number):
    """Return an archive whose last record declares a number."""
    content = bytearray(zipped(drawings()))
    start = content.rfind(b"PK\x05\x06") + start
    content[start : start + struct.calcsize(form)] = struct.pack(form, number)
    return bytes(content)


TABLES = zipped({"train.csv": csv_of(), "test.csv": csv_of()})


@pytest.mark.parametrize(
    ("content", "most", "words"),
    [
        (zipped(drawings()), {"unpacked": 1000}, "declares more"),
        (TABLES, {"MOST": 1000}, "unpacked"),
        (zipped(drawings()), {"MOST_PICTURES": 15}, "15 pictures at most, got 20"),
        # Both are refused before the list is read.
        (
            declared(10, "<H", 60_000),
            {"entries": 50_000, "ZipFile": None},
            "50000 files at most, this one has 60000",
        ),
        (declared(12, "<L", 1 << 30), {"ZipFile": None}, "list of an archive's files"),
    ],
)
def test_what_is_too_much_is_refused(read, monkeypatch, content, most, words):
    for name, value in most.items():
        for module in (set_images, unpacking, zipfile):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)
    limits = {name: most[name] for name in ("unpacked", "entries") if name in most}
    monkeypatch.setattr(set_images, "STRANGERS", replace(STRANGERS, **limits))
    assert words in read(content)["error"]


def test_a_fault_names_the_file_as_people_know_it(read):
    broken = csv_of().replace(b"0,19", b"0,x")
    assert "own table.csv, line 20 must have" in read(broken, "own table.csv")["error"]


def test_images_that_are_all_equal_are_warned_of(read):
    same = {f"{name}/{k}.png": drawing("bar", 1) for name in "ab" for k in range(10)}
    assert any("are equal" in warning for warning in read(zipped(same))["warnings"])


def table(rows=20):
    """Return a table of tiny images with labels."""
    chosen = random.Random(7)
    pixels = [[str(chosen.randrange(256)) for _ in range(784)] for _ in range(rows)]
    lines = [f"{row % 2}," + ",".join(cells) for row, cells in enumerate(pixels)]
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
    answer = read(content, name)
    assert words in answer["error"]
    assert name in answer["error"]
    assert (read.folder / UPLOAD).read_bytes() == content


def test_what_nobody_foresaw_has_a_sentence(read, monkeypatch):
    def fail(*arguments):
        raise KeyError("surprise")

    monkeypatch.setattr(reading, "made_of", fail)
    answer = read(b"anything", "odd.zip")
    assert "KeyError" in answer["error"]
    assert "odd.zip" in answer["error"]


def test_images_that_the_disk_cannot_hold_say_what_they_need(read, monkeypatch):
    usage = shutil.disk_usage(read.folder)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    answer = read(zipped(drawings()))
    assert answer["error"] == (
        "the disk is full: the images need 16 kB, there are 1 kB free"
    )
