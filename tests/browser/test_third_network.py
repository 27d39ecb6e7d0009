"""What ARCHITECTURE.md says of adding a network, done outside the project."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.architectures import (
    ARCHITECTURES,
    VARIABLE,
    architecture_named,
)
from capsnet_explorer.model.weights import save_weights
from tests.browser.explorer import expect_picture, open_page, prediction
from tests.browser.server import ROOT, running
from tests.tiny import square

PACKAGE = "linear_network"  # what the copy is imported as
TITLE = "Linear classifier"
STEPS = 3  # of training

DESCRIBED = """
import capsnet_explorer as ce
from tests.model.described import styles
from torch import nn


class Own(styles.Twice):
    def __init__(self):
        super().__init__()
        self.decoder = nn.Sequential(nn.Linear(160, 256), nn.Sigmoid())

    def forward(self, x):
        capsules = self.capsules(nn.functional.leaky_relu(self.conv1(x)))
        poses = self.once(self.W2, self.once(self.W1, capsules))
        return poses.norm(dim=-1), poses


net = Own().eval()
layers = [
    ce.Convolution("conv1", net.conv1),
    ce.Capsules("primary", net.primary, size=8, below="conv1"),
    ce.Routing("middle", lambda: net.W1, "primary", iterations=3),
    ce.Routing("routing", lambda: net.W2, "middle", iterations=3),
    ce.Classes(),
    ce.Decoder(net.decoder),
]
scores = lambda out: out[0]
ce.describe(net, layers, styles.images(), title="My capsules", scores=scores)
"""


@pytest.fixture(scope="session")
def outside(tmp_path_factory) -> Path:
    """A folder with a package, the weights of a network of it, and a described one.

    Beside these weights are those of the CapsNet, and a file whose architecture nobody
    knows.
    """
    folder = tmp_path_factory.mktemp("outside")
    weights = folder / "weights"
    weights.mkdir()
    for file in (ROOT / "weights").glob("capsnet-mnist.*"):
        (weights / file.name).symlink_to(file)
    shutil.copytree(
        ROOT / "tests" / "third" / "model",
        folder / PACKAGE,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setitem(ARCHITECTURES, "linear", PACKAGE)
        architecture = architecture_named("linear")
        network = trained_for_a_moment(architecture)
        card = {"title": TITLE, "dataset": "mnist"}
        save_weights(weights / "linear.safetensors", architecture, network, card)
    shutil.copy(weights / "linear.safetensors", weights / "lost.safetensors")
    facts = json.loads((weights / "linear.json").read_text())
    (weights / "lost.json").write_text(json.dumps({**facts, "architecture": "lost"}))
    (folder / "mine.py").write_text(DESCRIBED)
    return folder


def trained_for_a_moment(architecture: Architecture) -> Network:
    """Return a network after some steps towards four images."""
    torch.manual_seed(1)
    settings = architecture.settings
    network = architecture.build(settings.sizes(**square(28), classes=10))
    images, present = torch.rand(4, 1, 28, 28), torch.eye(10)[:4]
    optimizer = torch.optim.Adam(architecture.parameter_groups(network), 0.001)
    for _ in range(STEPS):
        trace = network(images)
        loss = architecture.class_loss(trace, present, settings.loss()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return network.eval()


@pytest.fixture(scope="session")
def base_url(outside) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{outside}{os.pathsep}{ROOT}")
        patch.setenv(VARIABLE, f"linear={PACKAGE}")
        files = ("--weights", outside / "weights", "--network", outside / "mine.py")
        with running(*map(str, files)) as address:
            yield address


def test_a_third_network_is_explored_beside_a_file_that_nobody_knows(
    page: Page, base_url: str
):
    open_page(page, "model=capsnet-mnist")
    refused = page.locator("[data-models] optgroup[label='Not available'] option")
    expect(refused).to_have_count(1)
    expect(refused).to_be_disabled()
    expect(refused).to_contain_text(re.compile(r"^lost: .*architecture.*got 'lost'"))

    expect(page.get_by_role("tab", name="PrimaryCaps")).to_be_visible()

    page.locator("[data-models]").select_option(label="Linear classifier")
    expect(page.get_by_role("tab")).to_have_count(3)
    expect(page.locator("[data-tab=scores] .tab-shape")).to_have_text("10")
    expect(prediction(page)).to_have_text(re.compile(r"^(\d|\d or \d\?)$"))

    page.get_by_role("tab", name="Scores").click()
    panel = page.locator("#view-scores")
    rows = panel.locator("[data-rows] button")
    expect(rows).to_have_count(10)
    scores = panel.locator("[data-rows] .score-number").all_inner_texts()
    total = sum(float(score.lstrip(">")) for score in scores)
    assert total == pytest.approx(1, abs=0.01)

    # What each pixel adds to a logit is worked out with the network's own weights.
    rows.nth(4).click()
    expect(panel.locator("[data-logit] thead th").nth(1)).to_have_text("adds to 4")
    expect(panel.locator("[data-logit]")).to_contain_text(
        "The network’s trace says the same"
    )
    panel.locator("[data-logit] tbody button").first.click()
    expect(page).to_have_url(re.compile(r"model=linear.*unit=\d+"))
    page.reload()
    panel.locator("[data-logit]").scroll_into_view_if_needed()  # drawn once it is seen
    expect(panel.locator("[data-logit] [aria-pressed=true]")).to_have_count(1)

    page.get_by_role("button", name="About this model").click()
    rows = page.locator("[data-side-by-side] tbody tr")
    expect(rows).to_have_count(3)
    capsnet = rows.filter(has_text="CapsNet on MNIST")
    expect(capsnet).to_contain_text(re.compile(r"\d+ epochs of .* images"))
    expect(page.locator("[data-side-by-side] [aria-current]")).to_contain_text("Linear")
    page.keyboard.press("Escape")

    page.locator("[data-models]").select_option(label="CapsNet on MNIST")
    expect(page.get_by_role("tab", name="PrimaryCaps")).to_be_visible()
    expect(prediction(page)).to_have_text("4")


def test_every_view_of_capsules_routed_twice_opens(page: Page, base_url: str):
    """Maps and capsules that are shown as tensors, and two routings."""
    open_page(page, "model=capsnet-mnist")
    page.locator("[data-models]").select_option(label="My capsules")
    expect(page.get_by_role("tab", name="Middle’s capsules")).to_be_visible()
    layers = page.evaluate(
        """async () => (await (await fetch("/api/models")).json())
            .models.find(({ title }) => title === "My capsules").layers"""
    )
    assert {"tensor", "routing", "decoder"} <= {layer["kind"] for layer in layers}
    for layer in layers:
        page.locator(f"[data-tab={layer['id']}]").click()
        panel = page.locator(f"#view-{layer['id']}")
        expect(panel.locator("h2").first).to_contain_text(layer["title"])
        expect(panel).to_have_attribute("aria-busy", "false")
        expect(panel).not_to_have_class(re.compile("is-unread|is-old"))
        expect_picture(panel)
        expect(panel.get_by_role("alert")).to_have_count(0)
        expect(panel).not_to_contain_text(re.compile("NaN|undefined|{[a-z]+}"))
