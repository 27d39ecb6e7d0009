"""Writing a file so that nobody ever sees half of it."""

from pathlib import Path


def replace(file: Path, content: bytes) -> None:
    """Write a file beside its place, and let it take that.

    Raises:
        OSError: it cannot be written, for example on a full disk; what was there stays.
    """
    beside = file.with_name(f".{file.name}.writing")
    try:
        beside.write_bytes(content)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
