"""One digit moves across another, held against a slow version of the definition."""

import numpy as np
import pytest
import torch

from capsnet_explorer.laboratory.overlay import overlaid
from capsnet_explorer.laboratory.overlay import placed as laboratory_placed
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.overlapping import fixed_overlaps
from capsnet_explorer.model.measuring.laboratory.crossing import (
    VALUES,
    chosen_pairs,
    crossing,
    placed,
)
from capsnet_explorer.model.measuring.overlapping import given_right


@pytest.fixture
def overlaps():
    generator = torch.Generator().manual_seed(0)
    images = torch.randint(0, 256, (6, 1, 12, 12), generator=generator)
    labels = torch.tensor([0, 1, 2, 0, 1, 2])
    return fixed_overlaps(LabelledImages(images.to(torch.uint8), labels), "test")


@pytest.fixture
def network():
    torch.manual_seed(0)
    sizes = ARCHITECTURE.settings.sizes(
        **{"image_rows": 20, "image_columns": 20, "classes": 3, "conv1_kernels": 4},
        **{"primary_types": 2, "decoder_hidden": (8, 8)},
    )
    network = ARCHITECTURE.build(sizes).eval()
    with torch.no_grad():  # so that answers and pictures differ by more than rounding
        network.digits.transforms.mul_(20)
        network.primary.convolution.weight.mul_(5)
        for layer in network.decoder.layers[::2]:
            layer.weight.mul_(5)
    return network


@pytest.mark.parametrize("name", ["crossing", "crossing_down"])
def test_every_figure_is_that_of_the_definition(overlaps, network, name):
    found = crossing(name, network, overlaps, 100, values=(-6, 0, 3))
    assert found["values"] == [-6, 0, 3]
    assert found["images"] == 6
    for place, value in enumerate(found["values"]):
        shift = (value, 0) if name == "crossing" else (0, value)
        right, firsts, seconds, winners, ink = [], [], [], [], []
        for one, other in overlaps.layout.digits.tolist():
            alone = [
                laboratory_placed(to_network(images[which, 0]).numpy(), move, (20, 20))
                for images, which, move in (
                    (overlaps.digits.images, one, (0, 0)),
                    (overlaps.digits.images, other, shift),
                )
            ]
            labels = overlaps.digits.labels[[one, other]].tolist()
            pixels = torch.from_numpy(overlaid(*alone))[None, None].float()
            with torch.no_grad():
                trace = network(pixels)
            scores = trace.scores[0].tolist()
            best = sorted(range(3), key=lambda each: -scores[each])[:2]
            right.append(set(best) == set(labels))
            firsts.append(scores[labels[0]])
            seconds.append(scores[labels[1]])
            winners.append(max(scores))
            if right[-1]:
                with torch.no_grad():
                    drawn = [
                        network.decoder(trace.poses, torch.tensor([each]))
                        for each in labels
                    ]
                apart = torch.from_numpy(np.stack(alone))[None, :, None].float()
                ink.append(float(given_right(apart, torch.stack(drawn, dim=1))))
        assert found["accuracy"][place] == pytest.approx(np.mean(right), abs=1e-5)
        assert found["first_score"][place] == pytest.approx(np.mean(firsts), abs=1e-4)
        assert found["second_score"][place] == pytest.approx(np.mean(seconds), abs=1e-4)
        assert found["winner_score"][place] == pytest.approx(np.mean(winners), abs=1e-4)
        mean = pytest.approx(np.mean(ink), abs=1e-4) if ink else None
        assert found["ink_given_right"][place] == mean


def test_the_test_pairs_are_both_read_right_somewhere(overlaps, network):
    """So that the comparison above has ink to compare."""
    found = crossing("crossing", network, overlaps, 100)
    assert found["values"] == list(VALUES)
    assert any(each is not None for each in found["ink_given_right"])


def test_the_same_pairs_are_taken_every_time(overlaps):
    some = chosen_pairs(overlaps, 3)
    assert torch.equal(some, chosen_pairs(overlaps, 3))
    rows = overlaps.layout.digits.tolist()
    assert all(row in rows for row in some.tolist())
    assert torch.equal(chosen_pairs(overlaps, 6), overlaps.layout.digits)


def test_what_leaves_the_canvas_is_lost():
    image = torch.arange(1, 5, dtype=torch.uint8).reshape(1, 1, 2, 2)
    assert placed(image, (1, 2, 2), right=1)[0, 0].tolist() == [[0, 1], [0, 3]]
    assert placed(image, (1, 4, 4), down=-2)[0, 0].tolist() == [
        *([0, 3, 4, 0], [0, 0, 0, 0]),
        *([0, 0, 0, 0], [0, 0, 0, 0]),
    ]
