"""Tables and arrays of an archive, unpacked into a folder that vanishes at the end."""

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from capsnet_explorer.datasets.archives import Limits, TooMuch, is_archive
from capsnet_explorer.datasets.catalogue import NAMES_FILE
from capsnet_explorer.datasets.data_files import innermost
from capsnet_explorer.datasets.naming import is_left_by_a_system, steps_of
from capsnet_explorer.datasets.tree import ARCHIVES, START, Reader, Tree, tree_of

MOST = 2 << 30  # bytes of all tables and arrays of a stranger
ENDINGS = (
    *(".csv", ".csv.gz", ".tsv", ".tsv.gz", ".npz", ".npy", ".mat"),
    *("-ubyte", "-ubyte.gz", "-mapping.txt", NAMES_FILE, ".bin"),
)
BATCHES = ("data_batch_", "test_batch", "batches.meta")  # begin CIFAR's names
CIFAR_100 = ("train", "test", "meta")


def unpacked(path: Path) -> Path:
    """Return a folder of the tables and arrays of an archive, or the place itself.

    A folder whose tables and arrays are all in archives is unpacked, too.

    Raises:
        BrokenFile: the archive is damaged.
    """
    if path.is_dir():
        archives = [x for x in innermost(path).iterdir() if ARCHIVES.fullmatch(x.name)]
    else:
        archives = [path] if path.is_file() and _is_packed(path) else []
    if not archives:
        return path
    status = [(x.name, x.stat().st_size, x.stat().st_mtime_ns) for x in archives]
    return _unpack_once(path.resolve(), tuple(sorted(status)))


def _is_packed(path: Path) -> bool:
    """Tell whether a file is an archive, and not NumPy's, which are zip files, too."""
    with path.open("rb") as file:
        return path.suffix.lower() != ".npz" and is_archive(file.read(START))


@lru_cache(maxsize=4)
def _unpack_once(path: Path, _status: tuple[tuple[str, int, int], ...]) -> Path:
    tree = tree_of(path)
    if path.is_dir():
        chosen = wanted(tree.files)
        if not chosen or not all(tree.files[name].members for name in chosen):
            return path
    folder = Path(tempfile.mkdtemp(prefix="capsnet-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    unpack(tree, folder, None)
    return innermost(folder)


def unpack(tree: Tree, to: Path, limits: Limits | None) -> None:
    """Write tables, arrays, and files in MNIST's format, in the folders that they have.

    Args:
        tree: files of an archive.
        to: the folder.
        limits: of a stranger's archive, whose files may have `MOST` bytes in all.

    Raises:
        TooMuch: they have more.
        BrokenFile: one is damaged.
    """
    written = 0
    with Reader(tree.limits) as reader:
        for name in wanted(tree.files):
            target = to.joinpath(*steps_of(name))
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                for data in reader.pieces(tree.files[name]):
                    written += len(data)
                    if limits is not None and written > MOST:
                        raise TooMuch(
                            f"tables and arrays may have {MOST >> 30} GB at most, "
                            "unpacked"
                        )
                    file.write(data)


def wanted(names: Iterable[str]) -> list[str]:
    """Return the names of tables, arrays, and files in MNIST's or CIFAR's format."""
    every = {name: steps_of(name) for name in names}
    is_cifar_100 = {*CIFAR_100} <= {steps[-1] for steps in every.values() if steps}
    return [
        name
        for name, steps in every.items()
        if steps
        and not is_left_by_a_system(steps)
        and (
            steps[-1].lower().endswith(ENDINGS)
            or steps[-1].startswith(BATCHES)
            or (is_cifar_100 and steps[-1] in CIFAR_100)
        )
    ]
