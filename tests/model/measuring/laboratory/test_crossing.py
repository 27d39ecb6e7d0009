"""One digit moves across another, held against a slow version of the definition."""

from typing import Any

import numpy as np
import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.overlapping import fixed_overlaps
from capsnet_explorer.model.measuring.laboratory.crossing import (
    VALUES,
    chosen_pairs,
    crossing,
    place_images,
)
from capsnet_explorer.model.measuring.overlapping import given_right
from capsnet_explorer.perturbations.overlay import overlaid
from capsnet_explorer.perturbations.overlay import placed as laboratory_placed
from tests.model.varied import varied
from tests.tiny import square


@pytest.fixture
def overlaps():
    generator = torch.Generator().manual_seed(0)
    images = torch.randint(0, 256, (6, 1, 12, 12), generator=generator)
    labels = torch.tensor([0, 1, 2, 0, 1, 2])
    return fixed_overlaps(LabelledImages(images.to(torch.uint8), labels), "test")


@pytest.fixture
def network():
    """So that answers and pictures differ by more than rounding."""
    torch.manual_seed(0)
    sizes = ARCHITECTURE.settings.sizes(
        **{**square(20), "classes": 3, "conv1_kernels": 4},
        **{"primary_types": 2, "decoder_hidden": (8, 8)},
    )
    network: Any = varied(ARCHITECTURE.build(sizes).eval())
    with torch.no_grad():
        for layer in network.decoder.layers[::2]:
            layer.weight.mul_(5)
    return network


@pytest.mark.parametrize("name", ["crossing", "crossing_down"])
@torch.no_grad()
def test_every_figure_is_that_of_the_definition(overlaps, network, name):
    entry = crossing(name, network, overlaps, 100, values=(-6, 0, 3))
    assert entry["values"] == [-6, 0, 3]
    assert entry["images"] == 6
    for index, value in enumerate(entry["values"]):
        shift = (value, 0) if name == "crossing" else (0, value)
        rows, ink = [], []
        for first, second in overlaps.layout.digits.tolist():
            alone = [
                laboratory_placed(
                    to_network(overlaps.digits.images[which, 0]).numpy(), move, (20, 20)
                )
                for which, move in ((first, (0, 0)), (second, shift))
            ]
            labels = overlaps.digits.labels[[first, second]].tolist()
            trace = network(torch.from_numpy(overlaid(*alone))[None, None].float())
            scores = trace.scores[0].tolist()
            best = sorted(range(3), key=lambda key, of=scores: -of[key])[:2]
            is_right = set(best) == set(labels)
            rows.append((is_right, *(scores[label] for label in labels), max(scores)))
            if is_right:
                drawn = [
                    network.decoder(trace.poses, torch.tensor([key])) for key in labels
                ]
                apart = torch.from_numpy(np.stack(alone))[None, :, None].float()
                ink.append(float(given_right(apart, torch.stack(drawn, dim=1))))
        names = ("accuracy", "first_score", "second_score", "winner_score")
        means = [entry[key][index] for key in names]
        assert means == pytest.approx(np.mean(rows, axis=0).tolist(), abs=1e-4)
        mean = pytest.approx(np.mean(ink), abs=1e-4) if ink else None
        assert entry["ink_given_right"][index] == mean
    whole = crossing(name, network, overlaps, 100)
    assert whole["values"] == list(VALUES)
    assert any(key is not None for key in whole["ink_given_right"])


def test_the_same_pairs_are_taken_every_time(overlaps):
    some = chosen_pairs(overlaps, 3)
    assert torch.equal(some, chosen_pairs(overlaps, 3))
    rows = overlaps.layout.digits.tolist()
    assert all(row in rows for row in some.tolist())
    assert torch.equal(chosen_pairs(overlaps, 6), overlaps.layout.digits)


def test_what_leaves_the_canvas_is_lost():
    image = torch.arange(1, 5, dtype=torch.uint8).reshape(1, 1, 2, 2)
    assert place_images(image, (1, 2, 2), right=1)[0, 0].tolist() == [[0, 1], [0, 3]]
    assert place_images(image, (1, 4, 4), down=-2)[0, 0].tolist() == [
        *([0, 3, 4, 0], [0, 0, 0, 0]),
        *([0, 0, 0, 0], [0, 0, 0, 0]),
    ]
