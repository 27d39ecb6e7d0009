"""Pictures in folders, one folder for each class, as a data set.

The parts are the folders, or archives, `train`, `test` and perhaps `val`, in their
usual names; without a test part, `val` is for the test. Where there are no parts, every
fifth picture of a class, in the order of their names, is a test picture, and the last
one of a class that has two to four.
"""

import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from capsnet_explorer.datasets.arranging import Arranged, Named, is_for_test
from capsnet_explorer.datasets.catalogue import SHELVES
from capsnet_explorer.datasets.form import GREY, Folders, Form
from capsnet_explorer.datasets.idx import BrokenFile, Bytes
from capsnet_explorer.datasets.listing import MOST_BYTES as MOST_LISTED
from capsnet_explorer.datasets.listing import arranged_with, is_list
from capsnet_explorer.datasets.looks import WHITE, highest, white_of, whitened
from capsnet_explorer.datasets.naming import Part, in_order, is_picture
from capsnet_explorer.datasets.text import some_of, text_of
from capsnet_explorer.datasets.tree import Reader, Stored, Tree, tree_of
from capsnet_explorer.datasets.unread import unread, unused_words
from capsnet_explorer.datasets.unused import Unused, merged

Picture = tuple[str, Stored]
"""A picture's name, and where it is."""

TELLING = 20  # pictures, or twice as many, that tell what is white
USUAL = Form()


class Pictures:
    """Pictures that are decoded when they are read, in the manner of an array.

    `pictures[k]` is (channels, rows, columns) uint8; a slice or an array of indices
    gives (count, channels, rows, columns).

    Args:
        files: each picture's name, and where it is.
        form: of the images.
        telling: files that tell which value stands for white; none leaves the usual.
    """

    ndim = 4
    dtype = np.dtype(np.uint8)

    def __init__(
        self,
        files: Sequence[Picture],
        form: Form = USUAL,
        telling: Sequence[Picture] = (),
    ) -> None:
        self._files = files
        self._form = form
        self._telling = telling

    @cached_property
    def _white(self) -> int:
        highs = []
        for name, content in contents(self._telling):
            with suppress(BrokenFile):
                highs.append(highest(decoded(content, name)))
        return white_of(highs)

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Pictures, channels, rows, columns."""
        return len(self._files), *self._form.shape

    def __len__(self) -> int:
        return len(self._files)

    def __getitem__(self, which: Any) -> Bytes:
        indices = np.arange(len(self))[which]
        if indices.ndim == 0:
            return self._read([int(indices)])[0]
        return self._read(indices.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Bytes:
        return self[:] if dtype is None else self[:].astype(dtype)

    def _read(self, indices: Iterable[int]) -> Bytes:
        files = [self._files[index] for index in indices]
        images = np.empty((len(files), *self.shape[1:]), np.uint8)
        wrong = []
        for image, (name, content) in zip(images, contents(files), strict=True):
            try:
                image[:] = scaled(content, name, self._form, self._white)
            except BrokenFile as error:
                wrong.append((name, str(error)))
        if wrong:
            raise BrokenFile(_wrong_words(wrong))
        return images


def contents(files: Iterable[Picture]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each picture; an archive is opened once.

    The content of one that is damaged in its archive, or far too large, is empty.
    """
    with Reader() as reader:
        for name, stored in files:
            yield name, reader.picture(stored)


def _wrong_words(wrong: Sequence[tuple[str, str]]) -> str:
    """Say which pictures cannot be read, and what is wrong with the first."""
    _, first = wrong[0]
    others = [name for name, _ in wrong[1:]]
    return f"{first}; nor can {some_of(others, 2)} be read" if others else first


@dataclass(frozen=True, slots=True)
class Survey:
    """The pictures of a data set, found by their names.

    Attributes:
        parts: the pictures of each class, by part and class.
        is_split: whether the test part is every fifth picture.
        unused: files that are no pictures of a class, by what they are.
        lines: sentences on what was taken for what.
    """

    parts: Mapping[Part, Mapping[str, list[Picture]]]
    is_split: bool
    unused: Unused
    lines: Sequence[str] = ()

    @property
    def class_names(self) -> list[str]:
        """The names of the training part's classes, in their order."""
        return in_order(self.parts.get("training", {}))


class OneClass(FileNotFoundError):
    """All pictures are of one class; the message says which."""


