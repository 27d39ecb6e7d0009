"""The turntable before an untrained network of photographs, with no test images."""

import re
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Page, expect

from dataset_files.catalogue import DATASETS
from model.architectures import architecture_named
from model.weights import save_weights
from tests.browser.explorer import open_view, prediction
from tests.browser.server import running


@pytest.fixture(scope="module")
def base_url(tmp_path_factory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(1)
    cnn = architecture_named("cnn")
    names = list(DATASETS["cifar10"].class_names)
    sizes = cnn.settings.sizes(
        **{"image_channels": 3, "image_rows": 32, "image_columns": 32, "classes": 10},
        **{"conv1_kernels": 4, "conv2_kernels": 4, "hidden_units": 8},
    )
    card = {"title": "CNN, untrained", "dataset": "cifar10", "class_names": names}
    path = folder / "cnn-cifar10.safetensors"
    save_weights(path, cnn, cnn.build(sizes).eval(), card)
    with running("--weights", str(path), "--data", str(folder)) as address:
        yield address


def test_a_toy_in_colour_is_read_first_and_a_link_brings_it_back(page: Page, base_url):
    page.goto("/#view=input")
    expect(prediction(page)).to_have_text(re.compile(r"^\w+$"))
    table = open_view(page, "input").locator("[data-turntable]")
    words = table.locator("[data-toy-words]")
    expect(words).to_contain_text("The white plane of seed 2000")
    expect(words).to_contain_text("Its class is airplane")
    expect(table.locator("[data-sides-words]")).to_contain_text("of 162 sides")
    readout = page.locator("#input-readout")
    picture = page.locator("#view-input canvas[data-picture]")
    picture.hover(position={"x": 4, "y": 4})
    expect(readout).to_contain_text(re.compile(r"0\.529.*0\.741.*0\.941"))  # the sky
    table.get_by_label("Ground").select_option("clutter")
    table.get_by_label("Tint").select_option("red")
    table.locator("[data-toy-category]").select_option("animal")
    expect(words).to_contain_text("The red animal of seed 2000")
    expect(words).not_to_contain_text("class")
    expect(table.locator("[data-sides]")).to_be_hidden()  # no class to count
    expect(page).to_have_url(re.compile(r"toy=animal\.2000.*on-clutter\.tint-red"))
    told, short = words.inner_text(), re.sub("image=[^&]+&?", "", page.url)
    page.goto("about:blank")
    page.goto(short)
    expect(words).to_have_text(told)
    expect(table.get_by_label("Tint")).to_have_value("red")
    toys = page.get_by_role("region", name="Toys to try")
    toys.get_by_role("button", name="car of seed 2000 on a road").click()
    expect(words).to_contain_text("Its class is automobile")
