"""The guide in the explorer: pictures, tasks, and what a reader gets back."""

import json
import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import (
    FOUR,
    draw,
    open_page,
    pass_frames,
    pixels_at_rest,
    prediction,
)
from tests.browser.guide import (
    DOCK,
    arrive,
    arrive_at_picture,
    open_stop,
    steps_of_guide,
)
from tests.browser.guide_tasks import TASKS


@pytest.mark.long
def test_tasks_are_solved_by_their_hints_and_by_nothing_less(page: Page):
    page.goto("/guide")
    steps = {step["stop"]: step for step in steps_of_guide(page) if step["task"]}
    for stop, (wrong, right) in TASKS.items():
        open_stop(page, steps[stop])
        expect(page.locator(f"{DOCK} .guide-task")).to_have_count(0)
        prediction = page.locator(f"{DOCK} .guide-predict")
        answers = prediction.get_by_role("group").get_by_role("button")
        answer = answers.first.inner_text()
        answers.first.click()
        why = page.locator(f"{DOCK} .guide-task [data-why]")
        outcome = prediction.locator("[data-found]")
        expect(prediction).to_contain_text(f"You predicted: {answer}.")
        expect(why).to_be_hidden()
        expect(outcome).to_be_hidden()
        wrong(page)
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        pass_frames(page)
        expect(why, stop).to_be_hidden()
        assert stop not in _kept(page)["done"]
        right(page)
        expect(why, stop).to_be_visible()
        is_right = steps[stop]["predict"]["answers"][0]["right"]
        expect(outcome).to_have_text(re.compile("^Right" if is_right else "^No"))
        assert stop in _kept(page)["done"]
        assert _kept(page)["predicted"][stop] == answer


def test_who_leaves_is_where_they_were_with_their_drawing(page: Page):
    open_page(page)
    draw(page, FOUR)
    expect(prediction(page)).to_have_text("4")
    page.locator("[data-tab=digits]").click()
    drawing = pixels_at_rest(page.locator("[data-pad]"))

    page.get_by_role("link", name="Guide").click()
    page.get_by_role("button", name="What is a capsule?").click()
    arrive_at_picture(page, "01-capsule/answer")
    announcement = page.locator(f"{DOCK} [data-said]")
    expect(announcement).to_contain_text("In sight: the network’s answer.")
    page.keyboard.press("ArrowRight")
    arrive_at_picture(page, "01-capsule/number")
    assert page.url.partition("#")[0].endswith("?guide=01-capsule/number")
    page.go_back()
    arrive_at_picture(page, "01-capsule/answer")
    page.keyboard.press("Escape")
    expect(page.locator(DOCK)).to_be_hidden()
    expect(page.locator("[data-tab=digits]")).to_have_attribute("aria-selected", "true")
    assert "guide=" not in page.url
    assert pixels_at_rest(page.locator("[data-pad]")) == drawing
    expect(prediction(page)).to_have_text("4")

    # The guide goes on where it was left.
    page.get_by_role("link", name="Guide").click()
    page.get_by_role("button", name="Continue with “What is a capsule?”").click()
    arrive_at_picture(page, "01-capsule/answer")

    # Its terms explain themselves where they first stand in a chapter.
    page.locator(f"{DOCK} [data-glossary=capsule]").click()
    note = page.locator("#term-note")
    expect(note).to_contain_text("A group of units")
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    page.locator(f"{DOCK} [data-next]").click()
    arrive_at_picture(page, "01-capsule/number")
    page.locator(f"{DOCK} [data-next]").click()
    arrive_at_picture(page, "01-capsule/vector")
    expect(page.locator(f"{DOCK} [data-glossary=pose]")).to_have_count(1)
    expect(page.locator(f"{DOCK} [data-glossary=capsule]")).to_have_count(0)


def test_a_link_that_names_a_stop_alone_opens_its_state_too(page: Page):
    page.goto("/?guide=05-agreeing/step")
    arrive_at_picture(page, "05-agreeing/step")
    chosen = page.locator("[data-tab=routing]")
    expect(chosen).to_have_attribute("aria-selected", "true")
    assert "sample=four-open" in page.url


# Lines of the open view that are half behind the bars, but for those in bars.
HALF_BEHIND = """() => {
    const edge = Math.max(...[...document.querySelectorAll("[data-bar]")]
        .filter((bar) => bar.checkVisibility()
            && getComputedStyle(bar).position === "sticky")
        .map((bar) => bar.getBoundingClientRect())
        .filter(({ top }) => top < innerHeight / 3)
        .map(({ bottom }) => bottom));
    const words = [...document.querySelectorAll("#view-routing p")];
    return words.filter((each) => !each.closest("[data-bar]")).flatMap((each) => {
        const range = new Range();
        range.selectNodeContents(each);
        return [...range.getClientRects()]
            .filter(({ top, bottom }) => top < edge - 2 && bottom > edge + 2)
            .map(({ top, bottom }) => `${each.textContent}: ${top} to ${bottom}`);
    });
}"""


WINDOW: ViewportSize = {"width": 1440, "height": 900}


def test_no_line_at_a_stop_is_half_behind_the_bars(page: Page):
    page.set_viewport_size(WINDOW)
    page.goto("/?guide=00-matter/without")
    arrive_at_picture(page, "00-matter/without")
    assert page.evaluate(HALF_BEHIND) == []


