"""Writing files so that a crash or a full disk never costs the previous version."""

import os
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` at `path`, all of it or none.

    Written beside it, flushed to the disk, then renamed into place.

    Raises:
        OSError: the disk is full or the folder not writable; `path` is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.writing")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
