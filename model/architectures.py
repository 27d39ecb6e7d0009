"""The registry of architectures, the only file that names them all."""

from functools import cache
from importlib import import_module
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


@cache
def architecture_named(name: str) -> "Architecture":
    """Return an architecture, importing its package on the first call.

    Raises:
        ValueError: no architecture has that name, or its description of its layers is
            not one; names network, layer and field.
    """
    architecture = import_module(f"{_package(name)}.architecture").ARCHITECTURE
    architecture.described(architecture.settings.sizes())
    return architecture


def settings_of(name: str) -> Settings:
    """Return the settings of an architecture without importing torch.

    Raises:
        ValueError: no architecture has that name.
    """
    return import_module(f"{_package(name)}.config").SETTINGS


def _package(name: str) -> str:
    if name not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise ValueError(f"the architecture must be one of {known}, got {name!r}")
    return ARCHITECTURES[name]
