"""Small networks and synthetic digits, so that every test takes milliseconds."""

import pytest
import torch

from capsnet_explorer.datasets.idx import write_images
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring import speed
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.loop import Trainer
from tests.idx import write_idx
from tests.tiny import SIZES

CPU = torch.device("cpu")

torch.set_num_threads(1)  # small products only lose time on more


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(1)


@pytest.fixture(autouse=True)
def _few_passes(monkeypatch):
    """Time few forward passes: here their number is of no interest."""
    monkeypatch.setattr(speed, "WARM_UP", 1)
    monkeypatch.setattr(speed, "PASSES", 3)


@pytest.fixture
def sizes():
    return SIZES


@pytest.fixture
def network(sizes):
    return CapsNet(sizes).eval()


@pytest.fixture
def digits():
    """Seventeen images of 12 x 12: class 0 is dark, 1 and 2 have a bright half."""
    labels = torch.arange(17) % 3
    images = torch.randint(0, 60, (17, 1, 12, 12), dtype=torch.uint8)
    images[labels == 1, :, :6] += 190
    images[labels == 2, :, 6:] += 190
    return LabelledImages(images, labels)


@pytest.fixture
def write():
    return write_idx


@pytest.fixture
def idx_folder(tmp_path, digits):
    """A data folder of our own: the synthetic digits for training and for testing."""
    folder = tmp_path / "halves"
    for part in ("train", "t10k"):
        write_images(folder / f"{part}-images-idx3-ubyte", digits.images.numpy())
        write_idx(folder / f"{part}-labels-idx1-ubyte", digits.labels.numpy())
    return folder


@pytest.fixture
def mnist_folder(tmp_path, idx_folder):
    """A data folder whose MNIST is the synthetic digits."""
    (tmp_path / "data" / "MNIST").mkdir(parents=True)
    idx_folder.rename(tmp_path / "data" / "MNIST" / "raw")
    return tmp_path / "data"


@pytest.fixture
def recipe():
    """Four epochs of four steps: three of five images and one of the two left."""
    return TrainingConfig(
        epochs=4, batch_size=5, schedule="cosine", warmup_steps=3, seed=2
    )


@pytest.fixture
def make_trainer(tmp_path, digits, sizes, recipe):
    """Make a trainer in a run folder of the given name."""

    def make(
        name="run",
        *,
        architecture=ARCHITECTURE,
        sizes=sizes,
        images=digits,
        training=recipe,
        loss=None,
        **computing,
    ):
        return Trainer(
            architecture,
            images,
            RunFolder(tmp_path / name),
            computing=Computing(CPU, **computing),
            training=training,
            sizes=sizes,
            loss=loss or architecture.settings.loss(),
        )

    return make


@pytest.fixture(params=[0, 100], ids=["from factors", "formed"])
def way_of_voting(request, monkeypatch):
    """Both ways in which votes answer, that of many images and that of few."""
    monkeypatch.setattr(
        "capsnet_explorer.model.layers.dynamic.FORMED_UP_TO", request.param
    )


@pytest.fixture(params=["oneDNN", "plain"])
def products(request, monkeypatch):
    """Let torch have been built with oneDNN, or without."""
    if request.param == "plain":

        def refuse(_matrix):
            raise RuntimeError("not built with oneDNN")

        monkeypatch.setattr(torch.ops.mkldnn, "_reorder_linear_weight", refuse)
    elif not torch.backends.mkldnn.is_available():
        pytest.skip("this torch was built without oneDNN")
    return request.param
