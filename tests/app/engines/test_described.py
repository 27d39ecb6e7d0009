"""A described network, served: what every network of the page is asked."""

import gc
import json
import os
import socket
import sys
import urllib.request
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import capsnet_explorer as ce
from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.protocol import Attack, AttackQuestion, Question
from capsnet_explorer.app.engines.torch import (
    DescribedEngine,
    Engines,
    described_engines,
    open_described,
)
from capsnet_explorer.app.site import writing
from capsnet_explorer.exploring import serve
from capsnet_explorer.model.described.files import networks_named
from tests.model.described import styles

IMAGES = styles.images()


def described(net, *more, transforms=None, images=IMAGES, **facts):
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.primary, size=8, below="conv1"),
        ce.Routing("routing", transforms or (lambda: net.W), below="primary"),
        ce.Classes(),
        *more,
    ]
    return ce.describe(net, layers, images, **{"title": "Mine"} | facts)


@pytest.fixture(scope="module")
def net():
    return styles.Viewed().eval()


@pytest.fixture(scope="module")
def engine(net):
    decoder = ce.Decoder(net.decoder)
    return DescribedEngine(described(net, decoder, transforms=lambda: net.weight))


def traced(engine, image, names, **options):
    return engine.trace(Question(image, engine.options(options), names))


def test_every_tensor_and_weight_that_is_listed_is_answered(engine):
    info = engine.info
    assert [layer.kind for layer in info.layers] == [
        *("convolution", "capsules", "routing", "classes", "decoder")
    ]
    names = tuple(tensor.name for tensor in info.tensors)
    tensors = traced(engine, IMAGES[0].numpy(), names).tensors
    assert {name: tensor.shape for name, tensor in tensors.items()} == {
        tensor.name: tensor.shape for tensor in info.tensors
    }
    for layer in info.layers:
        engine.weights([*layer.weights.values()])
    engine.weights([weight.name for weight in info.weights])


def test_batch_norm_is_part_of_the_kernels():
    class Normed(styles.Padded):
        def forward(self, x):
            return self.routed(self.capsules(self.norm(self.conv1(x)).relu()))

    engine = DescribedEngine(described(Normed()))
    assert engine.info.layers[0].kind == "convolution"
    (kernels, bias) = engine.weights(["conv1.kernels", "conv1.bias"]).values()
    pre = traced(engine, IMAGES[0].numpy(), ("conv1.pre",)).tensors["conv1.pre"]
    window = IMAGES[0, 0, :5, :5].numpy()  # padded by two
    assert pre[5, 2, 2] == pytest.approx(
        (kernels[5] * window).sum() + bias[5], abs=1e-5
    )


def test_what_a_convolution_cannot_show_is_shown_as_a_tensor():
    engine = DescribedEngine(described(styles.Padded()))  # with a leaky ReLU
    assert engine.info.layers[0].kind == "tensor"


def test_a_silenced_capsule_has_no_vote(engine, net):
    image = IMAGES[1]
    trace = traced(engine, image.numpy(), ("scores",), silence=[3, 7])
    hook = net.primary.register_forward_hook
    with torch.no_grad():

        def silence(_part, _read, maps):
            capsules = maps.view(1, -1, 8).clone()
            capsules[:, [3, 7]] = 0
            return capsules.view_as(maps)

        handle = hook(silence)
        scores, _ = net(image[None])
        handle.remove()
    np.testing.assert_allclose(trace.tensors["scores"], scores[0], atol=1e-5)


def test_a_pinned_coupling_stays(engine):
    pin = [{"capsule": 5, "digit": 2, "coupling": 0.75}]
    trace = traced(engine, IMAGES[0].numpy(), ("routing.couplings",), pin=pin)
    couplings = trace.tensors["routing.couplings"]
    np.testing.assert_allclose(couplings[:, 5, 2], 0.75)
    np.testing.assert_allclose(couplings[:, 5].sum(-1), 1, atol=1e-6)


