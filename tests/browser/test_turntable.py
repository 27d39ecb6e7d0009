"""The turntable: toys as ink and in colour, in networks that name them."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from capsnet_explorer.datasets.toys import CATEGORIES
from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import FOUR, draw, end_transitions, open_view


def put_a_toy(page: Page) -> Locator:
    page.goto("/#model=cnn-toys&view=input")
    expect(page.locator("[data-prediction]")).not_to_have_text("–")
    table = open_view(page, "input").locator("[data-turntable]")
    expect(words_of(table)).to_contain_text("turned by 320° and seen from 40°")
    return table


def words_of(table: Locator) -> Locator:
    return table.locator("[data-toy-words]")


def test_a_toy_is_turned_by_mouse_keys_and_sliders(page: Page):
    table = put_a_toy(page)
    stage, words = table.locator("[data-toy-stage]"), words_of(table)
    page.get_by_role("button", name="Clear", exact=True).click()
    draw(page, FOUR)  # no toy
    table.get_by_role("button", name="Put a toy on the turntable").click()
    expect(stage).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    expect(words).to_contain_text("turned by 325° and seen from 20°")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"], box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    expect(words).to_contain_text(re.compile("turned by 5[45]° and seen from 20°"))
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(words).to_contain_text("turned by 325° and seen from 20°")
    table.get_by_label("Turned by").fill("90")
    expect(words).to_contain_text("turned by 90°")
    labels = table.locator("[data-toy-category] option")
    assert labels.all_inner_texts() == list(CATEGORIES)


def test_toys_to_try_stand_beside_the_drawing(page: Page):
    page.goto("/#model=cnn-toys&view=input")
    toys = page.get_by_role("region", name="Toys to try")
    toys.get_by_role("button", name="truck of seed 2001").click()
    expect(page).to_have_url(re.compile("toy=truck"))
    words = page.locator("[data-toy-words]")
    expect(words).to_contain_text("The truck of seed 2001, turned by")
    pressed = toys.locator("[data-samples] [aria-pressed=true]")
    expect(pressed).to_have_attribute("title", "truck of seed 2001")


def test_a_finger_turns_a_toy(browser, base_url: str, browser_context_args):
    context = browser.new_context(
        **{**browser_context_args, "viewport": PHONE, "has_touch": True}
    )
    page = context.new_page()
    table = put_a_toy(page)
    stage = table.locator("[data-toy-stage]")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    touch = context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2
    points = [[{"x": x + share * box["width"] / 2, "y": y}] for share in (0, 0.5, 1)]
    for kind, at in zip(("Start", "Move", "Move"), points, strict=True):
        touch.send(
            "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at}
        )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(words_of(table)).to_contain_text(re.compile("turned by (49|50|51)°"))
    context.close()


def test_parts_ground_and_light_are_chosen_and_a_link_brings_all_back(page: Page):
    table = put_a_toy(page)
    words = words_of(table)
    picture = page.locator("[data-view=input] [data-picture]")
    before = picture.evaluate("canvas => canvas.toDataURL()")
    table.locator("[data-toy-category]").select_option("plane")
    table.get_by_label("Lamp").select_option("3")
    table.get_by_label("Ground").select_option("cluttered")
    table.get_by_label("Hide half").select_option("left")
    table.locator("summary").click()
    table.get_by_label("span of the wings").fill("100")
    expect(words).to_contain_text("plane of seed 2000, with parts of your own")
    expect(words).to_contain_text("The left half is hidden")
    assert picture.evaluate("canvas => canvas.toDataURL()") != before
    expect(page).to_have_url(re.compile(r"toy=plane\.2000.*span-100"))
    text, address = words.inner_text(), page.url
    page.goto("about:blank")
    page.goto(address)
    expect(words).to_have_text(text)
    assert page.url == address
    short = re.sub("image=[^&]+&?", "", address)
    page.goto("about:blank")
    page.goto(short)
    expect(words).to_have_text(text)
    expect(page).to_have_url(address)
    table.locator("summary").click()
    table.get_by_role("button", name="As its seed draws it").click()
    expect(words).not_to_contain_text("parts of your own")
    table.get_by_role("button", name="Roll another").click()
    expect(words).not_to_contain_text("seed 2000")


def test_a_toy_in_colour_is_tinted_and_a_link_brings_it_back(page: Page):
    toy = "plane.2000.320.40.1.plain.nothing"
    page.goto(f"/#view=input&model=cnn-cifar10&toy={toy}")
    expect(page.locator("[data-prediction]")).not_to_have_text("–")
    table = open_view(page, "input").locator("[data-turntable]")
    words = table.locator("[data-toy-words]")
    expect(words).to_contain_text("The white plane of seed 2000")
    expect(words).to_contain_text("Its class is airplane")
    readout = page.locator("#input-readout")
    picture = page.locator("#view-input canvas[data-picture]")
    picture.hover(position={"x": 4, "y": 4})
    expect(readout).to_contain_text(re.compile(r"0\.529.*0\.741.*0\.941"))  # the sky
    table.get_by_label("Ground").select_option("clutter")
    table.get_by_label("Tint").select_option("red")
    table.locator("[data-toy-category]").select_option("animal")
    expect(words).to_contain_text("The red animal of seed 2000")
    expect(words).not_to_contain_text("class")
    expect(page).to_have_url(re.compile(r"toy=animal\.2000.*on-clutter\.tint-red"))
    text, short = words.inner_text(), re.sub("image=[^&]+&?", "", page.url)
    page.goto("about:blank")
    page.goto(short)
    expect(words).to_have_text(text)
    expect(table.get_by_label("Tint")).to_have_value("red")


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_the_turntable_can_be_reached_by_all(page: Page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    put_a_toy(page)
    end_transitions(page)
    assert violations(page, "#view-input") == []
    overflow = "document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(overflow) <= 0
