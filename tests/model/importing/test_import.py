"""Weights of our own networks in every usual file: found again, or refused."""

import io
import pickle
import sys
import zipfile
from dataclasses import replace

import h5py
import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from capsnet_explorer.cli import main
from capsnet_explorer.model.architectures import ARCHITECTURES, architecture_named
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.efficient.architecture import ARCHITECTURE as EFFICIENT
from capsnet_explorer.model.importing import files
from capsnet_explorer.model.importing.matching import needed_shapes
from capsnet_explorer.model.importing.ways import choices_of
from capsnet_explorer.model.weights import load_weights
from tests.idx import write_idx
from tests.tiny import UNLIKE_SIZES

CLASSES = UNLIKE_SIZES.classes
SIDE = UNLIKE_SIZES.image_rows


def drawn(count, seed=0):
    """Five strokes, of which none is another's mirror image, with noise: uint8."""
    random = np.random.default_rng(seed)
    labels = np.arange(count) % CLASSES
    images = random.uniform(0, 60, (count, SIDE, SIDE))
    for image, label in zip(images, labels, strict=True):
        move = random.integers(-1, 2)
        match label:
            case 0:
                image[2 + move, 1:9] = 255
            case 1:
                image[3:, 8 + move] = 255
            case 2:
                image[range(2, 9), range(1, 8)] = 255
            case 3:
                image[8 + move, 2:6] = image[4:9, 2] = 255
            case 4:
                image[3:6, 4 + move : 9 + move] = 255
    return images.astype(np.uint8), labels


def trained(architecture, network, steps=80):
    """Return a network that has learned the strokes."""
    images, labels = drawn(200)
    pixels = torch.from_numpy(images).float()[:, None] / 255
    present = torch.nn.functional.one_hot(torch.from_numpy(labels), CLASSES).float()
    loss = architecture.settings.loss()
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    for step in range(steps):
        part = slice(40 * (step % 5), 40 * (step % 5) + 40)
        trace = network(pixels[part])
        total = architecture.class_loss(trace, present[part], loss).mean()
        total = total + architecture.reconstruction_loss(trace, pixels[part], loss)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    return network.eval()


@pytest.fixture(scope="module")
def networks():
    """One of each kind, trained once."""
    found = {}
    for mistake in ("none", "view", "axis"):
        torch.manual_seed(1)
        config = replace(UNLIKE_SIZES, mistake=mistake)
        # Over the capsules, couplings are small, and lengths grow slowly.
        steps = 240 if mistake == "axis" else 80
        found[mistake] = trained(ARCHITECTURE, CapsNet(config), steps)
    return found


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "strokes"
    folder.mkdir()
    for part, seed in (("train", 1), ("t10k", 2)):
        images, labels = drawn(200, seed)
        write_idx(folder / f"{part}-images-idx3-ubyte", images)
        write_idx(folder / f"{part}-labels-idx1-ubyte", labels)
    return folder


@pytest.fixture
def run(tmp_path, data, capsys):
    """Import a file; return the exit code, what was printed, and the weight file."""

    def run(file, *more, dataset=True):
        out = tmp_path / "out" / "mine.safetensors"
        named = ["--dataset", "idx", "--data", str(data)] if dataset else []
        code = main(["import", str(file), "--out", str(out), *named, *more])
        printed = capsys.readouterr()
        return code, printed.out, printed.err, out

    return run


def state(network):
    return {name: each.clone() for name, each in network.state_dict().items()}


def renamed(tensors, *, prefix="module."):
    """Other people's names for the tensors of a CapsNet."""
    names = {
        "conv1": "features.0",
        "primary.convolution": "caps.conv",
        "digits.transforms": "routing.W",
        "decoder.layers": "recon",
    }
    found = {}
    for name, tensor in tensors.items():
        for own, theirs in names.items():
            name = name.replace(own, theirs)
        found[prefix + name] = tensor
    return found


def as_keras(tensors):
    """Turn axes as TensorFlow has them: kernels last, matrices transposed."""
    found = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 4 and "transforms" not in name:
            tensor = tensor.permute(2, 3, 1, 0)
        elif tensor.ndim == 2:
            tensor = tensor.mT
        found[name] = tensor.contiguous()
    return found


def listed_by_place(tensors, config):
    """List capsules place by place, and maps number by number."""
    types, rows, columns = config.primary_grid
    found = dict(tensors)
    for name in ("primary.convolution.weight", "primary.convolution.bias"):
        cut = found[name].unflatten(0, (types, config.primary_dim))
        found[name] = cut.transpose(0, 1).flatten(0, 1).contiguous()
    name = "digits.transforms"
    grid = found[name].unflatten(0, (types, rows, columns))
    found[name] = grid.movedim(0, 2).flatten(0, 2).movedim(1, 3)[None].contiguous()
    return found


