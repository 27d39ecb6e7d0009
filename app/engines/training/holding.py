"""The folder of runs, which one server at a time holds: each would stop the other's."""

import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has none; there, two servers must not share a folder
    fcntl = None

TAKEN = (
    "another explorer on this machine uses the folder of training runs: use that one, "
    "or start this one with another folder, --runs (or CAPSNET_RUNS)"
)


class Hold:
    """A lock of a folder, which ends with the process at the latest.

    Args:
        folder: made when it is taken.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: int | None = None  # descriptor of the lock

    def take(self) -> str | None:
        """Take it, unless it is held already.

        Returns:
            Why it cannot be had just now; None where it is held.
        """
        if self._held is not None or fcntl is None:
            return None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = os.open(self._folder / "lock", os.O_CREAT | os.O_WRONLY)
        except (FileExistsError, NotADirectoryError):
            return "the folder of training runs, --runs, is a file"
        except OSError as error:
            return (
                "the folder of training runs, --runs, cannot be written to: "
                f"{error.strerror}"
            )
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return TAKEN
        self._held = file
        return None

    def release(self) -> None:
        """Let others have it."""
        if self._held is not None:
            os.close(self._held)
            self._held = None
