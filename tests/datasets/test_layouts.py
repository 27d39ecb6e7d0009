"""Each layout in docs/data.md, made in the test: what is understood of it, and told."""

import io
import json
import pickle
import re
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from capsnet_explorer.datasets.catalogue import DATASETS, dataset_of
from capsnet_explorer.datasets.describing import NothingFound, described
from capsnet_explorer.datasets.form import Form
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import is_there, read_part
from tests.archives import drawing, zipped

DOCUMENT = Path(__file__).parents[2] / "docs" / "data.md"
FORM = {"image_rows": 32, "image_columns": 32, "image_channels": 3}
BEGINNING = "| layout | understood |"


def pictures(place, names):
    """Write drawings, no two of which are the same."""
    for number, name in enumerate(names):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        kind = "ring" if number % 2 else "bar"
        (place / name).write_bytes(drawing(kind, number))


def named(*classes, each=10, within=""):
    return [
        f"{within}{one}/{number:02}.png" for one in classes for number in range(each)
    ]


def digits(count=40, high=255):
    """Return images (count, 8, 8) of bars, no two the same, and their labels."""
    chosen = np.random.default_rng(0)
    images = np.zeros((count, 8, 8))
    for number, image in enumerate(images):
        image[1:7, 2 + 2 * (number % 2)] = high
        image[:, 7] = chosen.integers(0, high + 1, 8)
    return images, np.arange(count) % 2


def table(place, images, labels, separator=",", header="", point="."):
    rows = [
        separator.join(
            [str(label), *(f"{x:g}".replace(".", point) for x in image.flat)]
        )
        for image, label in zip(images, labels, strict=True)
    ]
    place.write_text("\n".join([*([header] if header else []), *rows]))


def parts_beside_loose_pictures(place):
    pictures(place, [*named("3", "7", within="train/"), "test/a.png", "test/b.png"])


def parts_two_levels_deep(place):
    within = "pets/dataset_{0}/dataset_{0}/"
    for part in ("train", "test"):
        pictures(place, named("cat", "dog", within=within.format(part)))


def parts_within_classes(place):
    for one in ("cat", "dog"):
        pictures(place / one, named("train", each=10) + named("val", each=2))


def capitals(place):
    train = named("Cat", "Dog", within="Training/")
    pictures(place, [*train, *named("cat", "dog", each=2, within="Testing/")])


def one_part(place):
    pictures(place, named("cat", "dog", within="train/"))


def parts_of_no_classes(place):
    pictures(place, ["train/a.png", "train/b.png", "test/c.png"])


def one_folder_called_train(place):
    pictures(place, [*named("cat", "dog", within="train/"), *named("extra")])


def classes_in_files_names(place):
    pictures(place, [f"train/{one}.{k}.png" for one in ("cat", "dog") for k in (1, 2)])
    pictures(place, [f"test1/{k}.png" for k in (1, 2)])


def parts_in_classes_names(place):
    pictures(place, named("trainA", "trainB"))
    pictures(place, named("testA", "testB", each=3))


def groups_of_classes(place):
    pictures(place, named("animals/cat", "animals/dog", "vehicles/car"))


def numbers_as_names(place):
    pictures(place, named(*map(str, range(11)), each=5))


def numbered_words(place):
    pictures(place, named(*(f"class_{number}" for number in range(11)), each=5))


def folds(place):
    for fold in (1, 2, 3):
        pictures(place, named("cat", "dog", each=4, within=f"fold_{fold}/"))


def writers(place):
    for writer in ("ada", "bob", "eve"):
        pictures(place, named("0", "1", each=4, within=f"{writer}/"))


def words_of_other_languages(place):
    for part, each in (("Entraînement", 8), ("Validierungsdaten", 2), ("Testdaten", 2)):
        pictures(place, named("cat", "dog", each=each, within=f"{part}/"))


def wrapped_in_a_part(place):
    for part, each in (("train", 8), ("val", 2)):
        pictures(place, named("cat", "dog", each=each, within=f"test/{part}/"))


def unknown_in_test(place):
    pictures(place, named("cat", "dog", within="train/"))
    pictures(place, named("unknown", within="test/"))


