"""What stands on the page is true of the network on show, whatever its images are.

Some networks are read, so that each kind of network, of images and of picture occurs;
`pytest -m walk` reads every view of every network with all three pictures.
"""

import re
import time
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import open_view
from tests.browser.places import unfold
from tests.browser.test_fit import CUT_OFF, LOW, WIDER
from tests.patience import PATIENCE_S

WEIGHTS = Path(__file__).parents[2] / "weights"
NETWORKS = sorted(path.stem for path in WEIGHTS.glob("*.safetensors"))

# A plain picture, a doubtful one and an empty one, by what a network's images show.
PICTURES = {
    "mnist": ("sample=four-open", "sample=four-nine", "image=none"),
    "overlapping": (
        "pair=-3.-2.five-bar&pair=3.2.zero-round",
        "pair=0.0.five-bar&pair=0.0.six-curved",
        "image=none",
    ),
    "toys": (
        "toy=car.2000.320.40.1.plain.nothing",
        "toy=animal.2003.200.70.4.cluttered.left",
        "image=none",
    ),
    "cifar10": (
        "toy=car.2000.320.40.1.plain.nothing",
        "toy=human.2001.200.60.1.plain.nothing.on-clutter.tint-red",
        "image=none",
    ),
}

# Each kind of network and of images, with one picture.
SOME = {
    "capsnet-cifar10": 1,
    "cnn-mnist": 2,
    "efficient-overlapping": 0,
    "matrix-toys": 1,
}

# Words of digits and of MNIST, where a network's images are none. Half precision keeps
# three digits of any number, and tools may be named after data.
OF_DIGITS = re.compile(
    r"\b(?<!three )digits?\b(?! of any)|MNIST(?!’s digits: the promise)|28×28 pixels",
    re.I,
)
BROKEN = re.compile(r"\bNaN\b|\bundefined\b|\[object|\bnull\b")
ZERO = re.compile(r"(?:p = |difference of [+−]?)0\.0+(?!\d)")
NAMED = re.compile(r"The network (?:still |now )?(?:names|reads) (?!this)([^.;:,]+)")
FIGURE = re.compile(r"\d|\b(?:half|third|sixth)\b")
NUMBERS = re.compile(r"\([^)]*\)")  # scores, in brackets


def kind_of(network: str) -> str:
    return next(kind for kind in PICTURES if kind in network)


def places_of(page: Page) -> Iterator[tuple[str, Locator]]:
    """Go to each view of the network on show; yield its name and panel, all drawn.

    Paper shows what the screen does not: what is printed is drawn at once.
    """
    for tab in page.locator("[data-tab]:visible").all():
        name = tab.get_attribute("data-tab") or ""
        tab.click()
        panel = page.locator(f"#view-{name}")
        expect(panel).to_be_visible()
        unfold(panel)
        expect(panel).not_to_have_attribute("aria-busy", "true")
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        page.emulate_media(media="print")
        page.emulate_media(media="screen")
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        yield name, panel


def sentences_of(panel: Locator) -> list[str]:
    """Return what stands in a panel's paragraphs and headings, as far as it is seen."""
    return panel.locator("p, h2, h3, figcaption, output, button, legend").evaluate_all(
        "all => all.filter((each) => each.checkVisibility())"
        ".map((each) => each.innerText.trim()).filter(Boolean)"
    )


def faults_in(sentences: list[str], kind: str, named: set[str], names: list[str]):
    """Yield each sentence that is not true of the network on show."""
    for sentence in sentences:
        if BROKEN.search(sentence) or ZERO.search(sentence):
            yield f"no number: {sentence}"
        if kind in ("toys", "cifar10") and OF_DIGITS.search(sentence):
            yield f"of other data: {sentence}"
        for words in NAMED.findall(NUMBERS.sub("", sentence)):
            told = {name for name in names if re.search(rf"\b{name}\b", words)}
            if told and told != named:
                yield f"the bench names {sorted(named)}: {sentence}"


@pytest.mark.long
@pytest.mark.parametrize(("network", "picture"), SOME.items())
def test_what_stands_there_is_true_of_some_networks(
    page: Page, network: str, picture: int
):
    found = read_all(page, network, [PICTURES[kind_of(network)][picture]])
    assert not found, "\n".join(found)


@pytest.mark.walk
@pytest.mark.parametrize("network", NETWORKS)
def test_what_stands_there_is_true_of_every_network_and_picture(
    page: Page, network: str
):
    found = read_all(page, network, PICTURES[kind_of(network)])
    assert not found, "\n".join(found)


def test_some_networks_are_of_every_kind():
    parts = [network.split("-")[:2] for network in SOME]
    named = {part for network in NETWORKS for part in network.split("-")[:2]}
    assert named == {part for own in parts for part in own}
    assert set(SOME.values()) == {0, 1, 2}


