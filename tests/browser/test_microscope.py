"""The arithmetic under the microscope: it comes out, and it is the network's."""

import re
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api import image_of, trace
from tests.browser.explorer import open_page

FOUR_PLACES = Decimal("0.0001")

STRONG = 22 * 36 + 2 * 6 + 3  # a capsule that routing moves far
LINK = f"view=routing&sample=four-open&capsule={STRONG}"


def number(text: str) -> Decimal:
    """Read a number as the page writes it: true minus, perhaps no zero first."""
    return Decimal(text.strip().replace("−", "-").replace("+", ""))


def numbers_in(cells: Locator) -> list[Decimal]:
    return [number(text) for text in cells.all_inner_texts()]


def rounded(value: Decimal | float, places: Decimal = FOUR_PLACES) -> Decimal:
    return Decimal(value).quantize(places, rounding=ROUND_HALF_UP) + 0


def is_rounding_of(written: Decimal, value: Decimal) -> bool:
    """Whether a number is written as near to a value as its decimals allow."""
    return abs(written - value) <= Decimal(5).scaleb(written.as_tuple().exponent - 1)


def open_microscope(page: Page, link: str) -> Locator:
    """Open the routing view and scroll to the panel, which is drawn when it is seen."""
    open_page(page, link)
    panel = page.locator("[data-microscope]")
    panel.scroll_into_view_if_needed()
    expect(panel.locator("[data-capsule-rows] tr")).to_have_count(10)
    expect(panel.locator("[data-distance]")).to_contain_text(
        ": they come in half precision"
    )
    return panel


def column(panel: Locator, place: int) -> list[Decimal]:
    """Read a column of the ten digits: 1 b, 2 e^b, 3 c, 4 agreement, 5 next b."""
    return numbers_in(
        panel.locator(f"[data-capsule-rows] tr td:nth-child({place + 1})")
    )


def columns(panel: Locator) -> list[list[Decimal]]:
    return [column(panel, place) for place in range(1, 6)]


def written(panel: Locator, step: str, name: str) -> Decimal:
    place = panel.locator(f"[data-step-name={step}] [data-number={name}]:visible")
    return number(place.last.text_content() or "")


@pytest.fixture
def four(base_url: str) -> list[list[float]]:
    return image_of(base_url, 4)


def test_the_steps_come_out_and_say_the_same_as_the_tables(page: Page, four, base_url):
    panel = open_microscope(page, LINK)
    b, exponential, c, agreed, grown = (values[4] for values in columns(panel))
    assert written(panel, "split", "logit") == b
    assert written(panel, "split", "exponential") == exponential
    assert written(panel, "split", "coupling") == c
    assert is_rounding_of(c, exponential / written(panel, "split", "sum"))

    after = written(panel, "add", "after")
    evidence = written(panel, "add", "evidence")
    assert is_rounding_of(evidence, c * agreed / after)

    before = written(panel, "squash", "before")
    squared = written(panel, "squash", "squared")
    assert is_rounding_of(squared, before**2)
    assert written(panel, "squash", "after") == after
    assert is_rounding_of(after, squared / (1 + squared))
    capsules = trace(base_url, four, ["routing.capsules"])["routing.capsules"]
    assert after == rounded(float(np.linalg.norm(capsules[2, 4].astype(float))))

    share = re.search(r"([\d.]+)\s*%", panel.locator("[data-add-words]").inner_text())
    assert share
    assert abs(Decimal(share[1]) - abs(100 * evidence / before)) <= Decimal("0.005")

    assert written(panel, "compare", "agreement") == agreed
    sign = 1 if panel.locator("[data-sign]").text_content() == "+" else -1
    size = written(panel, "grow", "agreement-size")
    assert b + sign * size == written(panel, "grow", "next") == grown

    panel.get_by_role("button", name="See its products").click()
    products = panel.locator("[data-vote-rows] tr").last.locator("td")
    expect(products).not_to_have_count(0)
    *each, total = numbers_in(products)
    assert sum(each) == total
    panel.get_by_text("What it found").click()
    expect(panel.locator("[data-found-rows] tr")).to_have_count(2)
    expect(panel.locator("[data-found-curve] .point")).to_be_visible()


def test_a_number_lights_up_wherever_it_stands(page: Page):
    panel = open_microscope(page, LINK)
    lit = panel.locator(".is-lit")
    expect(lit).to_have_count(0)
    panel.locator("[data-step-name=compare] [data-number=agreement]").hover()
    texts = set(lit.all_text_contents())
    agreement = column(panel, 4)[4]
    assert {abs(number(text)) for text in texts} == {abs(agreement)}
    assert lit.count() >= 4  # in both tables and in two formulas more
    expect(panel.locator("[data-term-readout]")).to_contain_text("agreement û·v")

    # The other way: from the table to the formulas, and to the cell in the picture.
    panel.locator("[data-capsule-rows] tr:nth-child(5) td:nth-child(4)").hover()
    expect(panel.locator("[data-step-name=split] mn.is-lit").first).to_be_visible()
    expect(panel.locator("[data-cell]")).to_have_class(re.compile("is-lit"))

    # A sum lights up its parts; a part does not light up the sum.
    panel.locator("[data-exponential-sum]").hover()
    expect(panel.locator("[data-capsule-rows] td:nth-child(3).is-lit")).to_have_count(
        10
    )
    panel.locator("[data-capsule-rows] tr:nth-child(8) td:nth-child(3)").hover()
    expect(lit).to_have_count(1)


def test_numbers_of_the_steps_are_walked_with_arrow_keys(page: Page):
    panel = open_microscope(page, LINK)
    terms = panel.locator("[data-iteration-steps] mn[data-term]")
    assert (
        terms.evaluate_all("terms => terms.filter(t => t.tabIndex === 0).length") == 1
    )
    terms.locator("visible=true").first.focus()
    expect(panel.locator("[data-term-readout]")).to_contain_text("logit b for 4")
    page.keyboard.press("ArrowRight")
    expect(panel.locator("[data-term-readout]")).to_contain_text(
        "the sum of e to the power of b"
    )
    page.keyboard.press("End")
    expect(panel.locator("[data-term-readout]")).to_contain_text(
        "next iteration begins"
    )
    page.keyboard.press("Home")
    expect(panel.locator("[data-term-readout]")).to_contain_text("logit b for 4")


def test_escape_folds_up_before_it_goes_anywhere_else(page: Page):
    panel = open_microscope(page, f"{LINK}&digit=9")
    fold = panel.locator("[data-fold=votes]")
    fold.locator("summary").click()
    expect(fold).to_have_attribute("open", "")
    panel.locator("[data-ten-rows] tr").nth(7).click()
    expect(panel.locator("[data-course-caption]")).to_contain_text("class 7")
    page.keyboard.press("Escape")
    expect(fold).not_to_have_attribute("open", "")
    expect(fold.locator("summary")).to_be_focused()
    expect(panel.locator("[data-course-caption]")).to_contain_text("class 7")
    page.keyboard.press("Escape")
    expect(panel.locator("[data-course-caption]")).to_contain_text("class 4")
