"""Going through the guide as a reader does, and what is in sight at each stop."""

from playwright.sync_api import Page, ViewportSize, expect

STEPS_OF = """() => fetch("/api/guide").then((answer) => answer.json())
    .then(({ chapters }) => chapters.flatMap(({ id, steps }) =>
        steps.map((step) => ({ ...step, stop: `${id}/${step.id}` }))))"""

DOCK = "[data-part=guide]"

# How many pixels of the ringed element lie outside of the free part of the window, and
# what lies over it.
SIGHT = """() => {
    const ringed = document.querySelector(".is-ringed");
    if (ringed === null) return ["nothing is ringed"];
    const box = ringed.getBoundingClientRect();
    const dock = document.querySelector("[data-part=guide]").getBoundingClientRect();
    const beyond = Math.max(-box.top, box.bottom - dock.top, -box.left,
        box.right - innerWidth);
    if (beyond > 1) return [`${Math.round(beyond)} pixels are out of sight`];
    const covered = [];
    for (const x of [0.03, 0.5, 0.97])
        for (const y of [0.03, 0.5, 0.97]) {
            const over = document.elementFromPoint(
                box.left + x * box.width, box.top + y * box.height);
            if (over?.closest(".save-picture")) continue; // the picture's own
            if (over === null || !(ringed.contains(over) || over.contains(ringed)))
                covered.push(`covered by ${over?.outerHTML.slice(0, 80)}`);
        }
    return covered;
}"""


def steps_of_guide(page: Page) -> list[dict]:
    """Every step of every chapter, as the API sends them."""
    return page.evaluate(STEPS_OF)


def open_stop(page: Page, step: dict) -> None:
    """Open the link of a step, and wait until its picture has come to rest."""
    page.goto(f"/?guide={step['stop']}#{step['link']}")
    arrive(page, step["stop"])


def arrive(page: Page, stop: str) -> None:
    """Wait until a stop is on show and its picture at rest."""
    expect(page.locator(f'[data-text][data-stop="{stop}"]')).to_be_visible()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")


def arrive_at_picture(page: Page, stop: str) -> None:
    """The same, for a step that rings something."""
    arrive(page, stop)
    expect(page.locator("html[data-guide-still]")).to_be_attached()


def resize(page: Page, size: ViewportSize) -> None:
    """Give the window another size, and wait until the picture is in sight again."""
    page.set_viewport_size(size)
    still = f"{size['width']}×{size['height']}"
    expect(page.locator(f'html[data-guide-still="{still}"]')).to_be_attached()
