"""Runs of a tiny CapsNet and a tiny CNN on synthetic digits."""

import pytest

from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.cnn.config import LossConfig as CrossEntropy
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.examples.kinds import CPU, Kind
from capsnet_explorer.model.examples.plan import Grid
from capsnet_explorer.model.examples.running import run_all
from capsnet_explorer.model.recipe import TrainingConfig
from tests.tiny import SIZES, square

RECIPE = TrainingConfig(
    epochs=1, batch_size=5, schedule="cosine", warmup_steps=2, shift=1
)


@pytest.fixture
def kinds():
    """A recipe of each, by name."""
    cnn = CnnConfig(
        **square(12),
        kernel_size=3,
        conv1_kernels=4,
        conv2_kernels=4,
        hidden_units=8,
        classes=3,
    )
    return {
        "capsnet": Kind("capsnet", RECIPE, SIZES, LossConfig(), Computing(CPU)),
        "cnn": Kind("cnn", RECIPE, cnn, CrossEntropy(), Computing(CPU)),
    }


@pytest.fixture
def start(kinds, digits, tmp_path):
    """Do the runs of a small grid, and return what the file says and what was said."""

    def started(to=tmp_path / "examples.json", **changes):
        grid = {"numbers": (6, 17), "seeds": (0, 1), "presented": 20, **changes}
        said = []
        found = run_all(
            Grid(architectures=("capsnet", "cnn"), **grid),
            kinds,
            digits,
            digits,
            to,
            command="python -m model examples",
            say=said.append,
        )
        return found, said

    return started
