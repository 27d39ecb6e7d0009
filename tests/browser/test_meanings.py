"""A network that was measured tells what its numbers mean; another does not."""

import re
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Page, expect

from model.capsnet.architecture import ARCHITECTURE
from model.capsnet.config import CapsNetConfig
from model.capsnet.network import CapsNet
from model.measured import add_measured
from model.weights import load_weights, save_weights
from tests.browser.access import violations
from tests.browser.explorer import end_transitions, open_view, prediction
from tests.browser.server import running
from tests.tiny import square

SIZES = CapsNetConfig(
    **square(16),
    kernel_size=5,
    conv1_kernels=8,
    primary_types=3,
    primary_dim=4,
    digit_dim=6,
    decoder_hidden=(8, 12),
)
SIDE = 9  # of what a primary capsule sees
SLANTING = 2  # the number that slants, 0 first
CAPSULE = 20  # of type 1: each has 4 x 4 of them
STEP = 0.05  # of that number, for one unit of slant


def card():
    """A card on which number 3 of every class slants, and nothing else has a name."""
    number = {
        "strongest": "thickness",
        "correlation": 0.4,
        "change": 0.2,
        "next": "width",
        "is_single": False,
        "unexplained": 0.5,
    }
    slanting = {
        **number,
        "strongest": "slant",
        "correlation": 0.91,
        "change": 31.0,
        "is_single": True,
    }
    way = {
        "property": "slant",
        "correlation": 0.97,
        "change": 14.0,
        "spilled": "width",
        "spill": 0.12,
        "holds": True,
    }
    failing = {**way, "property": "width", "holds": False}
    numbers = [number] * SIZES.digit_dim
    numbers[SLANTING] = slanting
    entry = {"numbers": numbers, "along": [way, failing]}
    return {
        "title": "Measured",
        "dataset": "mnist",
        "meanings": {
            "images": 100,
            "movable": ["slant", "width"],
            "classes": [entry] * SIZES.classes,
        },
    }


def tensors():
    """Directions of which slant is one number, and portraits of noise."""
    classes, numbers, types = SIZES.classes, SIZES.digit_dim, SIZES.primary_types
    ways, slopes = torch.zeros(2, classes, 2, numbers)
    ways[:, 0, SLANTING], slopes[:, 0, SLANTING] = STEP, 1 / STEP
    return {
        "poses.mean": torch.zeros(classes, numbers),
        "poses.directions": torch.eye(numbers).expand(classes, -1, -1),
        "poses.deviations": torch.linspace(0.3, 0.1, numbers).expand(classes, -1),
        "poses.ways": ways,
        "poses.slopes": slopes,
        "types.mean": torch.rand(types, 1, SIDE, SIDE),
        "types.ends": torch.rand(types, 2, SIDE, SIDE),
        "types.lengths": torch.rand(types, 2),
        "types.best": torch.zeros(types, 6, 3),
        "types.decoded": torch.rand(types, 6, SIDE, SIDE),
        "types.support": torch.linspace(-0.2, 0.5, classes).expand(types, -1),
    }


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    """An explorer of two equal networks, of which the first was measured."""
    folder = tmp_path_factory.mktemp("measured")
    torch.manual_seed(0)
    network = CapsNet(SIZES)
    with torch.no_grad():  # or all capsules are next to nothing
        network.conv1.weight.mul_(3)
        network.primary.convolution.weight.mul_(4)
        network.digits.transforms.mul_(10)
    measured = folder / "measured.safetensors"
    save_weights(measured, ARCHITECTURE, network, card())
    add_measured(measured, load_weights(measured).card["sha256"], tensors())
    save_weights(
        folder / "plain.safetensors", ARCHITECTURE, network, {"title": "Plain"}
    )
    no_data = folder / "data"
    no_data.mkdir()
    with running("--weights", str(folder), "--data", str(no_data)) as address:
        yield address


def open_first(page: Page, link: str) -> None:
    page.goto(f"/#model={link}")
    expect(prediction(page)).to_have_text(re.compile(r"^\d$"))


def test_sliders_are_named_and_slant_itself_can_be_moved(page: Page):
    open_first(page, "measured")
    panel = open_view(page, "reconstruction")
    notes = panel.locator("[data-sliders] .pose-note")
    expect(notes.nth(SLANTING)).to_have_text("mostly slant, r = 0.91")
    expect(notes.nth(0)).to_have_text("no single meaning")

    panel.get_by_role("button", name="Slant, width").click()
    paths = panel.locator("[data-paths] input")
    expect(paths).to_have_count(1)
    slant = panel.get_by_role("slider", name="Property slant")
    expect(panel.locator("[data-paths] .pose-note")).to_have_text(
        "r = 0.97; next, width, 0.12 as much"
    )
    expect(panel.locator("[data-paths-note]")).to_contain_text("alone: width.")
    slant.focus()
    for _ in range(10):
        slant.press("ArrowRight")
    expect(slant).to_have_attribute("aria-valuetext", "+14° in all")

    panel.get_by_role("button", name="Each number").click()
    moved = panel.locator("[data-sliders] .pose-moved")
    expect(moved.nth(SLANTING)).to_have_text("+0.050")
    expect(moved.nth(0)).to_be_empty()

    panel.get_by_role("button", name="Slant, width").click()
    slant.press("Delete")
    expect(slant).to_have_attribute("aria-valuetext", "0°, the network’s own")
    expect(panel.locator("[data-reset-digit]")).to_be_disabled()

    panel.get_by_role("button", name="Principal directions").click()
    expect(paths).to_have_count(SIZES.digit_dim)
    page.reload()  # the choice stands in the link
    expect(paths).to_have_count(SIZES.digit_dim)


def test_the_chosen_type_is_portrayed_with_what_it_speaks_for(page: Page):
    open_first(page, f"measured&capsule={CAPSULE}")
    for view in ("primary", "routing"):
        portrait = open_view(page, view).locator("[data-portrait]")
        portrait.scroll_into_view_if_needed()
        expect(portrait.locator("[data-portrait-title]")).to_have_text(
            "What type 1 looks for"
        )
        expect(portrait.locator("[data-portrait-words]")).to_contain_text(
            "It speaks most for 9 (+0.50)"
        )
        expect(portrait.locator("[data-portrait-from]")).to_contain_text("stand-ins")
        expect(portrait.locator("[data-portrait-rows] tr")).to_have_count(10)


def test_axe_finds_nothing_where_meanings_are_told(page: Page):
    found = {}
    for view, link in (
        ("reconstruction", "measured&sliders=properties"),
        ("reconstruction", "measured&sliders=numbers"),
        ("primary", "measured"),
    ):
        page.goto("about:blank")
        open_first(page, link)
        panel = open_view(page, view)
        for folder in panel.locator("details").all():
            folder.evaluate("folder => { folder.open = true; }")
        end_transitions(page)
        found[link, view] = violations(page)
    assert not any(found.values()), found


def test_a_network_that_was_not_measured_claims_nothing(page: Page):
    open_first(page, "plain")
    panel = open_view(page, "reconstruction")
    expect(panel.locator("[data-sliders] input")).to_have_count(SIZES.digit_dim)
    expect(panel.locator("[data-sliders] .pose-note:visible")).to_have_count(0)
    expect(panel.locator("[data-slider-sets]")).to_be_hidden()
    expect(open_view(page, "primary").locator("[data-portrait]")).to_be_hidden()
