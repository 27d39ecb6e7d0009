"""The figures of the guide's article: what the command draws, and what is committed."""

import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from capsnet_explorer.app.content.guide import load_chapters
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.figures.guide import command
from capsnet_explorer.model.figures.guide.command import draw_guide
from capsnet_explorer.model.figures.guide.figure import Material, listed
from capsnet_explorer.model.figures.guide.others import turned
from capsnet_explorer.model.figures.guide.svg import Axes, Drawing, coloured, grey
from capsnet_explorer.model.weights import load_weights

ROOT = Path(__file__).parents[3]
COMMITTED = ROOT / "static" / "guide"
MOST_BYTES = 600_000
ARCHITECTURES = ("capsnet", "cnn", "matrix")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The folder that the command fills from the shipped networks.

    Test images are replaced by noise: the data set need not be there.
    """
    folder = tmp_path_factory.mktemp("guide")
    noise = torch.randint(0, 256, (10_000, 1, 28, 28), dtype=torch.uint8)
    images = LabelledImages(noise, torch.zeros(10_000, dtype=torch.int64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "load_part", lambda *_, **__: images)
        list(draw_guide(ROOT / "weights", data=folder, output=folder))
    return folder


def known_in(folder):
    return json.loads((folder / "figures.json").read_text(encoding="utf-8"))


def named_by_chapters():
    return {
        step.figure
        for chapter in load_chapters()
        for step in chapter.head.step
        if step.figure is not None
    }


def test_the_command_draws_each_figure_that_a_chapter_names(drawn):
    known = known_in(drawn)["figures"]
    waiting = {"turned"} - set(known)  # is drawn once turned digits were measured
    assert named_by_chapters() - waiting <= set(known)
    for name, figure in known.items():
        root = ElementTree.parse(drawn / f"{name}.svg").getroot()
        size = (int(root.attrib["width"]), int(root.attrib["height"]))
        assert size == (figure["width"], figure["height"])
        assert len(figure["alt"]) > 40, name
        assert re.search(r"\d", figure["alt"]), name


def test_committed_figures_belong_to_the_shipped_weights():
    known = known_in(COMMITTED)
    for name in ARCHITECTURES:
        content = (ROOT / "weights" / f"{name}-mnist.safetensors").read_bytes()
        assert known["weights"][name] == hashlib.sha256(content).hexdigest(), (
            "run: python -m model figures --guide weights"
        )
    for name in known["figures"]:
        assert (COMMITTED / f"{name}.svg").exists()
    total = sum(path.stat().st_size for path in COMMITTED.iterdir())
    assert total < MOST_BYTES


def test_committed_words_are_those_of_the_networks(drawn):
    """Traces on another machine may differ by rounding, so digits are not compared."""
    for name, figure in known_in(drawn)["figures"].items():
        committed = known_in(COMMITTED)["figures"][name]
        shapes = [re.sub(r"[\d.]+", "0", text["alt"]) for text in (figure, committed)]
        assert shapes[0] == shapes[1], name


def test_lengths_are_told_as_the_network_has_them(drawn):
    trained = load_weights(ROOT / "weights" / "capsnet-mnist.safetensors")
    material = Material(trained, pytest.fail)
    lengths = material.pass_over("four-open").scores[0].numpy()
    alt = known_in(drawn)["figures"]["lengths"]["alt"]
    told = [float(text) for text in re.findall(r"\d: (\d\.\d\d)", alt)]
    assert told == pytest.approx(lengths, abs=0.0051)
    assert alt.endswith(f"longest is that of {int(lengths.argmax())}.")


def test_turned_digits_are_drawn_once_both_networks_were_measured():
    def material(title, accuracy=None):
        entry = {"values": [0, -30, 30], "accuracy": accuracy}
        measured = {"rotation": entry} if accuracy else {}
        card = {"title": title, "measurements": measured}
        return Material(type("Trained", (), {"card": card})(), pytest.fail)

    one = material("CapsNet on MNIST", [0.99, 0.5, 0.75])
    assert turned({"capsnet": one, "cnn": material("CNN")}) is None
    both = turned({"capsnet": one, "cnn": material("CNN", [1, 0.25, 0.5])})
    assert both is not None
    assert "CapsNet on MNIST: 99% at 0° and 75% at 30°; CNN: 100% at 0°" in both.alt


def test_values_stand_where_axes_say():
    axes = Axes(10, 110, 20, 220, (-1, 1), (0, 4))
    assert axes.at(-1, 0) == (10, 220)
    assert axes.at(1, 4) == (110, 20)
    assert axes.at(0, 1) == (60, 170)


def test_an_arrow_ends_at_its_tip_and_none_has_no_length():
    drawing = Drawing(10, 10)
    drawing.arrow((1, 1), (1, 1), "#000", 2)
    assert "polygon" not in drawing.written()
    drawing.arrow((1, 1), (90, 1), "#000", 2)
    assert 'points="90.0,1.0' in drawing.written()


def test_words_and_colours():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert grey(np.array([[0, 0.5, 1]])).tolist() == [[0, 128, 255]]
    low, high = coloured(np.array([[-2.0, 2.0]]), "RdBu_r", 2)[0].tolist()
    assert low[2] > low[0]  # blue below zero
    assert high[0] > high[2]  # red above


def test_words_are_safe_in_markup():
    drawing = Drawing(10, 10)
    drawing.text(0, 0, "a < b & c")
    assert "a &lt; b &amp; c" in drawing.written()
