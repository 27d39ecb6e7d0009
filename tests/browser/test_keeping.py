"""What people take with them: links, pictures and traces."""

import re
from collections import Counter
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import violations
from tests.browser.explorer import open_page

LINK = "view=routing&sample=four-open"


def test_a_link_is_copied_at_once_after_a_change(page: Page, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, LINK)
    expect(page.locator("[data-story]")).to_contain_text("Iteration 3")
    page.keyboard.press(",")  # the address follows a moment later
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert "step=2" in link
    assert "sample=four-open" in link
    page.goto(link)
    expect(page.locator("[data-step-value]")).to_have_text("2 of 3")


def test_a_link_that_cannot_be_copied_is_shown_to_be(page: Page):
    page.add_init_script("delete Navigator.prototype.clipboard;")
    open_page(page, LINK)
    page.get_by_role("button", name="Copy link").click()
    dialog = page.get_by_role("dialog", name="A link to this view")
    expect(dialog).to_be_visible()
    field = dialog.get_by_label("Link")
    assert field.input_value() == page.url
    assert page.evaluate("document.getSelection().toString()") == page.url
    assert violations(page, "dialog[open]") == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def save(page: Page, button: Locator) -> tuple[str, bytes]:
    """Save a picture by keyboard; its file's name and content."""
    button.focus()
    expect(button).to_have_css("opacity", "1")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    expect(button).to_be_focused()
    path = download.value.path()
    return download.value.suggested_filename, Path(path).read_bytes()


def test_a_picture_is_saved_as_it_is_on_the_screen(page: Page):
    page.emulate_media(color_scheme="dark")
    open_page(page, "view=overview&sample=four-nine")
    figure = page.locator("#view-overview [data-figure]")
    button = page.get_by_role("button", name="Save picture: Overview –")
    expect(button).to_be_attached()
    name, png = save(page, button)
    assert name == "overview-4-overview-the-whole-network.png"
    box = figure.bounding_box()
    assert box is not None
    with Image.open(BytesIO(png)) as image:
        assert image.format == "PNG"
        assert image.width >= 2 * box["width"]
        assert image.height >= 2 * box["height"]
        ground = image.convert("RGB").getpixel((2, 2))
        counted = Counter(image.convert("RGB").resize((400, 200)).get_flattened_data())
    wanted = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == tuple(int(each) for each in re.findall(r"\d+", wanted))
    assert len(counted) > 100  # tiles, ribbons and letters, and not the ground alone
