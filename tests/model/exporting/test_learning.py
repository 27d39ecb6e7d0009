"""A step of training as a graph, beside PyTorch's own."""

from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from capsnet_explorer.datasets.digits.writing import labels_of, written
from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.data.augmentation import drawn_distortions
from capsnet_explorer.model.presence import multi_hot
from capsnet_explorer.model.training.objective import Objective

CLASSES, LEARNT = 5, 3
ARCHITECTURE = architecture_named("efficient")
SIZES = {
    **{"kernels": (4, 4, 4, 16), "kernel_sizes": (3, 2, 2, 2)},
    **{"decoder_hidden": (8, 16)},
}
STEPS = 20
RATE = 1e-3


@pytest.fixture(scope="module")
def step(needs):
    needs("site")
    import onnxruntime

    from capsnet_explorer.model.exporting.learning import step_of

    graph = step_of(ARCHITECTURE, network_of(CLASSES), ARCHITECTURE.settings.loss())
    return onnxruntime.InferenceSession(graph.SerializeToString())


def network_of(classes: int) -> Any:
    torch.manual_seed(classes)
    sizes = ARCHITECTURE.settings.sizes(classes=classes, **SIZES)
    return ARCHITECTURE.build(sizes).train()


def widened(tensors: Any, like: Any) -> np.ndarray:
    """Return tensors in larger ones that are 0 elsewhere, as one vector."""
    parts = []
    for tensor, wide in zip(tensors, like, strict=True):
        whole = torch.zeros(wide.shape)
        whole[tuple(map(slice, tensor.shape))] = tensor.detach()
        parts.append(whole.flatten())
    return torch.cat(parts).numpy()


def digits(classes: int) -> tuple[torch.Tensor, torch.Tensor]:
    images = torch.from_numpy(written("training")).float().reshape(-1, 1, 28, 28) / 255
    labels = torch.from_numpy(labels_of("training").astype(np.int64))
    return images[labels < classes], labels[labels < classes]


@pytest.mark.parametrize("classes", [CLASSES, LEARNT])
def test_twenty_steps_are_those_of_pytorch_in_double_precision(step, classes):
    """So it is with classes that are absent: as if the network did not have them."""
    from capsnet_explorer.model.exporting.learning import BATCH

    network, wide = network_of(classes), network_of(CLASSES)
    parameters = widened(network.parameters(), wide.parameters())
    state = {
        "parameters": parameters,
        "means": np.zeros_like(parameters),
        "squares": np.zeros_like(parameters),
        "running": widened(network.buffers(), wide.buffers()),
    }
    network.double()
    objective = Objective(
        ARCHITECTURE, network, ARCHITECTURE.settings.loss(), bfloat16=False
    )
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    images, labels = digits(classes)
    for number in range(STEPS):
        batch = slice(number * BATCH, (number + 1) * BATCH)
        *after, figures = step.run(
            None,
            {
                **state,
                "images": images[batch].numpy(),
                "labels": labels[batch].numpy(),
                "absent": np.arange(CLASSES) >= classes,
                "number": np.array(number + 1, np.float32),
                "rate": np.array(RATE, np.float32),
            },
        )
        state = dict(zip(state, after, strict=True))
        present = multi_hot(labels[batch], classes)
        with mock.patch.object(torch.Tensor, "float", torch.Tensor.double):
            means = objective(images[batch].double(), present)
        optimizer.zero_grad()
        means[:3].sum().backward()
        optimizer.step()
        assert figures == pytest.approx(means.detach().numpy(), rel=2e-3), number
        if number == 0:
            slopes = [each.grad for each in network.parameters()]
            wanted = widened(slopes, wide.parameters())
            apart = np.abs(state["means"] / 0.1 - wanted).max()
            assert apart < 1e-5 * np.abs(wanted).max()
    wanted = widened(network.parameters(), wide.parameters())
    moved = np.linalg.norm(wanted - parameters)
    assert np.linalg.norm(state["parameters"] - wanted) < 0.02 * moved
    running = widened(network.buffers(), wide.buffers())
    assert state["running"] == pytest.approx(running, rel=1e-2, abs=1e-3)


def test_images_are_distorted_as_for_training(needs):
    needs("site")
    import onnxruntime

    from capsnet_explorer.model.exporting import learning

    graph = learning.warp_of(learning.RECIPE, (1, 28, 28))
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    count = learning.BATCH
    drawn: list[torch.Tensor] = []

    def noted(draw: Any) -> Any:
        return lambda *shape, **named: drawn.append(draw(*shape, **named)) or drawn[-1]

    with (
        mock.patch.object(torch, "rand", noted(torch.rand)),
        mock.patch.object(torch, "randn", noted(torch.randn)),
    ):
        distortions = drawn_distortions(count, learning.RECIPE, torch.Generator())
    uniform = [each.reshape(count, -1) for each in drawn if each.ndim < 4]
    feeds = {
        "images": torch.rand(count, 1, 28, 28),
        "uniform": torch.cat(uniform, dim=1).T.contiguous(),
        "normal": next(each for each in drawn if each.ndim == 4),
    }
    (warped,) = session.run(None, {name: feeds[name].numpy() for name in feeds})
    wanted = distortions.apply(feeds["images"]).numpy()
    assert np.asarray(warped) == pytest.approx(wanted, abs=1e-4)


def test_what_is_said_of_the_beginning_is_how_networks_begin(needs):
    needs("site")
    from capsnet_explorer.model.exporting.learning import fills_of, network_of

    fills = fills_of(lambda: network_of(3))
    named = dict(network_of(3).named_parameters())
    told = dict(zip(named, fills, strict=False))
    assert told["conv1.norm.weight"] == {"shape": [16], "kind": "constant", "scale": 1}
    for name, kind, scale in (
        ("conv2.convolution.weight", "normal", (2 / (16 * 9)) ** 0.5),
        ("primary.kernels", "uniform", 1 / 9),
        ("classes.transforms", "normal", (2 / (3 * 8)) ** 0.5),
        ("decoder.layers.0.bias", "uniform", 1 / 48**0.5),
    ):
        assert told[name]["shape"] == [*named[name].shape]
        assert told[name]["kind"] == kind
        assert told[name]["scale"] == pytest.approx(scale, rel=0.02)
