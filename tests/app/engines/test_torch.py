"""The engine on a small network: every tensor is what its name says."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from numpy.lib.stride_tricks import sliding_window_view
from numpy.testing import assert_allclose

from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import WeightsError, load_engines
from capsnet_explorer.app.errors import DamagedFile
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.measured import add_measured
from capsnet_explorer.model.surgery import RoutingOptions
from capsnet_explorer.model.weights import load_weights, save_weights
from tests.model.layers.paper import procedure_1
from tests.tiny import UNLIKE_SIZES as SIZES
from tests.tiny import square

SENT = [
    "conv1.pre",
    "conv1.relu",
    "primary.pre",
    "primary.capsules",
    "primary.lengths",
    "routing.logits",
    "routing.couplings",
    "routing.agreement",
    "routing.capsules",
    "digits.capsules",
    "digits.lengths",
    "scores",
    "reconstruction",
]
KERNELS = ["conv1.kernels", "conv1.bias"]
ON_REQUEST = [
    "votes",
    "conv1.glimpse",
    "conv1.energy",
    "routing.contributions",
    "routing.given",
    "routing.types",
    "votes.0",
    "votes.1",
    "votes.2",
    "votes.3",
    "votes.4",
    "input",
]
NAMES = SENT + ON_REQUEST


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """A weight file of a small network whose capsules are neither 0 nor 1 long."""
    torch.manual_seed(4)
    network = CapsNet(SIZES)
    with torch.no_grad():
        network.primary.convolution.weight.mul_(4)
        network.digits.transforms.mul_(10)
    path = tmp_path_factory.mktemp("weights") / "tiny.safetensors"
    save_weights(
        path, ARCHITECTURE, network, {"title": "Tiny", "class_names": list("abcde")}
    )
    return path


@pytest.fixture(scope="module")
def network(weights):
    return load_weights(weights).network


@pytest.fixture(scope="module")
def engine(weights):
    return load_engines(weights)["tiny"]


@pytest.fixture(scope="module")
def picture():
    return np.random.default_rng(0).random((1, 12, 12), dtype=np.float32)


def ask(picture, names=NAMES, *, iterations=3, **more):
    return Question(picture, RoutingOptions(iterations), tuple(names), **more)


@pytest.fixture(scope="module")
def trace(engine, picture):
    return engine.trace(ask(picture))


@pytest.fixture(scope="module")
def tensors(trace):
    return trace.tensors


def squash(vectors):
    squared = (vectors**2).sum(axis=-1, keepdims=True)
    return squared / (1 + squared) * vectors / np.sqrt(squared)


def close(actual, expected):
    assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


def test_the_coupling_of_a_type_is_the_mean_of_its_capsules(tensors):
    last = tensors["routing.couplings"][-1]
    types, rows, columns, _ = last.shape
    for type in range(types):
        cells = [
            last[type, row, column] for row in range(rows) for column in range(columns)
        ]
        expected = sum(cells) / len(cells)
        np.testing.assert_allclose(tensors["routing.types"][type], expected, rtol=1e-5)


def test_a_glimpse_of_few_maps_shows_them_all(tensors):
    np.testing.assert_array_equal(tensors["conv1.glimpse"], tensors["conv1.relu"])


def test_the_energy_of_a_map_is_the_sum_of_its_squares(tensors):
    maps = tensors["conv1.relu"]
    for energy, plane in zip(tensors["conv1.energy"], maps, strict=True):
        squares = [value * value for value in plane.flatten().tolist()]
        np.testing.assert_allclose(energy, sum(squares), rtol=1e-5)


def test_the_papers_network_has_the_shapes_of_the_api(tmp_path):
    path = tmp_path / "paper.safetensors"
    save_weights(path, ARCHITECTURE, CapsNet(), {})
    info = load_engines(path)["paper"].info
    routing = (3, 32, 6, 6, 10)
    assert {tensor.name: tensor.shape for tensor in info.tensors} == {
        "conv1.pre": (256, 20, 20),
        "conv1.relu": (256, 20, 20),
        "primary.pre": (32, 6, 6, 8),
        "primary.capsules": (32, 6, 6, 8),
        "primary.lengths": (32, 6, 6),
        "routing.logits": routing,
        "routing.couplings": routing,
        "routing.agreement": routing,
        "routing.capsules": (3, 10, 16),
        "digits.capsules": (10, 16),
        "digits.lengths": (10,),
        "scores": (10,),
        "reconstruction": (28, 28),
        "votes": (32, 6, 6, 10, 16),
        "input": (28, 28),
        "conv1.glimpse": (16, 20, 20),
        "conv1.energy": (256,),
        "routing.contributions": routing,
        "routing.given": (3, 32, 10, 16),
        "routing.types": (32, 10),
        **{f"votes.{digit}": (32, 6, 6, 16) for digit in range(10)},
    }
    assert info.parameters == 8_215_568
    assert info.class_names == tuple("0123456789")


def test_the_model_is_described_by_its_file_and_card(engine, weights, network):
    info = engine.info
    assert (info.id, info.title, info.architecture) == ("tiny", "Tiny", "capsnet")
    assert info.class_names == tuple("abcde")
    assert (info.classes, info.input_shape) == (5, (1, 12, 12))
    assert info.details == {
        "primary_capsules": 3 * 4 * 4,
        "pose_dim": 7,
        "routing_iterations": 3,
        "max_routing_iterations": 10,
    }
    assert info.version == load_weights(weights).card["sha256"][:16]
    assert info.parameters == sum(tensor.numel() for tensor in network.parameters())


def test_the_reconstruction_is_decoded_from_the_predicted_capsule(engine, trace):
    capsule = trace.tensors["digits.capsules"][trace.prediction]
    drawn = engine.reconstruct(trace.prediction, capsule[None])
    close(trace.tensors["reconstruction"], drawn[0, 0])


def test_an_image_that_cannot_be_written_to_is_read(engine, picture, tensors):
    frozen = picture.copy()
    frozen.setflags(write=False)
    lengths = engine.trace(ask(frozen, ["digits.lengths"])).tensors["digits.lengths"]
    close(lengths, tensors["digits.lengths"])


def test_kernels_are_those_of_conv1_and_safe_to_change(engine, network):
    kernels = engine.weights(KERNELS)
    assert (
        kernels["conv1.kernels"] == network.conv1.weight[:, 0].numpy(force=True)
    ).all()
    assert (kernels["conv1.bias"] == network.conv1.bias.numpy(force=True)).all()
    kernels["conv1.kernels"][:] = 0
    kernels["conv1.bias"][:] = 0
    assert engine.weights(KERNELS)["conv1.kernels"].any()
    assert engine.weights(KERNELS)["conv1.bias"].any()


def test_primary_kernels_sum_up_to_the_numbers_of_a_capsule(engine, network, tensors):
    """Window times kernel, over all maps, plus the bias: slow loops, one capsule."""
    type, row, column = 2, 1, 0
    bias, kernels = engine.weights(
        [f"primary.bias.{type}", f"primary.kernels.{type}"]
    ).values()
    kernels = kernels.astype(np.float64)
    numbers, _, size, _ = kernels.shape
    top, left = (network.config.primary_stride * index for index in (row, column))
    window = tensors["conv1.relu"][:, top : top + size, left : left + size]
    for number in range(numbers):
        total = (window * kernels[number]).sum() + bias[number]
        expected = tensors["primary.pre"][type, row, column, number]
        assert total == pytest.approx(expected, abs=2e-3)


def test_a_type_that_is_not_there_is_refused(engine, network):
    with pytest.raises(KeyError):
        engine.weights([f"primary.kernels.{network.config.primary_types}"])


def test_what_was_measured_on_the_weights_is_known_and_safe_to_change(
    weights, tmp_path
):
    copy = tmp_path / weights.name
    for path in (weights, weights.with_suffix(".json")):
        shutil.copy(path, tmp_path)
    mean = torch.arange(6.0).reshape(2, 3)
    (bare,) = load_engines(copy).values()
    assert (bare.info.measured, bare.info.measured_version) == ((), "")
    add_measured(copy, load_weights(copy).card["sha256"], {"poses.mean": mean})
    (engine,) = load_engines(copy).values()
    (described,) = engine.info.measured
    assert (described.name, described.shape) == ("poses.mean", (2, 3))
    assert engine.info.measured_version
    measured = engine.weights(["measured.poses.mean"])["measured.poses.mean"]
    assert_allclose(measured, mean)
    measured[:] = 0
    assert_allclose(
        engine.weights(["measured.poses.mean"])["measured.poses.mean"], mean
    )
    with pytest.raises(KeyError):
        engine.weights(["poses.mean"])


def test_requests_at_the_same_time_do_not_disturb_each_other(engine):
    pictures = np.random.default_rng(2).random((8, 1, 12, 12), dtype=np.float32)

    def lengths(picture):
        answer = engine.trace(ask(picture, ["digits.lengths"]))
        return answer.tensors["digits.lengths"]

    one_by_one = [lengths(picture) for picture in pictures]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(lengths, pictures))
    assert_allclose(at_once, one_by_one)


def test_a_folder_is_its_weight_files_by_name(weights, tmp_path):
    for name in ("second", "first", "capsnet-mnist"):
        for path in (weights, weights.with_suffix(".json")):
            shutil.copy(path, tmp_path / f"{name}{path.suffix}")
    (tmp_path / "notes.txt").write_text("not weights")
    engines = load_engines(tmp_path)
    assert [(name, engine.info.id) for name, engine in engines.items()] == [
        ("capsnet-mnist", "capsnet-mnist"),  # the project's own is the default
        ("first", "first"),
        ("second", "second"),
    ]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(WeightsError, match=r"holds no \.safetensors file"):
        load_engines(tmp_path)


@pytest.mark.parametrize("name", ["none", "none.safetensors"])
def test_a_missing_path_is_refused(tmp_path, name):
    with pytest.raises(WeightsError, match="cannot read the weight file"):
        load_engines(tmp_path / name)


def test_one_damaged_file_in_a_folder_is_named(weights, tmp_path):
    for path in (weights, weights.with_suffix(".json")):
        shutil.copy(path, tmp_path)
    with (tmp_path / "tiny.safetensors").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(WeightsError, match=r"tiny\.safetensors is damaged"):
        load_engines(tmp_path)
    for path in (weights, weights.with_suffix(".json")):
        shutil.copy(path, tmp_path / f"whole{path.suffix}")
    engines = load_engines(tmp_path)
    assert list(engines) == ["whole"]
    words = "tiny.safetensors is damaged: its SHA-256 differs from its card's"
    assert engines.refused == {"tiny": words}


@pytest.mark.parametrize("make", [getattr(os, "mkfifo", os.mkdir), os.mkdir])
@pytest.mark.parametrize(
    "name", ["pipe.safetensors", "small.json", "measured/small.safetensors"]
)
def test_what_is_no_file_does_not_hold_the_start_up(weights, tmp_path, name, make):
    for file in (weights, weights.with_suffix(".json")):
        shutil.copy(file, tmp_path / f"small{file.suffix}")
        shutil.copy(file, tmp_path / f"whole{file.suffix}")
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)
    engines = load_engines(tmp_path)
    is_measured = path.parent.name == "measured"
    assert [*engines] == (["small", "whole"] if name != "small.json" else ["whole"])
    assert [*engines.refused] == ([] if is_measured else [path.stem])
    assert all("it is no file" in why for why in engines.refused.values())
    if path.suffix == ".safetensors" and not (is_measured or path.is_dir()):
        with pytest.raises(WeightsError, match="it is no file"):
            load_engines(path)


def test_weights_that_were_exchanged_meanwhile_are_not_taken_for_its_own(
    weights, tmp_path
):
    for file in (weights, weights.with_suffix(".json")):
        shutil.copy(file, tmp_path)
    exchanged = tmp_path / weights.name
    engine = load_engines(exchanged)["tiny"]
    save_weights(exchanged, ARCHITECTURE, CapsNet(SIZES), {"title": "Tiny"})
    with pytest.raises(DamagedFile, match="start the server again"):
        engine.weights(["digits.transforms"])
    exchanged.unlink()
    with pytest.raises(DamagedFile, match=r"cannot read the weight file tiny\.safe"):
        engine.weights(["digits.transforms"])
    assert engine.info.can.gradient  # and so an attack meets the same
    with pytest.raises(DamagedFile, match="put it back"):
        engine.gradient(np.zeros((1, 1, 12, 12), np.float32), [0])


def test_two_digits_are_named_and_each_is_decoded_on_its_own(tmp_path):
    """On the larger grid of 36 x 36 pixels, a trace told again from the definition."""
    torch.manual_seed(4)
    network = CapsNet(
        CapsNetConfig(
            **square(36),
            conv1_kernels=3,
            primary_types=3,
            primary_dim=2,
            classes=3,
            digit_dim=4,
            decoder_hidden=(5, 6),
        )
    )
    with torch.no_grad():
        network.primary.convolution.weight.mul_(4)
        network.digits.transforms.mul_(10)
    path = tmp_path / "pairs.safetensors"
    save_weights(
        path, ARCHITECTURE, network, {"present": {"at_most": 2, "threshold": 0.2}}
    )
    engine, network = load_engines(path)["pairs"], load_weights(path).network.double()
    picture = np.random.default_rng(0).random((1, 36, 36), dtype=np.float32)
    trace = engine.trace(ask(picture, [*SENT, "votes", "votes.1"]))

    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    of_image = sliding_window_view(picture[0].astype(float), (9, 9))
    maps = np.einsum("rcyx,kyx->krc", of_image, weights["conv1.weight"][:, 0])
    maps = maps + weights["conv1.bias"][:, None, None]
    close(trace.tensors["conv1.pre"], maps)
    maps = maps.clip(min=0)
    close(trace.tensors["conv1.relu"], maps)
    of_maps = sliding_window_view(maps, (9, 9), axis=(1, 2))[:, ::2, ::2]
    kernels = weights["primary.convolution.weight"].reshape(3, 2, 3, 9, 9)
    biases = weights["primary.convolution.bias"].reshape(3, 1, 1, 2)
    primary = np.einsum("krcyx,tdkyx->trcd", of_maps, kernels) + biases
    assert primary.shape == (3, 10, 10, 2)
    close(trace.tensors["primary.pre"], primary)
    close(trace.tensors["primary.capsules"], squash(primary))
    norms = np.linalg.norm(squash(primary), axis=-1)
    close(trace.tensors["primary.lengths"], norms)
    votes = np.einsum(
        "ijdp,ip->ijd", weights["digits.transforms"], squash(primary).reshape(300, 2)
    )
    close(trace.tensors["votes"].reshape(votes.shape), votes)
    close(trace.tensors["votes.1"], trace.tensors["votes"][..., 1, :])
    steps = procedure_1(torch.from_numpy(votes), 3)
    names = ("logits", "couplings", "capsules", "agreement")
    for step_index, step in enumerate(steps):
        for name, expected in zip(names, step, strict=True):
            routing = trace.tensors[f"routing.{name}"][step_index]
            close(routing.reshape(expected.shape), expected)
    close(trace.tensors["digits.capsules"], steps[-1][2])
    lengths = steps[-1][2].norm(dim=1)
    close(trace.tensors["scores"], lengths)
    best = lengths.argsort(descending=True).tolist()
    assert list(trace.present) == [digit for digit in best[:2] if lengths[digit] >= 0.2]
    assert len(trace.present) == 2
    for label in range(3):  # an absent class, too
        pose = trace.tensors["digits.capsules"][label]
        drawn = engine.reconstruct(label, pose[None])
        alone = torch.zeros(1, 3, 4, dtype=torch.float64)
        alone[0, label] = torch.from_numpy(pose)
        expected = network.decoder.layers(alone.flatten(1)).detach()
        close(drawn, expected.reshape(1, 1, 36, 36))
