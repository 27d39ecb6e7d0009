"""Writing files so that a crash or a full disk never costs the previous version."""

import os
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` at `path`, all of it or none.

    Written beside it, flushed to the disk, then renamed into place; the folder is
    flushed too, so that a power cut does not undo the renaming.

    Raises:
        OSError: the disk is full or the folder not writable; it names `path`, which is
            untouched.
    """
    beside = path.with_name(f".{path.name}.writing")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        _flush_folder(path.parent)
    except OSError as error:
        # A full disk is told by errors that name no file.
        raise OSError(error.errno, error.strerror, str(path)) from error


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # elsewhere folders cannot be opened
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
