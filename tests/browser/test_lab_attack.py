"""Attack in the Lab: by mouse, keys and finger, and what its sentences say."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import end_transitions, pixels_of, touch


def open_attack(page: Page, link: str = "", off: str = "") -> Locator:
    """Open the experiment with CapsNet and CNN, once their readings are told.

    Args:
        page: a page.
        link: what the link says besides.
        off: a network of the two to leave out as well, after a slash.
    """
    page.goto(
        f"/#mode=lab&experiment=attack&off=efficient-mnist/matrix-mnist{off}{link}"
    )
    panel = page.locator("#lab-attack")
    expect(words(panel)).not_to_be_empty()
    return panel


def words(panel: Locator) -> Locator:
    return panel.locator("[data-words]")


def attacked(verdict: Locator) -> str:
    """The picture that was made for a network."""
    return pixels_of(verdict.locator(".lab-reads canvas"))


def test_an_attack_is_turned_by_keys_stands_in_the_link_and_agrees_with_verdicts(
    page: Page,
):
    page.set_viewport_size(WIDE)
    panel = open_attack(page, "&eps=0.2")
    expect(words(panel)).to_contain_text("CNN on MNIST: FGSM with ε = 0.20 ")
    expect(words(panel)).to_contain_text("Noise")
    cnn = panel.locator("[data-model=cnn-mnist]")
    capsnet = panel.locator("[data-model=capsnet-mnist]")
    reads = cnn.locator(".lab-reads-digit").inner_text()
    ending = "leaves its reading at 4:"
    if reads != "4":
        ending = f"turns its reading from 4 to {reads}:"
    expect(words(panel)).to_contain_text(f"CNN on MNIST: FGSM with ε = 0.20 {ending}")
    expect(panel.locator(".plot")).to_have_count(1)
    expect(panel.locator(".plot .is-own[points*=' ']")).to_have_count(2)
    changed = panel.locator("[data-added] canvas").get_attribute("aria-label")
    assert re.search(r"[1-9]\d* of 784 pixels change, by 0.20 at most", changed or "")

    slider = panel.locator("[data-knob=eps]")
    slider.focus()
    slider.press("Home")
    expect(words(panel)).to_contain_text("ε is 0, so nothing changes.")
    slider.press("ArrowRight")
    expect(words(panel)).to_contain_text("with ε = 0.01 leaves its reading at 4")
    expect(page).to_have_url(re.compile(r"eps=0\.01"))
    for _ in range(9):
        slider.press("ArrowRight")

    assert attacked(cnn) != attacked(capsnet)

    panel.get_by_label("Toward").select_option("9")
    expect(page).to_have_url(re.compile("toward=9"))
    page.reload()
    expect(panel.get_by_label("Toward")).to_have_value("9")
    expect(slider).to_have_value("0.1")


@pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True)
def test_a_finger_attacks_on_a_phone_whose_first_screen_has_the_experiment(
    page: Page,
):
    panel = open_attack(page)
    slider = panel.locator("[data-knob=eps]")
    for part in (slider, panel.locator("[data-changed] canvas")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(panel.locator(".plot .is-own[points*=' ']")).to_have_count(2)
    box = slider.bounding_box()
    page.touchscreen.tap(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"eps=0(?![.])"))
    expect(words(panel)).to_contain_text("ε is 0, so nothing changes.")
    expect(panel.locator(".lab-reads-digit")).to_have_text(["4", "4"])
    door = page.get_by_role("button", name="Draw or choose another image")
    expect(page.locator("[data-pad]")).to_be_hidden()
    door.tap()
    page.locator("[data-samples] button").first.tap()
    expect(panel.locator("[data-score]")).to_have_text("Score of 0")
    page.get_by_role("button", name="Back to the experiment").tap()
    expect(page.locator("[data-pad]")).to_be_hidden()

    curve = panel.locator(".plot")
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    touch(
        page,
        [
            (box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            for share in (0.2, 0.3, 0.4, 0.5)
        ],
    )
    expect(page).to_have_url(re.compile(r"eps=0\.1[3-7]"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    end_transitions(page)
    assert violations(page, "#lab-attack") == []


def test_an_attack_ends_when_it_is_left_and_begins_again(page: Page):
    page.set_viewport_size(WIDE)
    panel = open_attack(page, off="/cnn-mnist")
    page.wait_for_load_state("networkidle")  # the curves are there
    page.route("**/attack", lambda _: None)  # they are never answered
    panel.get_by_label("Method").select_option("pgd")
    expect(panel.locator("[data-shown]")).to_contain_text("Computing the attack")
    with page.expect_event("requestfailed", lambda request: "attack" in request.url):
        page.get_by_role("tab", name="Jumbled parts").click()
    page.unroute("**/attack")
    page.get_by_role("tab", name="Attack").click()
    expect(words(panel)).to_contain_text("PGD with ε = 0.25 ")
