"""What ARCHITECTURE.md says of adding a network, done outside the project."""

import json
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
from tests.browser.explorer import open_page, prediction
from tests.browser.server import ROOT, running
from tests.tiny import square

# The package that each copy is imported as, by the folder that it is a copy of.
PACKAGES = {"linear": ("model", "linear_network"), "routed": ("routed", "my_capsules")}
TITLES = {"linear": "Linear classifier", "routed": "My capsules"}
STEPS = 3  # of training


@pytest.fixture(scope="session")
def outside(tmp_path_factory) -> Path:
    """A folder with two packages, and the weights of networks that they define.

    Beside these are those of the CapsNet, and a file whose architecture nobody knows.
    """
    folder = tmp_path_factory.mktemp("outside")
    ignored = shutil.ignore_patterns("__pycache__")
    weights = folder / "weights"
    weights.mkdir()
    for file in (ROOT / "weights").glob("capsnet-mnist.*"):
        (weights / file.name).symlink_to(file)
    for name, (source, package) in PACKAGES.items():
        third = ROOT / "tests" / "third" / source
        shutil.copytree(third, folder / package, ignore=ignored)
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(folder)
            patch.setitem(ARCHITECTURES, name, package)
            architecture = architecture_named(name)
            network = trained_for_a_moment(architecture)
            card = {"title": TITLES[name], "dataset": "mnist"}
            save_weights(weights / f"{name}.safetensors", architecture, network, card)
    shutil.copy(weights / "linear.safetensors", weights / "lost.safetensors")
    told = json.loads((weights / "linear.json").read_text())
    (weights / "lost.json").write_text(json.dumps({**told, "architecture": "lost"}))
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
        patch.setenv("PYTHONPATH", str(outside))
        named = (f"{name}={package}" for name, (_, package) in PACKAGES.items())
        patch.setenv(VARIABLE, ",".join(named))
        with running("--weights", str(outside / "weights")) as address:
            yield address


def test_a_third_network_is_explored_beside_a_file_that_nobody_knows(
    page: Page, base_url: str
):
    open_page(page)
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
    shown = panel.locator("[data-rows] .score-number").all_inner_texts()
    assert sum(map(float, shown)) == pytest.approx(1, abs=0.01)

    # What each pixel adds to a logit is worked out with the network's own weights.
    rows.nth(4).click()
    expect(panel.locator("[data-logit] thead th").nth(1)).to_have_text("adds to 4")
    expect(panel.locator("[data-logit]")).to_contain_text(
        re.compile(r"says \S?\d\.\d{5}, (the same|a difference of \S?0\.000\d+)\b")
    )
    panel.locator("[data-logit] tbody button").first.click()
    expect(page).to_have_url(re.compile(r"model=linear.*unit=\d+"))
    page.reload()
    panel.locator("[data-logit]").scroll_into_view_if_needed()  # drawn once it is seen
    expect(panel.locator("[data-logit] [aria-pressed=true]")).to_have_count(1)

    page.get_by_role("button", name="About this model").click()
    rows = page.locator("[data-side-by-side] tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text(re.compile(r"\d+ epochs of .* images"))
    expect(page.locator("[data-side-by-side] [aria-current]")).to_contain_text("Linear")
    page.keyboard.press("Escape")

    page.locator("[data-models]").select_option(label="CapsNet on MNIST")
    expect(page.get_by_role("tab", name="PrimaryCaps")).to_be_visible()
    expect(prediction(page)).to_have_text("4")


def test_every_view_of_capsules_routed_twice_opens(page: Page, base_url: str):
    """Padding, a tensor, pooling, and capsules that routing makes in the middle."""
    open_page(page)
    page.locator("[data-models]").select_option(label=TITLES["routed"])
    expect(page.get_by_role("tab", name="Middle capsules")).to_be_visible()
    layers = page.evaluate(
        """async () => (await (await fetch("/api/models")).json())
            .models.find(({ id }) => id === "routed").layers"""
    )
    assert {"tensor", "routing", "decoder"} <= {layer["kind"] for layer in layers}
    for layer in layers:
        page.locator(f"[data-tab={layer['id']}]").click()
        panel = page.locator(f"#view-{layer['id']}")
        expect(panel.locator("h2").first).to_contain_text(layer["title"])
        expect(panel).to_have_attribute("aria-busy", "false")
        expect(panel).not_to_have_class(re.compile("is-unread|is-old"))
        expect(
            panel.locator("canvas:visible, [data-rows] button:visible").first
        ).to_be_visible()
        expect(panel.get_by_role("alert")).to_have_count(0)
        expect(panel).not_to_contain_text(re.compile("NaN|undefined|{[a-z]+}"))
