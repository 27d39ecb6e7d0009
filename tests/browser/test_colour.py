"""Networks that read 3 x 20 x 24 pixels and name up to two of five classes."""

import io
import re
from collections.abc import Iterator

import pytest
import torch
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from capsnet_explorer.model.architectures import ARCHITECTURES, architecture_named
from capsnet_explorer.model.weights import save_weights
from tests.browser.explorer import expect_picture, prediction
from tests.browser.server import running
from tests.tiny import COLOUR, WITH_NONE

TOYS = ["animal", "man", "plane", "truck", "car"]
NAME = f"({'|'.join(TOYS)})"
TWO = {"at_most": 2, "threshold": 0.05}
NONE = "capsnet-none"


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("weights")
    networks = [(name, name, COLOUR[name]) for name in ARCHITECTURES]
    for name, kind, sizes in [*networks, (NONE, "capsnet", WITH_NONE)]:
        architecture = architecture_named(kind)
        torch.manual_seed(1)
        network = architecture.build(
            architecture.settings.sizes(**COLOUR["all"], **sizes)
        ).eval()
        if name == NONE:
            with torch.no_grad():  # longer votes, so that routing moves couplings
                network.get_parameter("digits.transforms").mul_(30)
        card = {"title": name, "dataset": "toys", "class_names": TOYS, "present": TWO}
        save_weights(folder / f"{name}.safetensors", architecture, network, card)
    with running("--weights", str(folder)) as address:
        yield address


@pytest.mark.parametrize("name", ["capsnet", "matrix"])
def test_every_view_shows_images_of_three_channels(page: Page, base_url, name):
    page.goto(f"/#model={name}")
    expect(page.locator("[data-tab=input] .tab-shape")).to_have_text("3×20×24")
    expect(prediction(page)).to_have_text(re.compile(f"^(none|{NAME} and {NAME})$"))
    for tab in page.get_by_role("tab").all():
        tab.click()
        panel = page.locator("[data-view]:visible")
        expect(panel).to_have_attribute("aria-busy", "false")
        expect_picture(panel)
    page.get_by_role("button", name="About this model").click()
    expect(page.locator("[data-facts]")).to_contain_text("where it is at least 0.05")


def test_the_lab_changes_images_of_three_channels(page: Page, base_url):
    page.goto("/#mode=lab&experiment=pose&turn=30")
    reads = page.locator('[data-model="cnn"] .lab-reads-digit')
    expect(reads).to_have_text(re.compile(f"^{NAME} and {NAME}$"))
    page.get_by_role("tab", name="Jumbled parts").click()
    page.get_by_role("button", name="Shuffle", exact=True).click()
    expect(page.locator('[data-model="cnn"] .lab-reads-digit').nth(1)).to_have_text(
        re.compile(f"^{NAME} and {NAME}$")
    )


def test_an_uploaded_picture_keeps_its_colours(page: Page, base_url):
    picture = Image.new("RGB", (90, 50), (200, 40, 0))
    picture.paste((0, 90, 220), (45, 0, 90, 50))
    file = io.BytesIO()
    picture.save(file, "PNG")
    page.goto("/#model=cnn&view=input")
    page.set_input_files(
        "[data-upload]",
        {"name": "halves.png", "mimeType": "image/png", "buffer": file.getvalue()},
    )
    steps = page.locator("[data-steps] > :visible")
    expect(steps).to_have_count(2)
    expect(steps.first).to_contain_text("The middle 60 by 50 of 90 by 50 pixels")
    expect(page.get_by_role("button", name="Invert")).to_be_hidden()
    view = page.locator("#view-input")
    expect(view).to_contain_text("its red, green and blue, the middle of the picture")
    canvas = view.locator("canvas[data-picture]")
    box = canvas.bounding_box()
    readout = page.locator("#input-readout")
    halves = (
        (0.25, "red 0.784, green 0.157, blue 0.000"),
        (0.75, "red 0.000, green 0.353, blue 0.863"),
    )
    for share, colour in halves:
        canvas.hover(position={"x": share * box["width"], "y": box["height"] / 2})
        expect(readout).to_contain_text(colour)
    page.get_by_role("button", name="Turn by 90 degrees clockwise").click()
    expect(steps.first).to_contain_text("rotated by 90° clockwise")
    canvas.hover(position={"x": box["width"] / 2, "y": 0.25 * box["height"]})
    expect(readout).to_contain_text("red 0.784, green 0.157, blue 0.000")


def numbers(cells: Locator) -> list[float]:
    """Read numbers as the page writes them; a dash is none."""
    texts = [text.replace("−", "-") for text in cells.all_inner_texts()]
    return [float(text) for text in texts if text not in ("–", "held")]


def test_what_no_class_gets_adds_up_with_what_each_gets(page: Page, base_url):
    link = f"model={NONE}&view=routing&open=capsule.surgery"
    page.goto(f"/#{link}&digit=4&capsule=7")
    story = page.locator("[data-story]")
    taken = re.compile(r"“None of the above” takes ([\d.]+).% of all capsule length")
    expect(story).to_have_text(taken)
    expect(story).to_contain_text("an even share is 16.7")
    share = taken.search(story.inner_text())
    assert abs(float(share[1]) - 100 / 6) > 0.1

    # The microscope: the term of none of the above is e to the 0.
    panel = page.locator("[data-microscope]")
    rows = panel.locator("[data-capsule-rows] tr")
    panel.scroll_into_view_if_needed()
    expect(rows).to_have_count(6)
    powers, total = rows.locator("td:nth-child(3)"), "[data-exponential-sum]"
    couplings = rows.locator("td:nth-child(4)")
    last = rows.last
    expect(last).to_have_text(re.compile("^none of the above0.0000"))
    sums = numbers(panel.locator(total))[0]
    assert numbers(powers)[-1] == 1
    assert sum(numbers(powers)) == pytest.approx(sums, abs=1e-6)
    assert sum(numbers(couplings)) == pytest.approx(1, abs=3.1e-4)
    assert numbers(couplings)[-1] == pytest.approx(1 / sums, abs=5.1e-5)
    written = panel.locator("[data-distance]").inner_text()
    assert "as closely as can be told" in written
    assert "differ" not in written
    last.click()  # it has no capsule that could be put in focus
    focused = page.locator("[data-digits] [aria-pressed=true]")
    expect(focused).to_have_text(TOYS[4])

    # Of what a held coupling leaves, it takes its part.
    page.locator("[data-pin]").fill("0.4")
    page.get_by_role("button", name="Hold it there").click()
    expect(couplings.nth(4)).to_have_text("0.4000")
    assert sum(numbers(couplings)) == pytest.approx(1, abs=3.1e-4)
    sums = numbers(panel.locator(total))[0]
    assert numbers(couplings)[-1] == pytest.approx(0.6 / sums, abs=5.1e-5)
    page.get_by_role("button", name="none: every c stays even").click()
    expect(couplings).to_have_text(["0.1200"] * 4 + ["0.4000", "0.1200"])
