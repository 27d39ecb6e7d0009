"""The arithmetic under the microscope: it comes out, and it is the network's."""

import re
from decimal import Decimal

from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import open_page

FOUR_PLACES = Decimal("0.0001")

STRONG = 22 * 36 + 2 * 6 + 3  # a capsule that routing moves far
LINK = f"view=routing&sample=four-open&capsule={STRONG}"


def number(text: str) -> Decimal:
    """Read a number as the page writes it: true minus, perhaps no zero first."""
    return Decimal(text.strip().replace("−", "-").replace("+", ""))


def numbers_in(cells: Locator) -> list[Decimal]:
    return [number(text) for text in cells.all_inner_texts()]


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