def test_images_of_a_batch_do_not_touch_each_other():
    net = styles.Shared().eval()
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.units, size=8, below="conv1"),
        ce.Routing("routing", lambda: net.W, below="primary"),
    ]
    engine = DescribedEngine(ce.describe(net, layers, IMAGES))
    options = engine.options({})
    questions = [Question(image.numpy(), options, ("poses",)) for image in IMAGES]
    for image, trace in zip(IMAGES, engine.trace_many(questions), strict=True):
        with torch.no_grad():
            poses = net(image[None])[0, ..., 0]
        np.testing.assert_allclose(trace.tensors["poses"], poses, atol=1e-5)


def test_a_moved_pose_is_drawn_by_the_modules_decoder(engine, net):
    pose = np.linspace(-0.3, 0.3, 6, dtype=np.float32)[None]
    row = torch.zeros(1, 10, 6)
    row[:, 4] = torch.from_numpy(pose)
    with torch.no_grad():
        decoded = net.decoder(row.flatten(1)).view(1, 1, 16, 16)
    np.testing.assert_allclose(engine.reconstruct(4, pose), decoded, atol=1e-6)


def test_the_gradient_is_that_of_the_gap(engine):
    image = IMAGES[:1].numpy().astype(np.float32)
    slope = engine.gradient(image, [2])
    pixel = (0, 0, 8, 8)
    moved = []
    for step in (1e-2, -1e-2):
        changed = image.copy()
        changed[pixel] += step
        moved.append(engine.gradient(changed, [2]).values[0])
    assert slope.gradient[pixel] == pytest.approx(
        (moved[0] - moved[1]) / 2e-2, rel=0.1, abs=1e-4
    )


def test_the_gap_is_of_what_does_not_level_off(engine):
    """Of the lengths' log-odds, which have a slope where the lengths are nearly 1."""
    image = IMAGES[:1].numpy().astype(np.float32)
    question = Question(image[0], engine.options({}), ("scores",))
    lengths = engine.trace(question).tensors["scores"].astype(np.float64)
    assert 0 < lengths.min() < lengths.max() < 1
    odds = np.log(lengths / (1 - lengths))
    expected = np.delete(odds, 2).max() - odds[2]
    assert engine.gradient(image, [2]).values[0] == pytest.approx(expected, rel=1e-3)


def test_an_attack_widens_the_gap_and_leaves_the_module_alone(engine, net):
    before = {name: value.clone() for name, value in net.state_dict().items()}
    question = AttackQuestion(
        image=IMAGES[0].numpy().astype(np.float64),
        label=1,
        target=None,
        epsilons=(0.0, 0.2),
        attack=Attack(method="fgsm"),
        of="gap",
        through="full",
        options=engine.options({}),
        names=("scores",),
    )
    attack = engine.attack(question)
    gaps = [
        np.delete(trace.tensors["scores"], 1).max() - trace.tensors["scores"][1]
        for trace in attack.traces
    ]
    assert gaps[1] > gaps[0]
    for name, value in net.state_dict().items():
        assert torch.equal(value, before[name])
    assert all(parameter.grad is None for parameter in net.parameters())
    assert all(parameter.requires_grad for parameter in net.parameters())


def is_free(port):
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError:
        return True
    return False


def test_the_page_is_served_and_its_port_freed(net):
    mine = described(net, transforms=lambda: net.weight)
    page = mine.explore()  # the shipped network reads larger images
    port = int(page.address.split(":")[2].strip("/"))
    with urllib.request.urlopen(f"{page.address}api/models") as answer:
        assert len(json.load(answer)["models"]) == 1
    with urllib.request.urlopen(page.address) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert b"CapsNet Explorer" in answer.read()
    assert "frame-ancestors 'self' http://localhost:*" in policy
    assert f'<iframe src="{page.address}"' in page._repr_html_()
    page.stop()
    page.stop()
    assert is_free(port)
    assert "stopped" in page._repr_html_()
    page = mine.explore(beside=None, host="localhost")
    port = int(page.address.split(":")[2].strip("/"))
    assert not is_free(port)
    del page
    gc.collect()
    assert is_free(port)
    with pytest.raises(ValueError, match="of this machine alone"):
        serve(mine, host="0.0.0.0")
    with pytest.raises(ValueError, match=r"of this machine, .*got ''"):
        serve(mine, host="")


