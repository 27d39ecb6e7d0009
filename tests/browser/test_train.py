"""Train: real runs of a tiny network, by mouse, keys and on a phone."""

import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.patience import START_S

pytestmark = pytest.mark.long  # one worker takes all, and starts one explorer

# What a network says that reads the image, or is not sure enough.
SAID = re.compile(r"(learns reads|the longest,) \d[:,] (length|has) 0\.\d\d")

# A network so small that a run takes seconds, most of them to start.
TINY = {
    **{"examples": 100, "epochs": 4, "batch_size": 20, "conv1_kernels": 8},
    **{"primary_types": 2, "decoder_hidden": [16, 32], "threads": 1},
}

RUN_MS = 240_000  # a run gives way to all else on the machine
AT_THE_END = re.compile("step 20 of 20|Trained|Done: 20 steps")


@pytest.fixture(scope="session")
def base_url(learning, needs) -> Iterator[str]:
    with learning("--data", str(needs("mnist"))) as address:
        yield address


@pytest.fixture(scope="session")
def run(base_url: str) -> str:
    """A run that has made its last snapshot; to measure it takes longer."""
    id = ask(base_url, "/api/runs", TINY)["id"]
    last = 0
    while True:  # a stream is held for a while only; then it is asked on
        with urllib.request.urlopen(
            f"{base_url.rstrip('/')}/api/runs/{id}/events?after={last}", timeout=START_S
        ) as events:
            text = events.read().decode()
        if re.search(r'"snapshot", "step": 20\b', text):
            return id
        last = max([last, *map(int, re.findall(r"^id: (\d+)$", text, re.MULTILINE))])


def ask(address: str, path: str, body: object = None, method: str = "") -> Any:
    """Ask the explorer as a script does."""
    request = urllib.request.Request(
        address.rstrip("/") + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
        method=method or None,
    )
    with urllib.request.urlopen(request, timeout=START_S) as answer:
        return json.loads(answer.read() or b"null")


def open_train(page: Page, run: str = "") -> Locator:
    """Open Train and return its panel."""
    page.goto(f"/#mode=train&sample=four-nine&run={run}")
    panel = page.locator("#view-train")
    expect(panel.locator("[data-start]")).to_be_visible()
    return panel


def open_tab(panel: Locator, name: str):
    """Show another part of the run."""
    panel.locator("[data-tabs]").get_by_role("button", name=name).click()


def test_a_run_is_started_found_again_forked_kept_and_thrown_away_only_when_sure(
    page: Page, base_url: str, complaints: list[str]
):
    page.set_viewport_size(WIDE)
    panel = open_train(page)
    panel.get_by_text("Choose the settings").click()
    network = panel.locator("#train-architecture")
    network.select_option("cnn")
    begin = panel.locator("[data-begin]")  # runs may be named so
    begin.select_option("capsnet-mnist")  # whose architecture stays, until …
    expect(network).to_be_disabled()
    begin.select_option("")  # … random weights have the reader's own again
    expect(network).to_have_value("cnn")
    network.select_option("capsnet")
    panel.get_by_text("More settings").click()
    for name, value in TINY.items():
        words = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        if name != "threads":
            panel.locator(f"#train-{name}").fill(words)
    rate = panel.get_by_role("spinbutton", name="Learning rate")
    rate.fill("-1")
    panel.get_by_role("button", name="Train with these settings").click()
    expect(rate).to_be_focused()
    wrong = panel.locator("#train-learning_rate-wrong")
    expect(wrong).to_contain_text("Learning rate must be from")
    assert [text for text in complaints if "422" in text] == complaints
    complaints.clear()
    rate.fill("0.005")
    panel.get_by_role("button", name="Train with these settings").click()
    moment = panel.locator(".train-moment").first
    expect(moment).to_contain_text("Your digit after 400 images", timeout=RUN_MS)
    expect(panel.locator("[data-state]")).to_contain_text(AT_THE_END)
    expect(panel.locator("[data-count]")).to_contain_text("test digits correctly")
    expect(panel.locator("[data-errors] .plot polyline").first).to_be_visible()
    expect(moment).to_contain_text(SAID)
    page.reload()
    expect(panel.locator("[data-state]")).to_contain_text(AT_THE_END)

    open_tab(panel, "Look inside")
    panel.get_by_role("button", name="Fork from here").click()
    expect(panel.locator("[data-from]")).to_contain_text("after 400 images")
    expect(panel.locator("#train-conv1_kernels")).to_be_disabled()
    open_tab(panel, "Look inside")
    run = ask(base_url, "/api/runs")["runs"][0]["id"]  # the newest
    name = f"mine-{run}"
    panel.get_by_label("Keep as").fill(name)
    panel.get_by_role("button", name="Keep", exact=True).click()
    expect(panel.locator("[data-kept]")).to_contain_text(f"is the model {name}")
    expect(page.locator(f"[data-models] option[value='{name}']")).to_have_count(1)
    open_tab(panel, "Runs")
    panel.get_by_role("button", name="Throw away").click()
    page.get_by_role("button", name="Keep it").click()
    assert ask(base_url, f"/api/runs/{run}")["id"] == run
    panel.get_by_role("button", name="Throw away").click()
    page.get_by_role("button", name="Throw it away").click()
    expect(panel.locator(f"[data-runs] option[value='{run}']")).to_have_count(0)


