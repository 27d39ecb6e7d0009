"""Folders that are made beside their place: nobody's files are in the way, or go."""

from collections.abc import Collection
from pathlib import Path


def begun_beside(target: Path) -> Path:
    """Make an empty folder beside a place, to be filled and then renamed to it.

    Args:
        target: where the folder is to be; folders above it are made.

    Returns:
        `.NAME.writing`, or `.NAME.2.writing` and so on where others have these names.

    Raises:
        OSError: it cannot be made.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    name, number = target.name, 2
    while True:
        try:
            beside = target.with_name(f".{name}.writing")
            beside.mkdir()
            return beside
        except FileExistsError:
            name, number = f"{target.name}.{number}", number + 1


def remove_only(folder: Path, names: Collection[str]) -> None:
    """Remove a folder with files of these names; one that holds more stays whole.

    Raises:
        OSError: something cannot be removed.
    """
    held = list(folder.iterdir())
    if all(file.name in names and file.is_file() for file in held):
        for file in held:
            file.unlink()
        folder.rmdir()
