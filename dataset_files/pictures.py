"""Pictures in folders, one folder for each class, as a data set of colour images.

The training and the test part are the folders `train` and `test`, or `train.zip` and
`test.zip`. Where there are neither, the folders of the classes stand in the data folder
itself, and every fifth picture of a class, in the order of their names, is a test
picture.
"""

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from capsnet_explorer.dataset_files.idx import BrokenFile, Bytes
from numpy.typing import NDArray
from PIL import Image, ImageOps

SIDE = 32  # px, rows and columns of an image
ENDS = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")
HIDDEN = (".", "__MACOSX")
PARTS = ("train", "test")
EVERY = 5  # of these pictures of a class, one is for the test

Named = dict[str, list[str]]
"""The files of each class, in the order of their names."""


class Pictures:
    """Pictures that are decoded when they are read, in the manner of an array.

    `pictures[k]` is (3, rows, columns) uint8; a slice or an array of indices gives
    (count, 3, rows, columns).

    Args:
        place: a folder, or a zip file.
        names: of the files in it.
    """

    ndim = 4
    dtype = np.dtype(np.uint8)

    def __init__(self, place: Path, names: Sequence[str]) -> None:
        self._place = place
        self._names = names

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Pictures, channels, rows, columns."""
        return len(self._names), 3, SIDE, SIDE

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, which: Any) -> Bytes:
        found = np.arange(len(self))[which]
        if found.ndim == 0:
            return self._read([int(found)])[0]
        return self._read(found.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Bytes:
        return self[:] if dtype is None else self[:].astype(dtype)

    def _read(self, indices: Iterable[int]) -> Bytes:
        names = [self._names[index] for index in indices]
        images = np.empty((len(names), *self.shape[1:]), np.uint8)
        if self._place.is_dir():
            for image, name in zip(images, names, strict=True):
                image[:] = scaled((self._place / name).read_bytes(), name)
        else:
            with zipfile.ZipFile(self._place) as archive:
                for image, name in zip(images, names, strict=True):
                    image[:] = scaled(archive.read(name), name)
        return images


def has_pictures(folder: Path) -> bool:
    """Tell, without opening them, whether there seem to be pictures of both parts."""
    parts = [_place_of(folder, part) for part in PARTS]
    if any(parts):
        return all(parts)
    classes = (each for each in _folders(folder) if any(map(_is_picture, _in(each))))
    return len(list(islice(classes, 2))) == 2


def read_pictures(folder: Path, *, train: bool) -> tuple[Pictures, NDArray[np.uint8]]:
    """Find the pictures of the training or the test part.

    Args:
        folder: contains the parts, or the folders of the classes.
        train: whether to find the training part, else the test part.

    Returns:
        The pictures, and their labels (count). Classes are evenly mixed, each in the
        order of its names, so the pictures at the end, which a run holds out, show
        every class in proportion.

    Raises:
        FileNotFoundError: there are no pictures of two classes or more.
        BrokenFile: a zip file is damaged, or the test part has a class that the
            training part lacks.
    """
    place, named = _part(folder, train=train)
    classes = class_names(folder)
    unknown = sorted(set(named) - set(classes))
    if unknown:
        raise BrokenFile(
            f"{place.name} must have pictures of {', '.join(classes)}, got {unknown[0]}"
        )
    mixed = sorted(
        ((rank + 0.5) / len(named[each]), label, name)
        for label, each in enumerate(classes)
        for rank, name in enumerate(named.get(each, ()))
    )
    labels = np.array([label for _, label, _ in mixed], np.uint8)
    return Pictures(place, [name for _, _, name in mixed]), labels


def class_names(folder: Path) -> list[str]:
    """Return the names of the training part's folders, in their order.

    Raises:
        FileNotFoundError: there are no pictures of two classes or more.
        BrokenFile: a zip file is damaged.
    """
    return sorted(_part(folder, train=True)[1])


def scaled(data: bytes, name: str) -> Bytes:
    """Return a picture's middle as an image: (3, SIDE, SIDE) uint8.

    It is turned as its file says, cut to the largest square around its centre, and
    scaled; what is transparent becomes white.

    Args:
        data: content of the file.
        name: of the file, for the error.

    Raises:
        BrokenFile: it is no picture that Pillow reads.
    """
    try:
        with Image.open(io.BytesIO(data)) as opened:
            upright = ImageOps.exif_transpose(opened)
            if upright.has_transparency_data:
                own = upright.convert("RGBA")
                white = Image.new("RGBA", own.size, "white")
                upright = Image.alpha_composite(white, own)
            picture = upright.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise BrokenFile(f"{name} must be a picture, got {error}") from error
    if picture.size != (SIDE, SIDE):
        side = min(picture.size)
        left, top = ((length - side) // 2 for length in picture.size)
        square = picture.crop((left, top, left + side, top + side))
        picture = square.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    return np.asarray(picture).transpose(2, 0, 1)


def _part(folder: Path, *, train: bool) -> tuple[Path, Named]:
    """Return where a part's files are, and their names there."""
    own = PARTS[0] if train else PARTS[1]
    place = _place_of(folder, own)
    if place is not None:
        return place, _of_two_classes(place, _named(place))
    if any(_place_of(folder, part) for part in PARTS):
        raise FileNotFoundError(f"{folder / own} is missing")
    every = _of_two_classes(folder, _named(folder))
    return folder, {
        name: [
            file
            for place, file in enumerate(files, start=1)
            if (place % EVERY == 0) is not train
        ]
        for name, files in every.items()
    }


def _place_of(folder: Path, part: str) -> Path | None:
    """Return the folder or the zip file of a part, if there is one."""
    if (folder / part).is_dir():
        return folder / part
    archive = folder / f"{part}.zip"
    return archive if archive.is_file() else None


def _of_two_classes(place: Path, named: Named) -> Named:
    if len(named) < 2:
        raise FileNotFoundError(
            f"{place} must have folders with pictures of two classes or more"
        )
    return named


def _named(place: Path) -> Named:
    """Return the pictures of each class; hidden files and folders are left out."""
    if place.is_dir():
        found = {
            each.name: sorted(f"{each.name}/{name}" for name in _in(each))
            for each in _folders(place)
        }
    else:
        found = _zipped(place)
    pictures = {name: [*filter(_is_picture, files)] for name, files in found.items()}
    return {name: files for name, files in pictures.items() if files}


def _zipped(place: Path) -> Named:
    try:
        with zipfile.ZipFile(place) as archive:
            names = sorted(archive.namelist())
    except zipfile.BadZipFile as error:
        raise BrokenFile(f"{place.name} must be a zip file, got {error}") from error
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        folder, _, file = name.partition("/")
        if file and "/" not in file and not folder.startswith(HIDDEN):
            found[folder].append(name)
    return dict(found)


def _folders(place: Path) -> list[Path]:
    return [
        each
        for each in (place.iterdir() if place.is_dir() else ())
        if each.is_dir() and not each.name.startswith(HIDDEN)
    ]


def _in(folder: Path) -> Iterator[str]:
    """Yield the names of a folder's files."""
    return (each.name for each in folder.iterdir() if each.is_file())


def _is_picture(name: str) -> bool:
    file = name.rpartition("/")[2]
    return file.lower().endswith(ENDS) and not file.startswith(HIDDEN)