def test_what_is_explored_is_published_too(net, monkeypatch, tmp_path, capsys):
    arguments = {}

    def write(folder, engines, **settings):
        arguments.update(folder=folder, networks=[*engines], **settings)
        return {"networks": 40_000_000, "static": 2_000_000}

    monkeypatch.setattr(writing, "write_site", write)
    mine = described(net, transforms=lambda: net.weight)
    mine.site(str(tmp_path), title="Paper")
    wanted = {"folder": tmp_path, "networks": [*described_engines([mine])]}
    assert arguments == {**wanted, "title": "Paper"}
    assert f"42 MB are in {tmp_path}" in capsys.readouterr().out


def test_a_cell_that_is_run_again_replaces_its_server(net, monkeypatch):
    mine = described(net, transforms=lambda: net.weight)
    cell = {"metadata": {"cellId": "one"}}
    shell = SimpleNamespace(get_parent=lambda: cell)
    notebook = SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    ports = []

    def run():
        page = mine.explore(beside=None)
        ports.append(int(page.address.split(":")[2].strip("/")))
        return page

    first, again = run(), run()
    assert is_free(ports[0])
    assert not is_free(ports[1])
    assert "stopped" in repr(first)
    cell["metadata"] = {"cellId": "another"}
    other = run()
    assert not is_free(ports[1])
    for page in (again, other):
        page.stop()


NETWORK = """
import capsnet_explorer as ce
import torch
from model import Net, KIND

net = Net()
images = torch.rand(2, 1, 12, 12)
ce.describe(net, [ce.Convolution("conv", net.conv), ce.Dense("out", net.out, "conv"),
                  ce.Classes()], images, title=KIND).explore()
"""

MODEL = """
from torch import nn

KIND = "{kind}"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.out = nn.Linear(200, 3)

    def forward(self, images):
        return self.out(self.conv(images).relu().flatten(1))
"""


def test_the_environment_names_files_as_path_does(tmp_path):
    files = [tmp_path / "first.py"]
    named = f"{tmp_path / 'a.py'}{os.pathsep}{os.pathsep}{tmp_path / 'b.py'}"
    assert networks_named(files, {"CAPSNET_NETWORKS": named}) == [
        *files,
        tmp_path / "a.py",
        tmp_path / "b.py",
    ]
    assert networks_named(files, {}) == files


PACKAGE = """
def net():
    import capsnet_explorer as ce
    from tests.model.described import styles

    own = styles.Paper().eval()
    layers = [
        ce.Convolution("conv1", own.conv1),
        ce.Capsules("primary", own.primary, size=8, below="conv1"),
        ce.Routing("routing", lambda: own.W, below="primary"),
    ]
    return ce.describe(own, layers, styles.images(), title="Of a package")


def broken():
    raise RuntimeError("no weights here")
"""


