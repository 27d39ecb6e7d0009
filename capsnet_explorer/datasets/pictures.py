"""Pictures in folders, one folder for each class, as a data set.

The parts are the folders, or zip files, `train`, `test` and perhaps `val`, in their
usual names; without a test part, `val` is for the test. Where there are no parts, every
fifth picture of a class, in the order of their names, is a test picture, and the last
one of a class that has two to four.
"""

import io
import os
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from capsnet_explorer.datasets.arranging import (
    HIDDEN,
    Named,
    Part,
    in_order,
    is_for_test,
    is_picture,
    parts_among,
    steps_of,
)
from capsnet_explorer.datasets.form import GREY, Folders, Form
from capsnet_explorer.datasets.idx import BrokenFile, Bytes
from capsnet_explorer.datasets.listing import MOST_BYTES as MOST_LISTED
from capsnet_explorer.datasets.listing import arranged_with, is_list
from capsnet_explorer.datasets.looks import WHITE, highest, white_of, whitened
from capsnet_explorer.datasets.text import (
    IN_ARCHIVES,
    code_page_of,
    some_of,
    text_of,
)

TELLING = 20  # pictures, or twice as many, that tell what is white
MOST_BYTES = 256 << 20  # of a picture in one's own archive, unpacked
UTF_8 = 0x800  # flag of a name in a zip file
USUAL = Form()


