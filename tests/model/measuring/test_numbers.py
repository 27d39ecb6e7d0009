"""The numbers of each class: what is written of a tiny network stands for its codes."""

import numpy as np
import pytest
import torch

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring import numbers
from capsnet_explorer.model.measuring.numbers import (
    NONE,
    PROPERTIES,
    leveled,
    measure_numbers,
)
from capsnet_explorer.model.measuring.report import report_numbers


def values_in(found, labels):
    levels, low, step = (
        found.tensors[f"numbers.{name}"].double() for name in ("values", "low", "step")
    )
    return (low[labels] + levels * step[labels]).numpy()


def test_the_numbers_are_the_pose_of_the_own_class(noise, built):
    architecture, network = built("capsnet")
    found = measure_numbers(architecture, network, noise)
    with torch.no_grad():
        poses = network(noise.images.float() / 255).poses
    own = poses[torch.arange(60), noise.labels].numpy()
    step = found.tensors["numbers.step"].numpy()[noise.labels]
    assert (np.abs(values_in(found, noise.labels) - own) <= 0.51 * step + 1e-6).all()
    entry = found.figures["numbers"]
    assert entry["numbers"] == entry["shown"] == own.shape[1]
    assert "indices" not in entry  # too few images
    assert "too few" in report_numbers(entry)


def test_of_a_longer_code_the_first_components_are_kept(noise, built, monkeypatch):
    monkeypatch.setattr(numbers, "LEAST", 20)
    monkeypatch.setattr(numbers, "COMPONENTS", 4)
    sizes = {"conv1_kernels": 8, "conv2_kernels": 16, "hidden_units": 32}
    architecture, network = built("cnn", **sizes)
    found = measure_numbers(architecture, network, noise)
    values = values_in(found, noise.labels)
    assert values.shape == (60, 4)
    with torch.no_grad():
        trace = network(noise.images.float() / 255)
        codes = architecture.code(trace, noise.labels).numpy()
    for label in range(3):
        own, code = values[noise.labels == label], codes[noise.labels == label]
        spread = np.linalg.svd(code - code.mean(0), compute_uv=False)[:4]
        assert own.std(0) * np.sqrt(len(own)) == pytest.approx(spread, rel=0.02)
    entry = found.figures["numbers"]
    assert (entry["numbers"], entry["shown"]) == (codes.shape[1], 4)
    assert set(entry["indices"]["numbers"]) == {"sap", "dci"}
    assert report_numbers(entry).count("\n") == 7


def test_properties_are_those_of_the_pictures(noise, built):
    found = measure_numbers(*built("capsnet"), noise)
    levels, low, step = (
        found.tensors[f"numbers.properties{name}"].double().numpy()
        for name in ("", "_low", "_step")
    )
    ink = (noise.images.double() / 255).sum(dim=(1, 2, 3)).numpy()
    place = PROPERTIES.index("ink")
    assert (low + levels * step)[:, place] == pytest.approx(ink, abs=step[place])


def test_what_is_missing_is_told_apart():
    values = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    levels, low, step = leveled(values)
    assert levels.tolist() == [[0, NONE], [254, NONE], [NONE, NONE]]
    assert low.tolist() == [1, 0]
    assert step[0] == pytest.approx(2 / 254)


def test_images_of_several_classes_have_no_numbers(noise, built):
    several = LabelledImages(noise.images, torch.ones(60, 3, dtype=torch.int64))
    with pytest.raises(ValueError, match="one class each"):
        measure_numbers(*built("capsnet"), several)
