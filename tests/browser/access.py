"""What axe-core finds on a page, and the screens that it is asked about."""

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
LOW: ViewportSize = {"width": 1366, "height": 650}
NARROW: ViewportSize = {"width": 320, "height": 256}  # the same at 400 %
ENLARGED: ViewportSize = {"width": 720, "height": 450}  # a laptop's screen at 200 %
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
FULL_HD: ViewportSize = {"width": 1920, "height": 1080}
FIND = """(within) => axe
    .run(within, { preload: false, resultTypes: ["violations"] })
    .then(({ violations }) => violations)"""

# What has no name of its own, or all its text for one; sliders that say a bare number;
# and what looks pressed and does not say so.
UNNAMED = """() => {
    const isSpoken = (each) =>
        each.checkVisibility() && !each.closest("[aria-hidden=true]");
    const all = (selector) =>
        [...document.querySelectorAll(selector)].filter(isSpoken);
    const textOf = (id) => document.getElementById(id)?.textContent ?? "";
    const captionOf = (each) =>
        [...each.children].find(({ localName }) => localName === "figcaption");
    const nameOf = (each) => each.ariaLabel
        ?? each.getAttribute("aria-labelledby")?.split(" ").map(textOf).join(" ")
        ?? captionOf(each)?.textContent ?? "";
    const isTitle = (name) => /\\S/.test(name) && name.trim().split(/\\s+/).length < 20;
    const says = (each) => ["pressed", "current", "selected", "expanded"]
        .some((name) => each.hasAttribute(`aria-${name}`));
    return [
        ...all("main figure:not([role=none]), main output")
            .filter((each) => !isTitle(nameOf(each))),
        ...all("main input[type=range]").filter((each) => !each.ariaValueText),
        ...all("main button[class*=is-on], main button[class*=is-chosen]")
            .filter((each) => !says(each)),
    ].map((each) => `unnamed: ${each.outerHTML.slice(0, 120)}`);
}"""


def violations(page: Page, within: str = ":root") -> list[str]:
    """What axe-core finds on the page as it stands, or within elements of it.

    Args:
        page: any page.
        within: a selector. All of the explorer takes a second or more.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    faults = page.evaluate(FIND, within)
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in faults
        for node in violation["nodes"]
    ]
