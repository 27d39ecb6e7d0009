"""Pooling, hidden layer and probabilities of a CNN, held to the API's numbers."""

import math
import re
from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.api import image_of, trace, weights
from tests.browser.cnn import save_untrained_cnn
from tests.browser.explorer import open_page, open_view
from tests.browser.server import running
from tests.browser.written import number, numbers, sum_before_relu, table_values

CLOSE = 6e-4  # three decimals
NAMES = ["conv1.relu", "pool1", "pool1.winners", "pool2", "hidden", "logits", "scores"]


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    """An explorer of an untrained CNN with the default sizes."""
    path = save_untrained_cnn(tmp_path_factory.mktemp("cnn"))
    with running("--weights", str(path)) as address:
        yield address


@pytest.fixture(scope="session")
def two(base_url: str) -> np.ndarray:
    """The 2 that the tests open."""
    return np.array(image_of(base_url, 2))


@pytest.fixture(scope="session")
def traced(base_url: str, two) -> dict[str, np.ndarray]:
    """What the network makes of it, by the API."""
    return trace(base_url, two.tolist(), NAMES, iterations=None)


def open_layer(page: Page, view: str, more: str = "") -> Locator:
    open_page(page, f"view={view}&sample=two-plain{more}")
    panel = page.locator(f"#view-{view}")
    expect(panel).to_be_visible()
    expect(panel).to_have_attribute("aria-busy", "false")
    return panel


