"""Toys from seeds, and the collection that networks are trained on."""

import numpy as np
import pytest

from capsnet_explorer.chance import uniform
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.toys import (
    CATEGORIES,
    LIGHTS,
    collection,
    drawn_toy,
    toy_of,
)
from capsnet_explorer.datasets.toys.collection import (
    Model,
    images_of,
    models_of,
    views_of,
)
from capsnet_explorer.datasets.toys.rendering import silhouette
from capsnet_explorer.model.data import toys as written
from capsnet_explorer.model.data.loading import load_part


def slow_hash(value):
    state = (value * 747796405 + 2891336453) % 2**32
    word = (((state >> ((state >> 28) + 4)) ^ state) * 277803737) % 2**32
    return (word >> 22) ^ word


@pytest.mark.parametrize("seed", [0, 1, 5, 2**31, 2**32 - 1])
def test_numbers_are_hashes(seed):
    first = slow_hash(seed)
    expected = [slow_hash((first + k) % 2**32) / 2**32 for k in range(5)]
    assert uniform(seed, 5).tolist() == expected


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(ValueError, match="seed must be from 0 to 4294967295, got"):
        uniform(seed, 1)


def test_a_toy_has_every_parameter_within_its_range():
    for name, category in CATEGORIES.items():
        for seed in range(50):
            values = drawn_toy(name, seed)
            for parameter in category.parameters:
                assert parameter.low <= values[parameter.name] <= parameter.high


@pytest.mark.parametrize("end", ["low", "high"])
def test_a_toy_of_extremes_can_be_drawn(end):
    for name, category in CATEGORIES.items():
        values = {entry.name: getattr(entry, end) for entry in category.parameters}
        assert toy_of(name, values).scale > 0


def test_values_that_make_no_toy_are_refused():
    values = drawn_toy("car", 0)
    with pytest.raises(ValueError, match=r"width must be from 0\.5 to 0\.66, got 2"):
        toy_of("car", values | {"width": 2})
    with pytest.raises(ValueError, match=r"car needs .*, got boot"):
        toy_of("car", {"boot": 0.1})
    with pytest.raises(ValueError, match="width must be"):
        toy_of("car", values | {"width": float("nan")})


def test_training_validation_and_test_share_no_toy():
    parts = (collection.TRAINING, collection.VALIDATION, collection.TEST)
    models = [model for name in parts for model in models_of(name)]
    assert len(set(models)) == len(models) == 5 * (30 + 6 + 20)
    assert [model.label for model in models[:6]] == [0, 1, 2, 3, 4, 0]


def test_a_toy_is_seen_from_all_sides_in_all_lights():
    views = list(views_of(Model("plane", 3)))
    assert len({(view.azimuth, view.elevation) for _, view in views}) == 18 * 9
    for light, view in views:
        assert view.light == LIGHTS[light]
        assert 0.88 <= view.zoom <= 1.12
    assert {light for light, _ in views} == set(range(6))


@pytest.fixture
def few(monkeypatch):
    """A collection of a toy a category for training, and of one for the test."""
    monkeypatch.setattr(collection, "TRAINING", range(1))
    monkeypatch.setattr(collection, "VALIDATION", range(0))
    monkeypatch.setattr(collection, "TEST", range(7, 8))
    for module in (collection, written):
        monkeypatch.setattr(module, "AZIMUTHS", (0, 180))
        monkeypatch.setattr(module, "ELEVATIONS", (30, 45))


def write(folder, **options):
    written.write_toys(folder / "toys", processes=1, **options)


def test_the_files_are_a_data_set(few, tmp_path):
    write(tmp_path)
    dataset = DATASETS["toys"]
    training = load_part(dataset, tmp_path, train=True)
    test = load_part(dataset, tmp_path, train=False)
    assert training.images.shape == (20, 1, 32, 32)
    assert test.images.shape == (20, 1, 32, 32)
    labels = [label for label in range(5) for _ in range(4)]
    assert training.labels.tolist() == test.labels.tolist() == labels
    plane = Model("plane", 0)
    drawn = images_of(plane, [view for _, view in views_of(plane)])
    np.testing.assert_array_equal(training.images[8:12, 0], drawn)
    views = written.read_views(tmp_path / "toys", train=False)
    assert views[:5, :3].tolist() == [
        *([0, 0, 30], [0, 180, 30], [0, 0, 45], [0, 180, 45]),
        [1, 0, 30],
    ]


def test_drawing_goes_on_where_it_was_stopped(few, tmp_path):
    write(tmp_path / "whole")

    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "parts", advance=stop)
    begun = next((tmp_path / "parts/toys").glob("*" + written.UNFINISHED))
    begun.write_bytes(begun.read_bytes()[:-100])  # the last toy is incomplete
    calls = []
    write(tmp_path / "parts", advance=lambda *progress: calls.append(progress))
    assert calls == [(done, 10) for done in range(1, 11)]
    for file in (tmp_path / "whole/toys").iterdir():
        copy = tmp_path / "parts/toys" / file.name
        assert copy.read_bytes() == file.read_bytes()
    assert len(list((tmp_path / "parts/toys").iterdir())) == 6


def test_areas_hardly_tell_the_categories_apart():
    """A linear classifier of silhouette areas, on toys that it was not fitted to."""

    def areas_of(seeds):
        models = models_of(seeds)
        toys = [
            toy_of(model.category, drawn_toy(model.category, model.seed))
            for model in models
        ]
        ink = [
            [
                silhouette(toy.mesh, view, 64, scale=toy.scale)
                for _, view in views_of(model)
                if view.azimuth in (0, 80, 160, 260) and view.elevation in (30, 60)
            ]
            for model, toy in zip(models, toys, strict=True)
        ]
        labels = np.repeat([model.label for model in models], 8)
        return np.ravel(ink) / 64**2, labels

    areas, labels = areas_of(collection.TRAINING[:8])
    unseen, expected = areas_of(collection.TEST[:8])
    means = [areas[labels == label].mean() for label in range(5)]
    np.testing.assert_allclose(means, 0.13, atol=0.012)
    weights = np.linalg.lstsq(_with_one(areas), np.eye(5)[labels], rcond=None)[0]
    right = (_with_one(unseen) @ weights).argmax(axis=1) == expected
    assert right.mean() < 0.26  # a guess names 0.2


def _with_one(values):
    return np.stack([np.ones_like(values), values], axis=1)
