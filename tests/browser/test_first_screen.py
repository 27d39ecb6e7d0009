"""In sight as a view opens: its main picture, whole, in a low window."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import LOW
from tests.browser.explorer import open_page, open_view, pass_frames

LEAST = 140  # px: lower than that, it is no picture to look at

# The picture that each view is there for, by network.
SHEET = "[data-maps] canvas"
MAIN = {
    "capsnet-mnist": {
        "overview": "[data-figure]",
        "conv1": SHEET,
        "primary": "[data-types] canvas",
        "routing": "[data-agreement] .chains",
        "digits": "[data-rows]",
        "reconstruction": ".of-reconstruction canvas",
    },
    "cnn-mnist": {
        **dict.fromkeys(("conv1", "pool1", "conv2", "pool2"), SHEET),
        "hidden": "[data-units] canvas",
        "probabilities": "[data-softmax] table",
    },
    "efficient-cifar10": {"primary": "[data-all] canvas"},
    "matrix-mnist": {
        "primary": "[data-types] canvas",
        "caps1": "[data-types] canvas",
        "routing": "[data-closeness] canvas",
        "classes": ".class-poses-all",
        "reconstruction": ".of-reconstruction canvas",
    },
    "efficient-mnist": {
        "conv4": SHEET,
        "primary": "[data-all] canvas",
        "routing": "[data-agreement] .chains",
        "classes": "[data-rows]",
        "reconstruction": ".of-reconstruction canvas",
    },
}


@pytest.mark.parametrize("network", MAIN)
def test_the_main_picture_of_each_view_is_in_sight_as_it_opens(
    page: Page, network: str
):
    page.set_viewport_size(LOW)
    page.goto(f"/#view=overview&model={network}")
    for view, main in MAIN[network].items():
        panel = open_view(page, view)
        pass_frames(page, 10)  # panels are drawn in the frame after the answer
        _expect_in_sight(page, panel.locator(main).first, f"{network}/{view}")


def test_both_networks_that_are_compared_are_in_sight(page: Page):
    page.set_viewport_size(LOW)
    open_page(page, "view=compare&model=capsnet-mnist")
    pictures = page.locator("#view-compare [data-figure]")
    expect(pictures).to_have_count(2)
    expect(pictures.last.locator("[data-class]").first).to_be_visible()
    pass_frames(page, 10)
    for at in range(2):
        _expect_in_sight(page, pictures.nth(at), f"picture {at}")
    # One that reads the same digits, not pairs of them.
    expect(page.get_by_label("Compare with")).to_have_value("cnn-mnist")


def _expect_in_sight(page: Page, picture: Locator, name: str) -> None:
    expect(picture, name).to_be_visible()
    assert page.evaluate("scrollY") == 0, name
    box = picture.bounding_box()
    assert box["height"] >= LEAST, f"{name} is {box['height']} px high"
    end = box["y"] + box["height"]
    assert end <= LOW["height"], f"{name} ends at {end} px"
