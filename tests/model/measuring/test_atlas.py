"""The atlas's measures against slow versions, and what is written of a tiny network."""

import numpy as np
import pytest
import torch

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.overlapping import fixed_overlaps
from capsnet_explorer.model.measuring import atlas
from capsnet_explorer.model.measuring.atlas import (
    contents_of,
    encode,
    frame,
    measure_atlas,
    preservation,
)
from tests.tiny import square


def points_of(seed, count=60, numbers=5):
    return np.random.default_rng(seed).normal(size=(count, numbers))


def slow_preservation(points, places, near=10):
    """As Venna & Kaski (2001) define it, by sorting all distances."""
    count = len(points)
    kept, beyond = 0, 0
    for i in range(count):
        others = [j for j in range(count) if j != i]
        nearest = sorted(others, key=lambda j: np.linalg.norm(points[i] - points[j]))
        on_map = sorted(others, key=lambda j: np.linalg.norm(places[i] - places[j]))
        kept += len(set(nearest[:near]) & set(on_map[:near]))
        for j in set(on_map[:near]) - set(nearest[:near]):
            beyond += nearest.index(j) + 1 - near
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


@pytest.fixture
def quick(monkeypatch):
    """Draw maps of few points, in little time."""
    pytest.importorskip("openTSNE")
    monkeypatch.setattr(atlas, "METHOD", "bh")


@pytest.mark.usefixtures("quick")
def test_a_map_is_the_same_every_time_and_keeps_clusters_apart():
    points = np.concatenate([points_of(4, 20), points_of(5, 20) + 30])
    places = atlas.tsne(points)
    assert np.array_equal(places, atlas.tsne(points))
    kept, trust = preservation(points, places)
    assert kept > 0.5
    assert trust > 0.9
    assert np.abs(frame(places)).max() == pytest.approx(1)


def test_codes_find_nearly_the_same_distances():
    points = points_of(6, numbers=7) * np.arange(1, 8)
    tensors, entry = encode(points)
    assert tensors["codes"].dtype == torch.int8
    codes = tensors["codes"].numpy() * tensors["codes.step"].numpy()
    other = points_of(7, 1, 7)[0]
    axes, mean = (tensors[f"codes.{name}"].numpy() for name in ("axes", "mean"))
    code = axes @ (other - mean)
    distances = np.linalg.norm(codes - code, axis=1)
    assert distances == pytest.approx(np.linalg.norm(points - other, axis=1), rel=0.02)
    assert entry["components"] == 7
    assert entry["variance"] == 1
    assert entry["kept"] > 0.9


def measured(architecture, network, images):
    """Return a pass over all images, the tensors by name, and the card's entry."""
    atlas = measure_atlas(architecture, network, images)
    tensors = {
        key.removeprefix("atlas."): tensor for key, tensor in atlas.tensors.items()
    }
    with torch.no_grad():
        trace = network(images.images.float() / 255)
    return trace, tensors, atlas.figures["atlas"]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["capsnet", "cnn"])
def test_everything_measured_is_of_the_network(noise, built, name):
    architecture, network = built(name)
    trace, tensors, entry = measured(architecture, network, noise)
    read = trace.scores.argmax(dim=1)
    assert torch.equal(tensors["predictions"].long(), read)
    assert torch.equal(tensors["labels"].long(), noise.labels)
    assert torch.allclose(tensors["scores"].float(), trace.scores, atol=1e-3)
    assert entry["misread"] == (read != noise.labels).sum()
    embedding = {"capsnet": "capsules", "cnn": "hidden"}[name]
    spaces = {embedding, "pixels"} | ({"pose"} if name == "capsnet" else set())
    assert set(entry["maps"]) == spaces | {f"{space}-pca" for space in spaces}
    for id in entry["maps"]:
        places = tensors[f"positions.{id}"]
        assert places.shape == (len(noise), 2)
        assert places.abs().max() == 1
    if name == "capsnet":
        errors = (trace.reconstruction - noise.images / 255).square().mean((1, 2, 3))
        assert torch.allclose(tensors["errors"].float(), errors, rtol=1e-2)
        poses = trace.poses.flatten(1).double().numpy()
        assert tensors["codes.mean"].numpy() == pytest.approx(poses.mean(0), abs=1e-6)
    else:
        assert "errors" not in tensors
    assert entry["embedding"] in architecture.tensors(network.config)


@pytest.mark.usefixtures("quick")
def test_two_digits_have_two_labels_and_the_two_readings_with_the_highest_scores(
    noise, built
):
    pairs = fixed_overlaps(noise, "test")
    architecture, network = built("capsnet", **square(pairs.images.shape[-1]))
    trace, tensors, entry = measured(architecture, network, pairs)
    wrong = 0
    for i, scores in enumerate(trace.scores):
        labels = [int(noise.labels[digit]) for digit in pairs.layout.digits[i]]
        read = sorted(range(3), key=lambda label, of=scores: -of[label])[:2]
        assert tensors["labels"][i].tolist() == labels
        assert tensors["predictions"][i].tolist() == read
        wrong += sorted(labels) != sorted(read)
        drawn = [
            network.decoder(trace.poses[[i]], torch.tensor([label])) for label in read
        ]
        error = (
            (torch.stack(drawn).sum(0).clamp(max=1) - pairs.images[i] / 255)
            .square()
            .mean()
        )
        assert tensors["errors"][i].item() == pytest.approx(error.item(), rel=1e-2)
    assert entry["misread"] == wrong
    assert torch.equal(tensors["digits"].long(), pairs.layout.digits)
    assert torch.equal(tensors["shifts"].long(), pairs.layout.shifts)
    assert set(entry["maps"]) == {"capsules", "capsules-pca", "pixels", "pixels-pca"}


def test_views_of_toys_are_kept_and_codes_are_as_short_as_they_may_be(noise):
    views = np.arange(4 * 60).reshape(60, 4)
    kept = contents_of(noise, views)["views"]
    assert torch.equal(kept.long(), torch.from_numpy(views))
    assert contents_of(noise, None) == {}
    flat = np.zeros((60, 40))
    flat[:, :3] = points_of(8, numbers=3)
    _, entry = encode(flat)
    assert entry["components"] == atlas.COMPONENTS[0]
    _, entry = encode(points_of(9, count=300, numbers=40))
    assert entry["components"] > atlas.COMPONENTS[0]
    assert entry["kept"] >= atlas.FOUND


def test_images_of_several_classes_have_no_atlas(noise, built):
    several = LabelledImages(noise.images, torch.ones(60, 3, dtype=torch.int64))
    architecture, network = built("capsnet")
    with pytest.raises(ValueError, match="one class each"):
        measure_atlas(architecture, network, several)
