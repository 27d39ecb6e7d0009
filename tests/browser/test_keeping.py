"""What people take with them: links, pictures and traces."""

import csv
import subprocess
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import violations
from tests.browser.explorer import open_page
from tests.browser.server import ROOT
from tests.intake_pictures import drawn_five

SVG = "{http://www.w3.org/2000/svg}"
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


def save(page: Page, button: Locator, form: str) -> tuple[str, bytes]:
    """Save a picture by keyboard; its file's name and content."""
    button.focus()
    expect(button).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Save Overview")
    dialog.locator(f"[data-save-{form}]").focus()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    path = download.value.path()
    return download.value.suggested_filename, Path(path).read_bytes()


def test_a_figure_is_saved_for_paper_whatever_the_theme(page: Page):
    page.emulate_media(color_scheme="dark")
    open_page(page, "view=overview&sample=four-nine&silence=t18")
    page.locator("#view-overview [data-changed]").wait_for()
    button = page.get_by_role("button", name="Save picture: Overview –")
    expect(button).to_be_attached()
    files = {form: save(page, button, form) for form in ("svg", "png", "csv")}
    assert {name for name, _ in files.values()} == {
        f"overview-4-overview-the-whole-network.{form}" for form in files
    }

    svg = ElementTree.fromstring(files["svg"][1])
    texts = [element.text or "" for element in svg.iter(f"{SVG}text")]
    line = next(text for text in texts if "CapsNet Explorer" in text)
    assert line.startswith("CapsNet on MNIST · “4, nearly a 9” · type 18 silent · ")
    (link,) = svg.iter(f"{SVG}a")
    assert "silence=t18" in link.attrib["href"]
    assert {"Image", "Conv1", "taken away again"} <= set(texts)  # names and legend
    images = [element.attrib["href"] for element in svg.iter(f"{SVG}image")]
    assert len(images) > 30  # of each tile
    assert all(image.startswith("data:image/png") for image in images)
    assert sum(1 for _ in svg.iter(f"{SVG}path")) > 30  # ribbons
    inks = {element.attrib.get("fill") for element in svg.iter(f"{SVG}text")}
    assert not inks & {"rgb(233, 234, 238)", "rgb(163, 169, 182)"}  # the dark theme's

    with Image.open(BytesIO(files["png"][1])) as image:
        assert image.size == (
            2 * int(svg.attrib["width"]),
            2 * int(svg.attrib["height"]),
        )
        assert image.convert("RGB").getpixel((2, 2)) == (255, 255, 255)
        counted = Counter(image.convert("RGB").resize((400, 200)).get_flattened_data())
    assert len(counted) > 100  # tiles, ribbons and letters, and not the ground alone

    note, _, *table = files["csv"][1].decode().splitlines()
    assert line in note
    head, *rows = csv.reader(table[1:12])
    assert head[0] == "class"
    scores = page.locator("#view-overview .overview-value").all_text_contents()
    at = head.index("length, iteration 3")
    assert [f"{float(row[at]):.3f}" for row in rows] == scores


def test_the_command_saves_figures_of_a_list_of_pictures(tmp_path):
    picture = tmp_path / "five.png"
    drawn_five().save(picture)
    command = [sys.executable, "-m", "capsnet_explorer", "figures", "cnn-mnist"]
    run = subprocess.run(
        [*command, picture, "--link", "https://example.org/x/", "--output", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (0, "")
    (path,) = run.stdout.splitlines()
    assert Path(path).name == "five-overview-5-overview-the-whole-network.svg"
    texts = [element.text for element in ElementTree.parse(path).iter(f"{SVG}text")]
    assert any("“five.png”" in (text or "") for text in texts)
    assert (texts[-1] or "").startswith("https://example.org/x/#view=overview&")
