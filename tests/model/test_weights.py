"""Weight files: written, read back, and refused when something is wrong."""

import contextlib
import hashlib
import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from safetensors.torch import load, save

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
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


def test_weights_come_back_as_their_half_precision(path, network):
    stored = load(path.read_bytes())
    assert {tensor.dtype for tensor in stored.values()} == {torch.float16}
    loaded = load_weights(path).network
    before, after = network.state_dict(), loaded.state_dict()
    assert before.keys() == after.keys()
    for name, tensor in before.items():
        assert after[name].dtype == torch.float32
        assert torch.equal(after[name], tensor.half().float())
    for name, tensor in half_precision(loaded).items():  # storing again changes nothing
        assert torch.equal(tensor, stored[name])


def test_the_card_keeps_its_words_and_names_the_file(path, sizes):
    card = load_weights(path).card
    assert (card["title"], card["test_error"]) == ("Tiny", 0.25)
    assert (card["architecture"], card["version"]) == ("capsnet", 2)
    assert card["config"]["conv1_kernels"] == sizes.conv1_kernels
    assert card["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_decoder_that_was_not_trained_is_not_shown(path):
    whole = load_weights(path)
    assert whole.can.reconstruct
    assert "reconstruction" in whole.tensors
    change_card(path, loss={"reconstruction_weight": 0.0})
    undecoded = load_weights(path)
    assert (undecoded.can.reconstruct, undecoded.can.route) == (False, True)
    assert [*undecoded.tensors] == [x for x in whole.tensors if x != "reconstruction"]
    kept = [layer.id for layer in whole.layers if layer.kind != "decoder"]
    assert [layer.id for layer in undecoded.layers] == kept
    for layer in undecoded.layers:
        assert "reconstruction" not in layer.tensors.values()
        assert "decoder" not in layer.words


def test_weights_of_other_programs_name_the_way_in(tmp_path):
    path = tmp_path / "net.pt"
    path.write_bytes(b"PK")
    with pytest.raises(WeightsError, match=r"net\.pt: .* --network FILE"):
        load_weights(path)


class Bomb:
    """Pickled, it would run on loading."""

    def __reduce__(self):
        return pytest.fail, ("a weight file was unpickled",)


def flipped(content):
    """Flip a bit of a weight."""
    return content[:-100] + bytes([content[-100] ^ 1]) + content[-99:]


def with_bias(value, count=4):
    bias = torch.full((count,), value, dtype=torch.float64)
    return lambda path: change_tensors(path, lambda t: t.update({"conv1.bias": bias}))


def sized(**sizes):
    def change(path):
        card = json.loads(card_path(path).read_text())
        change_card(path, config={**card["config"], **sizes})

    return change


def card_of(**changes):
    return lambda path: change_card(path, **changes)


# What is done to a good weight file, and why it is refused.
SPOILT = [
    (lambda path: path.unlink(), "cannot read the weight file"),
    (lambda path: (path.unlink(), path.mkdir()), "cannot read the weight file"),
    (lambda path: card_path(path).unlink(), "needs its card beside it"),
    (lambda path: card_path(path).unlink(), "--network FILE"),
    *(
        (
            lambda path, change=change: path.write_bytes(change(path.read_bytes())),
            "is damaged: its SHA-256 differs from its card's",
        )
        for change in (lambda c: c[:-1], lambda c: c + b"\0", flipped)
    ),
    *(
        (lambda path, content=content: put(path, content), "is not a safetensors file")
        for content in (b"", b"short", b"\xff" * 1000, pickle.dumps(Bomb()))
    ),
    (lambda path: put(path, path.read_bytes()[:-10]), "is not a safetensors file"),
    *(
        (lambda path, text=text: card_path(path).write_bytes(text), "tiny.json")
        for text in (b"{", b"", b"[1, 2]", b'"card"', b"\xc3\xa9\xed\xa0\x80")
    ),
    *(
        (card_of(**{key: None}), f"lacks {key}")
        for key in ("architecture", "config", "sha256")
    ),
    (
        card_of(architecture="ResNet"),
        "must be one of capsnet, cnn, matrix, efficient, got 'resnet'",
    ),
    (card_of(version=3), "must have a version up to 2, got 3"),
    *(
        (card_of(config=config), "card is wrong")
        for config in (
            *([], "big", {"layers": 7}, {"classes": 0}, {"classes": "ten"}),
            *({"digit_dim": 2.5}, {"decoder_hidden": [8, 8, 8]}, {"image_size": 3}),
        )
    ),
    (sized(conv1_kernels=5), "conv1.weight must be (5, 1, 3, 3), got (4, 1, 3, 3)"),
    (with_bias(0.0, count=3), "conv1.bias must be (4,), got (3,)"),
    *(
        (with_bias(value), "conv1.bias holds values that are not finite")
        for value in (float("nan"), float("inf"), 1e300)
    ),
    (
        lambda path: change_tensors(path, lambda t: t.pop("digits.transforms")),
        "lacks the tensor digits.transforms",
    ),
    (
        lambda path: change_tensors(
            path, lambda t: t.update({"conv9.bias": torch.zeros(3)})
        ),
        "holds conv9.bias, which the network lacks",
    ),
]


@pytest.mark.parametrize(("spoil", "reason"), SPOILT)
def test_what_is_wrong_is_refused_in_one_line(path, spoil, reason):
    spoil(path)
    with pytest.raises(WeightsError) as caught:
        load_weights(path)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_with_its_card_within_is_read(path, network):
    """As a page saves it that trained a network, in single precision."""
    card = json.loads(card_path(path).read_text())
    del card["sha256"]
    tensors = {
        name: tensor.contiguous() for name, tensor in network.state_dict().items()
    }
    path.write_bytes(save(tensors, metadata={"card": json.dumps(card)}))
    card_path(path).unlink()
    trained = load_weights(path)
    for name, tensor in trained.network.state_dict().items():
        assert torch.equal(tensor, tensors[name])


def test_a_card_without_a_version_is_read(path, network):
    """The first cards had none, and wrote the architecture in capitals."""
    card = json.loads(card_path(path).read_text())
    del card["version"]
    card_path(path).write_text(json.dumps(card | {"architecture": "CapsNet"}))
    trained = load_weights(path)
    assert trained.architecture.name == "capsnet"
    assert trained.network.config == network.config


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


def test_a_card_that_is_nested_too_deeply_is_refused(path):
    card_path(path).write_text("[" * 100_000)
    with pytest.raises(
        WeightsError, match=r"tiny\.json cannot be read: it is not JSON"
    ):
        load_weights(path)
    card_path(path).write_text('{"config":' * 5_000 + "1" + "}" * 5_000)
    with pytest.raises(WeightsError, match=r"tiny\.json cannot be read"):
        load_weights(path)


def places(value, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where each value of JSON stands."""
    yield path
    inner = enumerate(value) if isinstance(value, list) else ()
    inner = value.items() if isinstance(value, dict) else inner
    for key, member in inner:
        yield from places(member, (*path, key))


ODD = [None, [], {}, "x", -1, 0, 1e300, 10**30, True, [[[]]], {"a": []}, [1, "2"]]


def test_whatever_a_card_holds_it_is_read_or_refused(path):
    whole = card_path(path).read_text()
    for position in [*places(json.loads(whole))][1:]:
        for odd in ODD:
            card = json.loads(whole)
            within: Any = card
            for key in position[:-1]:
                within = within[key]
            within[position[-1]] = odd
            card_path(path).write_text(json.dumps(card))
            with contextlib.suppress(WeightsError):
                load_weights(path, only_check=True)
