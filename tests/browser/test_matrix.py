"""Matrix capsules on the page: random weights, fitted to a few images."""

import re
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Page, expect

from model.matrix.architecture import ARCHITECTURE
from model.matrix.config import MatrixConfig
from model.matrix.network import MatrixNetwork
from model.weights import save_weights
from tests.browser.access import violations
from tests.browser.explorer import open_view, pixels_at_rest, prediction
from tests.browser.server import running

VIEWS = ("conv1", "primary", "caps1", "caps2", "routing", "classes", "reconstruction")

# What a measurement would write: number 13 follows a shift to the right, no other any.
NOTHING = {"correlation": [0.0] * 16, "slope": [0.0] * 16}
FOLLOWED = {
    "correlation": [0.0] * 13 + [0.9] + [0.0] * 2,
    "slope": [0.0] * 13 + [0.1] + [0.0] * 2,
}
FOLLOWING = {
    "amounts": {"x": [-3, 0, 3], "y": [-3, 0, 3], "turn": [-30, 0, 30]},
    "classes": [{"images": 30, "x": FOLLOWED, "y": NOTHING, "turn": NOTHING}] * 10,
}


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    """An explorer of an untrained network whose routing is at work."""
    torch.manual_seed(0)
    network = MatrixNetwork(MatrixConfig(conv1_kernels=16))
    network.fit(torch.rand(16, 1, 28, 28))
    card = {"title": "Matrix capsules", "dataset": "mnist", "following": FOLLOWING}
    weights = tmp_path_factory.mktemp("matrix") / "matrix.safetensors"
    save_weights(weights, ARCHITECTURE, network.eval(), card)
    with running("--weights", str(weights)) as address:
        yield address


def open_page(page: Page, link: str = "") -> None:
    page.goto(f"/#{link}")
    expect(prediction(page)).not_to_have_text("–")


@pytest.mark.parametrize("width", [1440, 390])
def test_every_view_fits_and_can_be_accessed(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page)
    for view in VIEWS:
        open_view(page, view)
        size = page.evaluate("document.documentElement.scrollWidth")
        assert size <= width, view
        assert violations(page) == [], view


def test_a_vote_is_worked_out_and_kept_in_the_link(page: Page):
    open_page(page)
    panel = open_view(page, "caps2")
    panel.get_by_role("group", name="Capsule above: type").get_by_text("7").click()
    expect(panel.locator("[data-vote-words]")).to_have_text(
        "Its vote for class 7: V = M W"
    )
    product = panel.locator("[data-vote-product] canvas")
    product.focus()
    for _ in range(3):
        product.press("ArrowRight")
    # The right-hand column of the first row gets the row's coordinate.
    expect(panel.locator("[data-vote-sum]")).to_contain_text("coordinate")
    expect(panel.locator("[data-added]")).to_be_visible()
    page.reload()
    expect(panel.locator("[data-vote-sum]")).to_contain_text("coordinate")
    expect(panel.locator("[data-vote-words]")).to_contain_text("class 7")


def test_routing_is_gone_through_iteration_by_iteration(page: Page):
    open_page(page, "view=routing&step=1")
    panel = page.locator("#view-routing")
    story = panel.locator("[data-story]")
    expect(story).to_contain_text("Iteration 1: no votes have been compared yet")
    expect(story).to_contain_text("R = 1/10 to each class")
    cloud = panel.locator("[data-cloud] canvas")
    even = pixels_at_rest(cloud)
    page.locator("body").press(".")
    expect(story).to_contain_text(re.compile(r"Iteration 2: R to .+ of 72 capsules"))
    assert pixels_at_rest(cloud) != even

    # It is the only model here.
    expect(panel.locator("[data-beside] [data-reason]")).to_contain_text(
        "no network of another kind is loaded that also routes"
    )
    arithmetic = panel.locator("[data-arithmetic]")
    arithmetic.scroll_into_view_if_needed()
    activation = arithmetic.locator("[data-activation]")
    expect(activation).not_to_be_empty()
    worked = activation.inner_text()
    expect(arithmetic.locator("[data-cost-check]")).to_contain_text(
        f"activation {worked[:4]}"
    )
    claims = arithmetic.locator("[data-claims] tbody tr")
    expect(claims).to_have_count(10)


def test_routing_to_a_lower_layer_comes_when_asked_for(page: Page):
    open_page(page, "view=routing&routed=caps1")
    panel = page.locator("#view-routing")
    expect(panel.locator("[data-size]")).to_have_text(
        "72 capsules → 8 types at one place"
    )
    panel.get_by_role("slider", name="Row").fill("0")
    expect(page).to_have_url(re.compile("caps1="))
    expect(panel.locator("[data-position-value]")).to_have_text("0, 2")
    expect(panel.locator("[data-iterations-note]")).to_contain_text("Trained with 3")
    panel.get_by_role("slider", name="Run").fill("5")
    expect(panel.locator("[data-iterations-note]")).to_contain_text("This run has 5")
    expect(panel.locator("[data-step-value]")).to_have_text("5 of 5")


def test_a_number_of_a_pose_is_moved_and_put_back(page: Page):
    open_page(page)
    panel = open_view(page, "reconstruction")
    words = panel.locator("[data-follows-words]")
    expect(words).to_contain_text("by the number in row 4, column 2 (r = 0.90)")
    follows = panel.locator(".entry-follows")
    expect(follows.nth(13)).to_have_text("shift right, r = 0.90")
    expect(follows.nth(12)).to_have_text("follows none closely")
    picture = panel.locator("[data-pictures] canvas").nth(1)
    before = pixels_at_rest(picture)
    slider = panel.get_by_label("Row 2, column 3")
    slider.fill("1.5")
    expect(panel.locator(".entry-slider.is-edited")).to_have_count(1)
    expect(panel.locator("[data-pictures]")).not_to_have_class("is-old")
    assert pixels_at_rest(picture) != before
    panel.get_by_role("button", name="Reset all").click()
    expect(panel.locator(".entry-slider.is-edited")).to_have_count(0)
    assert pixels_at_rest(picture) == before
