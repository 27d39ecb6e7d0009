"""Room on the disk: what a run needs, and what is said where there is none."""

import errno
import shutil
from pathlib import Path

from capsnet_explorer.app.errors import ApiError, Conflict, Overloaded
from capsnet_explorer.storage.sizes import size_words

FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
LEAST_FREE = 1 << 30  # bytes of the disk that a run must leave others
RETURN_S = 5  # until it is worth asking again


def free_bytes(folder: Path) -> int:
    """Return how many bytes can be written beside a folder, be it there or not.

    Raises:
        OSError: nobody can tell.
    """
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def unwritten(what: str, error: OSError, needs: int = 0) -> ApiError:
    """Return what to say of something that could not be written.

    Args:
        what: cannot be written, such as `the run`.
        error: why.
        needs: bytes.
    """
    if error.errno in FULL:
        more = f" It needs {size_words(needs)}." if needs else ""
        words = f"{what} cannot be written: the disk is full.{more}"
        return Overloaded(words, after_s=RETURN_S)
    return Conflict(f"{what} cannot be written: {error.strerror}")
