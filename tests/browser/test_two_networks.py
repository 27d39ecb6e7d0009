"""Two networks of different kinds on one page, the second without markup of its own."""

import re
import shutil
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Page, Route, expect

from model.cnn.architecture import ARCHITECTURE
from model.cnn.config import CnnConfig
from model.cnn.network import Cnn
from model.weights import save_weights
from tests.browser.explorer import open_page, open_view, prediction
from tests.browser.server import ROOT, running

SHIPPED = "capsnet-mnist"

# As small as a network can be: one view in an empty panel, one number of its own,
# and that number in the link.
SCRIPT = """
function mount(root, store, actions) {
  const button = document.createElement("button");
  button.addEventListener("click", () => actions.next());
  root.append(button);
  store.watch(["trace", "unit"], ({ trace, unit }) => {
    const { shape } = trace.tensors["conv1.pre"];
    button.textContent = `unit ${unit} of ${shape[0]}`;
  });
}
export const network = {
  views: [{
    id: "conv1",
    title: "First layer",
    shape: ({ classes }) => `to ${classes}`,
    thumbnail: {
      needs: ["scores"],
      paint: (canvas, { tensors }) => { canvas.width = tensors.scores.data.length; },
    },
    needs: ["conv1.pre"],
    script: "networks/tiny.js",
    load: async () => ({ mount }),
  }],
  slice: () => ({ unit: 0 }),
  actions: (store) => ({ next: () => store.set({ unit: store.get().unit + 1 }) }),
  link: {
    write: (link, { unit }) => link.set("unit", String(unit)),
    read: (link) => ({ unit: Number(link.get("unit") ?? 0) }),
  },
};
"""

DOUBLED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}"""


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    """An explorer of the shipped network and of an untrained CNN."""
    folder = tmp_path_factory.mktemp("two")
    for path in (ROOT / "weights").glob(f"{SHIPPED}.*"):
        shutil.copy(path, folder)
    torch.manual_seed(0)
    network = Cnn(CnnConfig(conv1_kernels=3, conv2_kernels=4, hidden_units=8))
    weights = folder / "zcnn.safetensors"
    save_weights(weights, ARCHITECTURE, network, {"title": "A small CNN"})
    with running("--weights", str(folder)) as address:
        yield address


@pytest.fixture(autouse=True)
def registered(page: Page) -> None:
    """Register the small network in the page's registry."""

    def with_one_more(route: Route) -> None:
        answer = route.fetch()
        text, count = re.subn(
            r"(const NETWORKS = \{.*?)\};",
            r'\1 tiny: () => import("/tiny.js") };',
            answer.text(),
            flags=re.DOTALL,
        )
        assert count == 1, "the registry has changed: fix the fixture"
        route.fulfill(response=answer, body=text)

    def of_its_kind(route: Route) -> None:
        answer = route.fetch()
        text = answer.text().replace('"architecture":"cnn"', '"architecture":"tiny"')
        assert '"tiny"' in text
        route.fulfill(response=answer, body=text)

    page.route("**/packs/main.js", with_one_more)
    page.route("**/api/models", of_its_kind)
    page.route(
        "**/tiny.js",
        lambda route: route.fulfill(body=SCRIPT, content_type="text/javascript"),
    )


def choose_model(page: Page, title: str) -> None:
    page.locator("[data-models]").select_option(label=title)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")


def tabs(page: Page) -> list[str]:
    return page.locator("[role=tab] .tab-name").all_inner_texts()


def unit(page: Page):
    return page.locator("#view-conv1 button").filter(has_text="unit")


def test_the_picker_changes_the_strip_and_keeps_what_both_networks_have(page: Page):
    open_page(page, "view=conv1&sample=seven-bar&digit=3&map=9&v=2")
    assert tabs(page)[:2] == ["Input", "Conv1"]
    assert len(tabs(page)) == 6
    keys = page.locator("[data-dialog=help] kbd").filter(has_text="X")
    expect(keys).to_have_count(2)
    choose_model(page, "A small CNN")
    expect(page.locator("[role=tab]")).to_have_count(2)
    assert tabs(page) == ["Input", "First layer"]
    assert page.locator("[data-tab=conv1] [data-shape]").inner_text() == "to 10"
    expect(unit(page)).to_have_text("unit 0 of 3")
    expect(page.locator("#view-conv1")).to_have_count(1)
    expect(keys).to_have_count(0)
    assert page.evaluate(DOUBLED) == []
    expect(page.locator("[data-more]")).to_contain_text("probability")
    expect(page.get_by_label("3: probability")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page).to_have_url(re.compile("view=conv1&v=2&model=zcnn&sample=seven-bar"))
    expect(page).to_have_url(re.compile("digit=3.*unit=0"))


def test_each_network_is_found_as_it_was_left(page: Page):
    open_page(page, "view=conv1&map=9")
    choose_model(page, "A small CNN")
    unit(page).click()
    expect(unit(page)).to_have_text("unit 1 of 3")
    choose_model(page, "CapsNet on MNIST")
    expect(page.locator("#conv1-map-title")).to_contain_text("Map 9")
    expect(page).to_have_url(re.compile("map=9"))
    choose_model(page, "A small CNN")
    expect(unit(page)).to_have_text("unit 1 of 3")


def test_back_leads_from_one_network_to_the_other(page: Page):
    open_page(page, "view=conv1&map=9")
    choose_model(page, "A small CNN")
    unit(page).click()
    expect(page).to_have_url(re.compile("unit=1"))
    page.go_back()
    expect(page.locator("#conv1-map-title")).to_contain_text("Map 9")
    expect(page.locator("[data-models]")).to_have_value(SHIPPED)
    page.go_forward()
    expect(unit(page)).to_have_text("unit 1 of 3")


def test_a_link_opens_the_network_that_it_names(page: Page):
    page.goto("/#view=conv1&v=2&model=zcnn&sample=two-loop&unit=2")
    expect(unit(page)).to_have_text("unit 2 of 3")
    expect(prediction(page)).to_have_text(re.compile(r"^\d$"))


def test_a_view_that_the_other_network_lacks_gives_way_to_input(page: Page):
    open_page(page)
    open_view(page, "routing")
    choose_model(page, "A small CNN")
    expect(page.locator("#view-input")).to_be_visible()
    expect(page.locator("#view-routing")).to_have_count(0)
    page.keyboard.press("2")
    expect(unit(page)).to_be_visible()
    choose_model(page, "CapsNet on MNIST")
    open_view(page, "routing")
    expect(page.locator("[data-story]")).to_contain_text("Iteration")