def capitals_in_one_part(place):
    pictures(place, named("Cat", "cat", "dog"))


def masks(place):
    pictures(place, named("images", "masks"))


def mixed_grounds(place):
    pictures(place, named("cat", "dog"))
    for file in (place / "dog").iterdir():
        with Image.open(file) as opened:
            inverted = ImageOps.invert(opened.convert("L"))
        inverted.save(file)


def pages(place):
    images, labels = digits()
    for number, (image, label) in enumerate(zip(images, labels, strict=True)):
        (place / str(label)).mkdir(exist_ok=True)
        first, second = (
            Image.fromarray(x.astype(np.uint8)) for x in (image, 255 - image)
        )
        name = place / f"{label}/{number}.tif"
        first.save(name, save_all=True, append_images=[second])


def damaged_pictures(place):
    pictures(place, named("cat", "dog"))
    (place / "cat/00.png").write_bytes(b"<html>404</html>")


def list_of(place, header, row, name="labels.csv", folder="images"):
    """Write 20 pictures, and a table with a row for each."""
    pictures(place, [f"{folder}/{number:03}.png" for number in range(20)])
    kinds = ("dog", "cat")
    rows = [row(number, kinds[number % 2]) for number in range(20)]
    (place / name).write_text("\n".join([*([header] if header else []), *rows]))


def list_with_parts(place):
    parts = ["train"] * 14 + ["test"] * 6
    list_of(place, "file,split,label", lambda k, own: f"{k:03}.png,{parts[k]},{own}")


def list_of_another_computer(place):
    list_of(place, "path,label", lambda k, own: f"/home/ada/x/images/{k:03}.png,{own}")


def list_of_columns(place):
    list_of(place, "image,cat,dog", lambda k, own: f"{k:03},{k % 2},{1 - k % 2}")


def list_with_spaces(place):
    list_of(place, "", lambda k, own: f"{k:03}.png {own}", name="labels.txt")


def list_without_labels(place):
    list_of(place, "image,age,kind", lambda k, own: f"{k:03},{k % 5},{own}")


def lists_of_parts(place):
    for part, count in (("train", 20), ("test", 8)):
        pictures(place, [f"{part}/{number:03}.png" for number in range(count)])
        rows = [f"{k:03}.png,{'cat' if k % 2 else 'dog'}" for k in range(count)]
        (place / f"{part}.csv").write_text("\n".join(["file,label", *rows]))


def lists_in_parts(place):
    for part, count in (("train", 20), ("test", 8)):
        pictures(place, [f"{part}/images/{k:03}.png" for k in range(count)])
        rows = [f"{k:03}.png,{'cat' if k % 2 else 'dog'}" for k in range(count)]
        (place / part / "labels.csv").write_text("\n".join(["file,label", *rows]))


def guesses(place):
    list_of(place, "id,label", lambda k, own: f"{k:03},{own}", "train.csv", "train")
    pictures(place, [f"test/{number}.png" for number in range(100, 108)])
    rows = [f"{number},cat" for number in range(100, 108)]
    (place / "sample_submission.csv").write_text("\n".join(["id,label", *rows]))


def list_of_labels(place):
    names = [f"images/{number:03}.png" for number in range(20)]
    pictures(place, names)
    rows = [f"{number:03},{'cat' if number % 2 else 'dog'}" for number in range(20)]
    (place / "labels.csv").write_text("\n".join(["id,label", *rows]))


def quoted_labels(place):
    images, labels = digits()
    words = np.array(['"cat, small"', '"cat, large"'])[labels]
    table(place / "all.csv", images, words)


def counted_columns(place):
    images, labels = digits()
    table(place / "all.csv", images, labels, header=",".join(map(str, range(65))))


def decimal_commas(place):
    images, labels = digits(high=1)
    table(place / "all.csv", images / 2, labels, separator=";", point=",")


def empty_cells(place):
    images, labels = digits()
    table(place / "all.csv", images, labels)
    rows = (place / "all.csv").read_text().split("\n")
    rows[4] = re.sub(r",\d+$", ",", rows[4])
    (place / "all.csv").write_text("\n".join(rows))


