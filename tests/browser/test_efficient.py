"""Efficient-CapsNet on the page: an untrained one, whose batch norms do something."""

from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Page, expect

from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.batch_norm import BatchNorm
from capsnet_explorer.model.weights import save_weights
from tests.browser.explorer import open_page, open_view, pass_frames
from tests.browser.places import unfold
from tests.browser.server import running

VIEWS = (
    *("conv1", "conv2", "conv3", "conv4"),
    *("primary", "routing", "classes", "reconstruction"),
)


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    weights = tmp_path_factory.mktemp("weights") / "efficient.safetensors"
    torch.manual_seed(1)
    efficient = architecture_named("efficient")
    sizes = efficient.settings.sizes(image_rows=28, image_columns=28, classes=10)
    network = efficient.build(sizes)
    for norm in network.modules():
        if isinstance(norm, BatchNorm):
            torch.nn.init.uniform_(norm.running_mean, 0, 1)
            torch.nn.init.uniform_(norm.running_variance, 0.5, 2)
            torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
            torch.nn.init.uniform_(norm.bias, -0.5, 0.5)
    card = {"title": "Efficient-CapsNet, untrained", "dataset": "mnist"}
    save_weights(weights, efficient, network.eval(), card)
    with running("--weights", str(weights)) as address:
        yield address


def test_no_view_of_a_network_that_routes_once_speaks_of_iterations(page: Page):
    open_page(page, "sample=four-open")
    for view in VIEWS:
        panel = open_view(page, view)
        unfold(panel)
        pass_frames(page, 5)
        assert "iteration" not in panel.inner_text().lower(), view
    page.get_by_role("button", name="About this model").click()
    about = page.get_by_role("dialog")
    about.get_by_text("All that its card says").click()
    expect(about).to_contain_text("routing in one step")
