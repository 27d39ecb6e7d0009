"""The Atlas where data sets are at hand: pictures of what is selected."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import end_transitions
from tests.browser.server import running
from tests.browser.test_atlas import open_atlas

pytestmark = pytest.mark.long  # one worker takes all, and starts one explorer


@pytest.fixture(scope="session")
def base_url(needs) -> Iterator[str]:
    with running("--data", str(needs("mnist"))) as address:
        yield address


def test_one_selection_links_sentence_matrix_pictures_and_link(page: Page):
    page.set_viewport_size(WIDE)
    open_atlas(page)
    sentence = page.locator("[data-sentence]")
    expect(sentence).to_contain_text(
        re.compile("misreads 45 of the 10.000 test images")
    )
    page.get_by_role("button", name="Misread by this network alone").click()
    expect(sentence).to_contain_text("10 of the")
    expect(page.locator("[data-wall] [data-index]")).to_have_count(10)
    cell = page.get_by_role("button", name="Label 4, read as 9: 3")
    cell.click()
    expect(cell).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-wall] [data-index]")).to_have_text(["4 → 9"] * 3)
    expect(page).to_have_url(re.compile("selected=cell%2F4%2F9"))
    # For those who hear the page, with score and place.
    expect(
        page.get_by_role("table", name="selected").locator("tbody tr")
    ).to_have_count(3)
    page.locator("[data-wall] [data-index]").first.press("Enter")
    expect(page.locator("[data-point]")).to_contain_text("label 4, misread as 9")
    page.reload()
    expect(sentence).to_contain_text("3 of the")
    page.locator("[data-models]").select_option("cnn-mnist")
    expect(page.get_by_label("Map of").locator("option").first).to_contain_text(
        "hidden layer"
    )
    expect(sentence).to_contain_text("have the label 4 and are read as 9")


def test_a_test_image_opens_in_explore_and_back_leads_to_the_atlas(page: Page):
    open_atlas(page, "&test-image=247")
    page.get_by_role("button", name="Open in Explore").click()
    expect(page.locator("[data-part=strip]")).to_be_visible()
    expect(page).to_have_url(re.compile("of=mnist-test%2F247%2F4"))
    page.go_back()
    expect(page.locator("[data-point]")).to_contain_text("Test image 247: label 4")
    page.get_by_role("button", name="beside your image").click()
    expect(page.locator("#view-compare")).to_be_visible()


def test_toys_stand_on_the_turntable(page: Page, needs):
    needs("toys")
    page.goto("/#mode=atlas&model=cnn-toys")
    sentence = page.locator("[data-sentence]")
    expect(sentence).to_contain_text("misreads")
    page.get_by_role("button", name="Misread", exact=True).click()
    page.locator("[data-wall] [data-index]").first.click()
    page.get_by_role("button", name="on the turntable").click()
    expect(page.locator("[data-toy-words]")).to_contain_text("turned by")
    page.go_back()
    expect(sentence).to_contain_text("misread by")


def test_the_atlas_selects_pairs_and_opens_them_as_two_digits(page: Page):
    page.set_viewport_size(WIDE)
    page.goto("/#model=capsnet-overlapping&mode=atlas&sample=four-open")
    atlas = page.locator("#view-atlas")
    sentence = atlas.locator("[data-sentence]")
    expect(sentence).to_contain_text("it reads one of the two digits right in")
    cell = atlas.get_by_role("button", name=re.compile("^Labels 4 and 9: "))
    wrong, count = re.findall(r"\d+", cell.get_attribute("aria-label") or "")[2:]
    cell.click()
    expect(cell).to_have_attribute("aria-pressed", "true")
    expect(sentence).to_contain_text(re.compile(rf"^{count} of the "))
    misread = "all" if wrong == count else wrong
    expect(sentence).to_contain_text(f"labels 4 and 9; {misread} of them are misread")
    expect(page).to_have_url(re.compile("selected=label%2F4.9"))
    picture = atlas.locator("[data-wall] [data-index]").first
    expect(picture).to_contain_text("4 9")
    picture.press("Enter")
    expect(atlas.locator("[data-point]")).to_contain_text(re.compile("labels [49] and"))
    atlas.get_by_role("button", name="Open in Explore").click()
    expect(page).to_have_url(re.compile("pair=.*pair="))
    page.go_back()
    expect(sentence).to_contain_text("have the labels 4 and 9")
    atlas.get_by_role("button", name="One of two right").click()
    expect(sentence).to_contain_text("with one of the two digits right")
    page.set_viewport_size(PHONE)
    end_transitions(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert violations(page, "#view-atlas") == []
