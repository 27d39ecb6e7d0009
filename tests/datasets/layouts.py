"""Makes the folders that `layouts.txt` describes, three lines for each.

The first line names a layout, as docs/data.md does. The second has its files, in
words as of a shell: `cat*10` are ten pictures in a folder, `a.png` is one,
`b.bmp@a.png` is another's copy, `x.txt=text` has this text, and `x.csv<file,label|\
{k}.png,{kind}*8` a header and 8 rows. `own.npz:x=x,y=y` are arrays, and `all.csv:` is a
table, of the images x and the labels y of `digits`, whose white is 16 after `:16;`.
`=name` is made here. The third line has the classes, the images of both parts, and what
is told; or, after `refused:`, why it is not understood. For `…`, anything may stand.
"""

import json
import os
import pickle
import re
import shlex
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.archives import drawing, zipped

LAYOUTS = Path(__file__).with_name("layouts.txt")
OTHERS = "# Not in the document"
WORDS = {  # that rows have in turn
    "odd": [0, 1],
    "even": [1, 0],
    "kind": ["dog", "cat"],
    "split": [*["train"] * 14, *["test"] * 6],
    "tags": ["one", "four", "one four"],
    "signs": ["one", "four", "one/four"],
    "unlabelled": ["cat", "unlabelled"],
    "capitals": ["cat", "Cat"],
}


def cases():
    """Return the files, classes, counts and words of each layout, by its name."""
    lines = [x for x in LAYOUTS.read_text("utf-8").splitlines() if x != OTHERS]
    blocks = {}
    for name, files, answer in zip(*(lines[k::3] for k in range(3)), strict=True):
        classes, _, rest = answer.strip().partition(": ")
        numbers, _, sentences = rest.partition("; ")
        if classes == "refused":
            blocks[name] = files.strip(), None, (), rest.split(" … ")
        else:
            counts = [int(count) for count in numbers.split(" + ")]
            blocks[name] = files.strip(), classes, counts, sentences.split(" … ")
    return blocks


def lay_out(folder, files):
    """Write the files of a layout into a folder."""
    start = 0
    for token in shlex.split(files):
        name, sign, content = re.fullmatch(r"([^<=*:@]*)([<=*:@]?)(.*)", token).groups()
        match sign:
            case "<":
                table_of(folder, name, content)
            case "=":
                written(folder / name, content) if name else globals()[content](folder)
            case ":":
                numbers(folder / name, content)
            case "@":
                with Image.open(folder / content) as opened:
                    opened.save(folder / name)
            case _:
                names = named(name, count=int(content)) if content else [name]
                pictures(folder, names, start)
                start += len(names)


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("\\n", "\n").replace("\\t", "\t"))


def pictures(folder, names, start=0):
    """Write drawings, no two of which are the same."""
    for number, name in enumerate(names, start):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        kind = "ring" if number % 2 else "bar"
        (folder / name).write_bytes(drawing(kind, number))


def named(*classes, count=10, within=""):
    return [
        f"{within}{name}/{number:02}.png" for name in classes for number in range(count)
    ]


def table_of(folder, name, content):
    content, _, count = content.rpartition("*")
    header, _, row = content.partition("|")
    rows = [
        row.format(k=k, **{word: some[k % len(some)] for word, some in WORDS.items()})
        for k in range(int(count))
    ]
    written(folder / name, "\n".join([*([header] if header else []), *rows]))


def digits(count=40, high=255):
    """Return images (count, 8, 8) of bars, no two the same, and their labels."""
    chosen = np.random.default_rng(0)
    images = np.zeros((count, 8, 8))
    for number, image in enumerate(images):
        image[1:7, 2 + 2 * (number % 2)] = high
        image[:, 7] = chosen.integers(0, high + 1, 8)
    return images, np.arange(count) % 2


