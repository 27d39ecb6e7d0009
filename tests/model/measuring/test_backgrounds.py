"""Objects before other backgrounds, and where a network's evidence lies."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from capsnet_explorer.dataset_files.outlines import Outline, mean_colours
from capsnet_explorer.model.__main__ import main
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.backgrounds.answers import answer_figures
from capsnet_explorer.model.measuring.backgrounds.evidence import (
    evidence_figures,
    located,
    read_evidence,
    reconstruction_figures,
)
from capsnet_explorer.model.measuring.backgrounds.measurement import background_figures
from capsnet_explorer.model.measuring.backgrounds.scenes import Scenes
from capsnet_explorer.model.measuring.report import BACKGROUNDS, report_backgrounds
from capsnet_explorer.model.weights import Trained, save_weights
from tests.model.varied import varied as longer
from tests.tiny import CNN_SIZES, SIZES, square

CLASSES = 3
COLOUR_SIZES = replace(SIZES, image_channels=3, none_of_the_above="yes")
OBJECT, BACKGROUND = (5, 6), (0, 0)  # pixels that are read: row, column


@pytest.fixture
def scenes():
    """Two pictures of each of three classes.

    The object is 4 x 5 pixels, and as red as its class has it: 0.1, 0.5 or 0.9. The
    background is as green.
    """
    labels = torch.arange(CLASSES).repeat_interleave(2)
    amounts = (0.1 + 0.4 * labels)[:, None, None]
    is_object = torch.zeros(6, 1, 12, 12, dtype=torch.bool)
    is_object[:, :, 4:8, 3:8] = True
    pictures = torch.zeros(6, 3, 12, 12)
    pictures[:, 0] = amounts * is_object[:, 0]
    pictures[:, 1] = amounts * ~is_object[:, 0]
    return Scenes(pictures, is_object, labels, 2)


@pytest.fixture
def varied(scenes):
    """Pictures of noise, whose objects are of different sizes."""
    is_object = scenes.is_object.clone()
    for place in range(6):
        is_object[place, :, 8 : 8 + place % 3, :3] = True
    return replace(scenes, pictures=torch.rand(6, 3, 12, 12), is_object=is_object)


class PixelReader(nn.Module):
    """Names the class whose amount of a colour one pixel is nearest to."""

    def __init__(self, pixel, channel):
        super().__init__()
        self.pixel, self.channel = pixel, channel

    def forward(self, pictures):
        seen = pictures[:, self.channel, *self.pixel]
        amounts = 0.1 + 0.4 * torch.arange(CLASSES)
        scores = -(seen[:, None] - amounts).abs()
        return SimpleNamespace(scores=scores, reconstruction=None)


def reading(network, architecture=ARCHITECTURE):
    return Trained(architecture, network, {"class_names": ["a", "b", "c"]})


def means(entries):
    return {name: entry["mean"] for name, entry in entries.items()}


def test_who_reads_the_object_is_not_led_by_the_background(scenes):
    found = answer_figures(reading(PixelReader(OBJECT, 0)), scenes)
    assert means(found["right"]) == {
        "as_they_are": 1,
        "mean_background": 1,
        "grey_background": 1,
        "without_object": pytest.approx(1 / 3, abs=1e-6),  # without red: the first
        "other_background": 1,
    }
    assert found["change"]["without_object"]["mean"] == pytest.approx(-2 / 3, abs=1e-6)
    assert found["background_named"]["share"]["mean"] == 0
    assert found["background_named"]["object_more_often"]["mean"] == 1


def test_who_reads_the_background_is_led_by_it(scenes):
    found = answer_figures(reading(PixelReader(BACKGROUND, 1)), scenes)
    assert means(found["right"]) == {
        "as_they_are": 1,
        "mean_background": 1,
        "grey_background": pytest.approx(1 / 3, abs=1e-6),  # the second
        "without_object": 1,
        "other_background": 0,
    }
    assert found["background_named"]["share"]["mean"] == 1
    assert found["background_named"]["object_more_often"]["interval"] == [-1, -1]


def test_parts_are_painted_over_pixel_by_pixel(varied):
    for image, picture in enumerate(varied.pictures):
        is_object = varied.is_object[image]
        colour = picture[:, ~is_object[0]].mean(dim=1)[:, None, None]
        for name, expected in (
            ("mean_background", torch.where(is_object, picture, colour)),
            ("without_object", torch.where(is_object, colour, picture)),
            ("grey_background", torch.where(is_object, picture, torch.tensor(0.5))),
        ):
            assert torch.allclose(varied.changed[name][image], expected), name


def test_objects_stand_before_the_backgrounds_of_every_other_class(varied):
    exchanged = list(varied.exchanged)
    assert len(exchanged) == CLASSES - 1
    for image in range(6):
        labels = [int(behind[image]) for _, behind in exchanged]
        own = int(varied.labels[image])
        assert sorted([*labels, own]) == [0, 1, 2]
        for pictures, behind in exchanged:
            other = 2 * int(behind[image]) + image % 2  # of the same place in its class
            on = varied.is_object[image]
            expected = torch.where(
                on, varied.pictures[image], varied.changed["without_object"][other]
            )
            assert torch.equal(pictures[image], expected)


class Weighing(nn.Module):
    """Scores by two pixels: the gradient at the second is twice that at the first."""

    config = SimpleNamespace()

    def forward(self, pictures, *, through_all=True):
        first = pictures[:, 0, *OBJECT]
        second = pictures[:, 2, *BACKGROUND]
        scores = torch.stack([first + 2 * second, first * 0, first * 0 - 1], dim=1)
        return SimpleNamespace(scores=scores, reconstruction=None, logits=scores)


def test_the_gradient_is_shared_among_pixels(scenes):
    found = evidence_figures(reading(Weighing(), CNN), scenes)
    assert list(found) == ["gradient"]
    assert means(found["gradient"]) == pytest.approx(
        {
            "on_object": 1 / 5,  # 1² of 1² + 2²
            "even": 20 / 144,
            "difference": 1 / 5 - 20 / 144,
            "other_outlines": 1 / 5,
            "beyond": 0,
        },
        abs=1e-6,
    )


def test_what_lies_on_the_object_is_compared_with_other_outlines(varied):
    amounts = torch.rand(6, 1, 12, 12)
    amounts[5] = 0  # nothing to locate
    found = located(varied, amounts, torch.ones_like(amounts))
    own, others = [], []
    for image in range(5):
        whole = float(amounts[image].sum())
        shares = [
            float(amounts[image][outline].sum()) / whole for outline in varied.is_object
        ]
        own.append(shares.pop(image))
        others.append(sum(shares) / 5)
    assert found["on_object"]["images"] == found["beyond"]["images"] == 5
    assert found["on_object"]["mean"] == pytest.approx(sum(own) / 5, abs=2e-6)
    assert found["beyond"]["mean"] == pytest.approx(
        (sum(own) - sum(others)) / 5, abs=2e-6
    )
    areas = [float(outline.float().mean()) for outline in varied.is_object[:5]]
    assert found["even"]["mean"] == pytest.approx(sum(areas) / 5, abs=2e-6)


@pytest.fixture
def capsnet():
    return longer(CapsNet(COLOUR_SIZES).eval())


def test_support_is_spread_over_the_windows_of_capsules(capsnet, varied):
    found = read_evidence(reading(capsnet), varied.pictures, varied.is_object)
    sizes, side = capsnet.config, 2 * SIZES.kernel_size - 1
    _, rows, columns = sizes.primary_grid
    with torch.no_grad():
        trace = capsnet(varied.pictures)
    couplings = trace.steps[-1].couplings
    for image in range(6):
        named = int(trace.lengths[image].argmax())
        pose = trace.capsules[image, named]
        expected = torch.zeros(12, 12)
        for capsule in range(sizes.primary_capsules):
            vote = trace.votes.formed[image, capsule, named]
            given = couplings[image, capsule, named] * (vote @ pose) / pose.norm()
            top, left = divmod(capsule % (rows * columns), columns)
            window = expected[2 * top : 2 * top + side, 2 * left : 2 * left + side]
            window += given.clamp(min=0) / side**2
        assert torch.allclose(found["support"][image, 0], expected, atol=1e-6)


def test_none_of_the_above_is_measured_where_windows_have_their_middles(
    capsnet, varied
):
    found = evidence_figures(reading(capsnet), varied)["none"]
    with torch.no_grad():
        trace = capsnet(varied.pictures)
    lengths = trace.primary_capsules.norm(dim=4)
    none = 1 - trace.steps[-1].couplings.sum(dim=2).view_as(lengths)
    assert none.std() > 0.01
    is_on = varied.is_object[:, :, 2:10:2, 2:10:2].expand_as(none)
    for way, counts in (("plain", torch.ones_like(none)), ("weighted", lengths)):
        for place, is_there in (("object", is_on), ("background", ~is_on)):
            weights = (counts * is_there).flatten(1)
            shares = (weights * none.flatten(1)).sum(dim=1) / weights.sum(dim=1)
            expected = pytest.approx(float(shares.mean()), abs=1e-5)
            assert found[way][place]["mean"] == expected
        assert found[way]["difference"]["mean"] == pytest.approx(
            found[way]["object"]["mean"] - found[way]["background"]["mean"], abs=2e-6
        )


def test_reconstructions_are_measured_on_both_parts(varied):
    drawn = torch.rand(6, 3, 12, 12)
    squares = (drawn - varied.pictures).square().mean(dim=1, keepdim=True)
    found = reconstruction_figures(varied, squares)
    average = varied.pictures.mean(dim=0)
    for name, is_there in (
        ("object", varied.is_object),
        ("background", ~varied.is_object),
    ):
        errors, spread, means = [], [], []
        for image in range(6):
            on = is_there[image, 0]
            picture = varied.pictures[image][:, on]
            errors.append(float((drawn[image][:, on] - picture).square().sum()))
            spread.append(float((average[:, on] - picture).square().sum()))
            means.append(errors[-1] / picture.numel())
        assert found["error"][name]["mean"] == pytest.approx(sum(means) / 6, abs=2e-6)
        explained = found["explained"][name]
        assert explained["mean"] == pytest.approx(
            1 - sum(errors) / sum(spread), abs=2e-6
        )
        low, high = explained["interval"]
        assert low < explained["mean"] < high
    nothing = reconstruction_figures(varied, torch.zeros_like(squares))
    assert nothing["explained"]["object"]["interval"] == [1, 1]


@pytest.fixture
def outlined_test():
    """Test images of 32 x 32, the last six of which are outlined."""
    images = torch.randint(0, 256, (9, 3, 32, 32), dtype=torch.uint8)
    labels = torch.arange(9) % 3
    outlines = {
        name: [
            Outline(
                mean_colours(images[[place]].numpy())[0].tolist(),
                [[(9, 9), (20 + place, 9), (20, 25)]],
            )
            for place in (3 + label, 6 + label)
        ]
        for label, name in enumerate("abc")
    }
    return LabelledImages(images, labels), outlines


def leaves(entry, *places):
    """Yield the places of all figures of a card's entry."""
    if isinstance(entry, dict) and "mean" not in entry:
        for name, each in entry.items():
            yield from leaves(each, *places, name)
    elif isinstance(entry, dict):
        yield places


