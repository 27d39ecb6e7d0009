"""What people take with them: links, pictures and traces."""

from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Locator, Page, expect

from tests.browser.access import violations
from tests.browser.explorer import VIEWS, open_page, open_view

LINK = "view=routing&sample=four-open&open=flow.votes"


def test_a_link_is_copied_at_once_after_a_change(page: Page, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, LINK)
    expect(page.locator("[data-votes-text]")).to_contain_text("variance")
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


def save(page: Page, button: Locator, kind: str) -> tuple[str, bytes]:
    """Save a picture by keyboard; its file's name and content."""
    button.focus()
    expect(button).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    item = page.get_by_role("menuitem", name=f"Save as {kind}")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    with page.expect_download() as download:
        item.click()
    expect(button).to_be_focused()
    path = download.value.path()
    return download.value.suggested_filename, Path(path).read_bytes()


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_a_picture_of_lines_is_saved_as_png_and_svg(page: Page):
    page.emulate_media(color_scheme="dark")
    open_page(page, LINK)
    button = page.get_by_role("button", name="Save picture: What flows where")
    name, png = save(page, button, "PNG")
    assert name == "routing-4-what-flows-where.png"
    box = page.locator("[data-flow] canvas").bounding_box()
    assert box is not None
    width, height = size_of(png)
    assert width >= 2 * box["width"]
    assert height >= 2 * box["height"]
    name, file = save(page, button, "SVG")
    svg = file.decode()
    assert name == "routing-4-what-flows-where.svg"
    assert svg.count("<path") > 32  # a ribbon of each type, at least
    for words in ("Routing: What flows where", "iteration 3 of 3", "less", "widths ×"):
        assert words in svg, words
    assert 'fill="#fff"' in svg  # for paper, whatever the theme
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    muted = "rgb(90, 96, 108)"  # of the light theme
    assert muted in {text.get("fill") for text in texts}


def test_every_picture_of_every_view_can_be_saved(page: Page):
    open_page(page)
    for view in VIEWS:
        panel = open_view(page, view)
        expect(panel.locator(".save-picture").first).to_be_attached()
        for picture in panel.locator("canvas[role]:visible").all():
            expect(picture.locator("~ .save-picture")).to_have_count(1)
