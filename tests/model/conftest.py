"""Small networks and synthetic digits, so that every test takes milliseconds."""

from pathlib import Path

import numpy as np
import pytest
import torch

from model.capsnet import CapsNet
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import DigitImages
from model.training import RunFolder, Trainer

torch.set_num_threads(1)  # small products only lose time on more


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(1)


@pytest.fixture
def sizes():
    """12 x 12 pixels -> 4 x 10 x 10 maps -> 2 x 4 x 4 capsules of 4 -> 3 of 5."""
    return CapsNetConfig(
        image_size=12,
        kernel_size=3,
        conv1_kernels=4,
        primary_types=2,
        primary_dim=4,
        classes=3,
        digit_dim=5,
        decoder_hidden=(8, 8),
    )


@pytest.fixture
def network(sizes):
    return CapsNet(sizes).eval()


@pytest.fixture
def digits():
    """Seventeen images of 12 x 12: class 0 is dark, 1 and 2 have a bright half."""
    labels = torch.arange(17) % 3
    images = torch.randint(0, 60, (17, 12, 12), dtype=torch.uint8)
    images[labels == 1, :6] += 190
    images[labels == 2, 6:] += 190
    return DigitImages(images, labels)


def write_idx(path: Path, array: np.ndarray) -> None:
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header + array.astype(np.uint8).tobytes())


@pytest.fixture
def write():
    return write_idx


@pytest.fixture
def mnist_folder(tmp_path, digits):
    """A folder in MNIST's layout, holding the synthetic digits twice."""
    for part in ("train", "t10k"):
        raw = tmp_path / "data" / "MNIST" / "raw"
        write_idx(raw / f"{part}-images-idx3-ubyte", digits.images.numpy())
        write_idx(raw / f"{part}-labels-idx1-ubyte", digits.labels.numpy())
    return tmp_path / "data"


@pytest.fixture
def recipe():
    """Four epochs of four steps: three of five images and one of the two left."""
    return TrainingConfig(epochs=4, batch_size=5, warmup_steps=3, seed=2)


@pytest.fixture
def make_trainer(tmp_path, digits, sizes, recipe):
    """Make a trainer in a run folder of the given name."""

    def make(name="run", *, images=digits, training=recipe):
        return Trainer(
            images,
            RunFolder(tmp_path / name),
            device=torch.device("cpu"),
            bfloat16=False,
            training=training,
            sizes=sizes,
            loss=LossConfig(),
        )

    return make


@pytest.fixture(params=[0, 100], ids=["from factors", "formed"])
def way_of_voting(request, monkeypatch):
    """Both ways in which votes answer, that of many images and that of few."""
    monkeypatch.setattr("model.routing.FORMED_UP_TO", request.param)