def test_everything_on_the_card_is_reported(outlined_test):
    sizes = replace(COLOUR_SIZES, **square(32))
    found = background_figures(reading(CapsNet(sizes).eval()), *outlined_test)
    figures = found["backgrounds"]
    assert figures["images"] == 6
    assert {*leaves(figures)} == {*BACKGROUNDS}
    assert len(report_backgrounds(figures).splitlines()) == 1 + len(BACKGROUNDS)


def test_a_network_without_decoder_and_capsules_is_measured_as_far_as_it_goes(
    outlined_test,
):
    sizes = replace(CNN_SIZES, image_channels=3, **square(32))
    found = background_figures(reading(CNN.build(sizes).eval(), CNN), *outlined_test)
    figures = found["backgrounds"]
    assert not {*figures} & {"support", "none", "reconstruction"}
    lines = report_backgrounds(figures).splitlines()
    assert len(lines) == 1 + len([*leaves(figures)])


def test_a_network_of_other_images_is_refused(capsys, tmp_path, network):
    path = tmp_path / "tiny.safetensors"
    save_weights(path, ARCHITECTURE, network, {"dataset": "mnist"})
    assert main(["measure", str(path), "--only", "backgrounds"]) == 0
    assert "networks that read CIFAR-10" in capsys.readouterr().err
