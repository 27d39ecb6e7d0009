"""Every kind of view and experiment: what holds for one must hold for all."""

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect

from capsnet_explorer.datasets.toys import CATEGORIES
from tests.browser.explorer import prediction

# Views of each network, and experiments.
VIEWS = {
    "capsnet": ("conv1", "primary", "routing", "digits", "reconstruction"),
    "cnn": ("conv1", "pool1", "conv2", "pool2", "hidden", "probabilities"),
    "matrix": (
        *("conv1", "primary", "caps1", "caps2"),
        *("routing", "classes", "reconstruction"),
    ),
    "efficient": (
        *("conv1", "conv2", "conv3", "conv4"),
        *("primary", "routing", "classes", "reconstruction"),
    ),
    "lab": ("pose", "parts", "attack", "crossing", "sides"),
}
# By these names the browser remembers what has been tried first.
NAMES = [
    *("input", "compare"),
    *(f"{room}/{view}" for room, views in VIEWS.items() for view in views),
]
# Views made of the same panels as one of another network, or of a layer below.
ALIKE = {
    *("cnn/conv1", "matrix/conv1", "efficient/conv1", "matrix/caps2"),
    *("efficient/conv3", "efficient/conv4"),
    *("efficient/classes", "efficient/reconstruction"),
}
# What shows most of a place, where its own link shows less.
MORE = {
    "compare": "&sample=seven-bar&kept-sample=one-seven",
    "lab/parts": "&sample=four-nine&cut=strokes",
    "lab/crossing": "&sample=four-nine&model=capsnet-overlapping",
    "lab/sides": "&model=matrix-toys",
}
KINDS = ("capsnet", "cnn", "matrix", "efficient")


def link_to(name: str) -> str:
    """Return the link to a place, with what shows most of it."""
    room, _, view = name.rpartition("/")
    more = MORE.get(name, "&sample=four-nine")
    if room == "lab":
        return f"mode=lab&experiment={view}{more}"
    return f"view={view}&model={room or 'capsnet'}-mnist{more}"


LINKS = {name: link_to(name) for name in NAMES if name not in {*ALIKE, "compare"}} | {
    f"{view}/{kind}": f"view={view}&model={kind}-mnist"
    + MORE.get(view, "&sample=four-nine")
    for view, kinds in (("compare", KINDS[1:3]), ("overview", KINDS))
    for kind in kinds
}
ROOMS = sorted({name.partition("/")[0] for name in LINKS} - {"input"})


def places_of(page: Page, room: str) -> Iterator[tuple[str, Locator]]:
    """Go to each place of a network, of the Lab or of Compare; yield name and panel."""
    for name, link in LINKS.items():
        if name.startswith(room) or (name == "input" and room == "capsnet"):
            yield name, visit(page, link)


def visit(page: Page, link: str) -> Locator:
    """Follow a link within the explorer; return its panel, once all of it is there."""
    page.goto(f"/#{link}")
    name = re.search(r"view=(\w+)", link) or re.search(r"experiment=(\w+)", link)
    assert name, link
    panel = page.locator(f"#{'lab' if 'mode=lab' in link else 'view'}-{name[1]}")
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
