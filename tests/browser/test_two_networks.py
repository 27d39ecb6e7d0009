"""Going from one network to another: what both have stays, each is found as it was."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import open_page, open_view, prediction

CAPSNET, CNN = "capsnet-mnist", "cnn-mnist"
DOUBLED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}"""


def choose_model(page: Page, model: str) -> None:
    page.locator("[data-models]").select_option(model)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")


def tabs(page: Page) -> Locator:
    return page.locator("[data-part=strip] [role=tab] .tab-name")


def map_title(page: Page) -> Locator:
    return page.locator("#view-conv1 [data-map-title]").first


def test_the_picker_changes_the_strip_and_keeps_what_both_networks_have(page: Page):
    open_page(page, "view=conv1&sample=seven-bar&digit=3&map=9")
    expect(tabs(page)).to_have_count(7)
    keys = page.locator("[data-dialog=help] kbd").filter(has_text="X")
    expect(keys).to_have_count(2)
    choose_model(page, CNN)
    expect(tabs(page)).to_contain_text(["Overview", "Input", "Conv1", "Pool1"])
    expect(page.locator("#view-conv1")).to_have_count(1)
    expect(keys).to_have_count(0)
    assert page.evaluate(DOUBLED) == []
    expect(page.locator("[data-more]")).to_contain_text("probability")
    chosen = page.get_by_label("3: probability")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("view=conv1&model=cnn-mnist&sample=seven"))
    expect(page).to_have_url(re.compile("digit=3"))


def test_each_network_is_found_as_it_was_left_and_by_back(page: Page):
    open_page(page, "view=conv1&map=9")
    choose_model(page, CNN)
    expect(page).to_have_url(re.compile("model=cnn-mnist"))
    expect(map_title(page)).to_contain_text("Map")
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    page.locator("#view-conv1 [data-sheet] canvas").first.focus()
    page.keyboard.press("ArrowRight")
    address = re.compile(r"model=cnn-mnist.*map=\d")
    expect(page).to_have_url(address)
    title = map_title(page).inner_text()
    assert "Map 9" not in title
    choose_model(page, CAPSNET)
    expect(map_title(page)).to_contain_text("Map 9")
    expect(page).to_have_url(re.compile("map=9"))
    choose_model(page, CNN)
    expect(map_title(page)).to_have_text(title)

    expect(page).to_have_url(address)
    page.go_back()
    expect(map_title(page)).to_contain_text("Map 9")
    expect(page.locator("[data-models]")).to_have_value(CAPSNET)
    page.go_forward()
    expect(map_title(page)).to_have_text(title)


def test_a_view_that_the_other_network_lacks_gives_way_to_the_overview(page: Page):
    open_page(page)
    open_view(page, "routing")
    choose_model(page, CNN)
    expect(page.locator("#view-overview")).to_be_visible()
    expect(page.locator("#view-routing")).to_have_count(0)
    page.keyboard.press("4")
    expect(page.locator("#view-pool1")).to_be_visible()
    choose_model(page, CAPSNET)
    open_view(page, "routing")
    expect(page.locator("[data-story]")).to_contain_text("Iteration")
    expect(prediction(page)).to_have_text("4")