class Pictures:
    """Pictures that are decoded when they are read, in the manner of an array.

    `pictures[k]` is (channels, rows, columns) uint8; a slice or an array of indices
    gives (count, channels, rows, columns).

    Args:
        files: the place of each, a folder or a zip file, and its name there.
        form: of the images.
        telling: files that tell which value stands for white; none leaves the usual.
    """

    ndim = 4
    dtype = np.dtype(np.uint8)

    def __init__(
        self,
        files: Sequence[tuple[Path, str]],
        form: Form = USUAL,
        telling: Sequence[tuple[Path, str]] = (),
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
        found = np.arange(len(self))[which]
        if found.ndim == 0:
            return self._read([int(found)])[0]
        return self._read(found.tolist())

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


def contents(files: Iterable[tuple[Path, str]]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file; a zip file is opened once.

    Args:
        files: the place of each, a folder or a zip file, and its name there.
    """
    opened: dict[Path, zipfile.ZipFile] = {}
    try:
        for place, name in files:
            if place.is_dir():
                yield name, (place / name).read_bytes()
                continue
            if place not in opened:
                opened[place] = zipfile.ZipFile(place)
            yield name, _content(opened[place], name)
    finally:
        for archive in opened.values():
            archive.close()


def _content(archive: zipfile.ZipFile, name: str) -> bytes:
    """Read a file of an archive; nothing of one that is damaged or far too large."""
    try:
        with archive.open(name) as file:
            data = file.read(MOST_BYTES + 1)
    except Exception:  # damaged bytes make decompressors raise nearly any exception
        return b""
    return data if len(data) <= MOST_BYTES else b""


def _wrong_words(wrong: Sequence[tuple[str, str]]) -> str:
    """Say which pictures cannot be read, and what is wrong with the first."""
    _, first = wrong[0]
    others = [name for name, _ in wrong[1:]]
    return f"{first}; nor can {some_of(others, 2)} be read" if others else first


@dataclass(frozen=True, slots=True)
class Survey:
    """The pictures of a data set, found by their names.

    Attributes:
        parts: the files of each class, by part and class: their places, a folder or a
            zip file, and their names there.
        is_split: whether the test part is every fifth picture.
        skipped: how many files are no pictures of a class, by what they are.
        lines: sentences on what was taken for what.
    """

    parts: Mapping[Part, Mapping[str, list[tuple[Path, str]]]]
    is_split: bool
    skipped: Counter[str]
    lines: Sequence[str] = ()

    @property
    def class_names(self) -> list[str]:
        """The names of the training part's classes, in their order."""
        return in_order(self.parts.get("training", {}))


class OneClass(FileNotFoundError):
    """All pictures are of one class; the message says which."""


class Unclear(BrokenFile):
    """Folders could be parts as well as classes; the message says why."""

    def __init__(self, place: Path, why: str) -> None:
        super().__init__(
            f"{place} can be meant in two ways: {why}. Say which by --folders parts or "
            "--folders classes"
        )


def survey(place: Path, folders: Folders | None = None) -> Survey:
    """Find the pictures of a folder, or of one zip file, without opening them.

    Args:
        place: the folder or the zip file.
        folders: what the outermost folders are; None lets their names tell.

    Raises:
        FileNotFoundError: there are no pictures of two classes or more to train on.
        BrokenFile: a zip file is damaged, or what is meant is unclear.
    """
    found, where, skipped, lines = _parts_of(place, folders)
    if not found:
        every = _of_two_classes(place, where)
        return Survey(divided(every), is_split=True, skipped=skipped, lines=lines)
    if "training" not in found:
        raise FileNotFoundError(f"{place / 'train'} is missing")
    training = _of_two_classes(place / "train", found["training"])
    if "test" not in found and "validation" in found:
        found["test"] = found.pop("validation")
    if "test" not in found:
        return Survey(divided(training), is_split=True, skipped=skipped, lines=lines)
    return Survey(found, is_split=False, skipped=skipped, lines=lines)


Placed = dict[str, list[tuple[Path, str]]]
Parts = tuple[dict[Part, Placed], Placed, Counter[str], Sequence[str]]


def _parts_of(place: Path, folders: Folders | None) -> Parts:
    """Return each part's pictures; or else, where there are none, all pictures."""
    if place.is_file():
        names = _zipped(place)
        found = arranged_with(names, _texts(place, names), folders=folders)
        if found.unclear:
            raise Unclear(place, found.unclear)
        parts: dict[Part, Placed] = {
            part: _placed(place, own, names) for part, own in found.parts.items()
        }
        return parts, _placed(place, found.whole, names), found.skipped, found.lines
    zips = _zipped_parts(place)
    names = list(_walked(place))
    found = arranged_with(names, _texts(place, names), _places_of_others(), folders)
    if found.unclear and not zips:
        raise Unclear(place, found.unclear)
    skipped = found.skipped
    skipped[".zip"] -= len(zips)
    skipped = +skipped
    parts = {part: _placed(place, own) for part, own in found.parts.items()}
    for part, archive in zips.items():
        stored = _zipped(archive)
        own = arranged_with(stored, _texts(archive, stored))
        if own.unclear:
            raise Unclear(archive, own.unclear)
        classes = own.whole or next(iter(own.parts.values()), {})
        parts[part] = _placed(archive, classes, stored)
        skipped += own.skipped
    return parts, _placed(place, found.whole), skipped, found.lines


def _texts(place: Path, names: Collection[str]) -> dict[str, str]:
    """Return the tables of a folder or a zip file that may list its pictures."""
    tables = [name for name in names if is_list(name)]
    if not any(is_picture(steps_of(name)[-1]) for name in names if steps_of(name)):
        return {}
    if place.is_dir():
        tables = [x for x in tables if (place / x).stat().st_size <= MOST_LISTED]
    stored = names if isinstance(names, Mapping) else {name: name for name in tables}
    found = contents((place, stored[name]) for name in tables)
    texts = {name: text_of(data) for name, (_, data) in zip(tables, found, strict=True)}
    return {name: text for name, text in texts.items() if text}


def _placed(
    place: Path, named: Named, stored: Mapping[str, str] | None = None
) -> Placed:
    """Add the place to each name, as which an archive stores it."""
    return {
        name: [(place, file if stored is None else stored[file]) for file in files]
        for name, files in named.items()
    }


def _zipped_parts(place: Path) -> dict[Part, Path]:
    """Return the zip files that hold a part each."""
    archives = {each.stem: each for each in sorted(place.glob("*.[zZ][iI][pP]"))}
    found: dict[Part, Path] = {}
    for name, part in parts_among(archives.keys()).items():
        found.setdefault(part, archives[name])
    return found


def _places_of_others() -> set[str]:
    """Return the folders of other data sets within the data folder."""
    from capsnet_explorer.datasets.catalogue import DATASETS  # it names this file

    places = (each.place.partition("/")[0] for each in DATASETS.values())
    return {place for place in places if place != "."}


def divided(
    every: Mapping[str, Sequence[Any]],
) -> dict[Part, dict[str, list[Any]]]:
    """Divide each class into training and test pictures."""
    parts: dict[Part, dict[str, list[Any]]] = {"training": {}, "test": {}}
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


def read_pictures(
    folder: Path, part: Part, form: Form = USUAL, folders: Folders | None = None
) -> tuple[Pictures, NDArray[np.int64]]:
    """Find the pictures of a part.

    Args:
        folder: contains the parts, or the folders of the classes; or a zip file that
            does.
        part: which.
        form: of the images.
        folders: what the outermost folders are; None lets their names tell.

    Returns:
        The pictures, and their labels (count). Classes are evenly mixed, each in the
        order of its names, so the pictures at the end, which a run holds out, show
        every class in proportion. A part for validation may have none.

    Raises:
        FileNotFoundError: there are no pictures of two classes or more.
        BrokenFile: a zip file is damaged, or a part has a class that the training part
            lacks.
    """
    return pictures_of(survey(folder, folders), folder, part, form)


def pictures_of(
    found: Survey, folder: Path, part: Part, form: Form = USUAL
) -> tuple[Pictures, NDArray[np.int64]]:
    """Return the pictures of a part that were found in a folder: see `read_pictures`.

    Raises:
        FileNotFoundError: the part is missing.
        BrokenFile: it has a class that the training part lacks.
    """
    named = found.parts.get(part, {})
    if not named and part == "test" and found.is_split:
        raise FileNotFoundError(
            f"{folder} must have two pictures of a class, one of them for the test"
        )
    if not named and part == "test":
        raise FileNotFoundError(f"{folder / part} is missing")
    unknown = sorted(set(named) - set(found.class_names))
    if unknown:
        raise BrokenFile(
            f"{part} must have pictures of {some_of(found.class_names, 12)}, got "
            f"{unknown[0]}"
        )
    files = mixed(found.class_names, named)
    labels = np.array([label for label, _ in files], np.int64)
    training = [file for own in found.parts["training"].values() for file in own]
    telling = training[:: max(1, len(training) // TELLING)]
    return Pictures([file for _, file in files], form, telling), labels


def mixed(
    names: Sequence[str], named: Mapping[str, Sequence[Any]]
) -> list[tuple[int, Any]]:
    """Return each picture's label and file, the classes evenly mixed."""
    found = sorted(
        ((rank + 0.5) / len(named[each]), label, file)
        for label, each in enumerate(names)
        for rank, file in enumerate(named.get(each, ()))
    )
    return [(label, file) for _, label, file in found]


def scaled(data: bytes, name: str, form: Form = USUAL, white: int = WHITE) -> Bytes:
    """Return a picture's middle as an image: (channels, rows, columns) uint8.

    It is turned as its file says, cut to the largest part around its centre that has
    the image's proportions, and scaled; what is transparent becomes white.

    Args:
        data: content of the file.
        name: of the file, for the error.
        form: of the image.
        white: the value that stands for white.

    Raises:
        BrokenFile: it is no picture that Pillow reads.
    """
    return formed(decoded(data, name), form, white)


def formed(picture: Image.Image, form: Form, white: int = WHITE) -> Bytes:
    """Return an upright picture's middle as an image: (channels, rows, columns) uint8.

    Args:
        picture: mode L, RGB, or RGBa, whose ground becomes white.
        form: of the image.
        white: the value that stands for white.
    """
    picture = whitened(picture, white)
    if picture.mode == "RGBa":
        own = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", own.size, "white"), own)
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


def _of_two_classes(place: Path, named: Placed) -> Placed:
    needed = f"{place} must have folders with pictures of two classes or more"
    if not named:
        raise FileNotFoundError(needed)
    if len(named) == 1:
        raise OneClass(f"{needed}, got {next(iter(named))} alone")
    return named


def _walked(folder: Path) -> Iterator[str]:
    """Yield the names of all files below a folder; hidden folders are left out."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith(HIDDEN))
        within = Path(place).relative_to(folder).as_posix()
        for file in files:
            yield file if within == "." else f"{within}/{file}"


def _zipped(place: Path) -> dict[str, str]:
    """Return the names of an archive's files, and as what it stores each."""
    try:
        with zipfile.ZipFile(place) as archive:
            return {
                name: each.filename
                for each, name in zip_names(archive).items()
                if not each.is_dir()
            }
    except (zipfile.BadZipFile, OSError) as error:
        raise BrokenFile(f"{place.name} must be a zip file, got {error}") from error


def zip_names(archive: zipfile.ZipFile) -> dict[zipfile.ZipInfo, str]:
    """Return the name of each file and folder, read as the program meant that wrote it.

    Many write UTF-8 without saying so, or in the code page of their computer.
    """
    names = {member: member.filename for member in archive.infolist()}
    own = {}
    for member, name in names.items():
        if not member.flag_bits & UTF_8 and not name.isascii():
            with suppress(UnicodeEncodeError):  # a field of the file says its name
                own[member] = name.encode("cp437")
    page = _encoding_of({step for name in own.values() for step in name.split(b"/")})
    return names | {member: name.decode(page) for member, name in own.items()}


def _encoding_of(steps: Collection[bytes]) -> str:
    try:
        for step in steps:
            step.decode("utf-8")
    except UnicodeDecodeError:
        return code_page_of(steps, IN_ARCHIVES) or "cp437"
    return "utf-8"
