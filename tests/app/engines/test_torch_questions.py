"""The engine asked several things at once, with surgery, and in half precision."""

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import TorchEngine
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.serving.network import pack
from capsnet_explorer.model.surgery import Pin, RoutingOptions
from capsnet_explorer.model.weights import Trained
from tests.tiny import UNLIKE_SIZES as SIZES

CARD = {"sha256": "0123456789abcdef" * 4}
LARGEST_HALF = 65504.0


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(4)
    network = CapsNet(SIZES).eval()
    with torch.no_grad():
        network.primary.convolution.weight.mul_(4)
        network.digits.transforms.mul_(10)
    return network


def engine_of(network):
    return TorchEngine("tiny", Trained(ARCHITECTURE, network, CARD), Path("nowhere"))


@pytest.fixture(scope="module")
def engine(network):
    return engine_of(network)


@pytest.fixture(scope="module")
def names(engine):
    return tuple(tensor.name for tensor in engine.info.tensors)


@pytest.fixture(scope="module")
def pictures():
    return np.random.default_rng(0).random((9, 1, 12, 12), dtype=np.float32)


SURGERIES = [
    {},
    {"silenced": frozenset({0, 17, 47})},
    {"routing": "uniform"},
    {"pins": frozenset({Pin(3, 4, 1.0), Pin(40, 0, 0.25)})},
    {
        "silenced": frozenset({3}),
        "routing": "uniform",
        "pins": frozenset({Pin(3, 1, 0.0)}),
    },
]


def assert_same(answer, expected):
    assert answer.prediction == expected.prediction
    assert answer.tensors.keys() == expected.tensors.keys()
    for name, tensor in expected.tensors.items():
        assert answer.tensors[name].dtype == tensor.dtype
        rounding = 1e-4 if tensor.dtype == np.float32 else 2**-10
        assert_allclose(answer.tensors[name], tensor, rtol=rounding, atol=1e-5)


def test_questions_of_any_mix_are_answered_as_one_by_one(engine, names, pictures):
    options = (
        RoutingOptions(iterations, **surgery)
        for iterations, surgery in zip(
            cycle([3, 1, 10, 3]), cycle(SURGERIES), strict=False
        )
    )
    choices = zip(
        pictures,
        options,
        cycle([names, names[3:7], (), names[::-1]]),
        cycle([False, False, True]),
        strict=False,
    )
    questions = [Question(*choice) for choice in choices]
    assert len(questions) == 9
    answers = engine.trace_many(questions)
    assert len(answers) == 9
    for question, answer in zip(questions, answers, strict=True):
        assert tuple(answer.tensors) == question.names
        assert_same(answer, engine.trace(question))


def test_an_answer_among_many_does_not_keep_the_others_in_memory(
    engine, names, pictures
):
    questions = [Question(picture, RoutingOptions(3), names) for picture in pictures]
    for answer in engine.trace_many(questions):
        for name, tensor in answer.tensors.items():
            if tensor.base is None:  # its own
                continue
            assert isinstance(tensor.base, torch.Tensor), name
            assert tensor.base.untyped_storage().nbytes() == tensor.nbytes, name


def test_silenced_capsules_show_what_they_found_but_do_not_vote(
    engine, names, pictures
):
    plain = engine.trace(Question(pictures[0], RoutingOptions(3), names)).tensors
    silenced = (2, 1, 3)
    number = (2 * 4 + 1) * 4 + 3
    options = RoutingOptions(3, silenced=frozenset({number}))
    changed = engine.trace(Question(pictures[0], options, names)).tensors
    for name in names:
        if name.startswith(("conv1", "primary")):
            assert (changed[name] == plain[name]).all(), name
    assert plain["votes"][silenced].any()
    assert not changed["votes"][silenced].any()
    for iteration in range(3):
        assert not changed["routing.agreement"][iteration][silenced].any()
        assert not changed["routing.logits"][iteration][silenced].any()
        assert_allclose(changed["routing.couplings"][iteration][silenced], 1 / 5)
    assert np.abs(changed["digits.capsules"] - plain["digits.capsules"]).max() > 1e-3


def test_a_pinned_coupling_stands_at_its_capsule_and_digit(engine, names, pictures):
    number = (1 * 4 + 0) * 4 + 2
    options = RoutingOptions(5, pins=frozenset({Pin(number, 4, 0.75)}))
    changed = engine.trace(Question(pictures[0], options, names)).tensors
    couplings = changed["routing.couplings"]
    assert (couplings[:, 1, 0, 2, 4] == 0.75).all()
    assert_allclose(couplings.sum(axis=-1), np.ones((5, 3, 4, 4)), rtol=1e-5)


def test_halves_are_the_large_tensors_rounded(engine, names, pictures):
    question = Question(pictures[0], RoutingOptions(3), names)
    exact = engine.trace(question).tensors
    halves = engine.trace(replace(question, half=True)).tensors
    for described in engine.info.tensors:
        half, full = halves[described.name], exact[described.name]
        assert full.dtype == np.float32
        assert half.dtype == (
            np.float16 if described.precision == "f16" else full.dtype
        )
        np.testing.assert_array_equal(half, full.astype(half.dtype))
        assert half.flags.c_contiguous
        assert full.flags.c_contiguous


@pytest.mark.parametrize("sign", [1, -1])
def test_values_too_large_for_half_precision_keep_full_precision(
    network, pictures, sign
):
    large = CapsNet(SIZES).eval()
    large.load_state_dict(network.state_dict())
    with torch.no_grad():
        large.digits.transforms.fill_(sign * 1e6)
    question = Question(
        pictures[0], RoutingOptions(3), ("votes", "conv1.pre"), half=True
    )
    tensors = engine_of(large).trace(question).tensors
    assert np.abs(tensors["votes"]).max() > LARGEST_HALF
    assert tensors["votes"].dtype == np.float32
    assert tensors["conv1.pre"].dtype == np.float16


def test_the_key_is_what_decides_the_pass(pictures):
    def key(picture=pictures[0], iterations=3, names=(), half=False, **surgery):
        return Question(picture, RoutingOptions(iterations, **surgery), names, half).key

    assert key() == key(pictures[0].copy(), names=("votes",), half=True)
    assert hash(key()) == hash(key(routing="agreement"))
    others = [
        key(pictures[1]),
        key(pictures[0].reshape(1, 6, 24)),
        key(iterations=4),
        *(key(**surgery) for surgery in SURGERIES[1:]),
    ]
    assert len({key(), *others}) == 1 + len(others)


def test_a_packed_network_that_differs_is_not_used(
    monkeypatch, network, names, pictures, caplog
):
    def broken(network):
        fast = pack(network)
        with torch.no_grad():
            fast.digits.transforms.mul_(1.5)
        return fast

    question = Question(pictures[0], RoutingOptions(3), names)
    expected = engine_of(network).trace(question)
    assert not caplog.records
    monkeypatch.setattr("capsnet_explorer.model.capsnet.serving.answering.pack", broken)
    answer = engine_of(network).trace(question)
    assert "other results" in caplog.text
    assert_same(answer, expected)
