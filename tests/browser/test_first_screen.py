"""In sight as a view opens: its main picture, whole, in a low window."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import open_page, open_view, pass_frames

LOW = {"width": 1366, "height": 650}
LEAST = 140  # px: lower than that, it is no picture to look at

# The picture that each view is there for, by network.
SHEET = "[data-maps] canvas"
MAIN = {
    "capsnet-mnist": {
        "overview": "[data-figure]",
        "conv1": SHEET,
        "primary": "[data-types] canvas",
        "routing": "[data-fan=own] canvas",
        "digits": "[data-values] canvas",
        "reconstruction": ".of-reconstruction canvas",
    },
    "capsnet-cifar10": {
        "primary": "[data-types] canvas",
        "routing": "[data-fan=own] canvas",
        "digits": "[data-values] canvas",
        "reconstruction": ".of-reconstruction canvas",
    },
    "cnn-mnist": {
        **dict.fromkeys(("conv1", "pool1", "conv2", "pool2"), SHEET),
        "hidden": "[data-units] canvas",
        "probabilities": "[data-softmax] table",
    },
    "cnn-cifar10": {"hidden": "[data-units] canvas"},
    "cnn-toys": {"hidden": "[data-units] canvas"},
    "efficient-cifar10": {"primary": "[data-all] canvas"},
    "matrix-mnist": {
        "primary": "[data-types] canvas",
        "caps1": "[data-types] canvas",
        "routing": "[data-closeness] canvas",
        "classes": ".class-poses-all",
        "reconstruction": "[data-pictures] figure:nth-child(2) canvas",
    },
    "efficient-mnist": {
        "conv4": SHEET,
        "primary": "[data-all] canvas",
        "routing": "[data-fan=own] canvas",
        "classes": "[data-values] canvas",
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


@pytest.mark.parametrize("size", [LOW, PHONE], ids=["low", "phone"])
@pytest.mark.parametrize(
    ("network", "picture", "slider"),
    [
        ("capsnet-mnist", ".of-reconstruction canvas", ".pose-slider input"),
        (
            "matrix-mnist",
            "[data-pictures] figure:nth-child(2) canvas",
            ".entry-slider input",
        ),
    ],
)
def test_a_slider_and_the_picture_that_it_changes_are_in_sight_together(
    page: Page, size, network: str, picture: str, slider: str
):
    page.set_viewport_size(size)
    open_page(page, f"view=reconstruction&model={network}")
    panel = page.locator("#view-reconstruction")
    expect(panel).to_have_attribute("aria-busy", "false")
    shown = panel.locator(picture)
    box = shown.bounding_box()
    assert box is not None
    assert box["width"] >= 320
    sliders = panel.locator(slider).locator("visible=true")
    for each in (sliders.first, sliders.last):
        each.focus()
        each.evaluate("slider => slider.scrollIntoView({ block: 'nearest' })")
        expect(each).to_be_in_viewport(ratio=1)
        expect(shown).to_be_in_viewport(ratio=0.95)
        assert not page.evaluate(
            """([slider, picture]) => {
                const [one, other] = [slider, picture]
                    .map((each) => each.getBoundingClientRect());
                return one.top < other.bottom && one.bottom > other.top
                    && one.left < other.right && one.right > other.left;
            }""",
            [each.element_handle(), shown.element_handle()],
        )


def _expect_in_sight(page: Page, picture: Locator, name: str) -> None:
    expect(picture, name).to_be_visible()
    assert page.evaluate("scrollY") == 0, name
    box = picture.bounding_box()
    assert box is not None
    assert box["height"] >= LEAST, f"{name} is {box['height']} px high"
    end = box["y"] + box["height"]
    assert end <= LOW["height"], f"{name} ends at {end} px"
