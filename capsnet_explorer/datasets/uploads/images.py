"""What an upload is made into: images and labels, of pictures, tables or arrays."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from PIL import Image

from capsnet_explorer.datasets.archives import STRANGERS, is_archive, opened
from capsnet_explorer.datasets.arranging import Arranged, Named
from capsnet_explorer.datasets.data_files import innermost
from capsnet_explorer.datasets.describing import (
    arrays_of,
    nothing_words,
    pages_words,
    sentences,
    unused_files,
)
from capsnet_explorer.datasets.form import Form
from capsnet_explorer.datasets.formats import NEEDED, dataset_in
from capsnet_explorer.datasets.looks import Looks, looks_of
from capsnet_explorer.datasets.naming import Part, in_order
from capsnet_explorer.datasets.pictures import (
    arranged_files,
    formed,
    mixed,
    with_test,
)
from capsnet_explorer.datasets.pixels import Labelled
from capsnet_explorer.datasets.text import some_of, wide_encoding
from capsnet_explorer.datasets.tree import START, Reader, Stored, Tree, tree_of
from capsnet_explorer.datasets.unpacking import MOST as MOST_TABLE
from capsnet_explorer.datasets.unpacking import unpack, wanted
from capsnet_explorer.datasets.unread import unused_words
from capsnet_explorer.datasets.unused import Unused, leave
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
VALIDATION = "The pictures for validation are trained on, too."
LOOKED_AT = 60  # pictures that tell how the others look
WANTED = f"a set needs {NEEDED}"
SPLIT = "Every fifth picture of a class is for the test."

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
    images: Mapping[Any, np.ndarray]
    labels: Mapping[Any, np.ndarray]
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
    name = str(request["name"])
    with upload.open("rb") as file:
        start = file.read(START)
    if is_archive(start) and not (name.lower().endswith(".npz") or _is_npz(upload)):
        tree = changed(tree_of(upload, STRANGERS), path=Path(name))
        arrangement = arranged_files(tree, request.get("folders"))
        if arrangement.unclear:
            words = f"This can be meant in two ways: {arrangement.unclear}."
            sentences = unused_words(tree, arrangement.unused)
            ask = "Is each of the outermost folders a class?"
            raise Unclear(" ".join([words, *sentences, ask]))
        if arrangement.parts or arrangement.whole:
            return _of_pictures(tree, arrangement, request, tell)
        if not wanted(tree.files):
            raise NoSet(nothing_words(WANTED, tree))
        (folder / UNPACKED).mkdir(exist_ok=True)
        unpack(tree, folder / UNPACKED, STRANGERS)
        return _of_files(folder / UNPACKED, tree, request)
    tree = Tree(Path(name), {name: Stored(upload)}, limits=STRANGERS)
    if (kind := _kind_of(start, name)) is None:
        raise NoSet(nothing_words(WANTED, tree))
    return _of_files(_link_upload(folder, f"upload{kind}"), tree, request)


def _is_npz(upload: Path) -> bool:
    archive = opened(upload, UPLOAD, STRANGERS)
    names = list(archive.names)
    archive.close()
    return bool(names) and all(re.fullmatch(r"[^/\\]+\.npy", name) for name in names)


def _kind_of(start: bytes, name: str) -> str | None:
    """Return the ending of a table's or an array's file; None where it is neither."""
    lower = name.lower()
    if start[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return ".npz"
    if start[:2] == b"\x1f\x8b":
        return ".csv.gz" if ".csv" in lower or ".tsv" in lower else None
    if lower.endswith(".mat"):
        return ".mat"
    is_text = b"\0" not in start[:4] or wide_encoding(start) is not None
    is_table = lower.endswith((".csv", ".tsv", ".txt", ".dat", ".data"))
    return ".csv" if is_text and (is_table or b"\0" not in start) else None


def _link_upload(folder: Path, name: str) -> Path:
    """Return a folder that holds the upload alone, under a name that tells its kind."""
    (folder / UNPACKED).mkdir(exist_ok=True)
    link = folder / UNPACKED / name
    link.unlink(missing_ok=True)
    os.link(folder / UPLOAD, link)
    if name.endswith(".npz"):
        size = sum(info.file_size for info in ZipFile(link).infolist())
        if size > MOST_TABLE:
            raise NoSet(f"arrays may have {MOST_TABLE >> 30} GB at most, unpacked")
    return folder / UNPACKED


def _of_files(files: Path, tree: Tree, request: Mapping[str, Any]) -> Made:
    """Read tables, arrays, or files in MNIST's format."""
    files = innermost(files)
    dataset = dataset_in(files)
    if dataset is None or dataset.format == "pictures":
        raise NoSet(nothing_words(WANTED, tree))
    if dataset.format == "csv" and request.get("size"):
        dataset = changed(dataset, form=Form(*request["size"]))
    try:
        names, parts = arrays_of(dataset, files)
    except ValueError as error:
        raise NoSet(str(error)) from None
    lines, warnings = sentences(parts)
    if len(tree.files) > 1:
        lines += unused_words(tree, unused_files(dataset, files, tree))
    if "validation" in parts:  # runs hold none out
        lines.append(VALIDATION)
        parts["training"] = _join(parts["training"], parts.pop("validation"))
    images = {part: np.asarray(some.images) for part, some in parts.items()}
    labels = {part: some.labels for part, some in parts.items()}
    if request.get("inverted"):
        images = {part: 255 - some for part, some in images.items()}
    return Made(names, images, labels, None, lines, warnings)


def _join(first: Labelled, second: Labelled) -> Labelled:
    return changed(
        first,
        images=np.concatenate([first.images, second.images]),
        labels=np.concatenate([first.labels, second.labels]),
    )


