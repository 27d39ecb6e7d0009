"""A trace of two digits on 36×36, computed again from the weights in NumPy alone."""

from pathlib import Path

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.testing import assert_allclose
from safetensors.numpy import load_file

from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.laboratory.overlay import overlaid, placed
from capsnet_explorer.model.surgery import RoutingOptions
from capsnet_explorer.sample_digits import load_samples

WEIGHTS = Path(__file__).parents[3] / "weights" / "capsnet-overlapping.safetensors"
NAMES = (
    *("conv1.relu", "primary.capsules", "votes", "routing.couplings"),
    *("routing.agreement", "routing.capsules", "digits.lengths", "reconstruction"),
)


@pytest.fixture(scope="module")
def image():
    samples = {each.id: np.squeeze(each.image) for each in load_samples()}
    one, other = (samples[name] for name in ("five-bar", "zero-round"))
    canvas = (36, 36)
    return overlaid(placed(one, (-3, -2), canvas), placed(other, (3, 2), canvas))


@pytest.fixture(scope="module")
def found(image):
    engine = load_engines(WEIGHTS)["capsnet-overlapping"]
    question = Question(image[None].astype(np.float32), RoutingOptions(3), NAMES)
    return engine.trace(question)


def convolved(maps, kernels, bias, stride):
    """Each kernel's products with every window, summed, plus its bias."""
    size = kernels.shape[-1]
    windows = sliding_window_view(maps, (size, size), axis=(1, 2))
    windows = windows[:, ::stride, ::stride]
    return np.einsum("crxij,kcij->krx", windows, kernels) + bias[:, None, None]


def squash(vectors):
    squared = (vectors**2).sum(axis=-1, keepdims=True)
    return squared / (1 + squared) * vectors / np.sqrt(squared)


def test_every_layer_of_the_trace_follows_from_the_weights(image, found):
    weights = {
        name: values.astype(float) for name, values in load_file(WEIGHTS).items()
    }
    conv1 = convolved(image[None], weights["conv1.weight"], weights["conv1.bias"], 1)
    relu = np.maximum(conv1, 0)
    channels = convolved(
        relu,
        weights["primary.convolution.weight"],
        weights["primary.convolution.bias"],
        2,
    )
    types = len(channels) // 8
    assert channels.shape == (8 * types, 10, 10)
    primary = squash(channels.reshape(types, 8, 10, 10).transpose(0, 2, 3, 1))
    votes = np.einsum(
        "iodp,ip->iod", weights["digits.transforms"], primary.reshape(-1, 8)
    )
    logits = np.zeros((100 * types, 10))
    steps = []
    for _ in range(3):
        raised = np.exp(logits)
        couplings = raised / raised.sum(axis=1, keepdims=True)
        capsules = squash(np.einsum("io,iod->od", couplings, votes))
        agreement = np.einsum("iod,od->io", votes, capsules)
        steps.append((couplings, capsules, agreement))
        logits = logits + agreement
    lengths = np.linalg.norm(capsules, axis=1)
    kept = np.where(np.arange(10) == lengths.argmax(), capsules.T, 0).T.ravel()
    hidden = kept
    for layer in (0, 2, 4):
        name = f"decoder.layers.{layer}"
        hidden = weights[f"{name}.weight"] @ hidden + weights[f"{name}.bias"]
        hidden = 1 / (1 + np.exp(-hidden)) if layer == 4 else np.maximum(hidden, 0)

    def close(name, wanted):
        told = np.asarray(found.tensors[name], dtype=float)
        assert_allclose(told.reshape(wanted.shape), wanted, rtol=2e-3, atol=2e-3)

    close("conv1.relu", relu)
    close("primary.capsules", primary)
    close("votes", votes)
    close("routing.couplings", np.stack([step[0] for step in steps]))
    close("routing.capsules", np.stack([step[1] for step in steps]))
    close("routing.agreement", np.stack([step[2] for step in steps]))
    close("digits.lengths", lengths)
    close("reconstruction", hidden.reshape(36, 36))
    best = np.argsort(-lengths)[:2].tolist()
    assert list(found.present) == [each for each in best if lengths[each] >= 0.49]
    assert set(best) == {5, 0}
