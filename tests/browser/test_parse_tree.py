"""The parse trees of Routing, recomputed from the API's numbers with NumPy."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.access import PHONE, violations
from tests.browser.explorer import open_page, pixels_at_rest
from tests.browser.test_routing import AMBIGUOUS, AS_FOUR, numbers_in, run_of

SHARE = 0.9


def open_tree(page: Page, more: str = ""):
    """Open Routing at its parse trees and wait for what feeds the chosen capsule."""
    open_page(page, f"view=routing&sample={AMBIGUOUS}{AS_FOUR}{more}")
    panel = page.locator("[data-tree]")
    panel.scroll_into_view_if_needed()
    expect(panel.locator("[data-fed-rows] tr")).not_to_have_count(0)
    return panel


def fewest(given: np.ndarray) -> np.ndarray:
    """The fewest capsules that give nine tenths of a length, largest first."""
    order = np.argsort(-given)
    reached = np.cumsum(given[order]) >= SHARE * given.sum()
    return order[: int(np.argmax(reached)) + 1]


def test_the_trees_are_what_numpy_makes_of_the_trace(page: Page):
    panel = open_tree(page)
    run = run_of(page, AMBIGUOUS)
    lengths = np.linalg.norm(run.capsules[2], axis=-1)
    rival = int(np.argmax(np.where(np.arange(10) == 4, -1, lengths)))
    expect(panel.locator("[data-tree-rival] h4")).to_contain_text(f"{rival}, the")
    folder = panel.locator("[data-tree-numbers]")
    folder.locator("summary").click()
    rows = folder.locator("tbody tr")
    given = {digit: run.contributions(2, digit) for digit in (4, rival)}
    trees = {digit: fewest(values) for digit, values in given.items()}
    expect(rows).to_have_count(len({*trees[4], *trees[rival]}))
    for row in rows.all():
        name, _, *cells = row.locator("th, td").all_inner_texts()
        kind, at, across = (int(each) for each in re.findall(r"\d+", name))
        capsule = (kind * 6 + at) * 6 + across
        for digit, text in ((4, cells[0]), (rival, cells[2])):
            assert (text != "–") == (capsule in trees[digit])
            if text != "–":
                assert abs(float(text) - given[digit][capsule]) < 2e-3
    shared = set(trees[4]) & set(trees[rival])
    words = panel.locator("[data-tree-shared]").inner_text()
    if shared:
        count = re.search(r"(One|\d+) capsules? (?:is|are) in both trees", words)
        assert count
        assert count[1] == ("One" if len(shared) == 1 else str(len(shared)))
    else:
        assert "share no capsule" in words


def test_choosing_in_a_tree_chooses_everywhere(page: Page):
    panel = open_tree(page)
    rival = panel.locator("[data-tree-rival] canvas")
    before = pixels_at_rest(rival)
    rival.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    readout = panel.locator("[data-tree-rival] .readout")
    expect(readout).to_have_text(re.compile(r"^type \d+, row \d, column \d"))
    kind, row, column = numbers_in(readout.inner_text())[:3]
    chosen = f"type {kind:.0f}, row {row:.0f}, column {column:.0f}"
    expect(panel.locator("[data-fed-title]")).to_have_text(f"What feeds {chosen}")
    expect(page.locator("[data-capsule-title]")).to_have_text(f"One capsule: {chosen}")
    expect(page).to_have_url(re.compile(r"capsule=\d+"))
    # What Conv1's maps add comes with the kernels of that type, and is its length.
    check = panel.locator("[data-fed-check]")
    expect(check).to_contain_text("The network’s trace says")
    expect(panel.locator("[data-fed-words]")).to_contain_text("Before squash")
    worked, said = numbers_in(check.inner_text())[1:3]
    assert abs(worked - said) < 0.01 * said
    rows = panel.locator("[data-fed-rows] tr")
    adds = [numbers_in(each.inner_text())[-1] for each in rows.all()]
    assert abs(sum(adds[:-1]) - adds[-1]) < 2e-3
    rows.locator("button").nth(1).click()
    expect(rows.locator("button").nth(1)).to_have_attribute("aria-pressed", "true")
    assert pixels_at_rest(rival) != before


def test_on_a_phone_both_trees_fit_and_axe_finds_nothing(page: Page):
    page.set_viewport_size(PHONE)
    panel = open_tree(page)
    panel.locator("[data-tree-numbers]").evaluate("each => { each.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for which in ("own", "rival"):
        canvas = panel.locator(f"[data-tree-{which}] canvas")
        pixels_at_rest(canvas)
        box = canvas.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    assert not violations(page)