def to_sixteen(place):
    images, labels = digits(high=16)
    np.savez(place / "digits.npz", images=images, labels=labels)


def to_sixteen_in_a_table(place):
    images, labels = digits(high=16)
    table(place / "digits.csv", images, labels)


def to_sixteen_in_pictures(place):
    images, labels = digits(high=16)
    for number, (image, label) in enumerate(zip(images, labels, strict=True)):
        (place / str(label)).mkdir(exist_ok=True)
        Image.fromarray(image.astype(np.uint8)).save(place / f"{label}/{number}.png")


def about_zero(place):
    images, labels = digits(high=1)
    np.savez(place / "digits.npz", images=2 * images - 1, labels=labels)


def letters_one_to_ten(place):
    images, _ = digits()
    labels = np.arange(40) % 10 + 1
    table(place / "emnist-letters-train.csv", images, labels)


def training_arrays_alone(place):
    images, labels = digits()
    np.savez(place / "own.npz", x_train=images, y_train=labels)


def arrays_without_names(place):
    images, labels = digits()
    np.savez(place / "own.npz", images[:30], labels[:30], images[30:], labels[30:])


def arrays_that_name_classes(place):
    images, labels = digits()
    names = np.array(["bar", "cross", "dot"])
    np.savez(place / "own.npz", classes=names, data=images, target=labels + 1)


def arrays_beside_names(place):
    training_arrays_alone(place)
    (place / "classes.txt").write_text("bar\ncross\n")


def arrays_alike(place):
    images, labels = digits()
    np.savez(place / "own.npz", images, labels, labels)


def doubled(place):
    pictures(place, named("cat", "dog", within="train/"))
    pictures(place, named("cat", "dog", within="test/"))


def in_two_classes(place):
    pictures(place, named("cat", "dog"))
    (place / "cat/99.png").write_bytes((place / "dog/00.png").read_bytes())


def ranges_that_differ(place):
    images, labels = digits()
    np.savez(
        place / "own.npz",
        x_train=images[:30],
        y_train=labels[:30],
        x_test=images[30:] / 255,
        y_test=labels[30:],
    )


def nearly_black(place):
    images, labels = digits(high=40)
    np.savez(place / "own.npz", images=images.astype(np.uint8), labels=labels)


def dark_on_light(place):
    images, labels = digits()
    np.savez(place / "own.npz", images=255 - images, labels=labels)


def class_folders_as_links(place):
    pictures(place / "real", named("one", "four"))
    (place / "four").symlink_to("real/four")
    (place / "one").symlink_to(place / "real" / "one")


def archive_of(names, start=0):
    return zipped({name: drawing("bar", start + k) for k, name in enumerate(names)})


def archives_of_classes(place):
    for number, one in enumerate(("cat", "dog")):
        names = [f"{k}.png" for k in range(10)]
        content = archive_of(names, 10 * number)
        (place / f"{one}-samples.zip").write_bytes(content)


def archive_of_archives(place):
    inner = archive_of(named("cat", "dog", within="pets/"))
    (place / "download.zip").write_bytes(zipped({"ada/pets.zip": inner}))


