"""The network: the paper's sizes, and every number of a trace computed again."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch.testing import assert_close

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.efficient.architecture import ARCHITECTURE
from capsnet_explorer.model.efficient.config import EfficientConfig
from capsnet_explorer.model.efficient.network import EfficientCapsNet
from capsnet_explorer.model.layers.fields import receptive_field
from capsnet_explorer.model.surgery import surgery_on
from capsnet_explorer.model.weights import save_weights
from tests.model.efficient.paper import traced, weights_in
from tests.tiny import COLOUR, square


@pytest.fixture
def network():
    """Small, of colour images; its batch norms have seen some."""
    torch.manual_seed(0)
    sizes = EfficientConfig(**COLOUR["all"], **COLOUR["efficient"])
    network = EfficientCapsNet(sizes)
    network.train()
    with torch.no_grad():
        network.classes.prior.normal_(std=0.2)
        network.classes.transforms.mul_(20)  # or every coupling is nearly 1/classes
        for _ in range(20):
            network(torch.rand(8, *sizes.image_shape))
    return network.eval()


def images_for(network, count=3):
    return torch.rand(count, *network.config.image_shape)


def test_the_papers_network_has_161_824_parameters_and_a_decoder():
    convolutions = (
        (32 * 25 + 32) + (64 * 32 * 9 + 64) + (64 * 64 * 9 + 64) + (128 * 64 * 9 + 128)
    )
    norms = 2 * (32 + 64 + 64 + 128)
    primary = 128 * 81 + 128
    classes = 16 * 10 * 16 * 8 + 16 * 10
    assert convolutions + norms + primary + classes == 161_824
    decoder = (160 * 512 + 512) + (512 * 1024 + 1024) + (1024 * 784 + 784)
    assert EfficientCapsNet().parameter_count == 161_824 + decoder


def test_the_papers_network_has_the_papers_shapes():
    maps = ((32, 24, 24), (64, 22, 22), (64, 20, 20), (128, 9, 9))
    assert EfficientConfig().maps == maps
    smallest = EfficientConfig(**square(5 + 3 + 3 + 3 - 3))
    assert smallest.maps[-1] == (128, 1, 1)


def test_every_tensor_is_what_the_paper_says(network, tmp_path):
    path = tmp_path / "some.safetensors"
    save_weights(path, ARCHITECTURE, network, {"title": "Some"})
    image = images_for(network, 1)
    half = EfficientCapsNet(network.config).eval()
    half.load_state_dict(
        {name: torch.from_numpy(weight) for name, weight in weights_in(path).items()}
    )
    _check(half, path, image)


def _check(network, path, image):
    tensors_of_paper = traced(weights_in(path), image[0].numpy())
    with torch.no_grad():
        trace = network(image)
    tensors = ARCHITECTURE.tensors(network.config)
    checked = {name for name, tensor in tensors.items() if not name.endswith("glimpse")}
    assert checked == set(tensors_of_paper)
    for name in checked:
        values = tensors[name].read(trace, 0).numpy()
        expected = tensors_of_paper[name].reshape(values.shape)
        reach = max(1.0, float(np.abs(expected).max()))
        assert_allclose(values, expected, atol=2e-4 * reach, err_msg=name)


def routed(network, images, **query):
    options = ARCHITECTURE.options(network.config, query)
    with torch.no_grad():
        return network(
            images, surgery=surgery_on([options] * len(images), network.config)
        )


def test_a_silenced_capsule_casts_no_vote(network):
    images = images_for(network)
    step = routed(network, images, silence=[1]).routing
    assert not step.votes[:, 1].any()
    alone = routed(network, images).routing.votes.clone()
    alone[:, 1] = 0
    assert_close(step.votes, alone)


def test_uniform_routing_ignores_agreement_and_keeps_the_prior(network):
    step = routed(network, images_for(network), routing="uniform").routing
    even = torch.full_like(step.shares, 1 / network.config.classes)
    assert_close(step.shares, even)
    assert_close(step.couplings, even + network.classes.prior)


def test_a_pinned_coupling_is_held_and_the_others_share_the_rest(network):
    images = images_for(network)
    free = routed(network, images).routing
    pin = {"capsule": 2, "digit": 1, "coupling": 0.7}
    step = routed(network, images, pin=[pin]).routing
    assert_close(step.couplings[:, 2, 1], torch.full((3,), 0.7))
    others = [n for n in range(network.config.classes) if n != 1]
    rest = free.shares[:, 2][:, others]
    rest = 0.3 * rest / rest.sum(dim=1, keepdim=True)
    assert_close(
        step.couplings[:, 2][:, others], rest + network.classes.prior[2, others]
    )
    assert_close(step.couplings[:, 0], free.couplings[:, 0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kernels": (32, 64, 64, 100)}, "multiple of primary_dim, 8, got 100"),
        ({"kernel_sizes": (5, 3, 3, 0)}, "at least 1"),
        ({"image_rows": 10}, "the sum of --kernel-sizes be 13 at most"),
    ],
)
def test_sizes_that_cannot_be_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        EfficientConfig(**change)


def rows_and_columns_seen(config):
    """Return the rows and columns of the image that the last maps see."""
    field = receptive_field(ARCHITECTURE.layers(config), "primary")
    return field.along(0)[0], field.along(1)[0]


def test_portraits_have_one_place_and_all_that_the_last_maps_see(network):
    rows, columns = rows_and_columns_seen(network.config)
    # An even number of rows below the last step leaves one of them out.
    assert rows_and_columns_seen(EfficientConfig()) == (27, 27)
    count = 40
    images = LabelledImages(
        torch.randint(0, 255, (count, *network.config.image_shape), dtype=torch.uint8),
        torch.arange(count) % network.config.classes,
    )
    portraits = ARCHITECTURE.portraits(network, images)
    capsules = network.config.primary_capsules
    assert portraits["types.mean"].shape == (capsules, 3, rows, columns)
    assert not portraits["types.best"][:, :, 1:].any()
    assert_close(
        portraits["types.patch"].float(),
        images.images[..., :rows, :columns].float().mean(dim=0) / 255,
        atol=1e-3,
        rtol=1e-3,
    )


def test_the_last_maps_see_no_pixel_beyond(network):
    image = images_for(network, 1).requires_grad_()
    network(image).convolutions[-1].out.sum().backward()
    reached = image.grad[0].abs().sum(dim=0) > 0
    rows, columns = rows_and_columns_seen(network.config)
    assert reached[:rows, :columns].all()
    assert not reached[rows:].any()
    assert not reached[:, columns:].any()
