"""The Lab: one digit and every network, by mouse, finger and keys."""

import math
import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.access import LOW
from tests.browser.explorer import open_page, prediction


def open_lab(page: Page, link: str = "") -> Locator:
    """Open an experiment and return its panel, once its curves are drawn."""
    page.goto(f"/#mode=lab{link}")
    panel = page.locator("[data-experiment]:visible")
    expect(panel.locator(".plot .is-own[points*=' ']")).not_to_have_count(0)
    return panel


def output(panel: Locator, knob: str) -> Locator:
    """What stands beside a knob's slider."""
    row = panel.locator(".lab-knob", has=panel.page.locator(f"[data-knob={knob}]"))
    return row.locator("output")


def circle(page: Page, handle: str, degrees: float) -> list[tuple[float, float]]:
    """Places on the way of a handle around the digit, counter-clockwise."""
    box = page.locator(f"[data-handle={handle}]").bounding_box()
    picture = page.locator("#lab-pose .lab-changed .lab-digit").bounding_box()
    middle = (
        picture["x"] + picture["width"] / 2,
        picture["y"] + picture["height"] / 2,
    )
    x = box["x"] + box["width"] / 2 - middle[0]
    y = box["y"] + box["height"] / 2 - middle[1]
    angles = [math.radians(degrees * step / 8) for step in range(9)]
    return [
        (
            middle[0] + x * math.cos(angle) + y * math.sin(angle),
            middle[1] - x * math.sin(angle) + y * math.cos(angle),
        )
        for angle in angles
    ]