class Unclear(BrokenFile):
    """Folders could be parts as well as classes; the message says why."""

    def __init__(self, path: Path, why: str, unused: Iterable[str] = ()) -> None:
        words = (
            f"{path} can be meant in two ways: {why}. Say which by --folders parts or "
            "--folders classes."
        )
        super().__init__(" ".join([words, *unused]).rstrip("."))


def survey(path: Path, folders: Folders | None = None) -> Survey:
    """Find the pictures of a folder, or of one archive, without decoding them.

    Args:
        path: the folder or the archive.
        folders: what the outermost folders are; None lets their names tell.

    Raises:
        FileNotFoundError: there are no pictures of two classes or more to train on.
        BrokenFile: an archive is damaged, or what is meant is unclear.
    """
    tree = tree_of(path, closed=_closed_in(path))
    arrangement = arranged_files(tree, folders)
    if arrangement.unclear:
        raise Unclear(path, arrangement.unclear, unused_words(tree, arrangement.unused))
    if arrangement.parts and "training" not in arrangement.parts:
        raise FileNotFoundError(f"{path / 'train'} is missing")
    training = arrangement.parts["training"] if arrangement.parts else arrangement.whole
    if len(training) < 2:
        where = path / "train" if arrangement.parts else path
        files = [name for some in training.values() for name in some]
        words = unused_words(tree, arrangement.unused, files)
        raise _too_few_classes(where, training, words)
    parts, is_split = with_test(arrangement)
    return Survey(
        {
            part: {
                name: [(file, tree.files[file]) for file in files]
                for name, files in named.items()
            }
            for part, named in parts.items()
        },
        is_split,
        arrangement.unused,
        arrangement.lines,
    )


def arranged_files(tree: Tree, folders: Folders | None = None) -> Arranged:
    """Arrange the pictures of a folder or an archive by parts and classes.

    Args:
        tree: its files.
        folders: what the outermost folders are; None lets their names tell.

    Raises:
        BrokenFile: it is not clear what a table beside the pictures says of them.
    """
    closed = _closed_in(tree.path)
    arrangement = arranged_with(tree.files, _tables_of(tree), closed, folders)
    return replace(arrangement, unused=merged(arrangement.unused, tree.unused))


def _closed_in(path: Path) -> Collection[str]:
    """Return the folders of other data sets, which the data folder may have."""
    return SHELVES if path.is_dir() else ()


def with_test(arrangement: Arranged) -> tuple[dict[Part, Named], bool]:
    """Return the pictures of each part, and whether every fifth is for the test.

    Without a test part, that for validation is for the test.
    """
    parts: dict[Part, Named] = dict(arrangement.parts)
    if "test" not in parts and "validation" in parts:
        parts["test"] = parts.pop("validation")
    if "test" in parts:
        return parts, False
    return divided(parts.get("training", arrangement.whole)), True


def _tables_of(tree: Tree) -> dict[str, str]:
    """Return the tables of a folder or an archive that may list its pictures."""
    if not any(is_picture(name) for name in tree.files):
        return {}
    texts: dict[str, str] = {}
    with Reader(tree.limits) as reader:
        for name in filter(is_list, tree.files):
            if name.lower().endswith(".txt") and unread(tree, name) is not None:
                continue  # boxes, of YOLO
            with suppress(BrokenFile):  # it is too large to list pictures
                texts[name] = text_of(reader.content(tree.files[name], MOST_LISTED))
    return texts


def divided(every: Mapping[str, Sequence[str]]) -> dict[Part, Named]:
    """Divide each class into training and test pictures."""
    parts: dict[Part, Named] = {"training": {}, "test": {}}
    for name, files in every.items():
        pairs = list(zip(files, is_for_test(len(files)), strict=True))
        parts["training"][name] = [file for file, test in pairs if not test]
        if test := [file for file, test in pairs if test]:
            parts["test"][name] = test
    return parts


def has_pictures(folder: Path, folders: Folders | None = None) -> bool:
    """Tell, without opening them, whether there seem to be pictures of both parts."""
    try:
        return bool(survey(folder, folders).parts.get("test"))
    except (OSError, BrokenFile):
        return False


