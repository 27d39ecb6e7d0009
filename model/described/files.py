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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import nn

from capsnet_explorer.model.described.errors import without_ours
from capsnet_explorer.model.described.mine import Mine, collected
from capsnet_explorer.model.described.running.attending import Failed, attend
from capsnet_explorer.model.described.running.settings import settings_kept

GROUP = "capsnet_explorer.networks"  # of entry points
VARIABLE = "CAPSNET_NETWORKS"  # paths, separated as in PATH
# Of `describe`, as a file names them that makes `net` and `images` only.
SETTINGS = ("labels", "class_names", "normalize", "title", "dataset")
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
    return [*files, *(Path(path) for path in named if path)]


def open_networks(files: Sequence[Path], taken: Sequence[str] = ()) -> Opened:
    """Open the networks of files, and those that installed packages offer.

    Args:
        files: Python files that call `describe`, or make `net` and `images`.
        taken: ids that other networks have.
    """
    opened = Opened()
    for file in files:
        _open(opened, file.name, taken, lambda file=file: _run(file))
    for offered in entry_points(group=GROUP):
        _open(opened, offered.name, taken, offered.load)
    return opened


def _open(
    opened: Opened, name: str, taken: Sequence[str], load: Callable[[], Any]
) -> None:
    label = name
    # Two files of one name are two networks, and two failures.
    name = _free(_plain(Path(name).stem), {*opened.refused})
    try:
        with settings_kept() as changed:
            networks = attend(lambda: _networks_of(load), f"Opening {label}")
        if changed:
            check = partial(_require_alike, networks, changed)
            attend(check, f"Running {label} with torch as it was")
    except Failed as failed:
        error = failed.error
        opened.refused[name] = _first_line(error)
        trace = without_ours(error.__cause__ or error)
        opened.traces[name] = "".join(traceback.format_exception(trace))
        return
    for mine in networks:
        base = name if mine.name == "mine" else mine.name
        mine.rename(_free(base, {*taken, *opened.networks}))
        opened.networks[mine.name] = mine


def _networks_of(load: Callable[[], Any]) -> list[Mine]:
    """Return the networks that a program describes, each once."""
    with collected() as networks:
        offered = load()
        if callable(offered) and not isinstance(offered, Mine | ModuleType):
            offered = offered()
    several = offered if isinstance(offered, list | tuple) else [offered]
    networks += [offer for offer in several if isinstance(offer, Mine)]
    if not networks:
        networks.append(_discovered(offered))
    return list(dict.fromkeys(networks))


def _discovered(program: Any) -> Mine:
    """Describe the module and the images that a program makes."""
    values = vars(program) if isinstance(program, ModuleType) else {}
    modules = {
        name: value for name, value in values.items() if isinstance(value, nn.Module)
    }
    several = [*dict.fromkeys(modules.values())]
    module = modules.get("net", several[0] if len(several) == 1 else None)
    if module is None or "images" not in values:
        raise ValueError(
            "it describes no network: it must call describe(...), or make the module "
            f"net and its images; it makes {', '.join(modules) or 'no module'}"
            + ("" if "images" in values else ", and no images")
        )
    settings = {name: values[name] for name in SETTINGS if name in values}
    return Mine.of(module, None, values["images"], **settings)


def _require_alike(networks: Sequence[Mine], changed: Sequence[str]) -> None:
    """Require that networks answer as before torch's settings were put back."""
    settings = " and ".join(sorted({*changed}))
    for mine in networks:
        needs = (
            f"it needs torch's {settings} changed for all networks: build it so that "
            "it computes without"
        )
        try:
            with torch.inference_mode():
                scores = mine.trained.network(mine.images.float()).scores
        except Exception as error:
            raise ValueError(f"{needs} ({_first_line(error)})") from error
        if not torch.equal(scores.argmax(dim=1).cpu(), mine.answers.cpu()):
            raise ValueError(f"{needs} (it answers otherwise)")


def _run(file: Path) -> ModuleType:
    """Run a Python file as a script in its own folder would run, and return its names.

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
    if spec is None or spec.loader is None:
        raise ValueError(f"{file.name} cannot be run as Python")
    module = importlib.util.module_from_spec(spec)
    with _in_folder(file.resolve().parent), contextlib.chdir(file.resolve().parent):
        sys.modules[spec.name] = module  # dataclasses look themselves up there
        spec.loader.exec_module(module)
    return module


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
        with contextlib.suppress(ValueError):  # the program may have removed it
            sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None) or ""
            is_own = bool(origin) and folder in Path(origin).resolve().parents
            if is_own and not name.startswith(RUN_AS) and "site-packages" not in origin:
                del sys.modules[name]


def _first_line(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return str(error)
    if not isinstance(error, Exception):
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
    candidate = name
    while candidate in taken:
        candidate, count = f"{name}-{count}", count + 1
    return candidate
