"""The one name under which Python finds the explorer.

    import capsnet_explorer as ce

    network = ce.load("capsnet-mnist")
    reading = network.trace("photo.jpg")

In a checkout the packages lie in the project's folder, beside this one; installed, they
lie in this one. Either way they are imported as `capsnet_explorer.model` and so on, so
that a user's own `model.py` or `app.py` is never taken for one of them.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capsnet_explorer.model import load as load

_HERE = Path(__file__).parent
_IS_CHECKOUT = (_HERE.parent / "run_visualization.py").is_file()

ROOT = _HERE.parent if _IS_CHECKOUT else _HERE
"""The folder of `model`, `app`, `static`, `templates` and `weights`."""

if _IS_CHECKOUT:
    __path__.append(str(ROOT))

# Where each name lies that users import from here; what it needs loads at first use.
_NAMES = {"load": "model"}


def __getattr__(name: str) -> object:
    """Return what users import from here, or a subpackage; both load at first use."""
    from importlib import import_module

    if name in _NAMES:
        return getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def subprocess_environment() -> dict[str, str]:
    """Return this process's environment, in which another Python finds this package."""
    found = (str(_HERE.parent), os.environ.get("PYTHONPATH"))
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, found))}
