"""What people come to do: draw, upload, look around, move a slider, share a link."""

import io
import re

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from tests.browser.explorer import (
    FOUR,
    ONE,
    VIEWS,
    draw,
    open_page,
    open_view,
    pixels_at_rest,
    pixels_of,
    prediction,
)


def seven() -> bytes:
    """A PNG of a 7: dark ink on light paper, larger than what the network takes."""
    picture = Image.new("L", (300, 400), 235)
    pen = ImageDraw.Draw(picture)
    pen.line([(70, 90), (230, 85), (130, 330)], fill=30, width=26, joint="curve")
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def test_everything_follows_while_the_stroke_is_drawn(page: Page):
    open_page(page)
    open_view(page, "digits")  # the Overview hides the thumbnails
    thumbs = {view: page.locator(f"[data-tab={view}] canvas") for view in VIEWS}
    before = {view: pixels_of(thumb) for view, thumb in thumbs.items()}
    draw(page, ONE)
    expect(prediction(page)).to_have_text("1")
    for view, thumb in thumbs.items():
        assert pixels_of(thumb) != before[view], view


@pytest.mark.parametrize("way", ["drop", "paste"])
def test_a_picture_can_be_dropped_or_pasted(page: Page, way: str):
    open_page(page)
    page.evaluate(
        """([bytes, way]) => {
            const transfer = new DataTransfer();
            const type = "image/png";
            const file = new File([new Uint8Array(bytes)], "seven.png", { type });
            transfer.items.add(file);
            const options = { bubbles: true, cancelable: true };
            const event = way === "drop"
                ? new DragEvent("drop", { ...options, dataTransfer: transfer })
                : new ClipboardEvent("paste", { ...options, clipboardData: transfer });
            document.body.dispatchEvent(event);
        }""",
        [list(seven()), way],
    )
    expect(prediction(page)).to_have_text("7")


def test_a_link_shows_the_same_again(page: Page):
    open_page(page)
    draw(page, FOUR)
    expect(prediction(page)).to_have_text("4")
    open_view(page, "routing")
    page.locator("[data-iterations]").fill("5")
    page.locator("[data-step]").fill("2")
    page.locator("#view-routing [data-digits]").get_by_role("button", name="9").click()
    expect(page.locator("[data-step-value]")).to_have_text("2 of 5")
    expect(page).to_have_url(re.compile("digit=9"))
    expect(page).to_have_url(re.compile("step=2"))
    page.locator("[data-microscope] > summary").click()
    table = page.locator("[data-capsule-rows]")
    expect(table.locator("tr")).to_have_count(10)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    picture = pixels_at_rest(page.locator("canvas[data-seen]"))
    numbers = table.inner_text()
    link = page.url

    page.goto("about:blank")
    page.goto(link)
    expect(prediction(page)).to_have_text("4")
    expect(page.locator("#view-routing")).to_be_visible()
    expect(page.locator("[data-step-value]")).to_have_text("2 of 5")
    page.locator("[data-microscope]").scroll_into_view_if_needed()
    expect(table).to_have_text(re.compile(r"\d"))
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    assert pixels_at_rest(page.locator("canvas[data-seen]")) == picture
    assert table.inner_text() == numbers


def test_back_from_a_cleared_canvas_brings_the_digit_again(page: Page):
    open_page(page)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Nothing to read yet")).to_be_visible()
    overview = page.locator("#view-overview")
    for part in ("[data-told]", "[data-key]"):
        expect(overview.locator(part)).to_be_hidden()
    # The network stands there with its classes, and nothing of an answer.
    expect(overview.locator(".overview-digit").first).to_be_visible()
    for part in ("verdict", "bar", "value", "flow"):
        expect(overview.locator(f".overview-{part}:visible")).to_have_count(0)
    expect(page).to_have_url(re.compile("image=none"))
    page.reload()
    expect(page.get_by_text("Nothing to read yet")).to_be_visible()
    page.go_back()
    expect(prediction(page)).to_have_text("4")
    page.go_forward()
    expect(page.get_by_text("Nothing to read yet")).to_be_visible()
    expect(prediction(page)).to_have_text("–")


def test_a_server_that_goes_away_is_missed_and_used_again(page: Page, complaints):
    """What was drawn meanwhile is read once it is back, without a hand's turn."""
    open_page(page)
    page.route("**/api/**", lambda route: route.abort())
    page.locator("[data-clear]").click()
    draw(page, ONE)
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    expect(page.get_by_text("Nothing to read yet")).to_be_hidden()
    page.unroute("**/api/**")
    expect(prediction(page)).to_have_text("1")
    expect(page.get_by_role("alert")).to_be_hidden()

    page.route("**/api/**", lambda route: route.abort())
    page.locator("[data-source]").nth(0).click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.get_by_role("button", name="Try again").click()  # gone once the server is back
    page.unroute("**/api/**")
    expect(prediction(page)).to_have_text("0")
    complaints.clear()


def test_the_theme_switch_is_kept(page: Page):
    open_page(page)
    page.get_by_role("button", name="Switch between light and dark").click()
    theme = page.evaluate("document.documentElement.dataset.theme")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == theme
