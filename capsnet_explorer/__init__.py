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
    from capsnet_explorer.exploring import describe as describe
    from capsnet_explorer.exploring import explore as explore
    from capsnet_explorer.model import load as load
    from capsnet_explorer.model.architectures import register as register
    from capsnet_explorer.model.described.errors import Different as Different
    from capsnet_explorer.model.described.layers import Capsules as Capsules
    from capsnet_explorer.model.described.layers import Classes as Classes
    from capsnet_explorer.model.described.layers import Convolution as Convolution
    from capsnet_explorer.model.described.layers import Couplings as Couplings
    from capsnet_explorer.model.described.layers import Decoder as Decoder
    from capsnet_explorer.model.described.layers import Dense as Dense
    from capsnet_explorer.model.described.layers import Pooling as Pooling
    from capsnet_explorer.model.described.layers import Routing as Routing
    from capsnet_explorer.model.described.layers import Values as Values

_HERE = Path(__file__).parent
IS_CHECKOUT = (_HERE.parent / "run_visualization.py").is_file()

ROOT = _HERE.parent if IS_CHECKOUT else _HERE
"""The folder of `model`, `app`, `static`, `templates` and `weights`."""

if IS_CHECKOUT:
    __path__.append(str(ROOT))

# Where each name lies that users import from here; what it needs loads at first use.
_LAYERS = (
    *("Convolution", "Pooling", "Dense", "Capsules"),
    *("Routing", "Classes", "Decoder", "Values", "Couplings"),
)
_NAMES = {
    "load": "model",
    "register": "model.architectures",
    "describe": "exploring",
    "explore": "exploring",
    "Different": "model.described.errors",
    **dict.fromkeys(_LAYERS, "model.described.layers"),
}


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
    folders = (str(_HERE.parent), os.environ.get("PYTHONPATH"))
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, folders))}
