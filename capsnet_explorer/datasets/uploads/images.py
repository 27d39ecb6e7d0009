"""What an upload is made into: images and labels, of pictures, tables or arrays."""

import os
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from capsnet_explorer.datasets import archives
from capsnet_explorer.datasets.arranging import (
    Arranged,
    Part,
    arranged,
    in_order,
    is_picture,
)
from capsnet_explorer.datasets.arrays import range_words
from capsnet_explorer.datasets.catalogue import NAMES_FILE
from capsnet_explorer.datasets.describing import (
    arrays_of,
    dataset_in,
    pages_words,
    skipped_words,
)
from capsnet_explorer.datasets.form import Form
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.listing import arranged_with, is_list
from capsnet_explorer.datasets.looks import Looks, looks_of
from capsnet_explorer.datasets.pictures import divided, formed, mixed
from capsnet_explorer.datasets.text import some_of, text_of, wide_encoding
from capsnet_explorer.datasets.uploads.folder import UNPACKED, UPLOAD
from capsnet_explorer.pictures.decoding.errors import Refusal
from capsnet_explorer.pictures.decoding.frames import has_further_pages
from capsnet_explorer.pictures.reading.decoder_process import (
    DecoderDied,
    DecoderProcess,
    NotStarted,
)

MOST_PICTURES = 100_000
MOST_PIXELS = 400 << 20  # bytes of all images of a set
MOST_CLASSES = 256  # labels are bytes
MOST_TABLE = 2 << 30  # bytes of a table or of arrays, unpacked
VALIDATION = "The pictures for validation are trained on, too."
LOOKED_AT = 60  # pictures that tell how the others look
NEEDED = (
    "a set needs folders with pictures, one for each class, in a zip file; or a CSV "
    "file with labels; or NumPy's arrays of images and labels"
)

Tell = Callable[[int, int], object]  # how many of all pictures are read


class NoSet(ValueError):
    """The upload makes no set; the message says what is needed."""


class Unclear(NoSet):
    """Folders can be meant in two ways; the message asks which."""


@dataclass(slots=True)
class Made:
    """What an upload was understood as, before it is written.

    Attributes:
        class_names: one for each class.
        images: of each part, (count, channels, rows, columns).
        labels: of each part, (count).
        form: of the images, where they were made of pictures.
        lines: sentences on what was understood.
        warnings: sentences on what is strange.
    """

    class_names: list[str]
    images: dict[str, np.ndarray]
    labels: dict[str, np.ndarray]
    form: Form | None
    lines: list[str]
    warnings: list[str]


class Decoder:
    """Decodes pictures in a process that may die of them."""

    def __init__(self) -> None:
        self._process: DecoderProcess | None = None

    def decode(self, data: bytes) -> Image.Image | None:
        """Return an upright picture; None where the file yields none."""
        if self._process is None:
            self._process = DecoderProcess()
        try:
            return self._process.decode(data)
        except Refusal:
            return None
        except DecoderDied:
            self._process = None
            return None
        except NotStarted:
            raise NoSet("no process could be started to decode pictures") from None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()


