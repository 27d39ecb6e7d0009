"""Matrix capsules on the page."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explorer import open_page, pixels_at_rest

MODEL = "model=matrix-mnist&sample=four-open"


def test_routing_is_gone_through_iteration_by_iteration(page: Page):
    open_page(page, f"{MODEL}&view=routing&step=1&open=numbers")
    panel = page.locator("#view-routing")
    story = panel.locator("[data-story]")
    expect(story).to_contain_text("Iteration 1: no votes have been compared yet")
    expect(story).to_contain_text("R = 1/10 to each class")
    cloud = panel.locator("[data-closeness] canvas")
    cloud.scroll_into_view_if_needed()  # the link leads to the panel of numbers
    even = pixels_at_rest(cloud)
    page.locator("body").press(".")
    expect(story).to_contain_text(re.compile(r"Iteration 2: R to .+ of \d+ capsules"))
    cloud.scroll_into_view_if_needed()  # it is painted only while it is in sight
    page.wait_for_function(
        """before => document.querySelector("#view-routing [data-closeness] canvas")
            .toDataURL() !== before""",
        arg=even,
    )

    arithmetic = panel.locator("[data-arithmetic]")
    arithmetic.scroll_into_view_if_needed()
    expect(arithmetic).to_contain_text("The network’s trace says the same")
    # What the sum ends in is what the panel's first sentence says.
    sums = arithmetic.locator(".worked-sum")
    expect(sums.nth(3)).to_have_text(re.compile(r"→\s*[01]\.\d+"))
    worked = re.search(r"→\s*([01]\.\d+)", sums.nth(3).inner_text())[1]
    expect(arithmetic).to_contain_text(f"the activation of 4 is {worked}")
    claims = arithmetic.locator("table tbody tr")
    expect(claims).to_have_count(10)


def test_routing_to_a_lower_layer_comes_when_asked_for(page: Page):
    open_page(page, f"{MODEL}&view=routing&routed=caps1")
    panel = page.locator("#view-routing")
    expect(panel.locator("[data-size]")).to_have_text(
        re.compile(r"^\d+ capsules → \d+ types at one place$")
    )
    panel.get_by_role("slider", name="Row").fill("0")
    expect(page).to_have_url(re.compile("caps1="))
    expect(panel.locator("[data-position-value]")).to_have_text(re.compile(r"^0, \d$"))
    expect(panel.locator("[data-iterations-note]")).to_contain_text("Trained with 3")
    panel.get_by_role("slider", name="Run").fill("5")
    expect(panel.locator("[data-iterations-note]")).to_contain_text("This run has 5")
    expect(panel.locator("[data-step-value]")).to_have_text("5 of 5")