def write_pt(path, tensors):
    torch.save(tensors, path)


def write_checkpoint(path, tensors):
    moment = {0: {"exp_avg": torch.zeros(3)}}
    torch.save(
        {"epoch": 3, "model_state_dict": tensors, "optimizer": {"state": moment}}, path
    )


def write_npz(path, tensors):
    np.savez(path, **{name: each.numpy() for name, each in tensors.items()})


def write_one_array(path, tensors):
    """An array with a field for each tensor, as `np.save` writes it."""
    fields = [(name, "f4", tuple(each.shape)) for name, each in tensors.items()]
    record = np.array([tuple(each.numpy() for each in tensors.values())], fields)
    with path.open("wb") as file:
        np.save(file, record)


def in_layers(tensors):
    """The arrays of each layer of a CapsNet, kernels first, as Keras lists them."""
    layers = {}
    for name, each in as_keras(tensors).items():
        layers.setdefault(name.rpartition(".")[0], []).append(each.numpy())
    return [*layers.values()]


# What Keras 3.15 calls the layers of such a network in each of its files. Only the old
# one has the names that people give.
IN_H5 = (
    *("conv1/conv1", "primarycap_conv2d/primarycap_conv2d", "digitcaps/digitcaps"),
    *(f"decoder/decoder/{name}" for name in ("dense", "dense_1", "dense_2")),
)
IN_KERAS = (
    *("conv2d", "conv2d_1", "capsule_layer"),
    *(f"sequential/layers/{name}" for name in ("dense", "dense_1", "dense_2")),
)


def write_h5(path, tensors):
    """As `model.save` writes it, with what the optimiser keeps of each tensor."""
    with h5py.File(path, "w") as file:
        for layer, arrays in zip(IN_H5, in_layers(tensors), strict=True):
            names = ("kernel", "bias") if len(arrays) > 1 else ("W",)
            for name, array in zip(names, arrays, strict=True):
                file[f"model_weights/{layer}/{name}"] = array
                flat = layer.rpartition("/")[2]
                for kept in ("momentum", "velocity"):
                    file[f"optimizer_weights/adam/{flat}_{name}_{kept}"] = array
        file["optimizer_weights/adam/iteration"] = np.int64(3)


def write_weights_h5(path, tensors):
    """As `model.save_weights` writes it: layers by their kind, tensors by number."""
    with h5py.File(path, "w") as file:
        number = 2
        for layer, arrays in zip(IN_KERAS, in_layers(tensors), strict=True):
            for index, array in enumerate(arrays):
                file[f"layers/{layer}/vars/{index}"] = array
                for _ in range(2):
                    file[f"optimizer/vars/{number}"] = array
                    number += 1
        file["optimizer/vars/0"] = np.int64(3)
        file["optimizer/vars/1"] = np.float32(0.001)


def write_keras(path, tensors):
    inner = io.BytesIO()
    write_weights_h5(inner, tensors)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", "{}")
        archive.writestr("config.json", "{}")
        archive.writestr("model.weights.h5", inner.getvalue())


WRITERS = {
    "net.pt": write_pt,
    "net.ckpt": write_checkpoint,
    "net.pth.tar": write_checkpoint,
    "net.safetensors": lambda path, tensors: save_file(tensors, path),
    "net.npz": write_npz,
    "one.npz": write_one_array,
    "net.h5": write_h5,
    "net.weights.h5": write_weights_h5,
    "net.keras": write_keras,
}


def answers(network):
    with torch.no_grad():
        images = torch.from_numpy(drawn(30, 7)[0]).float()[:, None] / 255
        trace = network(images)
    return trace.scores, trace.reconstruction


def assert_same(path, network):
    found = load_weights(path).network
    for own, imported in zip(answers(network), answers(found), strict=True):
        if own is not None:
            # The file holds half precision.
            torch.testing.assert_close(imported, own, atol=5e-3, rtol=0)


@pytest.mark.parametrize(
    ("name", "like"),
    [
        *((each, "net.pt") for each in ("net.ckpt", "net.pth.tar", "net.safetensors")),
        ("net.npz", "net.pt"),
        ("net.weights.h5", "net.keras"),
    ],
)
def test_files_of_one_network_hold_the_same_tensors(name, like, tmp_path):
    tensors = renamed(listed_by_place(state(CapsNet(UNLIKE_SIZES)), UNLIKE_SIZES))
    found = []
    for each in (name, like):
        WRITERS[each](tmp_path / each, tensors)
        found.append(files.read_tensors(tmp_path / each))
    torch.testing.assert_close(*found, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["net.pt", "one.npz", "net.h5", "net.keras"])