def pictures_of(
    surveyed: Survey, folder: Path, part: Part, form: Form = USUAL
) -> tuple[Pictures, NDArray[np.int64]]:
    """Return the pictures of a part.

    Returns:
        The pictures, and their labels (count). Classes are evenly mixed, each in the
        order of its names, so the pictures at the end, which a run holds out, show
        every class in proportion. A part for validation may have none.

    Raises:
        FileNotFoundError: the part is missing.
        BrokenFile: it has a class that the training part lacks.
    """
    named = surveyed.parts.get(part, {})
    if not named and part == "test" and surveyed.is_split:
        raise FileNotFoundError(
            f"{folder} must have two pictures of a class, one of them for the test"
        )
    if not named and part == "test":
        raise FileNotFoundError(f"{folder / part} is missing")
    unknown = sorted(set(named) - set(surveyed.class_names))
    if unknown:
        raise BrokenFile(
            f"{part} must have pictures of {some_of(surveyed.class_names, 12)}, got "
            f"{unknown[0]}"
        )
    files = mixed(surveyed.class_names, named)
    labels = np.array([label for label, _ in files], np.int64)
    training = [file for some in surveyed.parts["training"].values() for file in some]
    telling = training[:: max(1, len(training) // TELLING)]
    return Pictures([file for _, file in files], form, telling), labels


def mixed(
    names: Sequence[str], named: Mapping[str, Sequence[Any]]
) -> list[tuple[int, Any]]:
    """Return each picture's label and file, the classes evenly mixed."""
    ranked = sorted(
        ((rank + 0.5) / len(named[name]), label, rank)
        for label, name in enumerate(names)
        for rank in range(len(named.get(name, ())))
    )
    return [(label, named[names[label]][rank]) for _, label, rank in ranked]


def scaled(data: bytes, name: str, form: Form = USUAL, white: int = WHITE) -> Bytes:
    """Return a picture's middle as an image: (channels, rows, columns) uint8.

    It is turned as its file says, cut to the largest part around its centre that has
    the image's proportions, and scaled; what is transparent becomes white.

    Raises:
        BrokenFile: it is no picture that Pillow reads.
    """
    return formed(decoded(data, name), form, white)


def formed(picture: Image.Image, form: Form, white: int = WHITE) -> Bytes:
    """Return an upright picture's middle, (channels, rows, columns) uint8."""
    picture = whitened(picture, white)
    if picture.mode == "RGBa":
        whole = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole)
    picture = picture.convert("L" if form.channels == GREY else "RGB")
    size = (form.columns, form.rows)
    if picture.size != size:
        factor = min(picture.width / form.columns, picture.height / form.rows)
        width, height = (max(1, int(factor * side + 1e-6)) for side in size)
        left, top = (picture.width - width) // 2, (picture.height - height) // 2
        middle = picture.crop((left, top, left + width, top + height))
        picture = middle.resize(size, Image.Resampling.LANCZOS)
    pixels = np.asarray(picture)
    image = pixels[None] if form.channels == GREY else pixels.transpose(2, 0, 1)
    return 255 - image if form.is_inverted else image


def decoded(data: bytes, name: str) -> Image.Image:
    """Decode a file of one's own, with what uploads are decoded with.

    Formats that uploads cannot have are read too.

    Raises:
        BrokenFile: it is no picture that Pillow reads.
    """
    # Imported late: the server, which decodes uploads elsewhere, needs no decoders.
    from capsnet_explorer.pictures.decoding.errors import Refusal, UnknownKind
    from capsnet_explorer.pictures.decoding.reading import read
    from capsnet_explorer.pictures.decoding.shrinking import WORKING_SIDE, shrunk

    try:
        return read(data)
    except UnknownKind:
        pass
    except Refusal as error:
        raise BrokenFile(f"{name} must be a picture: {error}") from None
    try:
        with Image.open(io.BytesIO(data)) as opened:
            return shrunk(ImageOps.exif_transpose(opened), WORKING_SIDE)
    except Exception:  # damaged bytes make Pillow raise nearly any exception
        raise BrokenFile(
            f"{name} must be a picture; nothing here can read it"
        ) from None


def _too_few_classes(
    path: Path, classes: Collection[str], unused: Iterable[str]
) -> FileNotFoundError:
    kind = OneClass if classes else FileNotFoundError
    came = f", got {next(iter(classes))} alone" if classes else ""
    needed = f"{path} must have folders with pictures of two classes or more{came}."
    return kind(" ".join([needed, *unused]).rstrip("."))
