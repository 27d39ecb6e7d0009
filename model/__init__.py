"""Networks: their layers, training, measurements and weights.

`load` opens one of them; docs/python.md goes on from there.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capsnet_explorer.model.reading import Model


def load(source: str | Path = "capsnet-mnist") -> "Model":
    """Load a network that comes with the project, or any other.

    Args:
        source: a name such as `cnn-mnist`, a weight file, or a folder that holds one,
            such as a training run's.

    Raises:
        WeightsError: there is no such network, or it cannot be used.
    """
    # Imported late, so that the command line's --help need not wait for torch.
    from capsnet_explorer.model.reading import Model
    from capsnet_explorer.model.weights import weight_file

    return Model(weight_file(source))
