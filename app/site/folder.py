"""Writes a site into a folder, which may hold other people's files as well.

A list in the folder names each file that was written, with its digest: these alone are
replaced or removed. Files of a new version have other names than those of the old one,
but for the pages. They come first, then the pages, then the list, and what is left of
the old version goes last: at every moment the folder holds the old site or the new one.
A plan, written before all else, lets the same command go on after it was cut off.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath

from capsnet_explorer.storage.writing import beside, replace_file

LIST = "site.json"
PLAN = ".site-writing.json"  # what is being written, until all of it stands there
FIRST_PAGE = "index.html"
# What repositories and hosts of pages keep beside a site; so do hidden files.
OF_HOSTS = frozenset({"README.md", "CNAME", "LICENSE"})
LINK = "a link"  # in place of the digest of a file

Known = Mapping[str, Sequence[str]]  # digests that a file had when it was written here
Say = Callable[[str], None]


def require_own(folder: Path) -> None:
    """Refuse a folder that holds what was not written here.

    Raises:
        FileExistsError: it is no folder, or it has no list of ours and holds more than
            a repository or a host keeps there; or its list is not ours.
    """
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"a folder is needed, got the file {folder}")
    if not folder.is_dir() or _known(folder):
        return
    others = sorted(
        entry.name
        for entry in folder.iterdir()
        if not entry.name.startswith(".") and entry.name not in OF_HOSTS
    )
    if others:
        raise FileExistsError(
            "the folder must be new, a repository without other files, or a site that "
            f"was written before, got {folder}, which holds other things: "
            f"{_listed(others)}"
        )


def replace_site(
    folder: Path, files: Mapping[str, bytes], networks: Sequence[str], say: Say = print
) -> None:
    """Write a site in the place of the one that was written before, if there is one.

    Args:
        folder: is made if it is missing.
        files: by path below the folder, all but the list.
        networks: their ids, for the list.
        say: is told of each file that is left alone because somebody changed it.

    Raises:
        FileExistsError: see `require_own`; or a file that must be written was changed
            since, or was never written here. Nothing has been written then.
        OSError: the disk is full, or the folder is not writable. The same command goes
            on from there.
    """
    require_own(folder)
    known = _known(folder)
    digests = {path: _digest(body) for path, body in files.items()}
    states = {path: _state(folder, path) for path in {*known, *files}}
    _require_free(folder, digests, known, states)
    folder.mkdir(parents=True, exist_ok=True)
    plan = {
        path: sorted(
            {*known.get(path, ()), *([digests[path]] if path in files else ())}
        )
        for path in sorted(states)
    }
    put(folder, PLAN, _list({path: sorted(plan[path]) for path in plan}))
    for path in sorted(files, key=_turn):
        if states[path] != digests[path]:
            put(folder, path, files[path])
    put(folder, LIST, _list(digests, networks=[*networks]))
    for path in states.keys() - files.keys():
        if states[path] in known[path]:
            (folder / path).unlink()
        elif states[path] is not None:
            say(f"{path} was changed since it was written here, so it stays")
    _remove_traces(folder, states)
    (folder / PLAN).unlink()


def _require_free(
    folder: Path,
    digests: Mapping[str, str],
    known: Known,
    states: Mapping[str, str | None],
) -> None:
    """Refuse to write where somebody's own file stands."""
    taken = sorted(
        path
        for path, digest in digests.items()
        if states[path] not in (None, LINK, digest, *known.get(path, ()))
    )
    if taken:
        raise FileExistsError(
            f"{folder} must have no other files where the site's are to stand, but "
            "these were changed since they were written, or never written here: "
            f"{_listed(taken)}. Move or delete them first"
        )


def _turn(path: str) -> tuple[bool, bool, str]:
    """Return when a file is written: what the pages need, pages, and the first page."""
    return path.endswith(".html"), path == FIRST_PAGE, path


def put(folder: Path, path: str, body: bytes) -> None:
    """Write a file; a link on the way is replaced, never followed."""
    target = folder / path
    for parent in (*reversed([*_above(folder, path)]), beside(target)):
        if parent.is_symlink():
            parent.unlink()
    replace_file(target, body, makes_folder=True)


def _above(folder: Path, path: str) -> Iterator[Path]:
    """Yield the folders that a file stands in, the innermost first."""
    yield from (folder / above for above in [*PurePosixPath(path).parents][:-1])


def _state(folder: Path, path: str) -> str | None:
    """Return the digest of what stands there; None for nothing, LINK for a link.

    A folder in the place of a file, or a file in that of a folder, has a digest that no
    file has.
    """
    target = folder / path
    if any(part.is_symlink() for part in (target, *_above(folder, path))):
        return LINK
    if target.is_dir() or any(parent.is_file() for parent in _above(folder, path)):
        return ""
    return _digest(target.read_bytes()) if target.is_file() else None


def _remove_traces(folder: Path, paths: Mapping[str, object]) -> None:
    """Remove pieces of files that a run was cut off in, and folders that are empty."""
    for path in paths:
        if _state(folder, path) != LINK:
            beside(folder / path).unlink(missing_ok=True)
    folders = {*chain.from_iterable(_above(folder, path) for path in paths)}
    for parent in sorted(folders, reverse=True):
        if parent.is_dir() and not parent.is_symlink() and not any(parent.iterdir()):
            parent.rmdir()


def _known(folder: Path) -> Known:
    """Return what was written here: the list's files, and those of a run cut off.

    Raises:
        FileExistsError: there is a list that was not written here.
    """
    known: dict[str, tuple[str, ...]] = {}
    for name in (LIST, PLAN):
        try:
            text = (folder / name).read_bytes()
        except FileNotFoundError:
            continue
        for path, digests in _read(text, folder / name).items():
            known[path] = (*known.get(path, ()), *digests)
    return known


def _list(files: Mapping[str, str | Sequence[str]], **more: object) -> bytes:
    """Return a list of files as it stands in the folder, with a digest of itself."""
    index = {**more, "digest": _digest(json.dumps(files).encode()), "files": files}
    return json.dumps(index, indent=1).encode() + b"\n"


def _read(text: bytes, file: Path) -> Known:
    """Return the files of a list.

    Raises:
        FileExistsError: it was not written by `_list`.
    """
    try:
        index = json.loads(text)
        files = index["files"]
        if index["digest"] != _digest(json.dumps(files).encode()):
            raise ValueError("its digest is another one's")
        return {
            path: [digests] if isinstance(digests, str) else digests
            for path, digests in files.items()
            if not {"/", ".."} & {*PurePosixPath(path).parts}
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileExistsError(
            f"{file} was not written by this version of the command, or was changed "
            "since: what stands beside it is left alone. Write to a new folder"
        ) from None


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
