"""What writing a site needs, refuses and leaves alone."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load, save
from torch import nn

import capsnet_explorer as ce
from capsnet_explorer import ROOT
from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.torch import described_engines
from capsnet_explorer.app.site import runtime
from capsnet_explorer.app.site.command import engines_of, site
from capsnet_explorer.app.site.pages import _between_files
from capsnet_explorer.app.site.recording import _examples, _placed, _traces, in_order
from capsnet_explorer.app.site.writing import EDITION, _address, _index, site_of
from capsnet_explorer.cli import main
from capsnet_explorer.options import parser_of
from tests.model.described.published import by_agreement


def test_a_network_that_is_not_there_is_named(tmp_path: Path, capsys):
    with pytest.raises(ValueError, match=r"one of .*cnn-mnist.*, got no-such"):
        engines_of(["no-such"], ROOT / "weights")
    with pytest.raises(ValueError, match="names of their own"):
        engines_of(["cnn-mnist", "cnn-mnist"], ROOT / "weights")
    assert main(["site", str(tmp_path / "site"), "--network", "no-such"]) == 2
    assert not (tmp_path / "site").exists()


def test_networks_are_named_one_by_one_or_together():
    parser = parser_of(site, "site")
    options = parser.parse_args(["out", "--network", "a", "b", "--network", "c"])
    assert options.network == ["a", "b", "c"]
    assert vars(parser.parse_args(["out"])) == {"folder": Path("out")}


def test_one_sentence_tells_what_npm_has_to_bring(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"npm install onnxruntime-web@[\d.]+`"):
        runtime.runtime_files(tmp_path)
    (tmp_path / "package.json").write_text('{"version": "1.2.3"}')
    with pytest.raises(FileNotFoundError, match=r"got 1\.2\.3"):
        runtime.runtime_files(tmp_path)


def test_the_runtime_is_the_one_that_contributors_install():
    pinned = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    assert pinned[runtime.NAME] == runtime.VERSION


def test_hosts_know_the_types_of_all_that_runs(needs):
    needs("site")
    assert {Path(name).suffix for name in runtime.FILES} == {".js", ".wasm"}
    texts = runtime.licences()
    assert b"MIT License" in texts["onnxruntime.txt"]
    assert b"protobuf" in texts["others.txt"]


def test_an_address_says_the_name_and_the_content():
    assert _address("api/models.json", b"1") == _address("api/models.json", b"1")
    assert _address("api/models.json", b"1") != _address("api/models.json", b"2")
    address = _address("networks/a.reading.onnx", b"1")
    assert re.fullmatch(r"networks/a\.reading\.[0-9a-f]{16}\.onnx", address)
    entry = [address, 1]
    index = json.loads(
        _index({address: b"1", "static/v0/a.js": b"22"}, {"a": address}, [])
    )
    assert index["files"] == {"a": entry, "static/v0/a.js": ["static/v0/a.js", 2]}


def test_a_page_fetches_early_what_its_scripts_ask_for():
    links = partial(_between_files, {"api/models.json": "api/models.1.json"})
    assert links("", "api/models", "?brief=true", []) == "api/models.1.json"
    link = links("guide/1", "", "?present#view=classes", [""])
    assert link == "../index.html?present#view=classes"


def test_the_same_answer_is_the_same_file():
    tensors = {"b": np.arange(3, dtype=np.float32), "a": np.ones((2, 2), np.float16)}
    metadata = {name: "1" for name in ("version", "model", "present", "prediction")}
    files = [save(tensors, metadata=metadata) for _ in range(20)]
    assert len({in_order(file) for file in files}) == 1
    for name, values in load(in_order(files[0])).items():
        np.testing.assert_array_equal(values, tensors[name])


def test_a_network_for_pairs_has_the_pairs_recorded_that_it_opens_on(tmp_path: Path):
    engines = engines_of(["efficient-overlapping"], ROOT / "weights")
    client = create_app(engines, data_folder=tmp_path).test_client()
    samples = client.get("/api/samples").get_json()["samples"]
    others = [samples[0], next(e for e in samples if e["label"] != samples[0]["label"])]
    (engine,) = engines.values()
    images = _examples(others, engine.info)
    traces = dict(_traces(client, engine.info, ["input"], images))
    read = load(traces[others[0]["id"]])["input"].squeeze()
    first, other = (np.array(sample["image"]) for sample in others)
    wanted = np.zeros((36, 36))
    wanted[4:32, :28] += first
    wanted[4:32, 8:] += other
    np.testing.assert_allclose(read, np.minimum(wanted, 1), atol=1e-3)


class Cut(nn.Module):
    """Capsules, by an operator that ONNX lacks."""

    def forward(self, maps):
        capsules = maps.unflatten(1, (2, 4)).permute(0, 1, 3, 4, 2).flatten(1, 3)
        return 4 * torch.digamma(2 + capsules.sigmoid())


class Gamma(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.primary = nn.Conv2d(1, 8, 5), nn.Conv2d(8, 8, 5, stride=2)
        self.cut = Cut()
        self.W = nn.Parameter(torch.randn(32, 3, 6, 4))

    def forward(self, images):
        capsules = self.cut(self.primary(self.conv1(images).relu()))
        votes = torch.einsum("ijdp,bip->bijd", self.W, capsules)
        return by_agreement(votes, 3).norm(dim=-1)


def test_of_a_network_that_browsers_cannot_run_a_site_has_its_answers(needs):
    needs("site")
    torch.manual_seed(1)
    images = torch.rand(3, 1, 16, 16)
    net = Gamma()
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Values("primary", net.cut),
        ce.Routing("routing", lambda: net.W, "primary"),
        ce.Classes(),
    ]
    mine = ce.describe(net, layers, images, name="gamma")
    messages: list[str] = []
    engines = described_engines([mine])
    with site_of(engines, EDITION, runtime=None, say=messages.append) as (_, _, named):
        pass
    assert messages == [
        "gamma: ONNX has no operator digamma (in cut), so the page cannot run this "
        "network: it has what it answers to your 3 images, by iteration, and reads no "
        "drawing"
    ]
    assert not any(name.endswith(".onnx") for name in named)
    network = json.loads(named["networks/gamma.json"])
    assert network["lacks"] == "digamma (in cut)"
    assert network["recorded"][:3] == [f"described-gamma-test-{i}" for i in range(3)]
    digits = json.loads(named[f"api/datasets/{network['images']}/digits.json"])
    for index, digit in enumerate(digits["digits"]):
        trace = load(
            named[f"api/models/gamma/samples/described-gamma-test-{index}.safetensors"]
        )
        scores = net(torch.tensor(digit["image"]).view(1, 1, 16, 16))[0]
        np.testing.assert_allclose(trace["scores"], scores.detach(), atol=1e-3)
        assert trace["routing.couplings"].shape == (3, 32, 3)  # by iteration


def test_weights_are_found_in_the_networks_own_file():
    """By name, whole or row by row; and for any file of the same names and shapes."""
    kernels = np.arange(256, dtype=np.float16).reshape(4, 64)
    zeros, bias = np.zeros((2, 8), np.float32), np.zeros(8, np.float32)
    weights = save({"weight": kernels[[2, 0, 1, 3]], "conv.bias": bias, "empty": zeros})
    placed = _placed(save({"kernels": kernels, "conv.bias": bias}), weights)
    assert placed is not None
    pieces = {name: entry["pieces"] for name, entry in placed["tensors"].items()}
    rows = [("weight", 64 * row, 64) for row in (1, 2, 0, 3)]
    # Zeros stand in two places: the name tells which it is.
    assert pieces == {"kernels": rows, "conv.bias": [("conv.bias", 0, 8)]}
    assert _placed(save({"kernels": kernels}), save({"weight": kernels[:3]})) is None
    few = _placed(save({"other": bias[:4]}), weights)
    assert few is not None
    assert few["tensors"] == {"other": {"shape": [4], "values": [0, 0, 0, 0]}}
