"""A network of other images, other sizes, and names in place of digits."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.weights import save_weights
from tests.browser.access import PHONE
from tests.browser.explorer import VIEWS, open_view, prediction
from tests.browser.server import running
from tests.idx import write_idx
from tests.tiny import square

NAMES = [
    *("T-shirt/top", "Trouser", "Pullover", "Dress"),
    *("Coat", "Sandal", "Ankle boot", "Sneaker"),
]
SIZES = CapsNetConfig(
    **square(16),
    kernel_size=5,
    conv1_kernels=8,
    primary_types=3,
    primary_dim=4,
    classes=len(NAMES),
    digit_dim=6,
    decoder_hidden=(8, 12),
)
COUNT = 40

# Elements whose words leave their own box, or the page.
TOO_WIDE = """() => {
  const page = document.documentElement.clientWidth;
  return [...document.querySelectorAll(
    ".verdict *, .choices button, .score-rows *, .matrix-labels span, .values-rows *"
  )].filter((each) => each.checkVisibility())
    .filter((each) =>
      each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 ||
      each.getBoundingClientRect().right > page)
    .map((each) => `${each.className} ${each.textContent}`);
}"""


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    """An explorer of an untrained network, with its test set of flat grey images."""
    folder = tmp_path_factory.mktemp("garments")
    torch.manual_seed(0)
    network = CapsNet(SIZES)
    with torch.no_grad():  # or all capsules are next to nothing
        network.conv1.weight.mul_(3)
        network.primary.convolution.weight.mul_(4)
        network.digits.transforms.mul_(10)
    card = {
        "title": "CapsNet on Fashion-MNIST",
        "dataset": "fashion-mnist",
        "class_names": NAMES,
        "mistakes": [{"index": 14, "label": 6, "prediction": 0}],
    }
    weights = folder / "garments.safetensors"
    save_weights(weights, ARCHITECTURE, network, card)
    raw = folder / "FashionMNIST" / "raw"
    greys = np.arange(COUNT)[:, None, None] * np.full((COUNT, 16, 16), 6)
    write_idx(raw / "t10k-images-idx3-ubyte", greys)
    write_idx(raw / "t10k-labels-idx1-ubyte", np.arange(COUNT) % len(NAMES))
    with running("--weights", str(weights), "--data", str(folder)) as address:
        yield address


def open_page(page: Page) -> None:
    page.goto("/")
    expect(prediction(page)).not_to_have_text("–")


def test_it_opens_with_a_test_image_of_each_class_to_choose(page: Page):
    open_page(page)
    expect(page.locator("#to-try-title")).to_have_text("Images to try")
    examples = page.locator("[data-samples] button")
    expect(examples).to_have_count(len(NAMES))
    expect(examples.nth(6)).to_have_attribute("title", "Ankle boot, test image 6")
    expect(examples.first).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-more]")).to_contain_text("label")
    assert prediction(page).inner_text() in [*NAMES, "none"]
    open_view(page, "input")
    expect(page.locator("#view-input h2")).to_contain_text("16×16")
    expect(page.locator("#view-input header")).to_contain_text("as in the data set")


def test_names_of_some_length_fit(page: Page):
    page.set_viewport_size(PHONE)
    open_page(page)
    for view in VIEWS:
        open_view(page, view)
        assert page.evaluate(TOO_WIDE) == [], view
        size = page.evaluate("document.documentElement.scrollWidth")
        assert size <= PHONE["width"], view


def test_its_own_test_set_is_browsed(page: Page):
    open_page(page)
    open_view(page, "input")
    page.get_by_text("Test images", exact=True).click()
    thumbs = page.locator("[data-digits] button")
    expect(thumbs).to_have_count(24)
    expect(page.locator("[data-dataset-note]")).to_contain_text("40 of 40 images")
    # Its own comes first; the digits that the project draws are always there.
    choices = page.locator("[data-dataset-choice] option")
    expect(choices).to_have_text([re.compile("Fashion-MNIST"), re.compile("draws$")])

    form = page.locator("[data-dataset-form]")
    show = form.get_by_role("button", name="Show")
    form.get_by_label("Number").fill("30")
    show.click()
    expect(thumbs).to_have_count(10)
    expect(thumbs.first).to_have_attribute("title", "test image 30, label Ankle boot")
    thumbs.first.click()
    expect(page.locator("[data-more]")).to_contain_text("label")
    expect(page.locator("[data-made]")).to_contain_text("as in the data set")
    expect(page.locator("[data-intake]")).to_contain_text("Image 30 of the test set")

    form.get_by_label("Number").fill("")
    form.get_by_label("Label").select_option("Ankle boot")
    form.get_by_label("Show").select_option("read wrong")
    show.click()
    expect(thumbs).to_have_count(1)
    expect(thumbs.first).to_have_attribute(
        "title", "test image 14, label Ankle boot, read as T-shirt/top"
    )
