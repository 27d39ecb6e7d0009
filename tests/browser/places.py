"""Every kind of view and experiment: what holds for one must hold for all."""

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect

from capsnet_explorer.toys import CATEGORIES
from tests.browser.explorer import prediction
from tests.browser.tries import TRIES

# Views made of the same panels as one of another network, or of a layer below.
ALIKE = {
    *("cnn/conv1", "matrix/conv1", "efficient/conv1", "matrix/caps2"),
    *("efficient/conv3", "efficient/conv4"),
    *("efficient/classes", "efficient/reconstruction"),
}
# What shows most of a place, where its own link shows less.
MORE = {
    "compare": "&sample=seven-bar&kept-sample=one-seven",
    "cnn/pool1": "&sample=four-nine",
    "lab/parts": "&sample=four-nine&cut=strokes",
}
LINKS = (
    {
        name: link + MORE.get(name, "&sample=four-nine")
        for name, (link, _) in TRIES.items()
        if name not in ALIKE
    }
    | {
        f"compare/{kind}": f"view=compare&model={kind}-mnist{MORE['compare']}"
        for kind in ("cnn", "matrix", "efficient")
    }
    | {
        f"overview/{kind}": f"view=overview&model={kind}-mnist&sample=four-nine"
        for kind in ("capsnet", "cnn", "matrix", "efficient")
    }
)
ROOMS = sorted({name.partition("/")[0] for name in LINKS} - {"input"})


def places_of(page: Page, room: str) -> Iterator[tuple[str, Locator]]:
    """Go to each place of a network, of the Lab or of Compare; yield name and panel."""
    for name, link in LINKS.items():
        if name.startswith(room) or (name == "input" and room == "capsnet"):
            yield name, visit(page, link)


def visit(page: Page, link: str) -> Locator:
    """Follow a link within the explorer; return its panel, once all of it is there."""
    page.goto(f"/#{link}")
    found = re.search(r"view=(\w+)", link) or re.search(r"experiment=(\w+)", link)
    assert found, link
    panel = page.locator(f"#{'lab' if 'mode=lab' in link else 'view'}-{found[1]}")
    expect(panel).to_be_visible()
    expect(panel).not_to_have_attribute("aria-busy", "true")
    expect(prediction(page)).to_have_text(
        re.compile(rf"^(\d( and \d)?|{'|'.join(CATEGORIES)})$")
    )
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    return panel


def unfold(panel: Locator) -> None:
    """Open every folder."""
    panel.locator("details").evaluate_all(
        "all => { for (const each of all) each.open = true; }"
    )
