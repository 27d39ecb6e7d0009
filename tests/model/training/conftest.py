"""A training run of a tiny network."""

from dataclasses import replace

import pytest

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training import run as training_run
from capsnet_explorer.model.training.run import RunRequest, train_and_measure
from tests.tiny import CHOSEN

RECIPE = TrainingConfig(epochs=2, batch_size=5, schedule="cosine", warmup_steps=3)


@pytest.fixture
def request_of_run(idx_folder, tmp_path):
    """What to train a tiny network on the synthetic digits."""
    return RunRequest(
        training=RECIPE,
        preset="quick",
        sizes=CHOSEN,
        dataset=DATASETS["idx"],
        data=idx_folder,
        run=tmp_path / "run",
        device="cpu",
        precision="float32",
        threads=1,
        command="python -m capsnet_explorer train",
    )


@pytest.fixture
def run(monkeypatch, request_of_run):
    """Train a tiny network on the synthetic digits."""
    # The allocator's setting would outlive the test.
    monkeypatch.setattr(training_run, "keep_large_buffers", lambda: False)

    def start(**changes):
        changed = replace(request_of_run, **changes)
        train_and_measure(changed)
        return changed.run / "capsnet-idx.safetensors"

    return start