def read_all(page: Page, network: str, pictures: Sequence[str]) -> list[str]:
    """Read each view of a network with each picture; return what is not true."""
    kind = kind_of(network)
    page.set_viewport_size(LOW)
    found = []
    for picture in pictures:
        page.goto("about:blank")  # nothing of the picture before
        page.goto(f"/#model={network}&{picture}")
        bench = page.locator("[data-part=verdict]")
        answer = bench.locator("[data-prediction]")
        is_empty = picture == "image=none"
        if is_empty:
            expect(page.locator("[data-part=empty]")).to_be_visible()
            expect(answer).to_have_text("–")
        else:
            expect(answer).not_to_have_text("–")
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        names = bench.locator("[data-lengths] button").all_inner_texts()
        told = answer.inner_text()
        named = {name for name in names if re.search(rf"\b{name}\b", told)}
        said = sentences_of(page.locator("[data-part=empty], [data-part=verdict]"))
        found += faults_in(said, kind, named, names)
        for name, panel in places_of(page):
            where = f"{picture}, {name}"
            sentences = sentences_of(panel)
            found += [f"{where}: {x}" for x in faults_in(sentences, kind, named, names)]
            if picture == pictures[0]:
                found += [f"{where}: {x}" for x in page.evaluate(CUT_OFF)]
        if not is_empty:
            continue
        assert "says" not in page.locator("[data-part=announcer]").inner_text()
    page.set_viewport_size(PHONE)
    found += [f"phone: {x}" for check in (WIDER, CUT_OFF) for x in page.evaluate(check)]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(
    "network", ["capsnet-mnist", "cnn-overlapping", "cnn-toys", "cnn-cifar10"]
)
def test_no_verdict_stands_beside_networks_on_which_nothing_was_measured(
    page: Page, network: str
):
    kind = kind_of(network)
    page.goto(f"/#model={network}&mode=lab&{PICTURES[kind][0]}")
    lab = page.locator("#view-lab")
    for tab in lab.get_by_role("tab").all():
        tab.click()
        experiment = lab.locator(f"#{tab.get_attribute('aria-controls')}")
        expect(experiment).to_be_visible()
        expect(experiment).to_have_attribute("aria-busy", "false")
        for folded in experiment.locator(".lab-claims:visible > summary").all():
            folded.click()
        # An experiment that this network cannot do has changed to one that can.
        shown = kind_of(page.locator("[data-models]").input_value())
        for claim in experiment.locator(".claim:visible").all():
            assert claim.get_attribute("data-claim-on") == shown
            assert FIGURE.search(claim.inner_text()), "a verdict has a figure"
        expect(experiment.get_by_text("python -m")).to_have_count(0)


PLANE = "plane.2000.320.40.1.plain.nothing"  # before the sky


def test_the_rest_of_a_picture_is_darkened_by_half_and_dead_maps_say_so(page: Page):
    link = f"/#model=capsnet-cifar10&view=conv1&toy={PLANE}&pixel=0"
    said = set()
    for number in range(0, 128, 16):
        page.goto(f"{link}&map={number}")
        panel = open_view(page, "conv1")
        expect(panel.locator("[data-map-title]")).to_contain_text(f"Map {number} at")
        readout = panel.locator("[data-sheet] .readout")
        expect(readout).to_contain_text(f"map {number}:")
        is_dead = "dead for this image: 0 everywhere" in readout.inner_text()
        legend = panel.locator("[data-after] [data-legend]").inner_text()
        assert ("dead for this image" in legend) is is_dead
        said.add(is_dead)
    assert said == {True, False}
    expect(panel.locator("[data-maps] .layer-key p")).to_have_text(
        re.compile(
            r"^\d+ of \d+ maps are dead for this image: 0 everywhere\. "
            r"For a test image, 46\s% of the maps rise above 0\.02 on average\."
        )
    )
    picture = panel.locator("[data-input] canvas").first
    sky = picture.evaluate(
        "each => [...each.getContext('2d').getImageData(31, 0, 1, 1).data].slice(0, 3)"
    )

    def seen():
        """Return how bright each channel is there with all that lies on it."""
        shot = Image.open(BytesIO(picture.screenshot())).convert("RGB")
        there = np.array(shot)[6, shot.width - 6]
        return there / np.array(sky)

    # A picture that is about to be drawn anew is faint until then.
    end = time.monotonic() + PATIENCE_S
    while not ((found := seen()) < 0.6).all() and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert ((found > 0.35) & (found < 0.6)).all(), found


ROOM_FOR_TITLES = """(select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = font;
    const widths = [...select.options].map(({ text }) => brush.measureText(text).width);
    const arrow = 22;
    const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
    return select.clientWidth - padding - arrow - Math.max(...widths);
}"""


def test_the_title_of_every_network_is_read_whole(page: Page):
    page.goto("/")
    picker = page.locator("[data-models]")
    # The last is a network of one's own.
    expect(picker.locator("option")).to_have_count(len(NETWORKS) + 1)
    for width in (1920, 1700, 1501, 1440, LOW["width"], PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 900})
        assert picker.evaluate(ROOM_FOR_TITLES) >= 0, width
        if width != PHONE["width"]:
            top = page.locator(".top").evaluate("each => each.offsetHeight")
            assert top < 70, width  # on one line
