"""What stands on the page is true of the network on show, whatever its images are."""

import re
import time
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import open_view
from tests.browser.test_fit import LOW
from tests.patience import PATIENCE_S

WEIGHTS = Path(__file__).parents[2] / "weights"
NETWORKS = sorted(path.stem for path in WEIGHTS.glob("*.safetensors"))

KINDS = ("mnist", "overlapping", "toys", "cifar10")
FIGURE = re.compile(r"\d|\b(?:half|third|sixth)\b")


def kind_of(network: str) -> str:
    return next(kind for kind in KINDS if kind in network)


def test_no_verdict_stands_beside_a_network_on_which_nothing_was_measured(page: Page):
    page.goto("/#model=cnn-cifar10&mode=lab")
    lab = page.locator("#view-lab")
    for tab in lab.get_by_role("tab").all():
        tab.click()
        experiment = lab.locator(f"#{tab.get_attribute('aria-controls')}")
        expect(experiment).to_be_visible()
        expect(experiment).to_have_attribute("aria-busy", "false")
        for folded in experiment.locator(".lab-claims:visible > summary").all():
            folded.click()
        # An experiment that this network cannot do has changed to one that can.
        kind = kind_of(page.locator("[data-models]").input_value())
        for claim in experiment.locator(".claim:visible").all():
            assert claim.get_attribute("data-claim-on") == kind
            assert FIGURE.search(claim.inner_text()), "a verdict has a figure"
        expect(experiment.get_by_text("python -m")).to_have_count(0)


PLANE = "plane.2000.320.40.1.plain.nothing"  # before the sky


def test_the_rest_of_a_picture_is_darkened_by_half_and_dead_maps_say_so(page: Page):
    link = f"/#model=capsnet-cifar10&view=conv1&toy={PLANE}&pixel=0"
    kinds = set()
    for number in range(0, 128, 16):
        page.goto(f"{link}&map={number}")
        panel = open_view(page, "conv1")
        expect(panel.locator("[data-map-title]")).to_contain_text(f"Map {number} at")
        readout = panel.locator("[data-sheet] .readout")
        expect(readout).to_contain_text(f"map {number}:")
        is_dead = "dead for this image: 0 everywhere" in readout.inner_text()
        legend = panel.locator("[data-after] [data-legend]").inner_text()
        assert ("dead for this image" in legend) is is_dead
        kinds.add(is_dead)
        if len(kinds) == 2:
            break
    assert kinds == {True, False}
    expect(panel.locator("[data-maps] .layer-key p")).to_have_text(
        re.compile(
            r"^\d+ of \d+ maps are dead for this image: 0 everywhere\. "
            r"For a test image, 46\s% of the maps rise above 0\.02 on average\."
        )
    )
    picture = panel.locator("[data-input] canvas").first
    sky = picture.evaluate(
        "each => [...each.getContext('2d').getImageData(31, 0, 1, 1).data].slice(0, 3)"
    )

    def brightness():
        """Return how bright each channel is there with all that lies on it."""
        shot = Image.open(BytesIO(picture.screenshot())).convert("RGB")
        there = np.array(shot)[6, shot.width - 6]
        return there / np.array(sky)

    # A picture that is about to be drawn anew is faint until then.
    end = time.monotonic() + PATIENCE_S
    while not ((shares := brightness()) < 0.6).all() and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert ((shares > 0.35) & (shares < 0.6)).all(), shares


ROOM_FOR_TITLES = """(select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = font;
    const widths = [...select.options].map(({ text }) => brush.measureText(text).width);
    const arrow = 22;
    const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
    return select.clientWidth - padding - arrow - Math.max(...widths);
}"""


def test_the_title_of_every_network_is_read_whole(page: Page):
    page.goto("/")
    picker = page.locator("[data-models]")
    # The last is a network of one's own.
    expect(picker.locator("option")).to_have_count(len(NETWORKS) + 1)
    for width in (1920, 1700, 1501, 1440, LOW["width"], PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 900})
        assert picker.evaluate(ROOM_FOR_TITLES) >= 0, width
        if width != PHONE["width"]:
            top = page.locator(".top").evaluate("each => each.offsetHeight")
            assert top < 70, width  # on one line
