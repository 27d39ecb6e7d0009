"""Networks that their owners describe in files and packages, opened for the server.

A Python file runs with its user's rights, so only files that the command line or the
environment names are opened, and never one that the page or a request names.
"""

import contextlib
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from capsnet_explorer.model.described.errors import without_ours
from capsnet_explorer.model.described.mine import Mine, collected

GROUP = "capsnet_explorer.networks"  # of entry points
VARIABLE = "CAPSNET_NETWORKS"  # paths, separated as in PATH
RUN_AS = "capsnet_explorer_network"


@dataclass
class Opened:
    """Described networks, and what could not be opened.

    Attributes:
        networks: by the ids that they have in addresses.
        refused: why a file or a package cannot be used, by its name.
        traces: the tracebacks of these, in their users' own code.
    """

    networks: dict[str, Mine] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    traces: dict[str, str] = field(default_factory=dict)


def networks_named(files: Sequence[Path], environment: Mapping[str, str]) -> list[Path]:
    """Return the files of networks that the command line and the environment name."""
    named = environment.get(VARIABLE, "").split(os.pathsep)
    return [*files, *(Path(each) for each in named if each)]


def open_networks(files: Sequence[Path], taken: Sequence[str] = ()) -> Opened:
    """Open the networks of files, and those that installed packages offer.

    Args:
        files: Python files that call `describe`.
        taken: ids that other networks have.
    """
    opened = Opened()
    for file in files:
        _open(opened, file.stem, taken, lambda file=file: _run(file))
    for offered in entry_points(group=GROUP):
        _open(opened, offered.name, taken, offered.load)
    return opened


def _open(opened: Opened, name: str, taken: Sequence[str], load: Any) -> None:
    # Two files of one name are two networks, and two failures.
    name = _free(_plain(name), {*opened.refused})
    try:
        with collected() as found:
            offered = load()
            if callable(offered) and not isinstance(offered, Mine | ModuleType):
                offered = offered()
        several = offered if isinstance(offered, list | tuple) else [offered]
        found += [each for each in several if isinstance(each, Mine)]
        if not found:
            raise ValueError("it describes no network: it must call describe(...)")
    # Also what argparse and sys.exit raise: a file never takes the server with it.
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        opened.refused[name] = _first_line(error)
        shown = error.__cause__ or error
        opened.traces[name] = "".join(traceback.format_exception(without_ours(shown)))
        return
    for mine in dict.fromkeys(found):
        base = name if mine.name == "mine" else mine.name
        mine.rename(_free(base, {*taken, *opened.networks}))
        opened.networks[mine.name] = mine


def _run(file: Path) -> None:
    """Run a Python file, as a script in its own folder would run.

    What it names by relative paths, such as its weights, lies beside it.
    """
    if not file.is_file():
        raise ValueError(f"there is no file {file.name}")
    if file.suffix != ".py":
        raise ValueError(
            f"a network must be a Python file that calls describe, got {file.name}; "
            "weights alone hold no network"
        )
    name = _free(f"{RUN_AS}_{_plain(file.stem)}", {*sys.modules})
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _in_folder(file.resolve().parent), contextlib.chdir(file.resolve().parent):
        sys.modules[spec.name] = module  # dataclasses look themselves up there
        spec.loader.exec_module(module)


@contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    """Import modules of a folder first, and forget them for the next file.

    Two files' own `model.py` are two modules.
    """
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None) or ""
            is_own = bool(origin) and folder in Path(origin).resolve().parents
            if is_own and not name.startswith(RUN_AS) and "site-packages" not in origin:
                del sys.modules[name]


def _first_line(error: BaseException) -> str:
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return f"it ends the program, by {type(error).__name__}: it must only describe"
    words = (str(error).strip() or type(error).__name__).splitlines()[0]
    return (
        words if isinstance(error, ValueError) else f"{type(error).__name__}: {words}"
    )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "network"


def _free(name: str, taken: set[str]) -> str:
    """Return a name that nothing else has."""
    count = 2
    found = name
    while found in taken:
        found, count = f"{name}-{count}", count + 1
    return found
