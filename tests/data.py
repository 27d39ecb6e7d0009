"""The data sets that some tests read, where this machine has them."""

import os
from pathlib import Path

import pytest

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.parts import is_there

FOLDER = Path(os.environ.get("CAPSNET_DATA", Path(__file__).parent.parent / "data"))


def folder_with(name: str) -> Path:
    """Return the data folder; skip the test if this data set is not in it."""
    if not is_there(DATASETS[name], FOLDER):
        pytest.skip(f"needs {DATASETS[name].title} in the folder of CAPSNET_DATA")
    return FOLDER
