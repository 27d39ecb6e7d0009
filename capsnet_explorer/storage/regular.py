"""Which things on a disk are files that can be read to their end."""

import errno
import stat
from pathlib import Path


def require_file(path: Path) -> None:
    """Refuse what is no file: reading a pipe would never end.

    Raises:
        OSError: it is a folder, a pipe or a device, or is not there.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))