def test_packages_offer_networks_by_an_entry_point(tmp_path, monkeypatch):
    """As an installed package does: by what stands beside it in `entry_points.txt`."""
    (tmp_path / "offering_nets.py").write_text(PACKAGE)
    metadata = tmp_path / "offering_nets-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: offering-nets\n")
    (metadata / "entry_points.txt").write_text(
        "[capsnet_explorer.networks]\n"
        "offered = offering_nets:net\nbroken = offering_nets:broken\n"
        "absent = offering_nets:absent\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    engines = Engines()
    open_described(engines, [])
    assert {id: engine.info.title for id, engine in engines.items()} == {
        "offered": "Of a package"
    }
    assert engines.refused["broken"] == "RuntimeError: no weights here"
    assert "absent" in engines.refused["absent"]


def test_images_of_a_described_network_can_be_browsed(net):
    mine = described(net, transforms=lambda: net.weight, images=IMAGES[:2])
    client = create_app(described_engines([mine])).test_client()
    listed = client.get("/api/datasets").json["datasets"]
    sets = {dataset["id"]: dataset for dataset in listed}
    images = sets["described-mine-test"]
    assert (images["title"], images["count"]) == ("Your 2 images for Mine", 2)
    digits = client.get("/api/datasets/described-mine-test/digits").json["digits"]
    assert [digit["label"] for digit in digits] == [None, None]
    expected = (255 * IMAGES[0, 0]).round() / 255
    np.testing.assert_allclose(digits[0]["image"], expected, atol=1e-6)
    tested = client.get("/api/models/mine/tested?first=0&count=2")
    assert tested.status_code == 404


def test_images_whose_channels_lie_last_in_memory_are_browsed():
    net = torch.nn.Conv2d(3, 2, 16)
    rows = torch.rand(2, 16, 16, 3)
    mine = ce.describe(
        net,
        [ce.Convolution("conv", net), ce.Classes()],
        rows.permute(0, 3, 1, 2),
        call=lambda module, images: module(images).flatten(1),
    )
    client = create_app(described_engines([mine])).test_client()
    digits = client.get("/api/datasets/described-mine-test/digits")
    assert np.shape(digits.json["digits"][0]["image"]) == (3, 16, 16)


def test_images_that_are_no_pictures_are_not_browsed(net):
    layers = [ce.Convolution("conv1", net.conv1), ce.Values("all", net.primary)]
    mine = ce.describe(net, layers, IMAGES - 1, scores=lambda out: out[0])
    assert mine.pictures is None


def test_files_are_opened_each_with_its_own_model(tmp_path):
    files = []
    for kind in ("one", "two"):
        folder = tmp_path / kind
        folder.mkdir()
        (folder / "model.py").write_text(MODEL.format(kind=kind))
        (folder / f"{kind}_net.py").write_text(NETWORK)
        files.append(folder / f"{kind}_net.py")
    broken = tmp_path / "broken.py"
    broken.write_text("def build():\n    raise KeyError('weights')\n\n\nbuild()\n")
    empty = tmp_path / "empty.py"
    empty.write_text("")
    missing = tmp_path / "missing.py"
    weights = tmp_path / "weights.pt"
    weights.write_bytes(b"")
    engines = Engines()
    engines["there"] = object()
    every = [broken, *files, empty, missing, weights]
    traces = open_described(engines, every)
    assert [*engines] == ["one-net", "two-net", "there"]  # the first is the default
    del engines["there"]
    assert [engine.info.title for engine in engines.values()] == ["one", "two"]
    assert [engine.info.card["dataset"] for engine in engines.values()] == [
        *("described-one-net", "described-two-net")
    ]
    assert engines.refused["broken"] == "KeyError: 'weights'"
    assert "must call describe" in engines.refused["empty"]
    assert engines.refused["missing"] == "there is no file missing.py"
    assert "weights alone hold no network" in engines.refused["weights"]
    assert "in build" in traces["broken"]
    assert "described" not in traces["broken"]


def test_files_of_one_name_are_both_there_and_read_what_lies_beside_them(tmp_path):
    files = []
    for kind in ("one", "two", "three"):
        folder = tmp_path / kind
        folder.mkdir()
        (folder / "model.py").write_text(MODEL.format(kind=kind))
        (folder / "said.txt").write_text(kind)
        text = "import pathlib\npathlib.Path('said.txt').read_text()\n" + NETWORK
        (folder / "net.py").write_text(text if kind != "three" else "1 / 0")
        files.append(folder / "net.py")
    engines = Engines()
    open_described(engines, [*files, files[-1]])
    assert [*engines] == ["net", "net-2"]
    assert [*engines.refused] == ["net", "net-2"]


def test_labelled_images_stand_for_a_data_set_that_is_not_there(net, tmp_path):
    facts = {"images": IMAGES[:2], "dataset": "mnist", "labels": [3, 1]}
    mine = described(net, transforms=lambda: net.weight, **facts)
    app = create_app(described_engines([mine]), data_folder=tmp_path)
    client = app.test_client()
    listed = client.get("/api/datasets").json["datasets"]
    sets = {dataset["id"]: dataset for dataset in listed}
    test_set = sets["mnist-test"]
    assert (test_set["dataset"], test_set["count"]) == ("mnist", 2)
    assert "described-mine-test" not in sets
    tested = client.get("/api/models/mine/tested?first=0&count=2")
    assert tested.status_code == 200
