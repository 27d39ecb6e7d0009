"""Weight files: written, read back, and refused when something is wrong."""

import hashlib
import json
import pickle

import pytest
import torch
from safetensors.torch import load, save

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.weights import (
    WeightsError,
    card_path,
    card_text,
    half_precision,
    load_weights,
    save_weights,
)


@pytest.fixture
def path(tmp_path, network):
    """A good weight file and its card."""
    path = tmp_path / "tiny.safetensors"
    save_weights(path, ARCHITECTURE, network, {"title": "Tiny", "test_error": 0.25})
    return path


def change_card(path, **changes):
    card = json.loads(card_path(path).read_text())
    kept = {key: value for key, value in (card | changes).items() if value is not None}
    card_path(path).write_text(json.dumps(kept))


def put(path, content):
    """Replace the weight file and let its card agree."""
    path.write_bytes(content)
    change_card(path, sha256=hashlib.sha256(content).hexdigest())


def change_tensors(path, change):
    tensors = load(path.read_bytes())
    change(tensors)
    put(path, save(tensors))


def refusal(path):
    """Return the one line with which loading is refused."""
    with pytest.raises(WeightsError) as caught:
        load_weights(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_weights_come_back_as_their_half_precision(path, network):
    loaded = load_weights(path).network
    before, after = network.state_dict(), loaded.state_dict()
    assert before.keys() == after.keys()
    for name, tensor in before.items():
        assert after[name].dtype == torch.float32
        assert torch.equal(after[name], tensor.half().float())


def test_a_loaded_network_is_ready_to_answer(path, network, sizes):
    loaded = load_weights(path).network
    assert loaded.config == sizes
    assert not loaded.training
    images = torch.rand(2, 1, 12, 12)
    torch.testing.assert_close(
        loaded(images).capsules, network(images).capsules, atol=2e-3, rtol=0
    )


def test_the_file_holds_half_precision_only(path):
    tensors = load(path.read_bytes())
    assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}


def test_the_card_keeps_its_words_and_names_the_file(path, sizes):
    card = load_weights(path).card
    assert (card["title"], card["test_error"]) == ("Tiny", 0.25)
    assert (card["architecture"], card["version"]) == ("capsnet", 2)
    assert card["config"]["conv1_kernels"] == sizes.conv1_kernels
    assert card["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_storing_a_stored_network_changes_nothing(network):
    once = half_precision(network)
    copy = CapsNet(network.config)
    copy.load_state_dict(once)
    assert all(torch.equal(once[name], half_precision(copy)[name]) for name in once)


def test_a_missing_weight_file_is_refused(tmp_path):
    assert "cannot read the weight file" in refusal(tmp_path / "none.safetensors")


def test_a_folder_in_place_of_a_file_is_refused(tmp_path):
    assert "cannot read the weight file" in refusal(tmp_path)


def test_a_missing_card_is_refused(path):
    card_path(path).unlink()
    assert "needs its card beside it" in refusal(path)
    assert "--network FILE" in refusal(path)


def test_weights_of_other_programs_name_the_way_in(tmp_path):
    path = tmp_path / "net.pt"
    path.write_bytes(b"PK")
    with pytest.raises(WeightsError, match=r"net\.pt: .* --network FILE"):
        load_weights(path)


@pytest.mark.parametrize("change", [lambda c: c[:-1], lambda c: c + b"\0"])
def test_another_length_than_the_cards_is_refused(path, change):
    path.write_bytes(change(path.read_bytes()))
    assert "is damaged: its SHA-256 differs from its card's" in refusal(path)


def test_one_flipped_bit_is_refused(path):
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(content)
    assert "is damaged" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 1000])
def test_a_file_that_is_not_safetensors_is_refused(path, content):
    put(path, content)
    assert "is not a safetensors file" in refusal(path)


def test_a_truncated_file_is_refused_even_if_its_card_agrees(path):
    put(path, path.read_bytes()[:-10])
    assert "is not a safetensors file" in refusal(path)


