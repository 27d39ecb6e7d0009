"""States of our own networks become weight files; what is no such state is refused."""

import json

import pytest
import torch
from safetensors.torch import save_file

from capsnet_explorer.cli import main
from capsnet_explorer.model.weights import load_weights, weight_file

NAME = "cnn-mnist"


@pytest.fixture
def state():
    network = load_weights(weight_file(NAME)).network
    return {name: tensor + 0.25 for name, tensor in network.state_dict().items()}


class Payload:
    def __reduce__(self):
        return print, ("executed",)


@pytest.mark.parametrize("given", ["plain", "wrapped", "safetensors"])
def test_a_state_comes_back_as_a_weight_file(given, state, tmp_path):
    file = tmp_path / ("net.safetensors" if given == "safetensors" else "net.pt")
    if given == "safetensors":
        save_file(state, file)
    else:
        prefix = "module." if given == "wrapped" else ""
        named = {f"{prefix}{name}": tensor for name, tensor in state.items()}
        torch.save({"state_dict": named} if prefix else named, file)
    out = tmp_path / "mine.safetensors"
    assert main(["import", str(file), "--out", str(out)]) == 0
    read = load_weights(out)
    assert read.architecture.name == "cnn"
    for name, tensor in read.network.state_dict().items():
        assert torch.equal(tensor, state[name].half().float())
    card = json.loads(out.with_suffix(".json").read_text())
    assert card["imported"]["file"] == file.name
    assert "test_error" not in card  # of other weights


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.pop("conv1.bias"), "has conv1.bias of 16, which it lacks"),
        (lambda state: state.update(more=torch.zeros(2)), "has no more"),
        (
            lambda state: state.update({"conv1.bias": torch.zeros(3)}),
            "has conv1.bias of 16, and it one of 3",
        ),
        (lambda state: state["conv1.bias"].fill_(1e6), "must hold finite numbers"),
        (lambda state: state.update(what=Payload()), "would run code"),
    ],
)
def test_what_is_no_state_of_it_is_refused(change, message, state, tmp_path, capsys):
    size = len(state["conv1.bias"])
    change(state)
    file, out = tmp_path / "net.pt", tmp_path / "mine.safetensors"
    torch.save(state, file)
    asked = ["import", str(file), "--out", str(out), "--like", NAME]
    assert main(asked) == 2
    said = capsys.readouterr()
    assert message.replace("16", str(size)) in said.err
    assert "executed" not in said.out
    assert not out.exists()