def made_of(folder: Path, request: Mapping[str, Any], tell: Tell) -> Made:
    """Make images of the upload in a set's folder.

    Args:
        folder: the set's.
        request: the name of the upload, and what is asked of its images: any of
            `size`, `channels`, `inverted`, `left_out`, names of classes, and
            `folders`, what the outermost ones are.
        tell: told of progress.

    Raises:
        Unclear: people have to say what its folders are.
        NoSet: it makes no set.
        BrokenFile: it is damaged, or exceeds a limit.
        FileNotFoundError: something is missing in it.
    """
    upload = folder / UPLOAD
    with upload.open("rb") as file:
        start = file.read(4)
    name = str(request["name"]).lower()
    if start[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        if name.endswith((".npz",)) or _is_npz(upload):
            return _of_files(_linked(folder, "upload.npz"), request)
        with archives.opened(upload) as archive:
            found = archives.listed(archive)
            pictures = _arranged(archive, found, request)
            if pictures.unclear:
                raise Unclear(
                    f"This can be meant in two ways: {pictures.unclear}. Are the "
                    "outermost folders classes, or parts with the classes in them?"
                )
            if pictures.parts or pictures.whole:
                return _of_pictures(archive, found, pictures, request, tell)
            return _of_files(_unpacked(folder, archive, found), request)
    if start[:2] == b"\x1f\x8b" and (".csv" in name or ".tsv" in name):
        return _of_files(_linked(folder, "upload.csv.gz"), request)
    if start[:6] == b"\x93NUMPY"[:4] or name.endswith((".rar", ".7z", ".tar", ".tgz")):
        raise NoSet(NEEDED)
    if b"\0" in start and wide_encoding(start) is None:
        raise NoSet(NEEDED)
    return _of_files(_linked(folder, "upload.csv"), request)


def _arranged(
    archive: zipfile.ZipFile, found: archives.Listed, request: Mapping[str, Any]
) -> Arranged:
    """Arrange the pictures of an archive, as tables in it say or as they are called."""
    tables = {}
    if any(is_picture(name) for name in found.members):
        for name in filter(is_list, found.members):
            with suppress(BrokenFile):  # it is no picture, and may be large
                tables[name] = text_of(archives.content(archive, found, name))
    return arranged_with(found.members, tables, folders=request.get("folders"))


def _is_npz(upload: Path) -> bool:
    with archives.opened(upload) as archive:
        names = archive.namelist()
    return bool(names) and all(name.endswith(".npy") for name in names)


def _linked(folder: Path, name: str) -> Path:
    """Return a folder that holds the upload alone, under a name that tells its kind."""
    (folder / UNPACKED).mkdir(exist_ok=True)
    place = folder / UNPACKED / name
    place.unlink(missing_ok=True)
    os.link(folder / UPLOAD, place)
    if name.endswith(".npz"):
        with archives.opened(place) as archive:
            size = sum(each.file_size for each in archive.infolist())
        if size > MOST_TABLE:
            raise NoSet(f"arrays may have {MOST_TABLE >> 30} GB at most, unpacked")
    return folder / UNPACKED


def _unpacked(folder: Path, archive: zipfile.ZipFile, found: archives.Listed) -> Path:
    """Unpack tables, arrays and files in MNIST's format, without their folders."""
    place = folder / UNPACKED
    place.mkdir(exist_ok=True)
    written = 0
    for name in found.members:
        own = name.replace("\\", "/").rpartition("/")[2]
        is_wanted = own.lower().endswith(
            (
                ".csv",
                ".csv.gz",
                ".npz",
                ".npy",
                "-ubyte",
                "-ubyte.gz",
                "-mapping.txt",
                NAMES_FILE,
            )
        )
        if not is_wanted or own.startswith(".") or (place / own).exists():
            continue
        with (place / own).open("xb") as file:
            for data in archives.pieces(archive, found, name):
                written += len(data)
                if written > MOST_TABLE:
                    raise NoSet(
                        f"tables and arrays may have {MOST_TABLE >> 30} GB at most, "
                        "unpacked"
                    )
                file.write(data)
    if not any(place.iterdir()):
        left = skipped_words(found.skipped + arranged(found.members).skipped)
        raise NoSet(" ".join([f"{NEEDED}.", *left]).rstrip("."))
    return place


def _of_files(place: Path, request: Mapping[str, Any]) -> Made:
    """Read tables, arrays, or files in MNIST's format."""
    dataset = dataset_in(place)
    if dataset is None or dataset.format == "pictures":
        raise NoSet(NEEDED)
    if dataset.format == "csv" and request.get("size"):
        dataset = changed(dataset, form=Form(*request["size"]))
    try:
        read = arrays_of(dataset, place)
    except ValueError as error:
        raise NoSet(str(error)) from None
    images, labels = dict(read.images), dict(read.labels)
    lines = range_words(read.range)
    if "validation" in images:  # runs hold none out
        lines.append(VALIDATION)
        for own in (images, labels):
            joined = own["training"], own.pop("validation")
            own["training"] = np.concatenate(joined)
    if request.get("inverted"):
        images = {part: 255 - own for part, own in images.items()}
    return Made(
        read.class_names,
        {str(part): np.asarray(own) for part, own in images.items()},
        {str(part): own for part, own in labels.items()},
        None,
        lines,
        [],
    )


def _of_pictures(
    archive: zipfile.ZipFile,
    found: archives.Listed,
    pictures: Arranged,
    request: Mapping[str, Any],
    tell: Tell,
) -> Made:
    """Decode the pictures of an archive."""
    lines = list(pictures.lines)
    left_out: set[str] = set(request.get("left_out") or ())
    parts, skipped = _parts_of(pictures, found, left_out, lines)
    names = in_order(parts["training"])
    if not names and not left_out:
        raise NoSet(NEEDED)
    if len(names) < 2:
        came = f"{names[0]} alone" if names else "none"
        raise NoSet(f"a set needs pictures of two classes or more, got {came}")
    if len(names) > MOST_CLASSES:
        raise NoSet(f"a set may have {MOST_CLASSES} classes at most, got {len(names)}")
    files = {part: mixed(names, own) for part, own in parts.items()}
    total = sum(map(len, files.values()))
    if total > MOST_PICTURES:
        raise NoSet(f"a set may have {MOST_PICTURES} pictures at most, got {total}")
    decoder = Decoder()
    try:
        looks = _looks(archive, found, files["training"], decoder)
        form = form_of(looks, request)
        if total * int(np.prod(form.shape)) > MOST_PIXELS:
            raise NoSet(
                f"the images of a set may have {MOST_PIXELS >> 20} MB in all: make "
                f"them smaller than {form.rows}x{form.columns}, or grey"
            )
        images: dict[str, np.ndarray] = {}
        labels: dict[str, np.ndarray] = {}
        wrong: list[str] = []
        done = several = 0
        for part, own in files.items():
            made = np.empty((len(own), *form.shape), np.uint8)
            kept = np.zeros(len(own), bool)
            for place, (_, name) in enumerate(own):
                content = _content(archive, found, name)
                several += has_further_pages(content)
                picture = decoder.decode(content)
                if picture is None:
                    wrong.append(name)
                else:
                    made[place] = formed(picture, form, looks.white)
                    kept[place] = True
                done += 1
                tell(done, total)
            images[part] = made[kept]
            labels[part] = np.array([label for label, _ in own], np.int64)[kept]
    finally:
        decoder.close()
    lines += [looks.words, looks.size_words(total), *looks.range_words]
    lines += [*pages_words(several, total), *skipped_words(skipped)]
    warnings = looks.warnings
    if wrong:
        words = f"these files are no pictures that can be read: {some_of(wrong)}."
        warnings.append(words)
    return Made(names, images, labels, form, lines, warnings)


def _parts_of(
    pictures: Arranged, found: archives.Listed, left_out: set[str], lines: list[str]
) -> tuple[dict[str, dict[str, list[str]]], Counter[str]]:
    """Return the names of each class's pictures, for training and for the test."""
    parts: dict[Part, Any] = {part: dict(own) for part, own in pictures.parts.items()}
    if not parts or ("test" not in parts and "validation" not in parts):
        whole = parts.get("training", pictures.whole)
        lines.append("Every fifth picture of a class is for the test.")
        parts = dict(divided(whole))
    elif "test" not in parts:
        parts["test"] = parts.pop("validation")
    elif "validation" in parts:
        lines.append(VALIDATION)
        for name, own in parts.pop("validation").items():
            parts["training"][name] = [*parts["training"].get(name, ()), *own]
    training = {
        name: own
        for name, own in parts.get("training", {}).items()
        if name not in left_out
    }
    test = {
        name: own for name, own in parts.get("test", {}).items() if name in training
    }
    unknown = sum(
        len(own) for name, own in parts["test"].items() if name not in training
    )
    skipped = pictures.skipped + found.skipped
    if unknown:
        skipped["test pictures of classes that are not trained on"] += unknown
    return {"training": training, "test": test}, skipped


def _content(archive: zipfile.ZipFile, found: archives.Listed, name: str) -> bytes:
    """Return the content of a picture; nothing of one that is damaged or too large."""
    try:
        return archives.content(archive, found, name)
    except BrokenFile:
        return b""


def _looks(
    archive: zipfile.ZipFile,
    found: archives.Listed,
    files: Sequence[tuple[int, str]],
    decoder: Decoder,
) -> Looks:
    step = max(1, len(files) // LOOKED_AT)
    some = (decoder.decode(_content(archive, found, name)) for _, name in files[::step])
    return looks_of(each for each in some if each is not None)


def form_of(looks: Looks, request: Mapping[str, Any]) -> Form:
    """Return the form that is asked for; what is not asked suits the pictures."""
    usual = looks.form
    rows, columns = request.get("size") or (usual.rows, usual.columns)
    channels = request.get("channels") or usual.channels
    inverted = request.get("inverted")
    own = usual.is_inverted if channels == usual.channels else False
    return Form(rows, columns, channels, own if inverted is None else inverted)
