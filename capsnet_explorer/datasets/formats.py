"""The forms that data come in: what each is recognised by, and how it is read.

Two tables: forms that are read, in the order in which they are tried; and forms that
are not, each with what to do instead. Whatever is found and not used is named.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from capsnet_explorer.datasets.arrays import array_files, arrays_in, has_arrays
from capsnet_explorer.datasets.catalogue import DATASETS, Dataset, dataset_named
from capsnet_explorer.datasets.emnist import BEGINNING, PLACES, is_emnist, split_of
from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.idx import idx_sets
from capsnet_explorer.datasets.naming import is_left_by_a_system, steps_of
from capsnet_explorer.datasets.parts import is_there
from capsnet_explorer.datasets.pictures import OneClass, survey
from capsnet_explorer.datasets.tables import has_tables, table_files
from capsnet_explorer.datasets.tree import Reader, Tree
from capsnet_explorer.datasets.unpacking import unpacked

NEEDED = (
    "folders with pictures of two classes or more, CSV files with labels, arrays of "
    "images and labels, or four files in MNIST's format"
)
MOST_JSON = 64 << 20  # bytes of a file that may list boxes
SAID = 3  # sentences on forms that are not read

PIXELS = "write its pictures as PNG files into a folder for each class"
ARRAYS = "save its images and labels as arrays, with numpy.savez"
BOXES = (
    "and a network here names one class of each picture: cut the boxes out, into a "
    "folder for each class"
)
EXPORT = "export them as PNG"


@dataclass(frozen=True, slots=True)
class Unread:
    """A form that is not read.

    Attributes:
        name: for people, of one such file.
        ending: pattern of the end of a file's name, in small letters.
        instead: what to do.
        start: pattern that the file's first bytes match; None looks at its name alone.
    """

    name: str
    ending: str
    instead: str
    start: bytes | None = None


UNREAD = (
    Unread(
        "a Teachable Machine project",
        r"\.tm",
        "download the samples of each class there, and add these zip files together",
    ),
    Unread("a Parquet file", r"\.parquet", PIXELS),
    Unread("an Arrow file", r"\.(arrow|feather)", PIXELS),
    Unread(
        "MATLAB's file of version 7.3",
        r"\.mat",
        "save it again with -v7",
        rb"MATLAB 7\.3",
    ),
    Unread(
        "an HDF5 file", r"\.(h5|hdf5|he5|mat)", ARRAYS, rb"\x89HDF|(?s:.{512}\x89HDF)"
    ),
    Unread("an HDF5 file", r"\.(h5|hdf5|he5)", ARRAYS),
    Unread(
        "Python's objects, which may hold code and are never read,",
        r"\.(pkl|pickle|p|pt|pth|joblib)",
        ARRAYS,
    ),
    Unread("a file of TFRecords", r"\.tfrecords?(-\d+-of-\d+)?", PIXELS),
    Unread("an LMDB file", r"\.(mdb|lmdb)", PIXELS),
    Unread("a database", r"\.(db|sqlite3?)", PIXELS),
    Unread(
        "an archive that is not read",
        r"\.(rar|7z|zst|lz4|ar|iso|dmg)",
        "pack the folder as a zip file",
    ),
    Unread("an SVG drawing", r"\.svgz?", EXPORT),
    Unread(
        "a document",
        r"\.(pdf|docx?|pptx?|odt|odp|ps|eps|ai)",
        "export its pictures as PNG, into a folder for each class",
    ),
    Unread("a spreadsheet", r"\.(xlsx?|ods|numbers)", "save it as CSV"),
    Unread(
        "a video",
        r"\.(mp4|mov|avi|mkv|webm|m4v|mpe?g)",
        "save frames of it as PNG, into a folder for each class",
    ),
    Unread("a medical picture", r"\.(dcm|dicom|nii|nii\.gz|nrrd)", EXPORT),
    Unread("a camera's raw picture", r"\.(cr[23]|nef|arw|dng|raf|orf|rw2)", EXPORT),
    Unread("a drawing program's file", r"\.(psd|xcf|kra|sketch|fig|afdesign)", EXPORT),
    Unread(
        "a HEIC, AVIF, JPEG XL or JPEG 2000 picture",
        r"\.(heic|heif|jxl|avif|jp2)",
        EXPORT,
    ),
    Unread(
        "a file of strokes",
        r"\.ndjson",
        "take the drawings as pictures, or Quick, Draw!'s numpy_bitmap files",
    ),
    Unread(
        "a shortcut",
        r"\.(lnk|url|webloc|desktop)",
        "put the folder itself in its place",
    ),
    Unread(
        "a download that is not complete",
        r"\.(crdownload|part|partial|download)",
        "download it again",
    ),
    Unread(
        "a piece of an archive",
        r"\.(zip\.\d+|z\d\d|part\d+\.rar|00\d)",
        "join the pieces, and pack the folder as one zip file",
    ),
    Unread(
        "boxes in pictures (Pascal VOC),",
        r"\.xml",
        BOXES,
        rb"\s*(<\?xml[^>]*>\s*)?<annotation",
    ),
    Unread(
        "boxes in pictures (YOLO),",
        r"\.txt",
        BOXES,
        rb"\d+( +(0?\.\d+|[01](\.\d+)?)){4,}\s*(\n|$)",
    ),
)
COCO = Unread("a list of boxes or outlines in pictures,", r"\.json", BOXES)
BOXED = (("images", "annotations"), ("shapes", "imagePath"), ("_via_img_metadata",))


@dataclass(frozen=True, slots=True)
class Read:
    """A form that is read.

    Attributes:
        name: for people.
        holds: returns the data set that a folder or file holds in this form, if any.
    """

    name: str
    holds: Callable[[Path, Folders | None], Dataset | None]


def _emnist(place: Path, folders: Folders | None) -> Dataset | None:
    for within in (".", *PLACES):
        for name in idx_sets(place / within):
            if is_emnist(name):
                return dataset_named(f"{BEGINNING}{split_of(name)}")
    return None


def _idx(place: Path, folders: Folders | None) -> Dataset | None:
    return DATASETS["idx"] if is_there(DATASETS["idx"], place) else None


def _shelved(place: Path, folders: Folders | None) -> Dataset | None:
    for dataset in DATASETS.values():
        is_shelved = dataset.place != "." and dataset.format == "idx"
        if is_shelved and not dataset.overlaps and is_there(dataset, place):
            return dataset
    return None


def _tables(place: Path, folders: Folders | None) -> Dataset | None:
    return DATASETS["csv"] if has_tables(place) else None


def _arrays(place: Path, folders: Folders | None) -> Dataset | None:
    return DATASETS["npz"] if array_files(place) and has_arrays(place) else None


def _pictures(place: Path, folders: Folders | None) -> Dataset | None:
    """Return the data set of pictures in folders.

    Raises:
        OneClass: there are pictures, of one class alone.
        BrokenFile: a file is damaged, or what is meant is unclear.
    """
    try:
        survey(place, folders)
    except OneClass:
        raise
    except FileNotFoundError:
        return None
    return replace(DATASETS["folder"], folders=folders)


def _packed(place: Path, folders: Folders | None) -> Dataset | None:
    files = unpacked(place)
    return None if files == place else dataset_in(files)


READ = (
    Read("EMNIST as it is distributed", _emnist),
    Read("four files in MNIST's format", _idx),
    Read("a known data set in its folder", _shelved),
    Read("images in CSV files", _tables),
    Read("arrays in files of NumPy, MATLAB or CIFAR", _arrays),
    Read("pictures in folders, one for each class", _pictures),
    Read("any of these but pictures in an archive", _packed),
)


def dataset_in(place: Path, folders: Folders | None = None) -> Dataset | None:
    """Return the data set that a folder, or a file, holds, if any.

    Args:
        place: the folder or the file.
        folders: what the outermost folders of pictures are; None lets names tell.

    Raises:
        OneClass: there are pictures, of one class alone.
        BrokenFile: a file is damaged, or what is meant is unclear.
    """
    for form in READ:
        if (dataset := form.holds(place, folders)) is not None:
            return dataset
    arrays_in(unpacked(place))  # what is damaged there, or unclear, is told
    table_files(unpacked(place))
    return None


def unread_words(tree: Tree, names: Iterable[str]) -> list[str]:
    """Say which files are of forms that are not read, and what to do instead.

    Args:
        tree: the files of a folder or an archive.
        names: those of them that are not used; or of the archive itself.
    """
    said: dict[Unread, list[str]] = {}
    for name in dict.fromkeys(names):
        steps = steps_of(name)
        if steps and not is_left_by_a_system(steps):
            form = _unread(tree, name)
            if form is not None:
                said.setdefault(form, []).append(name)
    return [
        f"{min(some)} is {form.name} {_instead(form)}"
        + (f" ({len(some)} such files)." if len(some) > 1 else ".")
        for form, some in list(said.items())[:SAID]
    ]


def _instead(form: Unread) -> str:
    return (
        form.instead if form.instead == BOXES else f"and cannot be read: {form.instead}"
    )


def _unread(tree: Tree, name: str) -> Unread | None:
    """Return the form of a file that is not read, if it is known."""
    last = steps_of(name)[-1].lower()
    if last.endswith(".json"):
        return COCO if _lists_boxes(tree, name) else None
    fitting = [form for form in UNREAD if re.search(f"{form.ending}$", last)]
    start = b""
    if name in tree.files and any(form.start for form in fitting):
        start = tree.start(name)
    return next(
        (form for form in fitting if form.start is None or re.match(form.start, start)),
        None,
    )


def _lists_boxes(tree: Tree, name: str) -> bool:
    """Tell whether a file lists boxes in pictures, as COCO and LabelMe do."""
    try:
        with Reader(tree.limits) as reader:
            content = json.loads(reader.content(tree.files[name], MOST_JSON))
    except (ValueError, OSError, RecursionError):  # BrokenFile is a ValueError
        return False
    return isinstance(content, dict) and any(
        {*fields} <= content.keys() for fields in BOXED
    )
