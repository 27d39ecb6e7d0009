"""The graph that attacks follow is PyTorch's own gradient, of every loss."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args
from unittest import mock

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import capsnet_explorer as ce
from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.exporting.gradient import BACKWARD, gradient_of
from capsnet_explorer.model.slopes import slopes
from capsnet_explorer.perturbations.attack import Loss
from tests.model.described.published import by_agreement
from tests.tiny import CNN_SIZES, COLOUR, WITH_NONE

Slope = Callable[[Tensor, Tensor, Tensor, Tensor], Sequence[Any]]


def assert_is_pytorchs(architecture: Any, network: Any, slope: Slope) -> None:
    shape = network.config.image_shape
    for label, image in enumerate([torch.zeros(shape), torch.rand(shape)]):
        for place, of in enumerate(get_args(Loss)):
            for through_all in (True, False):
                wanted = slopes(
                    *(architecture, network, image[None], torch.tensor([label])),
                    of=of,
                    through_all=through_all,
                )
                chosen = (torch.tensor(each) for each in (label, place, through_all))
                value, gradient = map(np.asarray, slope(image, *chosen))
                np.testing.assert_allclose(
                    value, wanted.values[0], rtol=1e-4, atol=1e-5
                )
                expected = wanted.gradients[0].numpy()
                most = float(np.abs(expected).max())
                np.testing.assert_allclose(gradient, expected, atol=1e-4 * most + 1e-9)


@pytest.mark.parametrize("name", ["cnn", "capsnet", "efficient", "matrix"])
def test_every_loss_and_its_gradient_are_written_down(needs, name: str):
    needs("site")
    from capsnet_explorer.model.exporting.tracing import traced

    torch.manual_seed(1)
    architecture = architecture_named(name)
    own = WITH_NONE if name == "capsnet" else COLOUR[name]
    config = architecture.settings.sizes(**COLOUR["all"], **own)
    network = architecture.build(config).eval().requires_grad_(False)
    gradient = gradient_of(architecture, network, architecture.settings.loss())
    slope: Any = traced(*gradient, BACKWARD)
    assert_is_pytorchs(architecture, network, slope)


class Mixed(nn.Module):
    """Layers whose gradients are written in other ways than those of networks here."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, stride=2, padding=1, dilation=2)
        self.grouped = nn.Conv2d(8, 8, 3, groups=4, padding=1)
        self.pools = nn.Sequential(
            nn.MaxPool2d(3, stride=1), nn.AvgPool2d(2), nn.LayerNorm([3, 3])
        )
        self.W = nn.Parameter(torch.randn(18, 3, 5, 4))
        self.head = nn.Tanh()

    def forward(self, images: Tensor) -> Tensor:
        maps = self.pools(self.grouped(self.conv(images).relu()))
        capsules = maps.unflatten(1, (2, 4)).permute(0, 1, 3, 4, 2).flatten(1, 3)
        votes = torch.einsum("ijdp,bip->bijd", self.W, self.head(capsules))
        lengths = by_agreement(votes, 3).norm(dim=-1)
        return lengths + 0 * F.one_hot(lengths.argmax(1), 3)  # asks for a value


def test_the_graph_of_a_described_network_has_its_gradient(needs):
    needs("site")
    import onnxruntime as ort

    from capsnet_explorer.model.exporting.graphs import gradient_graphs

    torch.manual_seed(1)
    net = Mixed()
    layers = [
        ce.Convolution("conv", net.conv),
        ce.Values("grouped", net.grouped),
        ce.Values("head", net.head),
        ce.Routing("routing", lambda: net.W, "head"),
        ce.Classes(),
    ]
    trained = ce.describe(net, layers, torch.rand(3, 1, 20, 20)).trained
    architecture, network = trained.architecture, trained.network
    graphs = gradient_graphs(architecture, network, architecture.settings.loss())
    own, fed = (
        ort.InferenceSession(graphs[name].SerializeToString())
        for name in ("gradient", "gradient.fed")
    )

    def slope_by(session: Any, more: Mapping[str, Any]) -> Slope:
        names = ("image", "label", "loss", "every")

        def slope(*inputs: Tensor) -> Sequence[Any]:
            given = zip(names, inputs, strict=True)
            feeds: dict[str, Any] = {name: each.numpy() for name, each in given}
            return session.run(None, {**feeds, **more})

        return slope

    assert_is_pytorchs(architecture, network, slope_by(own, {}))
    with torch.no_grad():
        for each in net.parameters():
            each.mul_(0.7).add_(0.01)
    weights = {name: each.numpy() for name, each in net.state_dict().items()}
    taken = [each.name for each in fed.get_inputs() if "/" in each.name]
    others = {name: weights[name.partition("/")[2]] for name in taken}
    assert_is_pytorchs(architecture, network, slope_by(fed, others))
    assert all(each.requires_grad for each in net.parameters())


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        (
            lambda trace: trace.logits.lgamma(),
            "lack the operator lgamma, which its grad",
        ),
        (
            lambda trace: trace.logits if trace.logits.max() > 0 else -trace.logits,
            "written as a graph",
        ),
    ],
)
def test_why_there_is_no_gradient_is_said(needs, evidence: Any, said: str):
    needs("site")
    from capsnet_explorer.model.exporting.graphs import gradient_graphs

    architecture = architecture_named("cnn")
    network = architecture.build(CNN_SIZES).eval()
    with (
        mock.patch.object(
            type(architecture), "evidence", lambda _, trace: evidence(trace)
        ),
        pytest.raises(ValueError, match=said),
    ):
        gradient_graphs(architecture, network, architecture.settings.loss())
    assert all(each.requires_grad for each in network.parameters())