def test_the_atlas_leads_from_moment_to_moment_and_tells_who_changes_sides(
    page: Page, base_url: str, run: str
):
    page.set_viewport_size(WIDE)

    def readings(step: int, name: str = "predictions") -> list[int]:
        parts = [
            ask(base_url, f"/api/models/{run}@{step}/tested?first={first}&count=250")
            for first in range(0, 1000, 250)
        ]
        return [reading for part in parts for reading in part["tensors"][name]]

    def differing(some: list[int], others: list[int]) -> re.Pattern[str]:
        count = sum(a != b for a, b in zip(some, others, strict=True))
        return re.compile(f"^{count or 'None'} of the first")

    labels = readings(20, "labels")
    page.goto(f"/#mode=atlas&sample=four-nine&model={run}@20&selected=misread")
    sentence = page.locator("[data-sentence]")
    expect(sentence).to_contain_text(differing(readings(20), labels), timeout=RUN_MS)
    expect(page.locator("#view-atlas [data-near]")).to_be_hidden()
    page.get_by_label("Read differently by").select_option("itself after step 0")
    expect(sentence).to_contain_text(
        differing(readings(20), readings(0)), timeout=RUN_MS
    )
    expect(sentence).to_contain_text("after 20 steps and")
    slider = page.get_by_role("slider", name="Snapshot")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text(
        differing(readings(1), readings(0)), timeout=RUN_MS
    )
    expect(sentence).to_contain_text("after 1 step and")
    expect(page).to_have_url(re.compile(f"model={run}%401&.*selected=differ"))
    assert violations(page, "#view-atlas") == []


def test_any_moment_opens_as_a_network_by_keys_and_by_link(page: Page, run: str):
    page.set_viewport_size(WIDE)
    panel = open_train(page, run)
    slider = panel.get_by_role("slider", name="Snapshot")
    expect(panel.locator(".train-moment").first).to_contain_text("after 400 images")
    slider.focus()
    page.keyboard.press("Home")
    expect(panel.locator(".train-moment").first).to_contain_text("after 0 images")
    expect(panel.locator("[data-count]")).to_contain_text("Before it has seen an image")
    expect(page).to_have_url(re.compile("run-step=0"))
    page.keyboard.press("ArrowRight")
    expect(panel.locator(".train-moment").first).to_contain_text("after 20 images")
    assert violations(page, "#view-train") == []
    open_tab(panel, "Look inside")
    assert violations(page, "#view-train") == []
    panel.get_by_role("button", name="Open in Explore").click()
    expect(page.get_by_role("tab", name="PrimaryCaps")).to_be_visible()
    expect(page).to_have_url(re.compile(f"model={run}%401&"))
    page.reload()
    expect(page.locator("[data-models]")).to_have_value(f"{run}@1")
    page.get_by_role("tab", name="Routing").click()
    page.get_by_role("slider", name="Snapshot").press("End")
    expect(page.locator("[data-models]")).to_have_value(f"{run}@20")
    expect(page.locator("#view-routing")).to_be_visible()
    page.get_by_role("button", name="Back to the run").click()
    expect(panel.locator(".train-moment").first).to_contain_text("after 400 images")
    page.go_back()
    expect(page.locator("[data-prediction]")).to_have_text(re.compile(r"^(\d|none)$"))


@pytest.mark.browser_context_args(color_scheme="dark", reduced_motion="reduce")
def test_on_a_dark_phone_nothing_is_too_wide_and_nothing_plays(page: Page, run: str):
    page.set_viewport_size(PHONE)
    panel = open_train(page, run)
    expect(panel.locator(".train-moment").first).to_contain_text("after 400 images")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert violations(page, "#view-train") == []
    step = panel.get_by_role("button", name="Step")
    step.click()
    expect(panel.locator(".train-moment").first).to_contain_text("after 0 images")
