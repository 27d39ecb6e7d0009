"""A network of other sizes, trained on other data, is one that the explorer shows."""

import numpy as np
import pytest

from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training import run as training_run
from capsnet_explorer.model.training.run import RunRequest, train_and_measure
from tests.idx import write_idx

CLASSES = 7
SIZES = {
    "kernel_size": 5,
    "conv1_kernels": 6,
    "primary_types": 3,
    "primary_dim": 4,
    "digit_dim": 5,
    "routing_iterations": 2,
    "decoder_hidden": (8, 12),
}


@pytest.fixture
def stripes(tmp_path):
    """Images of 16 x 16 with one bright stripe, whose row is the class."""
    labels = np.arange(21) % CLASSES
    images = np.zeros((21, 16, 16))
    images[np.arange(21), 2 * labels] = 255
    folder = tmp_path / "stripes"
    folder.mkdir()
    for part in ("train", "t10k"):
        write_idx(folder / f"{part}-images-idx3-ubyte", images)
        write_idx(folder / f"{part}-labels-idx1-ubyte", labels)
    names = [f"stripe {number}" for number in range(CLASSES)]
    (folder / "classes.txt").write_text("\n".join(names))
    return folder


def test_a_run_folder_is_shown_with_its_own_sizes_and_names(
    tmp_path, stripes, monkeypatch
):
    # The allocator's setting would outlive the test.
    monkeypatch.setattr(training_run, "keep_large_buffers", lambda: False)
    run = tmp_path / "run"
    train_and_measure(
        RunRequest(
            training=TrainingConfig(epochs=1, batch_size=8),
            sizes=SIZES,
            dataset=DATASETS["idx"],
            data=stripes,
            run=run,
            device="cpu",
            precision="float32",
            threads=1,
        )
    )
    ((name, engine),) = load_engines(run).items()
    info = engine.info
    assert (name, info.title) == ("capsnet-idx", "CapsNet on stripes")
    assert (info.classes, info.details["pose_dim"], info.input_shape) == (
        CLASSES,
        5,
        (1, 16, 16),
    )
    assert info.class_names[6] == "stripe 6"
    assert info.details["routing_iterations"] == 2

    image = np.zeros((1, 16, 16), np.float32)
    names = [tensor.name for tensor in info.tensors]
    trace = engine.trace(Question(image, engine.options({}), tuple(names)))
    for tensor in info.tensors:
        assert trace.tensors[tensor.name].shape == tensor.shape
    assert trace.tensors["routing.couplings"].shape == (2, 3, 4, 4, CLASSES)
    poses = np.zeros((2, 5), np.float32)
    assert engine.reconstruct(CLASSES - 1, poses).shape == (2, 1, 16, 16)
