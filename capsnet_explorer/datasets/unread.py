"""What is not read, or not used: each form has a name, and says what to do instead."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from capsnet_explorer.datasets.naming import (
    classes_in_names,
    is_left_by_a_system,
    is_picture,
    steps_of,
)
from capsnet_explorer.datasets.tree import Reader, Tree
from capsnet_explorer.datasets.unused import LOOSE, left_out_words

MOST_JSON = 64 << 20  # bytes of a file that may list boxes
SAID = 3  # sentences on forms that are not read

PICTURES = "write its pictures as PNG files into a folder for each class"
ARRAYS = "save its images and labels as arrays, with numpy.savez"
EXPORT = "export it as PNG"
BOXES = (
    "and a network here names one class of each picture: cut the boxes out, into a "
    "folder for each class"
)
NUMBERS = rb"\s*(-?[\d.]+[ \t]*[,;\t ][ \t]*){15}"  # begin a table of images


@dataclass(frozen=True, slots=True)
class Unread:
    """A form that is not read.

    Attributes:
        name: for people, of one such file.
        ending: pattern of the end of a file's name, in small letters.
        instead: what to do.
        start: pattern that the file's first bytes match; none looks at its name alone.
    """

    name: str
    ending: str
    instead: str
    start: bytes = b""


UNREAD = (
    Unread(
        *("boxes in pictures (Pascal VOC),", r"\.xml", BOXES),
        rb"\s*(<\?xml[^>]*>\s*)?<annotation",
    ),
    Unread(
        *("boxes in pictures (YOLO),", r"\.txt", BOXES),
        rb"\d+( +(0?\.\d+|[01](\.\d+)?)){4,}\s*(\n|$)",
    ),
    Unread("boxes in pictures,", r"\.jsonl", BOXES, rb'(?s:.*"bbox")'),
    Unread(
        "a Teachable Machine project",
        r"\.tm",
        "download the samples of each class there, and add these zip files together",
    ),
    Unread("a Parquet file", r"\.parquet", PICTURES),
    Unread("an Arrow file", r"\.(arrow|feather)", PICTURES),
    Unread(
        *("MATLAB's file of version 7.3", r"\.mat", "save it again with -v7"),
        rb"MATLAB 7\.3",
    ),
    Unread("an HDF5 file", r"\.mat", ARRAYS, rb"\x89HDF|(?s:.{512}\x89HDF)"),
    Unread("an HDF5 file", r"\.(h5|hdf5|he5)", ARRAYS),
    Unread(
        "MATLAB's file without an array of images and one of labels",
        r"\.mat",
        "save these two as arrays of numbers, such as X and y",
    ),
    Unread(
        "Python's objects, which may hold code and are never read,",
        r"\.(pkl|pickle|p|pt|pth|joblib)",
        ARRAYS,
    ),
    Unread(
        "a batch of CIFAR's without the file of its classes",
        r"(data_batch_\d+|test_batch)",
        "put batches.meta beside it",
    ),
    Unread("a file of TFRecords", r"\.tfrec(ords?)?(-\d+-of-\d+)?", PICTURES),
    Unread("an LMDB file", r"\.(mdb|lmdb)", PICTURES),
    Unread("a database", r"\.(db|sqlite3?)", PICTURES),
    Unread(
        "an archive of another kind",
        r"\.(rar|7z|zst|lz4|ar|iso|dmg)",
        "pack the folder as a zip file",
    ),
    Unread("an SVG drawing", r"\.svgz?", EXPORT),
    Unread(
        "a document",
        r"\.(pdf|docx?|pptx?|odt|odp|ps|eps|ai)",
        "export its pictures as PNG, into a folder for each class",
    ),
    Unread(
        "a table of another program",
        r"\.(xlsx?|ods|numbers|arff|libsvm|svm|rds|rdata|sav|dta)",
        "save it as CSV",
    ),
    Unread(
        "a table without a column of labels",
        r"\.(csv|tsv)",
        "write the label of each image before its pixels",
        NUMBERS,
    ),
    Unread(
        "a table of numbers that is not called as one",
        r"\.(txt|data?|tra|tes|train|test)",
        "give its name the ending .csv",
        NUMBERS,
    ),
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
        "a picture whose name does not say so",
        "",
        "give its name an ending, such as .png",
        rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|(?s:RIFF.{4}WEBP)",
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
)
COCO = Unread("a list of boxes or outlines in pictures,", r"\.json", BOXES)
BOXED = (("images", "annotations"), ("shapes", "imagePath"), ("_via_img_metadata",))


def unused_words(
    tree: Tree, unused: Mapping[str, list[str]], files: Sequence[str] = ()
) -> list[str]:
    """Say what is not used of some files, and what to do where that is known.

    Args:
        tree: the files of a folder or an archive.
        unused: the names of those that are not used, by what they are.
        files: further pictures that may need folders.
    """
    names = [name for some in unused.values() for name in some]
    classes = classes_in_names([*unused.get(LOOSE, ()), *files])
    sentences = [f"{classes[0].upper()}{classes[1:]}."] if classes else []
    return [*unread_words(tree, names), *left_out_words(unused), *sentences]


def unread_words(tree: Tree, names: Iterable[str]) -> list[str]:
    """Say which files are of forms that are not read, and what to do instead.

    Args:
        tree: the files of a folder or an archive.
        names: those of them that are not used; or of the archive itself.
    """
    by_form: dict[Unread, list[str]] = {}
    for name in dict.fromkeys(names):
        steps = steps_of(name)
        if steps and not is_left_by_a_system(steps) and (form := unread(tree, name)):
            by_form.setdefault(form, []).append(name)
    sentences = []
    for form, some in list(by_form.items())[:SAID]:
        what = form.instead
        if what != BOXES:
            what = f"and cannot be read: {what}"
        more = f" ({len(some)} such files)" if len(some) > 1 else ""
        sentences.append(f"{min(some)} is {form.name} {what}{more}.")
    return sentences


def unread(tree: Tree, name: str) -> Unread | None:
    """Return the form of a file that is not read, if it is known."""
    last = steps_of(name)[-1].lower()
    if is_picture(last):
        return None
    if last.endswith(".json"):
        return COCO if _lists_boxes(tree, name) else None
    start = None
    for form in UNREAD:
        if re.search(f"{form.ending}$", last):
            if form.start and start is None:
                start = tree.start(name) if name in tree.files else b""
            if not form.start or re.match(form.start, start or b""):
                return form
    return None


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