def tar_of_pictures(place):
    with tarfile.open(place / "pets.tar.gz", "w:gz") as archive:
        for number, name in enumerate(named("cat", "dog")):
            content = drawing("bar", number)
            member = tarfile.TarInfo(f"pets/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def arrays_of_classes(place):
    images, labels = digits()
    rows = images.astype(np.uint8).reshape(len(images), -1)
    for label, name in enumerate(("cat", "car")):
        np.save(place / f"full_numpy_bitmap_{name}.npy", rows[labels == label])


def pickled_batches(place):
    folder = place / "cifar-10-batches-py"
    folder.mkdir()
    chosen = np.random.default_rng(0)
    for name, count in (
        *((f"data_batch_{k}", 10) for k in range(1, 6)),
        ("test_batch", 6),
    ):
        rows = chosen.integers(0, 256, (count, 3072)).astype(np.uint8)
        content = {b"data": rows, b"labels": [k % 2 for k in range(count)]}
        (folder / name).write_bytes(pickle.dumps(content, protocol=2))
    meta = {b"label_names": [b"airplane", b"automobile"]}
    (folder / "batches.meta").write_bytes(pickle.dumps(meta, protocol=2))


def house_numbers(place):
    savemat = pytest.importorskip("scipy.io").savemat
    images, labels = digits()
    colour = np.repeat(images[..., None], 3, axis=3).transpose(1, 2, 3, 0)
    for part, chosen in (("train", slice(0, 30)), ("test", slice(30, 40))):
        content = {
            "X": colour[..., chosen].astype(np.uint8),
            "y": labels[chosen, None] + 9,
        }
        savemat(place / f"{part}_8x8.mat", content, do_compression=part == "train")


def beside_a_parquet_file(place):
    pictures(place, named("cat", "dog"))
    (place / "train.parquet").write_bytes(b"PAR1")


def a_parquet_file_alone(place):
    (place / "train.parquet").write_bytes(b"PAR1")


def drawings_of_lines(place):
    for one in ("cat", "dog"):
        (place / one).mkdir()
        (place / one / "1.svg").write_text("<svg/>")


def without_a_label(place):
    pictures(place, named("cat", "dog", "unlabeled"))


def parts_as_endings(place):
    pictures(place, named("one_training", "zero_testing"))


def one_of_another_kind(place):
    pictures(place, named(*map(str, range(5)), "misc"))


def accents_in_two_ways(place):
    pictures(place, named("caf\u00e9", "cafe\u0301", "th\u00e9"))
    if len({*place.iterdir()}) < 3:
        pytest.skip("this disk takes both for one name")


def in_two_forms(place):
    pictures(place, named("cat", "dog"))
    with Image.open(place / "cat/00.png") as opened:
        opened.save(place / "dog/99.bmp")


def listed_test_pictures(place):
    """As GTSRB has them: folders of classes in Train, and a table of loose pictures."""
    pictures(place, named("00000", "00001", within="Train/"))
    pictures(place, [f"Test/{number:05}.png" for number in range(15)])
    rows = [f"48,48,{k % 2},Test/{k:05}.png" for k in range(15)]
    (place / "Test.csv").write_text("\n".join(["Width,Height,ClassId,Path", *rows]))


def several_tags(place):
    tags = ["one", "four", "one four"]
    list_of(place, "file,tags", lambda k, own: f"{k:03}.png,{tags[k % 3]}")


def boxes(place):
    pictures(place, named("cat", "dog"))
    content = {"images": [], "annotations": [], "categories": []}
    (place / "instances.json").write_text(json.dumps(content))
    (place / "cat" / "00.txt").write_text("0 0.5 0.5 0.2 0.2\n")


def boxes_in_a_table(place):
    list_of(place, "filename,class,xmin,ymin", lambda k, own: f"{k:03}.png,{own},1,2")
    with (place / "labels.csv").open("a") as file:
        file.write("\n000.png,cat,3,4")


def labels_as_json(place):
    pictures(place, [f"images/{number:03}.png" for number in range(20)])
    content = {f"{k:03}.png": "cat" if k % 2 else "dog" for k in range(20)}
    (place / "labels.json").write_text(json.dumps(content))


def labels_as_lines(place):
    pictures(place, [f"{number:03}.png" for number in range(20)])
    rows = [{"file_name": f"{k:03}.png", "label": k % 2} for k in range(20)]
    (place / "metadata.jsonl").write_text("\n".join(map(json.dumps, rows)))


def mangled_header(place):
    images, labels = digits()
    header = "5,0," + ",".join(f"0.{number}" for number in range(1, 64))
    table(place / "all.csv", images, labels, header=header)


def percents(place):
    images, labels = digits(high=100)
    np.savez(place / "own.npz", images=images, labels=labels)


def lines_and_pictures_that_are_missing(place):
    list_of(place, "file,label", lambda k, own: f"{k:03}.png,{own}")
    with (place / "labels.csv").open("a") as file:
        file.write("\ngone.png,cat\n001.png,dog,brown\n002.png,")


def zipped_part(place):
    (place / "train.zip").write_bytes(
        zipped({name: drawing("bar", k) for k, name in enumerate(named("a", "b"))})
    )


# What stands in the first column, how it is made, the classes, how many images each
# part has, and what is told.
CASES = {
    "`train/3`, `train/7`, and pictures directly in `test`": (
        *(parts_beside_loose_pictures, ["3", "7"], (16, 4)),
        "pictures for test in folders of no class (2, such as test/a.png)",
    ),
    "`pets/dataset_train/dataset_train/cat`, `…/dataset_test/…`": (
        *(parts_two_levels_deep, ["cat", "dog"], (20, 20)),
        "",
    ),
    "`cat/train`, `cat/val`, `dog/train`, `dog/val`": (
        *(parts_within_classes, ["cat", "dog"], (20, 4)),
        "",
    ),
    "`Training/Cat`, `Testing/cat`": (
        *(capitals, ["Cat", "Dog"], (20, 4)),
        "cat in the test part is taken for Cat.",
    ),
    "`train` alone, a folder or `train.zip`": (
        *(one_part, ["cat", "dog"], (16, 4)),
        "every fifth picture of a class is for the test",
    ),
    "pictures directly in `train` and `test`": (
        *(parts_of_no_classes, None, None),
        "in no folders of classes. Say which by --folders parts or --folders classes",
    ),
    "pictures called `cat.0.jpg`, `dog.0.jpg` … directly in `train`": (
        *(classes_in_files_names, None, None),
        r"begin with cat, dog: if these are the classes, each needs a folder\). Say",
    ),
    "`trainA`, `trainB`, `testA`, `testB`, or `train_cat`, `train_dog`, `test_cat` …": (
        *(parts_in_classes_names, ["A", "B"], (20, 6)),
        "Folders' names say part and class: trainA is A in the training part.",
    ),
    "`animals/cat`, `animals/dog`, `vehicles/car`": (
        *(groups_of_classes, ["animals", "vehicles"], (24, 6)),
        "All pictures in the folders of animals (cat, dog) are of the class animals.",
    ),
    "`train` with folders in it, beside another folder": (
        *(one_folder_called_train, None, None),
        "extra stand beside it. Say which by --folders parts or --folders classes",
    ),
    "folders `0` to `10`": (
        *(numbers_as_names, [str(x) for x in range(11)], (44, 11)),
        "",
    ),
    "folders `class_0` to `class_10`": (
        *(numbered_words, [f"class_{x}" for x in range(11)], (44, 11)),
        "",
    ),
    "`fold_1/cat`, `fold_1/dog`, `fold_2/cat` …": (
        *(folds, ["cat", "dog"], (20, 4)),
        "fold_1, fold_2, fold_3 divide the pictures: classes are the folders in them.",
    ),
    "`ada/0`, `ada/1`, `bob/0`, `bob/1` …": (
        *(writers, None, None),
        "ada, bob, eve each have the folders 0, 1 in them. Say which by --folders",
    ),
    "`Entraînement`, `Validierungsdaten`, `Testdaten`": (
        *(words_of_other_languages, ["cat", "dog"], (16, 4)),
        "",
    ),
    "`test/train/cat`, `test/val/cat`": (
        *(wrapped_in_a_part, ["cat", "dog"], (16, 4)),
        "",
    ),
    "`train/cat`, `train/dog`, and `test/unknown`": (
        *(unknown_in_test, ["cat", "dog"], (16, 4)),
        "pictures for test of no class that is trained on (10, such as test/unknown",
    ),
    "`Cat` beside `cat`": (
        *(capitals_in_one_part, ["Cat", "cat", "dog"], (24, 6)),
        "the classes Cat and cat differ in capitals alone",
    ),
    "`images` and `masks`": (
        *(masks, ["images", "masks"], (16, 4)),
        "the classes are called images, masks, which says nothing",
    ),
    "some pictures light on dark, others dark on light": (
        *(mixed_grounds, ["cat", "dog"], (16, 4)),
        "8 are light on dark and 8 are dark on light",
    ),
    "files of several pages, frames or sizes": (
        *(pages, ["0", "1"], (32, 8)),
        "40 of 40 files have several pages, frames or sizes: the first is used",
    ),
    "`labels.csv` of file names and labels, beside a folder of pictures": (
        *(list_of_labels, ["cat", "dog"], (16, 4)),
        "Classes are those that labels.csv lists.",
    ),
    "such a table with a column `split`": (
        *(list_with_parts, ["cat", "dog"], (14, 6)),
        "Classes are those that labels.csv lists.",
    ),
    "such a table with folders of another computer": (
        *(list_of_another_computer, ["cat", "dog"], (16, 4)),
        "Classes are those that labels.csv lists.",
    ),
    "such a table with a column for each class": (
        *(list_of_columns, ["cat", "dog"], (16, 4)),
        "Classes are those that labels.csv lists.",
    ),
    "`labels.txt`, with spaces between name and label": (
        *(list_with_spaces, ["cat", "dog"], (16, 4)),
        "Classes are those that labels.txt lists.",
    ),
    "such a table with several columns, none called `label`": (
        *(list_without_labels, None, None),
        "call the column of their labels label, got image, age, kind",
    ),
    "`train.csv`, `test.csv` and folders whose files have the same names": (
        *(lists_of_parts, ["cat", "dog"], (20, 8)),
        "Classes are those that test.csv, train.csv list.",
    ),
    "`train/labels.csv`, `test/labels.csv` and pictures of the same names": (
        *(lists_in_parts, ["cat", "dog"], (20, 8)),
        "Classes are those that test/labels.csv, train/labels.csv list.",
    ),
    "`train.csv`, and `sample_submission.csv` for pictures in `test`": (
        *(guesses, ["cat", "dog"], (16, 4)),
        "Left out: .csv (1: sample_submission.csv), pictures that no table lists (8,",
    ),
    'CSV with labels such as `"cat, small"`': (
        *(quoted_labels, ["cat, large", "cat, small"], (32, 8)),
        "",
    ),
    "CSV whose first line counts the columns": (
        *(counted_columns, ["0", "1"], (32, 8)),
        "",
    ),
    "CSV with decimal commas": (
        *(decimal_commas, None, None),
        r"all\.csv, line 1 .*: write 0,5 with a point, 0\.5",
    ),
    "CSV with empty cells": (
        *(empty_cells, None, None),
        r"all\.csv, line 5 must have 64 numbers .*: column 65 is empty",
    ),
    "arrays of 0 to 16": (
        *(to_sixteen, ["0", "1"], (32, 8)),
        "Numbers from 0 to 16 are taken as black to white.",
    ),
    "CSV of 0 to 16": (
        *(to_sixteen_in_a_table, ["0", "1"], (32, 8)),
        "Numbers from 0 to 16 are taken as black to white.",
    ),
    "pictures of 0 to 16": (
        *(to_sixteen_in_pictures, ["0", "1"], (32, 8)),
        "Numbers from 0 to 16 are taken as black to white.",
    ),
    "arrays of −1 to 1": (
        *(about_zero, ["0", "1"], (32, 8)),
        "Numbers from -1 to 1 are taken as black to white.",
    ),
    "`emnist-letters-train.csv`, cut to labels 1 to 10": (
        *(letters_one_to_ten, [*"ABCDEFGHIJ"], (30, 10)),
        "",
    ),
    "`x_train` and `y_train` alone": (
        *(training_arrays_alone, ["0", "1"], (32, 8)),
        "",
    ),
    "such arrays beside `target_names`, `class_names` or `classes`": (
        *(arrays_that_name_classes, ["cross", "dot"], (32, 8)),
        "",
    ),
    "such arrays, a CSV file or MNIST's files beside `classes.txt`": (
        *(arrays_beside_names, ["bar", "cross"], (32, 8)),
        "",
    ),
    "arrays without names, of clear shapes": (
        *(arrays_without_names, ["0", "1"], (30, 10)),
        "",
    ),
    "arrays without names that could be either": (
        *(arrays_alike, None, None),
        r"got arr_0 \(40 x 8 x 8\), arr_1 \(40\), arr_2 \(40\)",
    ),
    "the same pictures in `train` and `test`": (
        *(doubled, ["cat", "dog"], (20, 20)),
        "20 pictures of the 20 for test are among the training pictures, too",
    ),
    "a picture in two classes": (
        *(in_two_classes, ["cat", "dog"], (17, 4)),
        "1 picture is in two classes or more",
    ),
    "test images of another range than the training images": (
        *(ranges_that_differ, ["0", "1"], (30, 10)),
        "for test: the images are nearly black",
    ),
    "arrays that are nearly black": (
        *(nearly_black, ["0", "1"], (32, 8)),
        "the images are nearly black",
    ),
    "arrays of dark ink on light": (
        *(dark_on_light, ["0", "1"], (32, 8)),
        "the images are dark on light",
    ),
    "links to folders, such as `one → real/one`": (
        *(class_folders_as_links, ["four", "one"], (16, 4)),
        "",
    ),
    "a zip or tar file for each class": (
        *(archives_of_classes, ["cat", "dog"], (16, 4)),
        "",
    ),
    "a zip file of zip files, one deep": (
        *(archive_of_archives, ["cat", "dog"], (16, 4)),
        "",
    ),
    "`.tar`, `.tar.gz`, `.tar.bz2` or `.tar.xz`": (
        *(tar_of_pictures, ["cat", "dog"], (16, 4)),
        "",
    ),
    "an array for each class, such as Quick, Draw!'s `.npy`": (
        *(arrays_of_classes, ["car", "cat"], (32, 8)),
        "Each array is a class: car, cat.",
    ),
    "`cifar-10-batches-py`, and CIFAR-100's": (
        *(pickled_batches, ["airplane", "automobile"], (50, 6)),
        "The images are in colour, 32 rows of 32 pixels.",
    ),
    "`train_32x32.mat` and `test_32x32.mat` (SVHN), of MATLAB's version 5": (
        *(house_numbers, ["9", "0"], (30, 10)),
        "The last axis of X (8 x 8 x 3 x 30) counts the images, as MATLAB has it.",
    ),
    "a file of a form that is not read, beside others": (
        *(beside_a_parquet_file, ["cat", "dog"], (16, 4)),
        "train.parquet is a Parquet file and cannot be read: write its pictures as PNG",
    ),
    "such a file alone": (
        *(a_parquet_file_alone, None, None),
        r"train\.parquet is a Parquet file and cannot be read: write its pictures",
    ),
    "SVG drawings": (
        *(drawings_of_lines, None, None),
        r"1\.svg is an SVG drawing and cannot be read: export them as PNG",
    ),
    "`cat`, `dog` and `unlabeled`, or `unknown`, `to_predict` …": (
        *(without_a_label, None, None),
        "unlabeled is called as pictures without a label are",
    ),
    "`one_training` and `zero_testing`": (
        *(parts_as_endings, None, None),
        r"folders beside others mean parts \(one_training, zero_testing\)",
    ),
    "`misc` beside `0` to `4`, or `cat - Copy` beside `cat`": (
        *(one_of_another_kind, ["0", "1", "2", "3", "4", "misc"], (48, 12)),
        "the class misc is called unlike all others",
    ),
    "two folders `café`, stored in two ways (NFC and NFD)": (
        *(accents_in_two_ways, ["caf\u00e9", "th\u00e9"], (24, 6)),
        "they are one class",
    ),
    "the same picture in two classes, as `.png` and `.bmp`": (
        *(in_two_forms, ["cat", "dog"], (17, 4)),
        "1 picture is in two classes or more",
    ),
    "`Test.csv` beside `Train/00000`, `Train/00001` … (GTSRB)": (
        *(listed_test_pictures, ["00000", "00001"], (20, 15)),
        "Classes of pictures for test are those that Test.csv lists.",
    ),
    "such a table with several tags in a cell": (
        *(several_tags, None, None),
        r"labels\.csv gives some pictures several labels \(one four\)",
    ),
    "COCO's JSON, YOLO's text or Pascal VOC's XML beside pictures": (
        *(boxes, ["cat", "dog"], (16, 4)),
        "instances.json is a list of boxes or outlines in pictures, and a network here",
    ),
    "such a table with boxes, several for a picture": (
        *(boxes_in_a_table, None, None),
        r"several labels \(dog and cat for .*images/000\.png\)",
    ),
    "`labels.json`": (
        *(labels_as_json, ["cat", "dog"], (16, 4)),
        "Classes are those that labels.json lists.",
    ),
    "`metadata.jsonl`": (
        *(labels_as_lines, ["0", "1"], (16, 4)),
        "Classes are those that metadata.jsonl lists.",
    ),
    "such a table with lines that are too long, or of pictures that are not there": (
        *(lines_and_pictures_that_are_missing, ["cat", "dog"], (16, 4)),
        "Left out of labels.csv: 1 line with another number of columns",
    ),
    "CSV whose first line is `5,0,0.1,0.2 …`, as pandas writes it": (
        *(mangled_header, ["0", "1"], (32, 8)),
        "that image is lost",
    ),
    "arrays of 0 to 100": (
        *(percents, ["0", "1"], (32, 8)),
        "no value is above 100, where 255 is white",
    ),
}


def rows():
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n")
    start = lines.index(BEGINNING) + 2
    end = next(k for k in range(start, len(lines)) if not lines[k].startswith("|"))
    return [line.split(" | ")[0].removeprefix("| ") for line in lines[start:end]]


def test_each_row_of_the_document_is_tried():
    assert rows() == [*CASES]


@pytest.mark.parametrize("layout", CASES)
def test_a_layout_is_understood_as_the_document_says(layout, tmp_path):
    make, classes, counts, told = CASES[layout]
    make(tmp_path)
    if classes is None:
        with pytest.raises((BrokenFile, NothingFound), match=told):
            described(tmp_path)
        return
    found = described(tmp_path)
    assert [*found.counts["training"]] == classes
    sums = tuple(sum(found.counts[part].values()) for part in ("training", "test"))
    assert sums == counts
    assert told in " ".join([*found.lines, *found.warnings])
    # What is described can be read so, and is as bright as it should be.
    for part, count in zip((True, False), counts, strict=True):
        images, labels = read_part(found.dataset, tmp_path, train=part)
        assert len(labels) == len(images) == count
    if "16" in layout or "−1" in layout:
        assert np.asarray(images).max(axis=(1, 2, 3)).min() == 255
        assert np.asarray(images).min() == 0


def test_a_zip_file_of_the_training_part_is_divided_as_its_folder_is(tmp_path):
    zipped_part(tmp_path)
    found = described(tmp_path / "train.zip")
    assert [*found.counts["training"].values()] == [8, 8]
    assert [*found.counts["test"].values()] == [2, 2]


def test_folders_of_writers_are_what_people_say(tmp_path):
    writers(tmp_path)
    found = described(tmp_path, "parts")
    assert [*found.counts["training"]] == ["0", "1"]
    assert "ada, bob, eve divide the pictures" in " ".join(found.lines)
    found = described(tmp_path, "classes")
    assert [*found.counts["training"]] == ["ada", "bob", "eve"]


def test_a_part_that_no_name_tells_is_for_training_if_people_say_parts(tmp_path):
    for part in ("learning", "test"):
        pictures(tmp_path, named("cat", "dog", within=f"{part}/"))
    with pytest.raises(BrokenFile, match="each have the folders cat, dog in them"):
        described(tmp_path)
    found = described(tmp_path, "parts")
    assert [*found.counts["training"].values()] == [10, 10]
    assert [*found.counts["test"].values()] == [10, 10]
    assert "Taken for the training part: learning." in found.lines


def test_no_command_is_promised_while_a_picture_is_damaged(tmp_path):
    damaged_pictures(tmp_path)
    found = described(tmp_path)
    last = found.text(tmp_path).rpartition("\n")[2]
    assert last.startswith("Once files that are no pictures are mended or gone")
    assert "cat/00.png must be a picture" in " ".join(found.warnings)


def test_whoever_says_what_folders_are_gets_a_command_that_says_so(tmp_path):
    parts_of_no_classes(tmp_path)
    found = described(tmp_path, "classes")
    assert [*found.counts["training"]] == ["test", "train"]
    assert found.text(tmp_path).endswith("--folders classes")
    assert is_there(found.dataset, tmp_path)
    assert not is_there(DATASETS["folder"], tmp_path)
    card = {"dataset": "folder", "folders": "classes", "config": FORM}
    assert dataset_of(card) == replace(found.dataset, form=Form())