def table(path, images, labels, separator=",", header="", point="."):
    rows = [
        separator.join(
            [str(label), *(f"{x:g}".replace(".", point) for x in image.flat)]
        )
        for image, label in zip(images, labels, strict=True)
    ]
    path.write_text("\n".join([*([header] if header else []), *rows]))


def archive_of(names, start=0):
    return zipped({name: drawing("bar", start + k) for k, name in enumerate(names)})


def numbers(path, content):
    """Write images and labels, as expressions in x and y say."""
    high, _, content = content.rpartition(";")
    x, y = digits(high=int(high or 255))
    names = {"x": x, "y": y, "rows": x.astype(np.uint8).reshape(len(x), -1)}
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".npy":
        np.save(path, eval(content, globals(), names))
        return
    arrays = eval(f"dict({content})", globals(), names)
    if path.suffix == ".npz":
        np.savez(path, **arrays)
    else:
        table(path, **({"images": x, "labels": y} | arrays))


def inverted_dogs(folder):
    for file in (folder / "dog").iterdir():
        with Image.open(file) as opened:
            inverted = ImageOps.invert(opened.convert("L"))
        inverted.save(file)


def pages(folder):
    for number, (image, label) in enumerate(zip(*digits(), strict=True)):
        (folder / str(label)).mkdir(exist_ok=True)
        first, second = (
            Image.fromarray(x.astype(np.uint8)) for x in (image, 255 - image)
        )
        name = folder / f"{label}/{number}.tif"
        first.save(name, save_all=True, append_images=[second])


def to_sixteen(folder):
    for number, (image, label) in enumerate(zip(*digits(high=16), strict=True)):
        (folder / str(label)).mkdir(exist_ok=True)
        Image.fromarray(image.astype(np.uint8)).save(folder / f"{label}/{number}.png")


def empty_cells(folder):
    numbers(folder / "all.csv", "")
    rows = (folder / "all.csv").read_text().split("\n")
    rows[4] = rows[4].rpartition(",")[0] + ","
    (folder / "all.csv").write_text("\n".join(rows))


def doubled(folder):
    for part in ("train", "test"):
        pictures(folder, named("cat", "dog", within=f"{part}/"))


def class_links(folder):
    (folder / "four").symlink_to("real/four")
    (folder / "one").symlink_to(folder / "real" / "one")


def archives_of_classes(folder):
    for number, name in enumerate(("cat", "dog")):
        names = [f"{k}.png" for k in range(10)]
        content = archive_of(names, 10 * number)
        (folder / f"{name}-samples.zip").write_bytes(content)


def archive_of_archives(folder):
    inner = archive_of(named("cat", "dog", within="pets/"))
    (folder / "download.zip").write_bytes(zipped({"ada/pets.zip": inner}))


def tar_of_pictures(folder):
    pictures(folder / "pets", named("cat", "dog"))
    tarred(folder, "pets")


