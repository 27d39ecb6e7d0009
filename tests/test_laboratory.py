"""Attacks on the networks that are delivered, by digits that they read well."""

from pathlib import Path

import numpy as np
import pytest

from capsnet_explorer.app.engines.protocol import AttackQuestion
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.laboratory.attack import Attack
from capsnet_explorer.sample_digits import load_samples

WEIGHTS = Path(__file__).parent.parent / "weights"
EPSILONS = (0.0, 0.02, 0.1)


@pytest.fixture(scope="module")
def engine():
    (engine,) = load_engines(WEIGHTS / "capsnet-mnist.safetensors").values()
    return engine


@pytest.fixture(scope="module")
def samples():
    return [sample for sample in load_samples() if not sample.hard][:16]


@pytest.fixture(scope="module")
def images(samples):
    return np.array([sample.image for sample in samples], np.float32)


@pytest.fixture(scope="module")
def labels(samples):
    return [sample.label for sample in samples]


def test_the_margin_loss_has_no_gradient_where_a_digit_is_clear(engine, images, labels):
    """Beyond both margins its value is 0 all around; the gap always has a slope."""
    trained = engine.gradient(images, labels, of="trained")
    is_clear = trained.values == 0
    assert is_clear.any()
    assert (trained.gradient[is_clear] == 0).all()
    assert (trained.gradient[~is_clear] != 0).any(axis=(1, 2, 3)).all()
    gap = engine.gradient(images, labels)
    assert (gap.gradient != 0).any(axis=(1, 2, 3)).all()


def test_attacks_mislead_more_than_noise_does(engine, images, labels):
    """By the gap of the lengths, and so that PGD is at least as strong as FGSM."""
    found = {}
    for method in ("noise", "fgsm", "pgd"):
        question = AttackQuestion(
            image=images[0].astype(np.float64),
            label=labels[0],
            target=None,
            epsilons=EPSILONS,
            attack=Attack(method, steps=4),
            of="gap",
            through="full",
            options=engine.options({}),
            names=("scores",),
        )
        attacked = engine.attack(question)
        assert np.array_equal(attacked.images[0], images[0])
        scores = np.stack([trace.tensors["scores"] for trace in attacked.traces])
        others = np.delete(scores, labels[0], axis=1).max(axis=1)
        found[method] = others - scores[:, labels[0]]
    assert (found["pgd"] >= found["fgsm"] - 1e-3).all()  # serving rounds otherwise
    assert (found["pgd"][1:] > found["noise"][1:]).all()
    assert found["fgsm"][1] > found["fgsm"][0]