def test_a_ring_stays_on_a_picture_that_is_drawn_anew(page: Page):
    page.goto("/?guide=04-votes/vote#view=routing&sample=four-open")
    arrive_at_picture(page, "04-votes/vote")
    page.locator("#view-routing [data-step]").press("ArrowLeft")
    expect(page.locator("[data-story]")).to_contain_text("Iteration 2")
    pass_frames(page)
    expect(page.locator(".chains.is-ringed")).to_have_count(1)


def test_a_question_explains_wrong_answers_and_counts_right_ones(page: Page):
    page.goto("/guide")
    chapter = page.evaluate("fetch('/api/guide').then((answer) => answer.json())")
    chapter = chapter["chapters"][0]
    first = chapter["id"]
    right = [answer["right"] for answer in chapter["quiz"]["answers"]]
    page.goto(f"/?guide={first}/quiz#view=primary&sample=four-open")
    arrive(page, f"{first}/quiz")
    answers = page.locator(f"{DOCK} .guide-quiz button")
    why = page.locator(f"{DOCK} .guide-quiz [role=status]")
    page.set_viewport_size(PHONE)
    answers.nth(right.index(False)).click()
    expect(why).to_contain_text("No. ")
    expect(why).to_be_in_viewport(ratio=0.5)
    assert violations(page, DOCK) == []
    page.set_viewport_size(WIDE)
    assert _kept(page)["done"] == []
    answers.nth(right.index(True)).click()
    expect(why).to_contain_text("Right. ")
    assert _kept(page)["done"] == [f"{first}/quiz"]
    page.locator(f"{DOCK} [data-chapters]").click()
    expect(page.get_by_role("dialog", name="Guide")).to_contain_text(
        "question answered"
    )
    assert violations(page, "dialog[open]") == []


@pytest.mark.parametrize(
    ("scheme", "size", "address"),
    [("light", WIDE, "/guide"), ("dark", PHONE, "/guide/04-votes")],
)
def test_the_guide_is_for_everybody(page: Page, scheme, size, address: str):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size(size)
    page.goto(address)
    assert violations(page) == []
    step = next(step for step in steps_of_guide(page) if step["task"])
    open_stop(page, step)
    assert violations(page, DOCK) == []
    page.locator(f"{DOCK} .guide-predict button").first.click()
    page.locator(f"{DOCK} summary").click()
    assert violations(page, DOCK) == []


def test_the_guide_is_offered_once(page: Page):
    _come_for_the_first_time(page)
    offer = page.locator("[data-part=guide-offer]")
    expect(offer).to_be_visible()
    expect(prediction(page)).to_have_text("4")
    assert violations(page, "[data-part=guide-offer]") == []
    page.set_viewport_size({"width": 640, "height": 400})
    box = offer.bounding_box()
    assert box["height"] < 45  # one line
    page.keyboard.press("Escape")
    expect(offer).to_be_hidden()
    assert _kept(page)["isDismissed"]
    page.reload()
    expect(prediction(page)).to_have_text("4")
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    expect(offer).to_be_hidden()


def test_the_guide_is_offered_at_once_and_begins_when_there_is_something_to_show(
    page: Page,
):
    held = []
    page.route("**/api/samples", lambda route: held.append(route))
    _come_for_the_first_time(page)
    page.locator("[data-part=guide-offer] [data-accept]").click()
    expect(prediction(page)).to_have_text("–")
    expect(page.locator(DOCK)).to_be_hidden()
    for route in held:
        route.continue_()
    expect(page.locator(DOCK)).to_be_visible()
    expect(prediction(page)).to_have_text(re.compile(r"^\d$"))


def _come_for_the_first_time(page: Page) -> None:
    page.goto("/guide")
    page.evaluate("localStorage.removeItem('guide')")
    page.evaluate("sessionStorage.setItem('is-new-here', 'true')")
    page.goto("/")


# The width of A4 and the height of US Letter without margins, in pixels.
SHEET: ViewportSize = {"width": 672, "height": 935}

# What must stay whole and is higher than a sheet, or may be cut.
CUT = """(height) => [...document.querySelectorAll("figure, .step, .quiz")]
    .filter((each) => each.getBoundingClientRect().height > height
        || getComputedStyle(each).breakInside !== "avoid")
    .map((each) => each.outerHTML.slice(0, 80))"""


def test_on_paper_no_figure_is_cut_and_answers_stand_at_the_end(page: Page):
    page.set_viewport_size(SHEET)
    page.goto("/guide/whole")
    answers = page.get_by_role("heading", name="Answers to the questions")
    expect(answers).to_be_hidden()
    chapters = page.locator("h2").filter(has_text=re.compile(r"^(\d+\. |Does routing)"))
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.reload()
    page.emulate_media(media="print")
    assert page.evaluate(CUT, SHEET["height"]) == []
    expect(answers).to_be_visible()
    expect(page.locator(".answers li")).to_have_count(chapters.count())
    expect(page.locator(".task details p").first).to_be_visible()
    # Dark is for screens: paper has no ground to be light upon.
    root = page.locator(":root")
    assert root.evaluate("each => getComputedStyle(each).colorScheme") == "light"


def _kept(page: Page):
    return json.loads(page.evaluate("localStorage.getItem('guide')"))