def _of_pictures(
    tree: Tree, arrangement: Arranged, request: Mapping[str, Any], tell: Tell
) -> Made:
    """Decode the pictures of an archive."""
    lines = list(arrangement.lines)
    left_out: set[str] = set(request.get("left_out") or ())
    parts, unused = _parts_of(arrangement, left_out, lines)
    names = in_order(parts["training"])
    _require_classes(names, left_out, tree)
    files = {part: mixed(names, named) for part, named in parts.items()}
    total = sum(map(len, files.values()))
    if total > MOST_PICTURES:
        raise NoSet(f"a set may have {MOST_PICTURES} pictures at most, got {total}")
    decoder = Decoder()
    try:
        with Reader(tree.limits) as reader:
            decoding = _Decoding(tree, reader, decoder, tell, total)
            looks = decoding.looks(files["training"])
            form = form_of(looks, request)
            _require_small(form, total)
            formed = {
                part: decoding.images(some, form, looks.white)
                for part, some in files.items()
            }
    finally:
        decoder.close()
    lines += [looks.words, looks.size_words(total), *looks.range_words]
    lines += [*pages_words(decoding.several, total), *unused_words(tree, unused)]
    warnings = looks.warnings
    if decoding.wrong:
        warnings.append(
            f"these files are no pictures that can be read: {some_of(decoding.wrong)}."
        )
    images = {part: some for part, (some, _) in formed.items()}
    labels = {part: some for part, (_, some) in formed.items()}
    return Made(names, images, labels, form, lines, warnings)


def _require_classes(names: Sequence[str], left_out: set[str], tree: Tree) -> None:
    if not names and not left_out:
        raise NoSet(nothing_words(WANTED, tree))
    if len(names) < 2:
        came = f"{names[0]} alone" if names else "none"
        words = f"a set needs pictures of two classes or more, got {came}"
        raise NoSet(nothing_words(words, tree))
    if len(names) > MOST_CLASSES:
        raise NoSet(f"a set may have {MOST_CLASSES} classes at most, got {len(names)}")


def _require_small(form: Form, total: int) -> None:
    if total * int(np.prod(form.shape)) > MOST_PIXELS:
        raise NoSet(
            f"the images of a set may have {MOST_PIXELS >> 20} MB in all: make "
            f"them smaller than {form.rows}x{form.columns}, or grey"
        )


@dataclass(slots=True)
class _Decoding:
    """The decoding of an archive's pictures.

    Attributes:
        tree: the archive's files.
        reader: of these.
        decoder: of pictures.
        tell: told of progress.
        total: how many pictures there are.
        done: how many are decoded.
        several: how many of these have several pages.
        wrong: the names of those that are no pictures.
    """

    tree: Tree
    reader: Reader
    decoder: Decoder
    tell: Tell
    total: int
    done: int = 0
    several: int = 0
    wrong: list[str] = field(default_factory=list)

    def looks(self, files: Sequence[tuple[int, str]]) -> Looks:
        """Return how some pictures look."""
        names = [name for _, name in files[:: max(1, len(files) // LOOKED_AT)]]
        some = (self.decoder.decode(self._content(name)) for name in names)
        return looks_of(picture for picture in some if picture is not None)

    def images(
        self, files: Sequence[tuple[int, str]], form: Form, white: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the images of files, and the labels of these.

        Args:
            files: the label and the name of each.
            form: of the images.
            white: the value that stands for white.
        """
        images = np.empty((len(files), *form.shape), np.uint8)
        is_kept = np.zeros(len(files), bool)
        for rank, (_, name) in enumerate(files):
            content = self._content(name)
            self.several += has_further_pages(content)
            picture = self.decoder.decode(content)
            if picture is None:
                self.wrong.append(name)
            else:
                images[rank] = formed(picture, form, white)
                is_kept[rank] = True
            self.done += 1
            self.tell(self.done, self.total)
        labels = np.array([label for label, _ in files], np.int64)
        return images[is_kept], labels[is_kept]

    def _content(self, name: str) -> bytes:
        return self.reader.picture(self.tree.files[name])


def _parts_of(
    arrangement: Arranged, left_out: set[str], lines: list[str]
) -> tuple[dict[str, Named], Unused]:
    """Return the names of each class's pictures, for training and for the test."""
    parts: dict[Part, Named] = {
        part: dict(some) for part, some in arrangement.parts.items()
    }
    if "test" in parts and "validation" in parts:
        lines.append(VALIDATION)
        for name, files in parts.pop("validation").items():
            parts["training"][name] = [*parts["training"].get(name, ()), *files]
    parts, is_split = with_test(changed(arrangement, parts=parts))
    if is_split:
        lines.append(SPLIT)
    training = {
        name: files
        for name, files in parts.get("training", {}).items()
        if name not in left_out
    }
    test = {name: x for name, x in parts.get("test", {}).items() if name in training}
    unused = {what: [*names] for what, names in arrangement.unused.items()}
    for name, files in parts.get("test", {}).items():
        if name not in training:
            leave(unused, "test pictures of classes that are not trained on", *files)
    return {"training": training, "test": test}, unused


def form_of(looks: Looks, request: Mapping[str, Any]) -> Form:
    """Return the form that is asked for; what is not asked suits the pictures."""
    usual = looks.form
    rows, columns = request.get("size") or (usual.rows, usual.columns)
    channels = request.get("channels") or usual.channels
    inverted = request.get("inverted")
    if inverted is None:
        inverted = usual.is_inverted and channels == usual.channels
    return Form(rows, columns, channels, inverted)
