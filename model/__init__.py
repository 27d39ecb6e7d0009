"""Networks: their layers, training, measurements and weights.

    import model

    network = model.load("capsnet-mnist")
    reading = network.trace("photo.jpg")

docs/python.md goes on from there.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.reading import Model


def load(source: str | Path = "capsnet-mnist") -> "Model":
    """Load a network that comes with the project, or any other.

    Args:
        source: a name such as `cnn-mnist`, a weight file, or a folder that holds one,
            such as a training run's.

    Raises:
        WeightsError: there is no such network, or it cannot be used.
    """
    # Imported late, so that the command line's --help need not wait for torch.
    from model.reading import Model
    from model.weights import weight_file

    return Model(weight_file(source))