class Bomb:
    """Pickled, it would run on loading."""

    def __reduce__(self):
        return pytest.fail, ("a weight file was unpickled",)


def test_a_pickle_under_another_name_is_refused_and_never_run(path):
    put(path, pickle.dumps(Bomb()))
    assert "is not a safetensors file" in refusal(path)


@pytest.mark.parametrize("text", ["{", "", "[1, 2]", '"card"', "\u00e9\ud800"])
def test_a_card_that_is_not_a_json_object_is_refused(path, text):
    card_path(path).write_bytes(text.encode(errors="surrogatepass"))
    assert str(card_path(path)) in refusal(path)


@pytest.mark.parametrize("key", ["architecture", "config", "sha256"])
def test_a_card_that_lacks_something_needed_is_refused(path, key):
    change_card(path, **{key: None})
    assert f"lacks {key}" in refusal(path)


def test_another_architecture_is_refused(path):
    change_card(path, architecture="ResNet")
    assert "must be one of capsnet, cnn, matrix, efficient, got 'resnet'" in refusal(
        path
    )


def test_a_card_of_a_newer_release_is_refused(path):
    change_card(path, version=3)
    assert "must have a version up to 2, got 3" in refusal(path)


def test_a_card_without_a_version_is_read(path, network):
    """The first cards had none, and wrote the architecture in capitals."""
    card = json.loads(card_path(path).read_text())
    del card["version"]
    card_path(path).write_text(json.dumps(card | {"architecture": "CapsNet"}))
    trained = load_weights(path)
    assert trained.architecture.name == "capsnet"
    assert trained.network.config == network.config


@pytest.mark.parametrize(
    "config",
    [
        [],
        "big",
        {"layers": 7},
        {"classes": 0},
        {"classes": "ten"},
        {"digit_dim": 2.5},
        {"decoder_hidden": [8, 8, 8]},
        {"decoder_hidden": 8},
        {"image_size": 3},
        {"image_rows": 0},
    ],
)
def test_a_config_that_cannot_work_is_refused(path, config):
    change_card(path, config=config)
    assert "card is wrong" in refusal(path)


def test_a_config_of_other_sizes_is_refused_by_the_tensor_that_does_not_fit(path):
    card = json.loads(card_path(path).read_text())
    change_card(path, config={**card["config"], "conv1_kernels": 5})
    assert "conv1.weight must be (5, 1, 3, 3), got (4, 1, 3, 3)" in refusal(path)


def test_a_tensor_of_another_shape_is_refused(path):
    change_tensors(path, lambda t: t.update({"conv1.bias": torch.zeros(3)}))
    assert "conv1.bias must be (4,), got (3,)" in refusal(path)


def test_a_lacking_tensor_is_refused(path):
    change_tensors(path, lambda t: t.pop("digits.transforms"))
    assert "lacks the tensor digits.transforms" in refusal(path)


def test_a_tensor_too_many_is_refused(path):
    change_tensors(path, lambda t: t.update({"conv9.bias": torch.zeros(3)}))
    assert "holds conv9.bias, which the network lacks" in refusal(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300])
def test_values_that_are_not_finite_in_single_precision_are_refused(path, value):
    bias = torch.full((4,), value, dtype=torch.float64)
    change_tensors(path, lambda t: t.update({"conv1.bias": bias}))
    assert "conv1.bias holds values that are not finite" in refusal(path)


def test_a_cards_rows_stand_on_one_line_each():
    card = {
        "title": 'Two\nlines, [ "brackets" ] {and more}',
        "pose_ranges": [[[0.1, 0.2], [0.3, 0.4]]],
        "empty": [],
        "mistakes": [{"index": 1, "label": 2}],
        "names": [f"class {number:03}" for number in range(40)],
    }
    text = card_text(card)
    assert json.loads(text) == card
    assert "\n      [ 0.1, 0.2 ],\n" in text
    assert '\n    { "index": 1, "label": 2 }\n' in text
    assert max(map(len, text.splitlines())) < 250
