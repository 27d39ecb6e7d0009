"""Writing files so that a crash or a full disk never destroys the previous version."""

import os
from pathlib import Path


def beside(path: Path) -> Path:
    """Return where a file's next version stands until it is whole."""
    return path.with_name(f".{path.name}.writing")


def replace_file(path: Path, content: bytes, *, makes_folder: bool = False) -> None:
    """Replace the file at `path` atomically.

    Writes a temporary file beside it, flushes it to the disk and renames it into place.
    The folder is flushed too, so that a power cut cannot undo the renaming.

    Args:
        path: the file.
        content: all of it.
        makes_folder: whether to make its folder, should that be missing.

    Raises:
        OSError: the disk is full or the folder is not writable. The error names `path`,
            which is unchanged.
    """
    temporary = beside(path)
    try:
        if makes_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _flush_folder(path.parent)
    except OSError as error:
        # The error for a full disk names no file.
        raise OSError(error.errno, error.strerror, str(path)) from error


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # other systems cannot open a folder
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
