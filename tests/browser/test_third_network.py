"""What ARCHITECTURE.md says of adding a network, done in a copy of the project."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from capsnet_explorer.model.architectures import ARCHITECTURES, architecture_named
from capsnet_explorer.model.weights import save_weights
from playwright.sync_api import Page, expect

from tests.browser.explorer import open_page, prediction
from tests.browser.server import ROOT, running
from tests.tiny import square

THIRD = ROOT / "tests" / "third"
FOLDERS = (
    *(
        "app",
        "capsnet_explorer",
        "dataset_files",
        "docs",
        "intake",
        "laboratory",
        "model",
    ),
    *("picture_files", "sample_digits", "static", "templates", "toys"),
)


@pytest.fixture(scope="session")
def project(tmp_path_factory) -> Path:
    """A copy of the project with one package and a line in the registry.

    Its weights are those of the CapsNet and of an untrained linear classifier.
    """
    copy = tmp_path_factory.mktemp("project")
    for name in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    shutil.copy(ROOT / "run_visualization.py", copy)

    shutil.copytree(THIRD / "model", copy / "model" / "linear")
    add_line(
        copy / "model" / "architectures.py",
        after=r"^ARCHITECTURES = \{$",
        line='    "linear": "capsnet_explorer.model.linear",',
    )

    (copy / "weights").mkdir()
    for file in (ROOT / "weights").glob("capsnet-mnist.*"):
        (copy / "weights" / file.name).symlink_to(file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ARCHITECTURES, "linear", "tests.third.model")
        linear = architecture_named("linear")
    torch.manual_seed(1)
    network = linear.build(linear.settings.sizes(**square(28), classes=10))
    card = {"title": "Linear classifier", "dataset": "mnist"}
    save_weights(copy / "weights" / "linear.safetensors", linear, network, card)
    return copy


def add_line(path: Path, *, after: str, line: str) -> None:
    text, times = re.subn(
        after,
        lambda found: f"{found[0]}\n{line}",
        path.read_text(),
        flags=re.MULTILINE,
    )
    assert times == 1, f"{path} has no line {after}"
    path.write_text(text)


@pytest.fixture(scope="session")
def base_url(project) -> Iterator[str]:
    with running(folder=project) as address:
        yield address


def test_a_third_network_is_explored(page: Page, base_url: str):
    open_page(page)
    expect(page.get_by_role("tab", name="PrimaryCaps")).to_be_visible()

    page.locator("[data-models]").select_option(label="Linear classifier")
    expect(page.get_by_role("tab")).to_have_count(2)
    expect(page.locator("[data-tab=scores] .tab-shape")).to_have_text("10")
    expect(prediction(page)).to_have_text(re.compile(r"^\d$"))

    page.get_by_role("tab", name="Scores").click()
    panel = page.locator("#view-scores")
    rows = panel.locator("[data-rows] button")
    expect(rows).to_have_count(10)
    shown = panel.locator("[data-rows] .score-number").all_inner_texts()
    assert sum(map(float, shown)) == pytest.approx(1, abs=0.01)

    # What each pixel adds to a logit is worked out with the network's own weights.
    rows.nth(4).click()
    expect(panel.locator("[data-own-name]")).to_have_text("adds to 4")
    expect(panel.locator("[data-logit-check]")).to_contain_text(
        re.compile(r"a difference of \S?0\.000\d\.")
    )
    panel.locator("[data-logit-rows] button").first.click()
    expect(page).to_have_url(re.compile(r"model=linear.*unit=\d+"))
    page.reload()
    panel.locator("[data-logit]").scroll_into_view_if_needed()  # drawn once it is seen
    expect(panel.locator("[data-logit-rows] [aria-pressed=true]")).to_have_count(1)

    page.get_by_role("button", name="About this model").click()
    rows = page.locator("[data-side-by-side] tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(re.compile(r"\d+ epochs of .* images"))
    expect(page.locator("[data-side-by-side] [aria-current]")).to_contain_text("Linear")
    page.keyboard.press("Escape")

    page.locator("[data-models]").select_option(label="CapsNet on MNIST")
    expect(page.get_by_role("tab", name="PrimaryCaps")).to_be_visible()
    expect(prediction(page)).to_have_text("4")
