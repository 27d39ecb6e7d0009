"""The longest votes as arrows, recomputed from the API's numbers with NumPy."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.explorer import pixels_at_rest
from tests.browser.test_routing import open_routing, run_of

SHOWN = 10


def share_in_plane(votes: np.ndarray, pose: np.ndarray) -> float:
    """Of the votes' squared length, the share in the plane that the page states."""
    right = pose / np.linalg.norm(pose)
    rest = votes - np.outer(votes @ right, right)
    up = np.linalg.svd(rest, full_matrices=False)[2][0]
    held = (votes @ right) ** 2 + (votes @ up) ** 2
    return float(held.sum() / (votes**2).sum())


def test_the_arrows_say_what_the_votes_of_this_image_do(page: Page):
    panel = open_routing(page, "four-open").locator("[data-agreement]")
    run = run_of(page, "four-open")
    last = run.capsules[-1]
    rival = int(np.argsort(np.linalg.norm(last, axis=1))[-2])
    for which, digit in (("own", run.digit), ("rival", rival)):
        figure = panel.locator(f"[data-fan={which}]")
        expect(figure.locator("h4")).to_contain_text(f"Votes for {digit}")
        words = figure.locator("[data-fan-words]")
        expect(words).to_contain_text("The plane holds")
        text = words.inner_text()
        lengths = np.linalg.norm(run.votes[:, digit], axis=1)
        longest = np.argsort(-lengths)[:SHOWN]
        votes = run.votes[longest, digit]
        agree = int((votes @ last[digit] > 0).sum())
        if agree == SHOWN:
            assert re.search(r"All of the \d+ longest .* agree with", text), text
        elif agree == 0:
            assert re.search(r"All of the \d+ longest .* disagree with", text), text
        else:
            assert re.search(rf", {agree} agrees? with its capsule", text), text
        found = re.search(r"The plane holds (\d+)", text)
        assert found is not None
        # The page has its votes in half precision.
        assert abs(int(found[1]) - 100 * share_in_plane(votes, last[digit])) < 0.6
    lengths = np.linalg.norm(run.votes[:, run.digit], axis=1)
    longest = np.argsort(-lengths)[:SHOWN]
    mean = run.couplings[-1, longest, run.digit].mean()
    comparison = panel.locator("[data-agreement-words]").inner_text()
    stated = re.search(r"mean coupling of ([\d.]+)", comparison)
    assert stated is not None
    assert abs(float(stated[1]) - mean) < 0.002
    panel.locator("summary").click()
    expect(panel.locator("table tbody tr")).to_have_count(2 * SHOWN)


def test_stepping_moves_the_arrows_and_slow_motion_stays_in_the_link(page: Page):
    panel = open_routing(page, "four-open").locator("[data-agreement]")
    picture = panel.locator("canvas").first
    words = panel.locator("[data-fan=own] [data-fan-words]")
    expect(words).to_contain_text("Couplings since iteration 1")
    at_end = pixels_at_rest(picture)
    slow = panel.get_by_role("button", name="Slow motion")
    slow.click()
    expect(slow).to_have_attribute("aria-pressed", "true")
    page.wait_for_url(re.compile("pace=slow"))
    page.locator("#view-routing [data-step]").press("Home")
    expect(words).to_contain_text("Every coupling is 1/10")
    assert pixels_at_rest(picture) != at_end
    page.locator("#view-routing [data-step]").press("End")
    expect(words).to_contain_text("Couplings since iteration 1")
    slow.click()
    expect(slow).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(words).to_contain_text("Couplings since iteration 1")
    picture.focus()
    picture.press("ArrowRight")
    page.wait_for_url(re.compile("capsule="))