def test_a_capsnet_comes_back_from_a_file_of_each_kind(name, networks, run, tmp_path):
    network = networks["none"]
    tensors = listed_by_place(state(network), UNLIKE_SIZES)
    path = tmp_path / name
    WRITERS[name](path, renamed(tensors))
    code, printed, error, out = run(path)
    assert code == 0, error
    assert_same(out, network)
    assert "iterations: 3" in printed
    assert "order of the primary capsules: by rows, columns, types" in printed
    assert ": misreads 0 of 200 test images of strokes" in printed
    assert load_weights(out).card["imported"]["file"] == name


@pytest.mark.parametrize("mistake", ["view", "axis"])
def test_what_a_network_computes_otherwise_is_found(mistake, networks, run, tmp_path):
    path = tmp_path / "net.pt"
    write_pt(path, renamed(state(networks[mistake])))
    code, _, error, out = run(path)
    assert code == 0, error
    assert load_weights(out).network.config.mistake == mistake
    assert_same(out, networks[mistake])


def test_votes_of_all_classes_in_one_matrix_come_back(networks, run, tmp_path):
    tensors = state(networks["none"])
    votes = tensors["digits.transforms"]  # (capsules, classes, their size, size)
    tensors["digits.transforms"] = votes.flatten(1, 2).mT.contiguous()
    path = tmp_path / "net.pt"
    write_pt(path, renamed(tensors))
    code, _, error, out = run(path)
    assert code == 0, error
    assert_same(out, networks["none"])


def test_a_capsnet_without_a_decoder_comes_back_and_draws_nothing(
    networks, run, tmp_path
):
    network = networks["none"]
    tensors = {
        name: each
        for name, each in listed_by_place(state(network), UNLIKE_SIZES).items()
        if not name.startswith("decoder.")
    }
    path = tmp_path / "net.pt"
    write_pt(path, renamed(tensors))
    code, printed, error, out = run(path)
    assert code == 0, error
    assert "the file has no decoder" in printed
    assert "decoder." not in printed
    found = load_weights(out)
    assert not found.can.reconstruct
    assert all(layer.kind != "decoder" for layer in found.layers)
    assert found.parameter_count == sum(each.numel() for each in tensors.values())
    torch.testing.assert_close(
        answers(found.network)[0], answers(network)[0], atol=5e-3, rtol=0
    )
    assert "reconstruction_mse" not in found.card


OF_OTHERS = {
    EFFICIENT: {
        **{"kernels": (4, 6, 5, 12), "kernel_sizes": (3, 3, 3, 3)},
        **{"primary_dim": 4, "class_dim": 7},
    },
}


@pytest.mark.parametrize("architecture", OF_OTHERS, ids=lambda each: each.name)
@pytest.mark.parametrize("name", ["net.pt", "net.npz"])
def test_a_state_of_another_network_of_this_project_comes_back(
    name, architecture, run, tmp_path
):
    torch.manual_seed(5)
    config = architecture.settings.sizes(
        image_rows=SIDE,
        image_columns=SIDE,
        classes=CLASSES,
        decoder_hidden=(8, 9),
        **OF_OTHERS[architecture],
    )
    network = architecture.build(config).eval()
    path, expected = tmp_path / name, tmp_path / "answers.npz"
    prefix = "module." if name == "net.pt" else ""
    own = {f"{prefix}{key}": each for key, each in state(network).items()}
    WRITERS[name](path, own)
    images = torch.from_numpy(drawn(20, 9)[0]).float()[:, None] / 255
    with torch.no_grad():
        np.savez(expected, images=images, scores=network(images).scores)
    code, _, error, out = run(path, "--expected", str(expected))
    assert code == 0, error
    assert_same(out, network)


def refused(result):
    code, _, error, out = result
    assert code == 2
    assert error.count("\n") == 1
    assert not out.exists()
    return error


def test_random_numbers_read_nothing(run, tmp_path):
    torch.manual_seed(3)
    path = tmp_path / "random.pt"
    write_pt(path, state(CapsNet(UNLIKE_SIZES)))
    assert "reads the test images: the best misreads" in refused(run(path))


