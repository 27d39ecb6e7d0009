"""Two digits on top of each other, in a network that names two classes."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import end_transitions, open_view
from tests.browser.test_lab import output
from tests.intake_pictures import encoded, painted, strokes


def lay_two(page: Page) -> Locator:
    page.goto("/#model=capsnet-overlapping&view=input&sample=four-open")
    expect(page.locator("[data-prediction]")).not_to_have_text("–")
    bench = open_view(page, "input").locator("[data-pair]")
    bench.get_by_role("button", name="Lay another digit over this one").click()
    expect(bench.locator("[data-pair-words]")).to_contain_text("Both have ink on")
    return bench


def position(bench: Locator, which: int) -> str:
    return bench.locator("[data-pair-place]").nth(which).inner_text()


def test_digits_are_dragged_moved_by_keys_and_erased(page: Page):
    bench = lay_two(page)
    stage = bench.locator("[data-pair-stage]")
    stage.scroll_into_view_if_needed()
    assert [position(bench, which) for which in (0, 1)] == ["in the middle", "4 right"]
    stage.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    expect(bench.locator("[data-pair-place]").nth(1)).to_have_text("3 right, 4 up")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(bench.locator("[data-pair-place]").nth(0)).to_have_text("1 down")

    box = stage.bounding_box()
    pixel = box["width"] / 36
    page.mouse.move(box["x"] + 2.5 * pixel, box["y"] + 2.5 * pixel)  # on nobody's ink
    page.mouse.down()
    page.mouse.move(box["x"] + 4.5 * pixel, box["y"] + 3.5 * pixel, steps=4)
    page.mouse.up()
    expect(bench.locator("[data-pair-place]").nth(0)).to_have_text("2 right, 2 down")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(bench.locator("[data-pair-place]").nth(0)).to_have_text("1 down")

    stage.focus()
    page.keyboard.press("Delete")
    expect(bench.locator("[data-pair-words]")).to_contain_text("One digit alone")


def test_two_pens_draw_and_a_link_brings_both_back(page: Page):
    bench = lay_two(page)
    bench.get_by_role("button", name="Erase the first digit").click()
    bench.get_by_role("button", name="First", exact=True).click()
    bench.get_by_role("button", name="Draw", exact=True).click()
    pad = bench.locator("[data-pair-pad]")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(
        box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.6, steps=6
    )
    page.mouse.up()
    words = bench.locator("[data-pair-words]")
    expect(words).to_contain_text("Both have ink on")
    expect(page).to_have_url(re.compile("pair=.*pair="))
    text, address = words.inner_text(), page.url
    page.goto("about:blank")
    page.goto(address)
    expect(words).to_have_text(text)
    assert page.url == address


def test_a_slider_moves_one_digit_alone_and_the_truth_stands_beside(page: Page):
    lay_two(page)
    panel = open_view(page, "reconstruction")
    owners = panel.locator("[data-owners]")
    expect(owners.locator("[data-owners-ink]")).to_contain_text("Of that ink,")
    expect(owners.locator("[data-owners-truth]")).to_be_visible()

    def pictures() -> list[str]:
        return [
            owners.locator(f"[data-owners-{name}] canvas").evaluate(
                "canvas => canvas.toDataURL()"
            )
            for name in ("one", "other")
        ]

    before = pictures()
    slider = panel.locator("[data-sliders] input").first
    slider.focus()
    for _ in range(25):
        slider.press("ArrowRight")
    expect(panel.locator(".pose-slider.is-edited")).to_have_count(1)
    page.wait_for_function(
        """(before) => {
            const selectors = ["[data-owners-one]", "[data-owners-other]"];
            const now = selectors.map((each) => `${each} canvas`).map((each) =>
                document.querySelector(each).toDataURL());
            return now.some((picture, i) => picture !== before[i]);
        }""",
        arg=before,
    )
    after = pictures()
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


@pytest.mark.parametrize(("view", "size"), [("input", WIDE), ("reconstruction", PHONE)])
def test_all_can_read_it(page: Page, view: str, size):
    page.set_viewport_size(size)
    lay_two(page)
    panel = open_view(page, view)
    expect(panel).to_have_attribute("aria-busy", "false")
    end_transitions(page)
    assert violations(page, f"#view-{view}") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def cross(page: Page) -> Locator:
    """Open the experiment in which one digit moves across the other."""
    page.goto(
        "/#model=capsnet-overlapping&mode=lab&experiment=crossing"
        "&off=cnn-overlapping/efficient-overlapping&sample=four-open&rest=1"
    )
    panel = page.locator("#lab-crossing")
    expect(panel.locator(".plot .is-own[points*=' ']")).not_to_have_count(0)
    return panel


def test_one_digit_moves_across_the_other_by_mouse_keys_curve_and_link(page: Page):
    panel = cross(page)
    stage = panel.locator(".crossing-stage")
    words = panel.locator("[data-words]")
    expect(words).to_contain_text("First digit, in the middle: 4. Second:")
    expect(words).to_contain_text("of the ink that one digit has alone")
    capsnet = panel.locator(".lab-verdict")
    expect(capsnet.locator("canvas")).to_have_attribute(
        "aria-label", re.compile(r"draws \d and \d")
    )
    expect(panel.locator(".plot:visible")).to_have_count(1)
    box = stage.bounding_box()
    pixel = box["width"] / 36
    page.mouse.move(box["x"] + 10 * pixel, box["y"] + 10 * pixel)
    page.mouse.down()
    page.mouse.move(box["x"] + 7 * pixel, box["y"] + 12 * pixel, steps=3)
    page.mouse.up()
    expect(output(panel, "right")).to_have_text("1 px")
    expect(output(panel, "down")).to_have_text("2 px")
    panel.locator("[data-knob=down]").press("ArrowUp")
    expect(output(panel, "down")).to_have_text("3 px")
    curve = panel.locator("[data-plot] .plot")
    curve.press("End")
    expect(output(panel, "down")).to_have_text("8 px")
    expect(page).to_have_url(re.compile("knob=down.*right=1.*down=8"))
    expect(words).to_contain_text(re.compile(r"from −\d px to 8 px"))
    page.reload()
    expect(output(panel, "down")).to_have_text("8 px")
    capsnet.get_by_role("button", name="Open in Explore").click()
    open_view(page, "input")
    bench = page.locator("[data-pair-bench]")
    expect(bench).to_be_visible()
    assert [position(bench, which) for which in (0, 1)] == [
        *("in the middle", "1 right, 8 down"),
    ]


def test_a_picture_of_two_digits_comes_onto_one_canvas(page: Page):
    page.goto("/#model=capsnet-overlapping&view=input&sample=four-open")
    expect(page.locator("[data-prediction]")).not_to_have_text("–")
    size = (300, 160)
    ink = strokes(size, (30, 30, 100), 9) + strokes(size, (160, 30, 100), 9)
    page.locator("[data-upload]").set_input_files(
        {
            "name": "two.png",
            "mimeType": "image/png",
            "buffer": encoded(painted(ink, 0.1, 0.9)),
        }
    )
    steps = page.locator("[data-intake] [data-steps]")
    expect(steps).to_contain_text("They were moved together")
    digits = page.locator("[data-found-list] button")
    expect(digits).to_have_count(2)
    for which in (0, 1):
        expect(digits.nth(which)).to_have_attribute("aria-pressed", "true")
    digits.first.click()
    expect(steps).to_contain_text("Digit 1 of 2 was kept")
    expect(digits.nth(1)).to_have_attribute("aria-pressed", "false")
