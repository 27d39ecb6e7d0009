"""The lines for a network of one's own: what the page shows opens a network."""

from urllib.request import urlopen

from playwright.sync_api import Page, expect

import capsnet_explorer as ce
from capsnet_explorer.checks import present
from tests.browser.access import violations
from tests.browser.explorer import open_page
from tests.model.described import published, styles


def test_the_lines_to_copy_open_a_network(page: Page):
    open_page(page)
    picker = page.locator("[data-models]")
    before = picker.input_value()
    picker.focus()
    page.keyboard.press("End")  # the last of the list
    dialog = page.get_by_role("dialog", name="Your own network")
    expect(dialog).to_be_visible()
    assert violations(page) == []

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog.get_by_role("button", name="Copy the lines").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == dialog.locator("code[data-lines]").inner_text()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(picker).to_have_value(before)

    lines = copied.replace("ce.explore", "explorer = ce.explore").replace(".wait()", "")
    names = {"net": styles.Paper().eval(), "images": styles.images()}
    exec(lines, names)
    explorer = present(names["explorer"], "a server")
    try:
        with urlopen(f"{explorer.address}api/models") as answer:
            assert b'"routing"' in answer.read()
    finally:
        explorer.stop()


def test_couplings_that_nothing_explains_are_shown_as_seen(
    page: Page, complaints: list[str]
):
    net = published.Cosine().eval()
    layers = [ce.Couplings("couplings", net, shape=(net.count, styles.CLASSES))]
    explorer = present(
        ce.explore(net, styles.images(), layers, beside=None), "a server"
    )
    try:
        page.goto(f"{explorer.address}#?view=couplings")
        expect(page.get_by_role("heading", name="Couplings 3×64×10")).to_be_visible()
        words = "Seen, not recomputed: these are the softmaxes"
        expect(page.get_by_text(words).first).to_be_visible()
        expect(page.get_by_text("All 3 tiles")).to_be_visible()
        request = f"request to {explorer.address}"
        complaints[:] = [text for text in complaints if not text.startswith(request)]
    finally:
        explorer.stop()
