"""CIFAR's batches as Python pickles them, read without running what is in them.

A batch is a dictionary: rows of 3 x 32 x 32 bytes, and a list of labels. Pickles can
name any function to be called; here, arrays alone are put together, of their bytes.
"""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.idx import BrokenFile, Bytes

TRAINING = ("data_batch_1", "train")
META = ("batches.meta", "meta")
SHAPE = (3, 32, 32)


class _Kind:
    """What stands for the type of an array."""

    def __init__(self, code: Any = "", *rest: object) -> None:
        self.code = code

    def __setstate__(self, state: object) -> None:
        """Forget the order of bytes: those of a byte have none."""


class _Array:
    """What stands for an array, until its state comes."""

    bytes = b""
    shape: tuple[int, ...] = ()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, self.shape, kind, _, data = state
        code = kind.code.decode() if isinstance(kind.code, bytes) else kind.code
        if code not in ("u1", "|u1"):
            raise pickle.UnpicklingError(f"images must be bytes, got {code}")
        self.bytes = data.encode("latin-1") if isinstance(data, str) else data


def _empty_array(*description: object) -> _Array:
    return _Array()


_KNOWN = {
    "_reconstruct": _empty_array,
    "ndarray": _Array,
    "dtype": _Kind,
    "encode": lambda text, encoding="latin-1": text.encode("latin-1"),
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        is_known = module.partition(".")[0] in ("numpy", "_codecs")
        if is_known and name in _KNOWN:
            return _KNOWN[name]
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is never run")


def batches_folder(folder: Path) -> Path | None:
    """Return the folder of CIFAR's pickled batches: this one, or one in it."""
    if not folder.is_dir():
        return None
    places = [folder, *(x for x in sorted(folder.iterdir()) if x.is_dir())]
    return next(
        (
            path
            for path in places
            if any((path / name).is_file() for name in TRAINING)
            and any((path / name).is_file() for name in META)
        ),
        None,
    )


def read_batches(folder: Path) -> dict[str, tuple[Bytes, NDArray[Any]]]:
    """Read both parts of CIFAR-10 or CIFAR-100.

    Returns:
        Of `training` and `test`, images (count, 3, 32, 32) and labels (count), words.

    Raises:
        BrokenFile: a file is missing, damaged, or names something to be run.
    """
    meta = _content(next(folder / name for name in META if (folder / name).is_file()))
    names = meta.get("label_names") or meta.get("fine_label_names") or []
    names = np.array([_text(name) for name in names])
    parts = {}
    for part, files in batch_files(folder).items():
        if not files:
            raise BrokenFile(f"{folder.name} must hold {part} batches, got none")
        batches = [_batch(file) for file in files]
        labels = np.concatenate([labels for _, labels in batches])
        if len(labels) and not 0 <= labels.min() <= labels.max() < len(names):
            raise BrokenFile(f"labels must be below {len(names)}, got {labels.max()}")
        parts[part] = np.concatenate([images for images, _ in batches]), names[labels]
    return parts


def batch_files(folder: Path) -> dict[str, list[Path]]:
    """Return the files of each part."""
    numbered = sorted(folder.glob("data_batch_?"))
    training = numbered or [x for x in [folder / "train"] if x.is_file()]
    tests = [folder / name for name in ("test_batch", "test")]
    return {"training": training, "test": [x for x in tests if x.is_file()][:1]}


def _batch(file: Path) -> tuple[Bytes, NDArray[np.int64]]:
    content = _content(file)
    data = content.get("data")
    labels = content.get("labels", content.get("fine_labels"))
    if not isinstance(data, _Array) or not isinstance(labels, list):
        raise BrokenFile(f"{file.name} must hold data and labels")
    count = len(labels)
    if len(data.bytes) != count * int(np.prod(SHAPE)):
        raise BrokenFile(
            f"{file.name} must hold {np.prod(SHAPE)} bytes for each of {count} labels, "
            f"got {len(data.bytes)} in all"
        )
    images = np.frombuffer(data.bytes, np.uint8).reshape(count, *SHAPE)
    return images, np.array(labels, np.int64)


def _content(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            content = _Reader(opened, encoding="latin-1").load()
    except Exception as error:  # damaged pickles raise nearly any exception
        raise BrokenFile(
            f"{file.name} must be a batch of CIFAR's, got {error}"
        ) from None
    if not isinstance(content, dict):
        raise BrokenFile(f"{file.name} must hold a dictionary")
    return {_text(key): value for key, value in content.items()}


def _text(word: object) -> str:
    return word.decode("latin-1") if isinstance(word, bytes) else str(word)
