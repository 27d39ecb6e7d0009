"""Every registered architecture, and one that only these tests register.

Each with small layers: for the images of MNIST, and for images of 3 x 20 x 24 pixels
that show up to two of five classes.
"""

import pytest
import torch

from capsnet_explorer.model.architectures import ARCHITECTURES, architecture_named
from capsnet_explorer.model.weights import save_weights
from tests.tiny import COLOUR

THIRD = {"linear": "tests.third.model"}
TWO = {"at_most": 2, "threshold": 0.05}


@pytest.fixture(scope="module", params=[*ARCHITECTURES, *THIRD])
def architecture(request):
    with pytest.MonkeyPatch.context() as patch:
        for name, package in THIRD.items():
            patch.setitem(ARCHITECTURES, name, package)
        yield architecture_named(request.param)


@pytest.fixture(autouse=True, scope="session")
def patient():
    """Refuse no work for its length: a machine that does much else takes longer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("capsnet_explorer.app.engines.sharing.LONGEST_S", 3600)
        yield


@pytest.fixture(scope="module", params=["grey", "colour"])
def is_colour(request):
    return request.param == "colour"


@pytest.fixture(scope="module")
def config(architecture, is_colour):
    images = COLOUR["all"] if is_colour else {}
    return architecture.settings.sizes(**images, **COLOUR.get(architecture.name, {}))


@pytest.fixture(scope="module")
def network(architecture, config):
    torch.manual_seed(3)
    return architecture.build(config).eval()


@pytest.fixture(scope="module")
def images(config):
    generator = torch.Generator().manual_seed(0)
    return torch.rand(5, *config.image_shape, generator=generator)


@pytest.fixture(scope="module")
def present(config, images, is_colour):
    """The classes that each image shows: one, and of colour images a second."""
    first = torch.arange(len(images))
    target = torch.zeros(len(images), config.classes)
    target[first, first % config.classes] = 1
    if is_colour:
        target[first, (2 * first + 1) % config.classes] = 1
    return target


@pytest.fixture(scope="module")
def weights(architecture, network, is_colour, tmp_path_factory):
    """A weight file, its card beside it."""
    path = tmp_path_factory.mktemp("weights") / f"{architecture.name}-some.safetensors"
    card = {"title": "Some", "test_error": 0.5} | (
        {"present": TWO} if is_colour else {}
    )
    save_weights(path, architecture, network, card)
    return path
