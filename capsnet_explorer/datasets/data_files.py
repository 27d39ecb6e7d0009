"""The files of a folder that may hold tables or arrays, and of which part each is."""

from pathlib import Path

from capsnet_explorer.datasets.naming import (
    HIDDEN,
    Part,
    is_left_by_a_system,
    part_of,
)


def innermost(folder: Path) -> Path:
    """Return a folder without those around it that hold nothing else."""
    while folder.is_dir():
        inside = [x for x in folder.iterdir() if not is_left_by_a_system((x.name,))]
        if len(inside) != 1 or not inside[0].is_dir():
            return folder
        folder = inside[0]
    return folder


def files_in(folder: Path) -> list[tuple[Path, Part | None]]:
    """Return the files of a folder, and those in its folders `train` and `test`.

    Returns:
        Each file in order, with the part that its folder says, if any.
    """
    if folder.is_file():
        return [(folder, None)]
    files: list[tuple[Path, Part | None]] = []
    for entry in _visible(innermost(folder)):
        if entry.is_file():
            files.append((entry, None))
        elif (part := part_of(entry.name)) is not None:
            for file in filter(Path.is_file, _visible(entry)):
                files.append((file, part))
    return files


def _visible(folder: Path) -> list[Path]:
    entries = folder.iterdir() if folder.is_dir() else ()
    return sorted(entry for entry in entries if not entry.name.startswith(HIDDEN))