def test_every_network_reads_the_digit_each_by_its_own_kind_of_score(page: Page):
    open_page(page)
    page.get_by_role("button", name="Lab", exact=True).click()
    rows = page.locator(".lab-verdict:visible")
    expect(rows).to_have_count(4)
    expect(rows.locator(".lab-reads-digit")).to_have_text(["4", "4", "4", "4"])
    page.locator("#lab-pose [data-knobs] input").first.fill("40")
    expect(rows.locator(".lab-reads-digit")).to_have_text(["2", "4", "4", "4"])
    expect(rows.locator(".lab-reads-words")).to_contain_text(
        ["length 0.", "probability", "length 0.", "activation"]
    )
    page.locator("#lab-pose .lab-about > summary").click()
    expect(page.locator("#lab-pose .lab-networks dd")).to_contain_text(
        ["8", "582", "1", "605"]
    )
    page.locator("#lab-pose [data-reset]").click()
    expect(rows.locator(".lab-reads-digit")).to_have_text(["4", "4", "4", "4"])
    expect(page.locator("[data-part=strip]")).to_be_hidden()
    expect(page.locator("#lab-pose .lab-words")).to_contain_text("reads 4")
    page.locator("#lab-pose [data-paths] > summary").click()
    expect(page.locator(".pose-code")).to_have_count(4)
    expect(page.locator(".pose-code")).to_contain_text(
        4 * ["a linear reader tells the knob “Turn”, −45° to 45°, from the"]
    )
    page.locator("#lab-pose [data-verdicts]").get_by_label("CNN").first.uncheck()
    expect(rows.locator(".lab-reads-digit")).to_have_count(3)
    expect(page.locator("#lab-pose .plot .curve.is-own")).to_have_count(3)
    expect(page).to_have_url(re.compile("mode=lab.*off=cnn-mnist"))
    tabs = page.locator(".lab-tabs").get_by_role("tab").all_inner_texts()
    page.keyboard.press(str(1 + tabs.index("Jumbled parts")))
    expect(page.locator("#lab-parts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("mode=lab.*experiment=parts"))
    page.get_by_role("button", name="Explore", exact=True).click()
    expect(page.locator("#view-overview")).to_be_visible()
    expect(page.locator("#view-lab")).to_be_hidden()


def test_the_digits_handles_turn_it_by_mouse_and_keys_and_a_link_keeps_it(page: Page):
    panel = open_lab(page, "&rest=1&experiment=pose")
    first, *rest = circle(page, "turn", 60)
    page.mouse.move(*first)
    page.mouse.down()
    for point in rest:
        page.mouse.move(*point)
    page.mouse.up()
    expect(output(panel, "turn")).to_have_text("60°")
    panel.locator("[data-handle=shift]").press("ArrowDown")
    expect(output(panel, "down")).to_have_text("1 px")
    panel.locator("[data-handle=scale]").press("Shift+ArrowUp")
    expect(output(panel, "scale")).to_have_text("1.2")
    expect(page).to_have_url(re.compile("knob=scale.*turn=60.*down=1.*scale=1.2"))
    page.reload()
    expect(output(panel, "turn")).to_have_text("60°")
    panel.locator("[data-reset]").click()
    expect(output(panel, "turn")).to_have_text("0°")


def test_the_one_plot_leads_elsewhere_and_lies_before_what_was_measured(page: Page):
    panel = open_lab(page)
    plot = panel.locator(".plot:visible")
    expect(plot).to_have_count(1)
    expect(plot.locator(".curve.is-own")).to_have_count(4)
    expect(plot.locator(".curve.is-measured")).to_have_count(4)
    expect(plot.locator(".line-name")).to_have_count(4)
    box, tick = (
        element.bounding_box()
        for element in (plot, plot.locator(".tick").get_by_text("90", exact=True))
    )
    at = tick["x"] + tick["width"] / 2 - box["x"]
    plot.click(position={"x": at, "y": 40})
    expect(output(panel, "turn")).to_have_text(re.compile("^(89|90|91)°$"))
    readout = panel.locator("[data-plot] .readout")
    expect(readout).to_contain_text(re.compile(r"Turn .*°: CapsNet 0\.\d+, CNN "))
    plot.press("Home")
    expect(output(panel, "turn")).to_have_text("−180°")
    panel.locator("[data-plot]").get_by_text("Numbers", exact=True).click()
    row = panel.locator("tr", has=page.get_by_role("rowheader", name="90", exact=True))
    expect(row).to_contain_text(re.compile(r"\d\.\d\u202f%"))


def test_each_experiment_opens_in_one_picture_where_networks_differ(page: Page):
    page.set_viewport_size(LOW)
    page.goto("/")
    expect(prediction(page)).to_have_text("4")
    page.get_by_role("button", name="Lab", exact=True).click()
    for experiment in ("pose", "parts", "attack", "sides", "crossing"):
        page.locator(f"#tab-lab-{experiment}").click()
        panel = page.locator(f"#lab-{experiment}")
        plot = panel.locator(".plot:visible")
        expect(plot.locator(".is-own[points*=' ']")).not_to_have_count(0)
        expect(plot).to_have_count(1)
        reads = panel.locator(".lab-reads-digit")
        verdicts = panel.locator(".lab-verdicts")
        expect(reads.filter(has_not_text="–")).to_have_count(
            verdicts.locator(".lab-verdict").count()
        )
        expect(panel).not_to_have_class(re.compile("is-behind"))
        assert experiment == "pose" or len(set(reads.all_inner_texts())) > 1
        for part in (panel.locator("[data-changed] canvas").first, verdicts, plot):
            box = part.bounding_box()
            assert box["y"] + box["height"] <= LOW["height"], experiment


def test_all_sides_takes_a_network_that_can_and_another_choice_leaves_it(page: Page):
    open_page(page)
    page.goto("/#mode=lab&experiment=sides&model=capsnet-mnist")
    note = page.locator("[data-fitting]")
    expect(note).to_contain_text("needs a network that reads toys: in place of CapsNet")
    expect(page).to_have_url(re.compile("model=[a-z]+-toys"))
    expect(page.locator("#lab-sides .plot .is-own[points*=' ']")).not_to_have_count(0)
    page.locator("[data-models]").select_option("cnn-mnist")
    expect(page.locator("#lab-pose")).to_be_visible()
    expect(note).to_be_empty()
    expect(page).to_have_url(re.compile("model=cnn-mnist"))
