"""Efficient-CapsNet on the page: an untrained one, whose batch norms do something."""

import re
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

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
CHECK = re.compile(r"Worked out here.*: (\S+)\. The network's trace says (\S+?);")


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


def number(text: str) -> float:
    return float(text.replace("−", "-").strip("()"))


def expect_check(place: Locator) -> None:
    """Expect what the page worked out to be what the network computed."""
    expect(place).to_have_text(CHECK)
    found = CHECK.search(place.inner_text())
    assert found
    assert number(found[1]) == pytest.approx(number(found[2]), rel=0.01, abs=0.01)


def test_a_pixel_is_followed_through_batch_norm_into_the_layer_above(page: Page):
    open_page(page, "view=conv1&map=5&sample=four-open")
    panel = open_view(page, "conv1")
    norm = panel.locator("[data-norm]")
    norm.scroll_into_view_if_needed()

    def part(name: str) -> float:
        return number(norm.locator(f"[data-number={name}]").first.text_content() or "")

    expect(norm.locator("[data-number=out]")).not_to_be_empty()
    out = (
        part("gain") * (part("value") - part("less-mean")) / part("deviation")
    ) + number(
        (norm.locator("[data-number=sign]").first.text_content() or "")
        + (norm.locator("[data-number=shift-size]").first.text_content() or "")
    )
    assert out == pytest.approx(part("out"), abs=0.005)
    readout = panel.locator("[data-map-readout]").inner_text()
    assert number(readout.split()[-1]) == pytest.approx(part("out"), abs=0.005)
    panel.get_by_role("button", name="After batch norm", exact=True).click()
    expect(page).to_have_url(re.compile("maps=out"))
    expect(panel.locator("[data-maps] .legend")).to_contain_text("batch norm")

    # Conv4 moves two pixels at a time, and reads what is after batch norm.
    panel = open_view(page, "conv4")
    expect(panel.locator("[data-shape]")).to_have_text(
        "128 kernels 64×3×3 → 128 maps 9×9"
    )
    panel.locator("[data-after] canvas").focus()
    page.keyboard.press("ArrowRight")
    beneath = panel.locator("[data-beneath]")
    beneath.scroll_into_view_if_needed()
    expect(beneath.locator("[data-where]")).to_contain_text("rows 8–10, columns 10–12")
    expect_check(beneath.locator("[data-share-check]"))
    panel.get_by_role("button", name=re.compile("Open map .* in Conv3")).click()
    expect(page).to_have_url(re.compile("view=conv3.*maps3=out"))


def test_a_number_of_a_capsule_is_one_map_times_one_kernel(page: Page):
    open_page(page, "view=primary&sample=four-open")
    panel = open_view(page, "primary")
    rows = panel.get_by_role("application", name="Numbers of all capsules")
    rows.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(panel.locator("[data-all] .readout")).to_have_text(
        re.compile(r"^capsule 1, number 2: ")
    )
    expect(panel.locator("[data-capsule-title]")).to_have_text("Capsule 1")
    expect(panel.locator("[data-seen]")).to_contain_text("27×27 pixels. None sees")

    depthwise = panel.locator("[data-depthwise]")
    depthwise.scroll_into_view_if_needed()
    expect(depthwise.locator("[data-depthwise-title]")).to_contain_text("maps 8 to 15")
    sums = depthwise.locator("[data-dimensions] button")
    expect(sums).to_have_count(8)
    sums.nth(6).click()
    expect(page).to_have_url(re.compile("capsule=1&dimension=6"))
    expect(depthwise.locator("[data-number-title]")).to_contain_text("map 14")
    expect_check(depthwise.locator("[data-check]"))
    # Squash is that of this network: the written formula comes to the network's length.
    formula = panel.locator("[data-values] math").nth(1)
    written = formula.locator("mn").all_text_contents()
    _, length, _, rest, squashed = map(number, written)
    assert 1 - 2.718281828**-length == pytest.approx(squashed, abs=0.001)
    assert 1 - rest == pytest.approx(squashed, abs=1e-9)
    expect(panel.locator("[data-values] [data-check]")).to_contain_text(
        f"length is {squashed:.2f}"[:-1]
    )
    depthwise.get_by_role("button", name="Open map 14 in Conv4").click()
    expect(page.locator("#view-conv4 [data-map-title]").first).to_contain_text("Map 14")


def test_no_view_of_a_network_that_routes_once_speaks_of_iterations(page: Page):
    open_page(page, "sample=four-open")
    for view in VIEWS:
        panel = open_view(page, view)
        unfold(panel)
        pass_frames(page, 5)
        assert "iteration" not in panel.inner_text().lower(), view
    page.get_by_role("button", name="About this model").click()
    about = page.get_by_role("dialog")
    expect(about).to_contain_text("routing in one step")
