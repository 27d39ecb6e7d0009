"""Pictures in folders, and in zip files, as a data set."""

import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from capsnet_explorer.app.content.datasets import open_test_set
from capsnet_explorer.datasets import tree
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.form import Form
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import class_names_in, is_there, read_part
from capsnet_explorer.datasets.pictures import (
    scaled,
    survey,
)
from capsnet_explorer.model.data.files import DataError
from capsnet_explorer.model.data.loading import load_part, load_validation
from tests.archives import drawings, zipped

FOLDER, CIFAR = DATASETS["folder"], DATASETS["cifar10"]
SIDE = 32  # px, as pictures usually become
RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


def picture(colour=RED, size=(SIDE, SIDE), **options):
    """Return a PNG file of one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG", **options)
    return file.getvalue()


def write(path, files):
    """Write files, by their names, into a folder or a zip file."""
    if path.suffix == ".zip":
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)


SETS = {
    "train": {
        "cat/1.png": picture(RED),
        "cat/2.PNG": picture(),
        "dog/1.png": picture(BLUE),
    },
    "test": {"dog/9.png": picture(BLUE), "cat/8.png": picture(RED)},
}


@pytest.mark.parametrize("end", ["", ".zip"])
def test_parts_are_folders_or_zip_files(tmp_path, end):
    for part, files in SETS.items():
        write(tmp_path / f"{part}{end}", files)
    images, labels = read_part(FOLDER, tmp_path, train=True)
    assert labels.tolist() == [0, 1, 0]
    assert np.asarray(images)[:, :, 3, 4].tolist() == [[*RED], [*BLUE], [*RED]]
    images, labels = read_part(FOLDER, tmp_path, train=False)
    assert labels.tolist() == [0, 1]
    assert images[1].shape == (3, SIDE, SIDE)
    assert images[1][:, 0, 0].tolist() == [*BLUE]
    assert class_names_in(FOLDER, tmp_path, 2) == ["cat", "dog"]
    assert is_there(FOLDER, tmp_path)


def test_any_part_of_the_end_shows_every_class_in_proportion(tmp_path):
    counts = {"a": 12, "b": 6, "c": 3}
    write(
        tmp_path / "train",
        {
            f"{name}/{number:02}.png": picture((number, label, 255))
            for label, (name, count) in enumerate(counts.items())
            for number in range(count)
        },
    )
    write(tmp_path / "test", {"a/1.png": picture()})
    images, labels = read_part(FOLDER, tmp_path, train=True)
    assert np.bincount(labels).tolist() == [*counts.values()]
    for last in (7, 14):
        assert np.bincount(labels[-last:]).tolist() == [
            4 * last // 7,
            2 * last // 7,
            last // 7,
        ]
    for label, count in enumerate(counts.values()):
        of_class = np.asarray(images)[labels == label]
        assert of_class[:, :2, 0, 0].tolist() == [
            [number, label] for number in range(count)
        ]


def test_a_picture_is_cut_to_its_middle_turned_and_scaled():
    wide = Image.new("RGB", (200, 100), RED)
    wide.paste(BLUE, (50, 0, 150, 100))
    file = io.BytesIO()
    wide.save(file, "PNG")
    np.testing.assert_array_equal(
        scaled(file.getvalue(), "x"),
        np.full((3, SIDE, SIDE), 0, np.uint8) + np.array(BLUE, np.uint8)[:, None, None],
    )
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    halves = Image.new("RGB", (SIDE, SIDE), RED)
    halves.paste(BLUE, (0, 0, SIDE // 2, SIDE))
    file = io.BytesIO()
    halves.save(file, "PNG", exif=exif)
    read = scaled(file.getvalue(), "x")
    assert read[:, 2, 16].tolist() == [*BLUE]  # what was left is above
    assert read[:, -3, 16].tolist() == [*RED]


def test_what_is_transparent_is_white():
    file = io.BytesIO()
    Image.new("RGBA", (8, 8), (255, 0, 0, 0)).save(file, "PNG")
    assert scaled(file.getvalue(), "x")[:, 0, 0].tolist() == [*WHITE]


def test_what_is_missing_or_damaged_is_told(tmp_path):
    with pytest.raises(DataError, match="folders with pictures of two classes"):
        load_part(FOLDER, tmp_path, train=True)
    write(tmp_path / "train", {"cat/1.png": picture(), "dog/1.png": picture()})
    assert not is_there(FOLDER, tmp_path)
    with pytest.raises(FileNotFoundError, match="two pictures of a class"):
        read_part(FOLDER, tmp_path, train=False)
    write(tmp_path / "test", {"cow/1.png": picture(), "dog/1.png": picture()})
    with pytest.raises(
        BrokenFile, match="test must have pictures of cat, dog, got cow"
    ):
        read_part(FOLDER, tmp_path, train=False)
    (tmp_path / "train/cat/1.png").write_bytes(b"no picture")
    with pytest.raises(DataError, match=r"cat/1\.png must be a picture"):
        load_part(FOLDER, tmp_path, train=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "train.zip").write_bytes(b"no zip file")
    with pytest.raises(BrokenFile, match=r"train\.zip must be an undamaged zip"):
        read_part(FOLDER, tmp_path / "other", train=True)


def test_cifar_is_read_from_pictures_too(tmp_path):
    path = tmp_path / CIFAR.place
    for part in ("train", "test"):
        write(
            path / f"{part}.zip",
            {
                f"{name}/1.png": picture((k, k, 255))
                for k, name in enumerate(CIFAR.class_names)
            },
        )
    assert is_there(CIFAR, tmp_path)
    read = load_part(CIFAR, tmp_path, train=False)
    assert read.labels.tolist() == list(range(10))
    assert read.images[:, 0, 0, 0].tolist() == list(range(10))
    write(path / "train.zip", SETS["train"])
    with pytest.raises(
        BrokenFile, match=r"must be in the folders airplane, .*, got cat, dog"
    ):
        read_part(CIFAR, tmp_path, train=True)


def test_the_server_decodes_only_what_it_shows(tmp_path):
    write(tmp_path / "train", SETS["train"])
    write(tmp_path / "test", {"cat/1.png": b"damaged", "dog/1.png": picture(BLUE)})
    shelved = open_test_set(tmp_path, FOLDER)
    assert shelved.label_counts() == [1, 1]
    assert shelved.image(1)[:, 0, 0].tolist() == [0, 0, 1]


def test_pictures_of_sixteen_bits_and_floats_keep_their_greys():
    ramp = np.linspace(1000, 60000, 40 * 40).reshape(40, 40)
    grey = Form(40, 40, channels=1)
    for array, end in ((ramp.astype(np.uint16), "PNG"), (ramp / 65535, "TIFF")):
        file = io.BytesIO()
        Image.fromarray(array.astype(np.uint16 if end == "PNG" else np.float32)).save(
            file, end
        )
        read = scaled(file.getvalue(), "x", grey)[0]
        np.testing.assert_allclose(read, ramp / 65535 * 255, atol=1)


def test_the_part_for_validation_is_read_by_itself(tmp_path):
    parts = ("train", "valid", "test")
    colours = {"train": RED, "valid": BLUE, "test": WHITE}
    for part in parts:
        files = {f"{name}/1.png": picture(colours[part]) for name in "ab"}
        write(tmp_path / "pets" / part, files)
    assert is_there(FOLDER, tmp_path)
    read = load_validation(FOLDER, tmp_path)
    assert read.images[:, :, 0, 0].tolist() == [[*BLUE]] * 2
    test = load_part(FOLDER, tmp_path, train=False)
    assert test.images[:, :, 0, 0].tolist() == [[*WHITE]] * 2


@pytest.mark.parametrize(("count", "tested"), [(1, 0), (3, 1), (4, 1), (5, 1), (10, 2)])
def test_small_classes_have_a_test_picture_too(tmp_path, count, tested):
    files = {f"a/{number:02}.png": picture() for number in range(count)}
    write(tmp_path, files | {f"b/{number}.png": picture() for number in range(5)})
    labels = read_part(FOLDER, tmp_path, train=False)[1]
    assert labels.tolist().count(0) == tested


def test_there_may_be_more_classes_than_a_byte_counts(tmp_path):
    write(
        tmp_path,
        {f"{name:03}/{k}.png": picture() for name in range(300) for k in (1, 2)},
    )
    read = load_part(FOLDER, tmp_path, train=True)
    assert read.labels.tolist() == list(range(300))
    assert read.classes == 300


def test_every_damaged_picture_is_counted_and_no_object_is_shown(tmp_path):
    good = {f"{name}/{k}.png": picture() for name in "ab" for k in range(3)}
    write(tmp_path, good | {f"a/{k}.jpg": b"\x00damaged" for k in range(6)})
    with pytest.raises(DataError) as caught:
        load_part(FOLDER, tmp_path, train=True)
    words = str(caught.value)
    assert "a/0.jpg must be a picture" in words
    assert "nor can a/1.jpg, a/3.jpg and 2 more be read" in words
    assert "0x" not in words
    assert words.count(str(tmp_path)) == 1


def test_damaged_and_far_too_large_files_of_archives_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "OWN", replace(tree.OWN, picture=10_000))
    path = tmp_path / "own.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/0.png", bytes(20_000))
        archive.writestr("b/0.png", bytes(9_000))
        for name in ("a/1.png", "a/2.png", "b/1.png", "b/2.png"):
            archive.writestr(name, picture())
    content = bytearray(path.read_bytes())
    start = content.index(b"b/0.png") + len("b/9.png")
    content[start : start + 4] = b"\xff" * 4  # no deflated data begins so
    path.write_bytes(content)
    wrong = r"a/0\.png must be .* nor can b/0\.png be read"
    with pytest.raises(DataError, match=wrong):
        load_part(FOLDER, path, train=True)


@pytest.mark.parametrize(
    ("encoding", "folders"),
    [
        ("utf-8", ["caf\xe9", "猫"]),
        ("cp437", ["\xe9t\xe9", "Gr\xf6\xdfe"]),
        ("cp1252", ["\xe9t\xe9", "Gr\xf6\xdfe"]),
        ("cp932", ["犬ソ", "猫"]),
    ],
)
def test_names_in_archives_are_read_as_they_were_written(tmp_path, encoding, folders):
    """In archives that do not say so, names look like those of cp437."""
    path = tmp_path / "own.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for folder in folders:
            for number in range(2):
                name = f"{folder}/{number}.png".encode(encoding)
                stand_in = bytes(b if b < 128 else 1 for b in name).decode()
                member = zipfile.ZipInfo(stand_in)
                archive.writestr(member, picture())
    content = path.read_bytes()
    for folder in folders:
        for number in range(2):
            name = f"{folder}/{number}.png".encode(encoding)
            content = content.replace(bytes(b if b < 128 else 1 for b in name), name)
    path.write_bytes(content)
    assert class_names_in(FOLDER, path, len(folders)) == sorted(folders)
    assert len(load_part(FOLDER, path, train=True)) == len(folders)


@pytest.mark.parametrize("name", ["toys", "MNIST", "pets"])
def test_an_archive_may_have_a_folder_called_as_a_data_set(tmp_path, name):
    (tmp_path / "own.zip").write_bytes(zipped(drawings(within=f"{name}/")))
    assert set(survey(tmp_path / "own.zip").class_names) == {"bar", "ring"}
