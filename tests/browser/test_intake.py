"""What people do when their own digit was read otherwise than they meant it."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import open_page, prediction
from tests.intake_pictures import encoded, painted, strokes

SEVEN = ([(0.15, 0.08), (0.85, 0.06), (0.4, 0.95)],)
SIZE = (400, 240)


def seven_and_five() -> bytes:
    """A PNG with a small 7 on the left and a large 5 on the right."""
    seven = strokes(SIZE, (40, 80, 90), 10, SEVEN)
    return encoded(painted(seven + strokes(SIZE, (210, 40, 150), 15), 0.1, 0.9))


def upload(page: Page, data: bytes, name: str = "digit.png") -> None:
    page.locator("[data-upload]").set_input_files(
        {"name": name, "mimeType": "image/png", "buffer": data}
    )


@pytest.fixture
def intake(page: Page) -> Locator:
    """The panel of a picture that holds a 7 and a 5; the 5 is read."""
    open_page(page)
    upload(page, seven_and_five())
    expect(prediction(page)).to_have_text("5")
    page.get_by_role("button", name="See how it was read").click()
    intake = page.locator("[data-intake]")
    for picture in intake.locator("[data-intake-step] img").all():
        expect(picture).to_have_attribute("src", re.compile("^data:image/png"))
    return intake


def test_another_of_several_digits_can_be_chosen(page: Page, intake: Locator):
    doubts = page.locator("[data-doubts]")
    expect(doubts).to_contain_text("2 shapes")
    digits = intake.locator("[data-found] button")
    expect(digits).to_have_count(2)
    expect(digits.nth(1)).to_have_attribute("aria-pressed", "true")
    digits.nth(0).focus()
    page.keyboard.press("Enter")
    expect(prediction(page)).to_have_text("7")
    expect(digits.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(digits.nth(0)).to_be_focused()
    expect(doubts).to_be_hidden()
    intake.get_by_role("button", name="Reset to automatic").click()
    expect(prediction(page)).to_have_text("5")
    expect(doubts).to_be_visible()


def test_a_frame_is_dragged_and_moved_by_keys_around_the_digit_that_was_meant(
    page: Page, intake: Locator
):
    box = intake.locator("[data-frame]").bounding_box()
    page.mouse.move(box["x"] + 0.04 * box["width"], box["y"] + 0.2 * box["height"])
    page.mouse.down()
    page.mouse.move(
        box["x"] + 0.42 * box["width"], box["y"] + 0.85 * box["height"], steps=8
    )
    page.mouse.up()
    expect(prediction(page)).to_have_text("7")
    expect(intake.locator("[data-crop]")).to_contain_text("across")
    expect(intake.locator("[data-found]")).to_be_hidden()
    intake.get_by_role("button", name="Whole picture").click()
    expect(prediction(page)).to_have_text("5")

    right = intake.get_by_role("slider", name="Right edge")
    right.focus()
    for _ in range(11):
        page.keyboard.press("Shift+ArrowLeft")
    expect(right).to_have_attribute("aria-valuenow", "45")
    expect(prediction(page)).to_have_text("7")
    expect(right).to_be_focused()
    page.locator("[data-grip=move]").focus()
    for _ in range(11):
        page.keyboard.press("Shift+ArrowRight")
    expect(right).to_have_attribute("aria-valuenow", "100")
    expect(prediction(page)).to_have_text("5")
    page.keyboard.press("Delete")
    expect(intake.locator("[data-crop]")).to_have_text("the whole picture")


def test_a_slider_reads_the_picture_again_and_keeps_the_focus(
    page: Page, intake: Locator
):
    for name, step in (("Ink from", "paper"), ("Width", "strokes"), ("Turn", "digit")):
        picture = intake.locator(f"[data-intake-step={step}] img")
        before = picture.get_attribute("src") or ""
        control = intake.get_by_role("slider", name=name)
        control.focus()
        for _ in range(8):
            page.keyboard.press("ArrowRight")
        expect(intake.locator("[data-decided]")).to_contain_text(f"You set “{name}”;")
        expect(picture, name).not_to_have_attribute("src", before)
        expect(control, name).to_be_focused()
        reset = intake.get_by_role("button", name="Reset to automatic")
        reset.focus()
        page.keyboard.press("Enter")
        expect(picture, name).to_have_attribute("src", before)
        expect(reset, name).to_be_focused()
        expect(reset, name).to_have_attribute("aria-disabled", "true")


def test_nothing_left_is_said_and_taken_back(page: Page, intake: Locator, complaints):
    page.locator("[data-grip=right]").focus()
    for _ in range(19):
        page.keyboard.press("Shift+ArrowLeft")  # only paper is left of the 7
    expect(page.get_by_role("alert")).to_contain_text("looks like a digit")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    intake.get_by_role("button", name="Reset to automatic").click()
    expect(intake.locator("[data-crop]")).to_have_text("the whole picture")
    assert all("422" in complaint for complaint in complaints)
    complaints.clear()


def test_on_a_phone_the_panel_is_found_from_the_doubts_and_trouble_is_in_sight(
    page: Page, complaints
):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page)
    upload(page, seven_and_five())
    page.get_by_role("button", name="See how it was read").click()
    expect(page.locator("[data-frame]")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    upload(page, b"not a picture", "notes.png")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_role("alert")).to_contain_text("picture")
    complaints.clear()
