"""The Overview as a stage: what stands there is opened, changed and taken back."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.api import image_of, samples_of, trace
from tests.browser.explorer import ONE, draw, open_page, prediction

CELLS = 36
ANY = re.compile(".")
START = "view=overview&sample=four-open"


def stage(page: Page, link: str = START) -> Locator:
    """Open the Overview, once all of it is drawn."""
    page.goto(f"/#{link}")
    view = page.locator("#view-overview")
    expect(view.locator("[data-class]").first).to_be_visible()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    return view


def tile(view: Locator, layer: str, part: int) -> Locator:
    return view.locator(f'[data-over] [data-layer="{layer}"][data-part="{part}"]')


def bars(view: Locator) -> list[str]:
    """What stands beside the bars of the classes."""
    return view.locator(".overview-value").all_text_contents()


def expect_bars(view: Locator, scores, least: float = 0) -> None:
    """Expect the scores beside the bars; of those below `least`, any text."""
    expect(view.locator(".overview-value")).to_have_text(
        [_written(score) if score >= least else ANY for score in scores]
    )


def _written(score: float) -> str:
    """A score with three decimals; what is nearly 1, never as 1."""
    plain = f"{score:.3f}"
    return plain if plain != "1.000" else ">0.999"


@pytest.mark.parametrize(
    ("network", "layer", "cells", "name"),
    [
        ("capsnet-mnist", "conv1", 1, "map"),
        ("capsnet-mnist", "primary", CELLS, "capsule"),
        ("efficient-mnist", "primary", 1, "capsule"),
        ("cnn-mnist", "pool2", 1, "map2"),
        ("matrix-mnist", "caps2", None, "caps2"),
    ],
)
def test_a_tile_opens_its_layer_at_itself(
    page: Page, network: str, layer: str, cells: int | None, name: str
):
    view = stage(page, f"model={network}&sample=four-open")
    tiles = view.locator(f'[data-over] [data-layer="{layer}"][data-part]')
    last = tiles.last
    part = int(last.get_attribute("data-part") or "")
    last.click()
    expect(page.locator(f"#view-{layer}")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"[&#]{name}=\d+"))
    parameter = re.search(rf"[&#]{name}=(\d+)", page.url)
    chosen = int(parameter[1])
    if cells is None:
        shape = page.evaluate(
            """async (network) => (await (await fetch("/api/models")).json()).models
                .find(({ id }) => id === network)
                .tensors.find(({ name }) => name === "caps2.activations").shape""",
            network,
        )
        cells = int(shape[-1] * shape[-2])
    assert chosen // cells == part
    page.go_back()
    expect(view).to_be_visible()


def test_a_ribbon_an_image_and_a_reconstruction_open_their_views(page: Page):
    view = stage(page)
    ribbon = view.locator('[data-river="0/18/4"]')
    box = ribbon.bounding_box()
    page.mouse.click(box["x"] + 0.15 * box["width"], box["y"] + 0.75 * box["height"])
    expect(page.locator("#view-routing")).to_be_visible()
    expect(page).to_have_url(re.compile(r"digit=4"))
    parameter = re.search(r"capsule=(\d+)", page.url)
    assert int(parameter[1]) // CELLS == 18
    page.keyboard.press("1")
    view.locator('.overview-frame[data-layer="reconstruction"]').click()
    expect(page.locator("#view-reconstruction")).to_be_visible()
    page.keyboard.press("1")
    view.locator('.overview-frame[data-layer="input"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#view-input")).to_be_visible()


def test_a_type_is_silenced_where_it_stands_and_taken_back(page: Page, base_url: str):
    four = image_of(base_url, 4)
    names = ("digits.lengths",)
    intact = trace(base_url, four, names)["digits.lengths"]
    silence = [*range(18 * CELLS, 19 * CELLS)]
    changed = trace(base_url, four, names, silence=silence)["digits.lengths"]
    view = stage(page)
    expect_bars(view, intact)
    tile(view, "primary", 18).hover()
    view.get_by_role("button", name="silence", exact=True).click()
    expect_bars(view, changed)
    words = view.locator("[data-told]")
    expect(words).to_have_text(re.compile(r"^Type 18 is silent\. .* 0\.981 to 0\.493"))
    expect(page).to_have_url(re.compile("silence=t18"))
    ghost = view.locator('[data-class="4"] .overview-ghost')
    assert float(ghost.get_attribute("width") or 0) > 50
    # A link opens what the gesture drew.
    places = view.locator("[data-tile]").evaluate_all(
        "all => all.map((each) => each.getAttribute('y'))"
    )
    page.reload()
    expect_bars(view, changed)
    page.wait_for_function(
        """(places) => [...document.querySelectorAll("#view-overview [data-tile]")]
            .every((each, at) => each.getAttribute("y") === places[at])""",
        arg=places,
    )
    tile(view, "primary", 31).hover()
    page.keyboard.press("s")
    expect(words).to_contain_text("Types 18 and 31 are silent.")
    view.get_by_role("button", name="Undo: type 31 silent").click()
    expect_bars(view, changed)
    view.get_by_role("button", name="All back").click()
    expect_bars(view, intact)
    expect(view.locator("[data-changed]")).to_be_hidden()
    page.keyboard.press("Control+z")
    expect_bars(view, changed)


@pytest.mark.parametrize("network", ["efficient-mnist", "matrix-mnist", "cnn-mnist"])
def test_other_networks_are_changed_by_keys(page: Page, base_url: str, network: str):
    view = stage(page, f"model={network}&sample=four-open")
    before = bars(view)
    view.locator('[data-class="4"]').focus()
    page.keyboard.press("ArrowLeft")
    ribbon = view.locator("[data-way]:focus")
    expect(ribbon).to_be_visible()
    level, giver, _ = (ribbon.get_attribute("data-way") or "").split("/")
    page.keyboard.press("ArrowLeft")
    expect(view.locator("[data-tile]:focus")).to_be_visible()
    tile = view.locator(f'[data-tile="{level}/{giver}"][tabindex]')
    tile.focus()
    page.keyboard.press("s")
    expect(tile).to_have_attribute("aria-label", re.compile("; silent$"))
    expect(page).to_have_url(re.compile("silence="))
    silent = bars(view)
    assert silent != before
    samples = samples_of(base_url)
    four = next(sample for sample in samples if sample["id"] == "four-open")
    silence = _silenced(page, network)
    answer = trace(
        *(base_url, four["image"], ("scores",)),
        model=network,
        iterations=None,
        silence=silence,
    )
    # Probabilities are often too small to be written with two decimals.
    expect_bars(view, answer["scores"], 0.01 if network == "cnn-mnist" else 0)
    page.keyboard.press("s")
    expect(view.locator(".overview-value")).to_have_text(before)
    if network == "cnn-mnist":
        return  # it has no couplings
    # What flows to a class is held at nothing, at all or at an even share.
    ways = view.locator(f'[data-way^="{level}/{giver}/"]').first
    ways.focus()
    page.keyboard.press("e")
    expect(page).to_have_url(re.compile(r"pin="))
    expect(view.locator(".overview-flow.is-held")).to_have_count(1)
    page.keyboard.press("e")
    expect(page).not_to_have_url(re.compile(r"pin="))


def _silenced(page: Page, network: str) -> list[int]:
    """The capsules that the address silences."""
    parameter = re.search(r"silence=(t?)(\d+)", page.url)
    number = int(parameter[2])
    if not parameter[1]:
        return [number]
    cells = 9 if network == "matrix-mnist" else CELLS
    return [*range(number * cells, (number + 1) * cells)]


def test_a_finger_rests_on_a_tile_to_silence_it(browser: Browser, base_url: str):
    context = browser.new_context(
        base_url=base_url, has_touch=True, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    view = stage(page)
    own_tile = tile(view, "primary", 18)
    own_tile.scroll_into_view_if_needed()
    box = own_tile.bounding_box()
    session = context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]}
    )
    expect(page).to_have_url(re.compile("silence=t18"))
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(view).to_be_visible()
    expect(view.locator("[data-told]")).to_contain_text("Type 18 is silent.")
    own_tile.tap()
    expect(page.locator("#view-primary")).to_be_visible()
    context.close()


def test_the_first_stroke_begins_a_drawing_and_clear_leaves_the_network(page: Page):
    open_page(page)
    view = stage(page)
    box = view.locator("[data-figure]").bounding_box()
    draw(page, ONE, on_image=True)
    expect(prediction(page)).to_have_text("1")
    page.locator("[data-undo]").click()
    expect(prediction(page)).to_have_text("4")
    page.locator("[data-redo]").click()
    expect(prediction(page)).to_have_text("1")
    page.locator("[data-clear]").click()
    figure = view.locator("[data-figure]")
    expect(figure).to_have_class(re.compile("is-empty"))
    assert figure.bounding_box() == box
    page.locator("[data-undo]").click()
    expect(prediction(page)).to_have_text("1")
    expect(figure).not_to_have_class(re.compile("is-empty"))
