"""The registry of architectures, the only file that names them all."""

import os
import re
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING

from capsnet_explorer.model.settings import Settings

if TYPE_CHECKING:
    from capsnet_explorer.model.architecture import Architecture

# The package of each architecture, under the name that cards use.
ARCHITECTURES = {
    "capsnet": "capsnet_explorer.model.capsnet",
    "cnn": "capsnet_explorer.model.cnn",
    "matrix": "capsnet_explorer.model.matrix",
    "efficient": "capsnet_explorer.model.efficient",
}
DEFAULT = "capsnet"

# Further ones, outside the project: `name=package,…`, and entry points of packages.
VARIABLE = "CAPSNET_ARCHITECTURES"
GROUP = "capsnet_explorer.architectures"


def register(name: str, package: str) -> None:
    """Make a network of one's own known, for this process.

    Args:
        name: what cards call it: small letters, digits and hyphens.
        package: name of an importable package, of which `config` defines `SETTINGS` and
            `architecture` defines `ARCHITECTURE`.

    Raises:
        ValueError: another has that name, the package cannot be imported, or its
            description of its layers is not one; names network, layer and field.
    """
    _add(name, package)
    try:
        architecture_named(name)
    except ValueError:
        del ARCHITECTURES[name]
        raise


def _add(name: str, package: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(
            "an architecture's name must be small letters, digits and hyphens, a "
            f"letter first, got {name!r}"
        )
    known = ARCHITECTURES.setdefault(name, package)
    if known != package:
        raise ValueError(
            f"the architecture {name} must be one package, got {known} and {package}"
        )


def _add_further() -> None:
    """Add the architectures that the environment and installed packages name."""
    for text in filter(None, os.environ.get(VARIABLE, "").split(",")):
        name, _, package = text.partition("=")
        if not package:
            raise ValueError(f"{VARIABLE} must be name=package,…, got {text!r}")
        _add(name.strip(), package.strip())
    for point in entry_points(group=GROUP):
        _add(point.name, point.value)


@cache
def architecture_named(name: str) -> "Architecture":
    """Return an architecture, importing its package on the first call.

    Raises:
        ValueError: no architecture has that name, or its description of its layers is
            not one; names network, layer and field.
    """
    architecture = _import(name, "architecture").ARCHITECTURE
    architecture.described(architecture.settings.sizes())
    return architecture


def settings_of(name: str) -> Settings:
    """Return the settings of an architecture without importing torch.

    Raises:
        ValueError: no architecture has that name.
    """
    return _import(name, "config").SETTINGS


def _import(name: str, module: str) -> ModuleType:
    """Return a module of an architecture's package."""
    if name not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise ValueError(f"the architecture must be one of {known}, got {name!r}")
    try:
        return import_module(f"{ARCHITECTURES[name]}.{module}")
    except ModuleNotFoundError as error:
        raise ValueError(
            f"the architecture {name} must be a package {ARCHITECTURES[name]} with "
            f"{module}.py that can be imported, got: {error}"
        ) from error


_add_further()
