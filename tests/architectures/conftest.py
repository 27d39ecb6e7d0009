"""Every registered architecture, and one that only these tests register."""

import pytest
import torch

from model.architectures import ARCHITECTURES, architecture_named
from model.weights import save_weights

THIRD = {"linear": "tests.third.model"}


@pytest.fixture(scope="module", params=[*ARCHITECTURES, *THIRD])
def architecture(request):
    with pytest.MonkeyPatch.context() as patch:
        for name, package in THIRD.items():
            patch.setitem(ARCHITECTURES, name, package)
        yield architecture_named(request.param)


@pytest.fixture(scope="module")
def config(architecture):
    return architecture.settings.sizes()


@pytest.fixture(scope="module")
def network(architecture, config):
    torch.manual_seed(3)
    return architecture.build(config).eval()


@pytest.fixture(scope="module")
def images(config):
    generator = torch.Generator().manual_seed(0)
    return torch.rand(5, config.image_size, config.image_size, generator=generator)


@pytest.fixture(scope="module")
def weights(architecture, network, tmp_path_factory):
    """A weight file, its card beside it."""
    path = tmp_path_factory.mktemp("weights") / f"{architecture.name}-some.safetensors"
    save_weights(path, architecture, network, {"title": "Some", "test_error": 0.5})
    return path