def tarred(folder, name):
    with tarfile.open(folder / "own.tar.gz", "w:gz") as archive:
        archive.add(folder / name, name)
    for file in sorted((folder / name).rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    (folder / name).rmdir()


def table_in_an_archive_in_one(folder):
    """As Kaggle packs its files, and people the whole."""
    numbers(folder / "train.csv", "")
    inner = zipped({"train.csv": (folder / "train.csv").read_bytes()})
    (folder / "train.csv").unlink()
    (folder / "own.zip").write_bytes(zipped({"train.csv.zip": inner, "notes.md": b""}))


def arrays_in_a_tar_file(folder):
    (folder / "deep" / "inner").mkdir(parents=True)
    numbers(folder / "deep" / "inner" / "own.npz", "x_train=x,y_train=y")
    tarred(folder, "deep")


def pickled_batches(folder):
    folder = folder / "cifar-10-batches-py"
    folder.mkdir()
    chosen = np.random.default_rng(0)
    for name in (*(f"data_batch_{k}" for k in range(1, 6)), "test_batch"):
        rows = chosen.integers(0, 256, (10, 3072)).astype(np.uint8)
        content = {b"data": rows, b"labels": [k % 2 for k in range(10)]}
        (folder / name).write_bytes(pickle.dumps(content, protocol=2))
    meta = {b"label_names": [b"airplane", b"automobile"]}
    (folder / "batches.meta").write_bytes(pickle.dumps(meta, protocol=2))


def batch_alone(folder):
    pickled_batches(folder)
    for file in (folder / "cifar-10-batches-py").iterdir():
        if file.name != "data_batch_1":
            file.unlink()


def saved_by_matlab(folder, name="own.mat", *, is_packed=False, **content):
    scipy = pytest.importorskip("scipy.io")
    scipy.savemat(folder / name, content, do_compression=is_packed)


def house_numbers(folder):
    images, labels = digits()
    colour = np.repeat(images[..., None], 3, axis=3).transpose(1, 2, 3, 0)
    for part, chosen in (("train", slice(0, 30)), ("test", slice(30, 40))):
        some = colour[..., chosen].astype(np.uint8)
        saved_by_matlab(folder, f"{part}_8x8.mat", X=some, y=labels[chosen, None] + 9)


def structures(folder):
    saved_by_matlab(folder, dataset={"images": digits()[0]})


def accents_in_two_ways(folder):
    pictures(folder, named("caf\u00e9", "cafe\u0301", "th\u00e9"))
    if len({*folder.iterdir()}) < 3:
        pytest.skip("this disk takes both for one name")


def accents_in_parts(folder):
    pictures(folder, named("caf\u00e9", "the", within="train/"))
    pictures(folder, named("cafe\u0301", "the", within="test/"))


def accents_in_a_table(folder):
    pictures(folder, [f"ca\u0301t{k}.png" for k in range(20)])
    table_of(folder, "labels.csv", "file,label|c\u00e1t{k}.png,{kind}*20")


def boxes(folder):
    content = {"images": [], "annotations": [], "categories": []}
    (folder / "instances.json").write_text(json.dumps(content))


def training_files_alone(folder):
    from capsnet_explorer.datasets.catalogue import TRAINING
    from capsnet_explorer.datasets.idx import write_idx

    for name, array in zip(TRAINING, digits(), strict=True):
        write_idx(folder / name, array)


def unnamed_pictures(folder):
    for file in [*folder.rglob("*.png")]:
        file.rename(file.with_suffix(""))


def odd_files(folder):
    os.mkfifo(folder / "cat" / "99.png") if hasattr(os, "mkfifo") else None
    (folder / "bird").symlink_to(folder / "gone")
    (folder / "cat" / "again").symlink_to(folder)
    (folder / "fox").mkdir()


def transparent(folder):
    for file in folder.rglob("*.png"):
        with Image.open(file) as opened:
            ink = ImageOps.invert(opened.convert("L"))
        picture = Image.new("RGBA", ink.size)
        picture.putalpha(ink)
        picture.save(file)


def encrypted(folder):
    content = bytearray(archive_of(named("cat", "dog")))
    for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(start)
        while at >= 0:
            content[at + offset] |= 1
            at = content.find(start, at + 1)
    (folder / "own.zip").write_bytes(content)


def phone_pictures(folder):
    pytest.importorskip("pillow_heif").register_heif_opener()
    Image.new("RGB", (64, 64), "red").save(folder / "cat" / "99.heic")


def ascii_pictures(folder):
    for number, (image, label) in enumerate(zip(*digits(), strict=True)):
        rows = "\\n".join(" ".join(f"{x:g}" for x in row) for row in image)
        written(folder / f"s{label + 1}/{number}.pgm", f"P2\\n8 8\\n255\\n{rows}")


MANGLED = ",".join(["5", "0.000", *(f"0.000.{number}" for number in range(1, 64))])
COUNTED = ",".join(map(str, range(65)))