def windows_of(maps: np.ndarray) -> np.ndarray:
    """Return the four pixels of each window: (maps, rows, columns, 4), row by row."""
    count, side, _ = maps.shape
    cut = maps.reshape(count, side // 2, 2, side // 2, 2)
    return cut.transpose(0, 1, 3, 2, 4).reshape(count, side // 2, side // 2, 4)


def test_a_window_shows_its_four_pixels_and_the_winner(page: Page, traced):
    panel = open_layer(page, "pool1", "&map=7")
    fours = windows_of(traced["conv1.relu"].astype(float))[7]
    assert np.array_equal(fours.max(axis=-1), traced["pool1"][7])
    picture = panel.locator("[data-map] [data-pooled] canvas")
    picture.focus()
    for key, row, column in (("ArrowUp", 5, 6), ("ArrowUp", 4, 6), ("ArrowLeft", 4, 5)):
        page.keyboard.press(key)
        title = f"The window at row {row}, column {column}"
        expect(panel.locator("[data-window-title]")).to_have_text(title)
        *four, largest = numbers(panel.locator("[data-maximum]").inner_text())
        assert four == pytest.approx(fours[row, column], abs=CLOSE)
        assert largest == max(four)
        winner = int(traced["pool1.winners"][7, row, column])
        frame = panel.locator("[data-window] .frames .chosen")
        assert (frame.get_attribute("x"), frame.get_attribute("y")) == (
            str(winner % 2),
            str(winner // 2),
        )
        # 6 x 6 pixels of the input, two further on for each window.
        field = panel.locator("[data-map] [data-input] .field")
        assert [field.get_attribute(name) for name in ("x", "y", "width")] == [
            *(str(2 * column), str(2 * row), "6")
        ]


def test_what_is_thrown_away_adds_up(page: Page, traced):
    panel = open_layer(page, "pool1", "&map=7")
    below, pooled = (traced[name].astype(float) for name in ("conv1.relu", "pool1"))
    for place, whole, kept in (
        ("[data-map-loss]", below[7].sum(), pooled[7].sum()),
        ("[data-layer-loss]", below.sum(), pooled.sum()),
    ):
        words = panel.locator(place).inner_text()
        _, total, goes_on, lost, share, *_ = numbers(f"0 {words.split(' has ', 1)[1]}")
        assert total == pytest.approx(whole, abs=0.06)
        assert goes_on == pytest.approx(kept, abs=0.06)
        assert lost == pytest.approx(whole - kept, abs=0.06)
        assert share == pytest.approx(100 * (1 - kept / whole), abs=0.06)
    panel.locator("details.numbers").evaluate("folder => { folder.open = true; }")
    tables = panel.locator("[data-tables] table")
    expect(tables).to_have_count(3)
    assert table_values(tables.nth(0)) == pytest.approx(below[7].ravel(), abs=CLOSE)
    assert table_values(tables.nth(1)) == pytest.approx(pooled[7].ravel(), abs=CLOSE)


def counts_of(before: dict, after: dict) -> dict[str, list[int]]:
    """Count windows by what became of them: of map 7, and of all maps."""

    def same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.abs(a - b) <= np.maximum(np.maximum(a, b) * 2**-10, 2**-24)

    was, now = (each["pool1"].astype(float) for each in (before, after))
    moved = before["pool1.winners"] != after["pool1.winners"]
    zeros = (was == 0).astype(int) + (now == 0)
    stays = (zeros == 0) & same(was, now)
    found = {
        "same": stays & ~moved,
        "absorbed": stays & moved,
        "other": (zeros == 0) & ~stays,
        "lit": zeros == 1,
        "zero": zeros == 2,
        "kept": stays,
        "rewon": (zeros == 0) & moved,
    }
    return {name: [int(each[7].sum()), int(each.sum())] for name, each in found.items()}


def test_a_move_by_a_pixel_is_counted_window_by_window(
    page: Page, base_url: str, two, traced
):
    panel = open_layer(page, "pool1", "&map=7")
    moved = panel.locator("[data-moved]")
    moved.scroll_into_view_if_needed()
    expect(moved.locator("[data-moved-body]")).to_be_hidden()
    # One right, then one up as well.
    for button, down, right, words in (
        ("right", 0, 1, "Moved 1 pixel right."),
        ("up", -1, 1, "Moved 1 pixel right and 1 pixel up."),
    ):
        moved.locator(f"[data-step={button}]").click()
        expect(moved.locator("[data-shift]")).to_have_text(words)
        image = np.roll(two, (down, right), axis=(0, 1))
        after = trace(base_url, image.tolist(), NAMES, iterations=None)
        expected = counts_of(traced, after)
        for name, (own, whole) in expected.items():
            cells = moved.locator(f"tr[data-count={name}] td")
            start = re.compile(rf"^{whole:,}\b".replace(",", "\u202f"))
            expect(cells.last).to_have_text(start)
            expect(cells.first).to_have_text(re.compile(rf"^{own}\b"))
        sentence = moved.locator("[data-sentences] p").first
        expect(sentence).to_contain_text("windows of map 7")
        answer = moved.locator("[data-sentences]")
        expect(answer).to_contain_text(f"{after['scores'].max():.4f}")

    # The comparison is in the link, and Back to the start takes it away.
    expect(page).to_have_url(re.compile("moved=-1%2C1"))
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    moved.scroll_into_view_if_needed()
    expect(moved.locator("tr[data-count=kept] td").first).to_have_text(
        re.compile(rf"^{expected['kept'][0]} of")
    )
    moved.locator("[data-step-back]").click()
    expect(moved.locator("[data-moved-body]")).to_be_hidden()


def test_a_hidden_unit_is_a_sum_over_all_of_pool2(page: Page, base_url: str, traced):
    unit = int(traced["hidden"].argmax())
    panel = open_layer(page, "hidden", f"&unit={unit}")
    expect(panel.locator("[data-sum]")).to_have_text(re.compile(r"\d"))
    before = sum_before_relu(panel)
    assert before == pytest.approx(traced["hidden"][unit], abs=5e-3)
    rows = panel.locator("[data-share-rows] tr")
    expect(rows).to_have_count(15)
    adds = [number(each.locator("td").last) for each in rows.all()]
    assert round(sum(adds[:-1]), 3) == adds[-1] == before
    given = weights(base_url, "logits.weight")[:, unit] * traced["hidden"][unit]
    written = panel.locator("[data-given-rows] tr td:last-child").all_inner_texts()
    assert [numbers(text)[0] for text in written] == pytest.approx(given, abs=CLOSE)
    active = numbers(panel.locator("[data-active]").inner_text())
    assert active[:2] == [np.count_nonzero(traced["hidden"]), 512]

    # Ordered by what they add, the first unit is the one that adds most. Without a
    # choice, that is the one on show.
    panel.locator("[data-orders] [data-value=given]").first.click()
    digit = int(traced["scores"].argmax())
    adding = weights(base_url, "logits.weight")[digit] * traced["hidden"]
    panel.locator("[data-units] canvas").hover(position={"x": 2, "y": 2})
    expect(page.locator("[data-tip]")).to_contain_text(f"unit {adding.argmax()}:")
    title = open_layer(page, "hidden").locator("[data-unit-title]")
    expect(title).to_have_text(f"Unit {adding.argmax()}")


def test_softmax_comes_out_and_logits_are_sums(page: Page, traced):
    panel = open_layer(page, "probabilities")
    logits, scores = traced["logits"].astype(float), traced["scores"]
    rows = panel.locator("[data-softmax-rows] tr")
    expect(rows).to_have_count(10)
    for digit, row in enumerate(rows.all()):
        z, power, below, exponential, share = (
            numbers(text)[0] for text in row.locator("td").all_inner_texts()
        )
        assert z == pytest.approx(logits[digit], abs=CLOSE)
        assert below == pytest.approx(logits[digit] - logits.max(), abs=CLOSE)
        if 0.01 < math.exp(z) < 100:  # written without a power of ten
            assert power == pytest.approx(math.exp(logits[digit]), rel=0.006)
        if scores[digit] > 0.001:
            assert share == pytest.approx(scores[digit], abs=6e-5)
            assert exponential == pytest.approx(
                math.exp(logits[digit] - logits.max()), abs=6e-5
            )
    expect(panel.locator("[data-share-sum]")).to_have_text("1.0000")
    first, second = np.argsort(scores)[::-1][:2]
    verdict = panel.locator("[data-verdict]")
    expect(verdict).to_contain_text(f"{first}: probability {scores[first]:.4f}")
    expect(verdict).to_contain_text(f"The runner-up, {second}, has")

    # Another class in focus: its sum, beside that of its closest rival.
    panel.locator(".score-rows button").nth(int(second)).click()
    expect(panel.locator("[data-logit-title]")).to_have_text(
        f"Where the logit of {second} comes from"
    )
    expect(panel.locator("[data-logit-rows] tr")).to_have_count(15)
    cells = panel.locator("[data-logit-rows] tr td:nth-child(3)").all_inner_texts()
    adds = [numbers(text)[0] for text in cells]
    assert round(sum(adds[:-1]), 3) == adds[-1]
    assert adds[-1] == pytest.approx(logits[second], abs=CLOSE)
    rival = panel.locator("[data-logit-rows] tr td:nth-child(4)").all_inner_texts()
    assert numbers(rival[-1])[0] == pytest.approx(logits[first], abs=CLOSE)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_everybody_gets_in(page: Page, theme: Literal["light", "dark"], size):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size(size)
    found = {}
    open_page(page, "view=pool1&sample=two-plain&moved=0,1")
    for view in ("pool1", "pool2", "hidden", "probabilities"):
        panel = open_view(page, view)
        if view.startswith("pool"):
            expect(panel.locator("[data-moved-body]")).to_be_visible()
        for folder in panel.locator("details").all():
            folder.evaluate("folder => { folder.open = true; }")
        found[view] = violations(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"]
    assert not any(found.values()), found
