"""The atlas's measures against slow versions, and what is written of a tiny network."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.overlapping import fixed_overlaps
from capsnet_explorer.model.measuring import atlas
from capsnet_explorer.model.measuring.atlas import (
    encoded,
    framed,
    measure_atlas,
    preservation,
    told_of,
)
from capsnet_explorer.model.measuring.report import report_atlas
from tests.tiny import SIZES, square

IMAGES = 40


def points_of(seed, count=60, numbers=5):
    return np.random.default_rng(seed).normal(size=(count, numbers))


def slow_preservation(points, places, near=10):
    """As Venna & Kaski (2001) define it, by sorting all distances."""
    count = len(points)
    kept, beyond = 0, 0
    for i in range(count):
        others = [j for j in range(count) if j != i]
        truly = sorted(others, key=lambda j: np.linalg.norm(points[i] - points[j]))
        shown = sorted(others, key=lambda j: np.linalg.norm(places[i] - places[j]))
        kept += len(set(truly[:near]) & set(shown[:near]))
        for j in set(shown[:near]) - set(truly[:near]):
            beyond += truly.index(j) + 1 - near
    factor = 2 / (count * near * (2 * count - 3 * near - 1))
    return kept / (count * near), 1 - factor * beyond


@pytest.mark.parametrize("rows", [7, 500])
def test_preservation_is_that_of_the_slow_version(monkeypatch, rows):
    monkeypatch.setattr(atlas, "ROWS", rows)
    points = points_of(1)
    for places in (points[:, :2], points_of(2, numbers=2), points[::-1, :2]):
        assert preservation(points, places) == pytest.approx(
            slow_preservation(points, places)
        )


def test_a_map_that_is_what_it_shows_keeps_everything():
    points = points_of(3, numbers=2)
    assert preservation(points, framed(points)) == pytest.approx((1, 1))


def test_a_map_is_the_same_every_time_and_keeps_clusters_apart(monkeypatch):
    pytest.importorskip("openTSNE")
    monkeypatch.setattr(atlas, "METHOD", "bh")  # of few points, in little time
    points = np.concatenate([points_of(4, 20), points_of(5, 20) + 30])
    found = atlas.tsne(points)
    assert np.array_equal(found, atlas.tsne(points))
    kept, trust = preservation(points, found)
    assert kept > 0.5
    assert trust > 0.9
    assert np.abs(framed(found)).max() == pytest.approx(1)


def test_codes_find_nearly_the_same_distances():
    points = points_of(6, numbers=7) * np.arange(1, 8)
    tensors, entry = encoded(points)
    assert tensors["codes"].dtype == torch.int8
    codes = tensors["codes"].numpy() * tensors["codes.step"].numpy()
    other = points_of(7, 1, 7)[0]
    axes, mean = (tensors[f"codes.{name}"].numpy() for name in ("axes", "mean"))
    own = axes @ (other - mean)
    found = np.linalg.norm(codes - own, axis=1)
    assert found == pytest.approx(np.linalg.norm(points - other, axis=1), rel=0.02)
    assert entry["components"] == 7
    assert entry["variance"] == 1
    assert entry["kept"] > 0.9


@pytest.fixture
def tiny():
    generator = torch.Generator().manual_seed(0)
    images = torch.randint(0, 256, (IMAGES, 1, 12, 12), generator=generator)
    labels = torch.arange(IMAGES) % 3
    return LabelledImages(images.to(torch.uint8), labels)


@pytest.mark.parametrize("name", ["capsnet", "cnn"])
def test_everything_measured_is_of_the_network(monkeypatch, tiny, name):
    pytest.importorskip("openTSNE")
    monkeypatch.setattr(atlas, "METHOD", "bh")
    sizes = (
        SIZES
        if name == "capsnet"
        else CnnConfig(**square(12), kernel_size=3, classes=3)
    )
    architecture = architecture_named(name)
    torch.manual_seed(1)
    network = architecture.build(sizes).eval()
    found = measure_atlas(architecture, network, tiny)
    tensors = {
        key.removeprefix("atlas."): tensor for key, tensor in found.tensors.items()
    }
    with torch.no_grad():
        trace = network(tiny.images.float() / 255)
    assert torch.equal(tensors["predictions"].long(), trace.scores.argmax(dim=1))
    assert torch.equal(tensors["labels"].long(), tiny.labels)
    assert torch.allclose(tensors["scores"].float(), trace.scores, atol=1e-3)
    entry = found.figures["atlas"]
    assert entry["misread"] == (trace.scores.argmax(dim=1) != tiny.labels).sum()
    own = {"capsnet": "capsules", "cnn": "hidden"}[name]
    spaces = {own, "pixels"} | ({"pose"} if name == "capsnet" else set())
    assert set(entry["maps"]) == spaces | {f"{space}-pca" for space in spaces}
    for map in entry["maps"]:
        places = tensors[f"positions.{map}"]
        assert places.shape == (IMAGES, 2)
        assert places.abs().max() == 1
    if name == "capsnet":
        errors = (trace.reconstruction - tiny.images / 255).square().mean((1, 2, 3))
        assert torch.allclose(tensors["errors"].float(), errors, rtol=1e-2)
        poses = trace.poses.flatten(1).double().numpy()
        assert tensors["codes.mean"].numpy() == pytest.approx(poses.mean(0), abs=1e-6)
    else:
        assert "errors" not in tensors
    assert entry["embedding"] in architecture.tensors(sizes)
    assert report_atlas(entry).count("\n") == 2 + 2 * len(spaces)


def test_two_digits_have_two_labels_and_the_two_readings_with_the_highest_scores(
    monkeypatch, tiny
):
    pytest.importorskip("openTSNE")
    monkeypatch.setattr(atlas, "METHOD", "bh")
    pairs = fixed_overlaps(tiny, "test")
    sizes = replace(SIZES, **square(pairs.images.shape[-1]))
    architecture = architecture_named("capsnet")
    torch.manual_seed(1)
    network = architecture.build(sizes).eval()
    found = measure_atlas(architecture, network, pairs)
    tensors = {
        key.removeprefix("atlas."): tensor for key, tensor in found.tensors.items()
    }
    with torch.no_grad():
        trace = network(pairs.images.float() / 255)
    wrong = 0
    for i, scores in enumerate(trace.scores):
        shown = [int(tiny.labels[digit]) for digit in pairs.layout.digits[i]]
        read = sorted(range(3), key=lambda each, of=scores: -of[each])[:2]
        assert tensors["labels"][i].tolist() == shown
        assert tensors["predictions"][i].tolist() == read
        wrong += sorted(shown) != sorted(read)
        drawn = [
            network.decoder(trace.poses[[i]], torch.tensor([each])) for each in read
        ]
        error = (sum(drawn).clamp(max=1) - pairs.images[i] / 255).square().mean()
        assert tensors["errors"][i].item() == pytest.approx(error.item(), rel=1e-2)
    assert found.figures["atlas"]["misread"] == wrong
    assert torch.equal(tensors["digits"].long(), pairs.layout.digits)
    assert torch.equal(tensors["shifts"].long(), pairs.layout.shifts)
    assert set(found.figures["atlas"]["maps"]) == {
        *("capsules", "capsules-pca", "pixels", "pixels-pca")
    }


def test_views_of_toys_are_kept_and_codes_are_as_short_as_they_may_be():
    views = np.arange(4 * IMAGES).reshape(IMAGES, 4)
    labelled = LabelledImages(torch.zeros(IMAGES, 1, 2, 2), torch.zeros(IMAGES).long())
    assert torch.equal(
        told_of(labelled, views)["views"].long(), torch.from_numpy(views)
    )
    assert told_of(labelled, None) == {}
    flat = np.zeros((60, 40))
    flat[:, :3] = points_of(8, numbers=3)
    _, entry = encoded(flat)
    assert entry["components"] == atlas.COMPONENTS[0]
    _, entry = encoded(points_of(9, count=300, numbers=40))
    assert entry["components"] > atlas.COMPONENTS[0]
    assert entry["kept"] >= atlas.FOUND


def test_images_of_several_classes_have_no_atlas(tiny):
    architecture = architecture_named("capsnet")
    several = LabelledImages(tiny.images, torch.ones(IMAGES, 3, dtype=torch.int64))
    with pytest.raises(ValueError, match="one class each"):
        measure_atlas(architecture, architecture.build(SIZES), several)