def test_ways_that_fit_equally_are_refused_and_answers_decide(
    networks, run, tmp_path, monkeypatch
):
    """With too few images, chance could explain which way is better."""
    from capsnet_explorer.model.importing import deciding

    network = networks["none"]
    path = tmp_path / "net.pt"
    write_pt(path, state(network))
    monkeypatch.setattr(deciding, "LAST", 3)
    message = refused(run(path))
    assert "two ways to read it fit 3 images equally well" in message
    assert "--expected" in message

    images = torch.from_numpy(drawn(20, 9)[0]).float()[:, None] / 255
    with torch.no_grad():
        scores = network(images).scores
    expected = tmp_path / "answers.npz"
    np.savez(expected, images=images.numpy(), scores=scores.numpy())
    monkeypatch.setattr(deciding, "LAST", 20)
    code, printed, error, out = run(path, "--expected", str(expected))
    assert code == 0, error
    assert "its answers differ from those expected by at most" in printed
    assert_same(out, network)

    np.savez(expected, images=images.numpy(), scores=scores.roll(1, 1).numpy())
    out.unlink()
    message = refused(run(path, "--expected", str(expected)))
    assert "with the answers expected: the nearest is off by" in message


def test_a_network_that_routes_otherwise_is_not_taken_for_one_of_ours(
    networks, run, tmp_path
):
    """Scores of another arithmetic: right by their order, and no trained CapsNet's."""
    tensors = state(networks["none"])
    tensors["digits.transforms"] = tensors["digits.transforms"] * 0.03
    path = tmp_path / "net.pt"
    write_pt(path, tensors)
    message = refused(run(path))
    assert "its scores are not those of a trained CapsNet" in message


class Payload:
    def __reduce__(self):
        return print, ("executed",)


def spoilt(tmp_path, name, networks):
    """Return a file that is refused."""
    path = tmp_path / name
    tensors = state(networks["none"])
    match name:
        case "pickled.pt":
            torch.save({"state_dict": tensors, "what": Payload()}, path)
        case "old.pth":
            path.write_bytes(pickle.dumps(Payload()))
        case "cut.safetensors" | "cut.npz" | "cut.h5" | "cut.keras" | "cut.pt":
            path.write_bytes(b"no such file")
        case "net.onnx":
            path.write_bytes(b"")
        case "other.keras":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("config.json", "{}")
        case "objects.npz":
            np.savez(path, weights=np.array([{}], dtype=object))
        case "nan.pt":
            tensors["conv1.bias"][0] = float("nan")
            torch.save(tensors, path)
        case "less.pt":
            del tensors["conv1.bias"]
            torch.save(tensors, path)
        case "more.pt":
            torch.save({**tensors, "prior": torch.zeros(5, 48)}, path)
        case "numbers.pt":
            torch.save({"epoch": 3}, path)
        case "unlike.pt":
            torch.save({"weight": torch.zeros(2, 3)}, path)
    return path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pickled.pt", "would run code: load it where it was made"),
        ("old.pth", "would run code: load it where it was made"),
        ("cut.safetensors", "cannot be read as .safetensors"),
        ("cut.npz", "cannot be read as .npz"),
        ("cut.h5", "cannot be read as .h5"),
        ("cut.keras", "cannot be read as .keras"),
        ("cut.pt", "would run code"),
        ("net.onnx", "must end in .pt, "),
        ("other.keras", "holds no model.weights.h5"),
        ("objects.npz", "cannot be read as .npz"),
        ("nan.pt", "conv1.bias holds values that are not finite"),
        ("less.pt", "read as a CapsNet, it lacks"),
        ("more.pt", "it also holds prior of 5×48, which has no place"),
        ("numbers.pt", "holds no tensors"),
        ("unlike.pt", "has not the tensors of any network of this project"),
        ("missing.pt", "there is no file"),
    ],
)
def test_what_is_no_such_file_is_refused_in_a_sentence(
    name, message, networks, run, tmp_path
):
    result = run(spoilt(tmp_path, name, networks))
    assert message in refused(result)
    assert "executed" not in result[1]


def test_without_h5py_it_is_said_what_to_install(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    path = tmp_path / "net.h5"
    path.write_bytes(b"")
    assert files.NO_H5PY in refused(run(path))


def test_the_weight_file_must_be_one(networks, run, tmp_path, capsys):
    path = tmp_path / "net.pt"
    write_pt(path, state(networks["none"]))
    assert main(["import", str(path), "--out", str(tmp_path / "net.bin")]) == 2
    assert "--out must end in .safetensors" in capsys.readouterr().err


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_file_with_a_networks_own_names_and_shapes_leaves_its_axes_alone(name):
    architecture = architecture_named(name)
    config = architecture.settings.sizes()
    needed = needed_shapes(architecture, config)
    built = architecture.build(config).state_dict()
    assert needed == {name: tuple(each.shape) for name, each in built.items()}
    assert choices_of({each: each for each in needed}, needed, needed, []) == []
    other, *rest = needed
    names = {other: "elsewhere", **{each: each for each in rest}}
    shapes = {"elsewhere": needed[other], **{each: needed[each] for each in rest}}
    assert len(choices_of(names, shapes, needed, [])) == len(needed)
