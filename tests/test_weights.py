"""Every weight file that is delivered loads and is as good as its card says."""

import hashlib
import json
import shlex
from functools import cache
from pathlib import Path

import pytest
import torch

from capsnet_explorer.datasets.catalogue import dataset_of
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.weights import card_path, load_weights

ROOT = Path(__file__).parent.parent

FILES = sorted((ROOT / "weights").glob("*.safetensors"))
# Two bytes for each number, and the header.
MAX_BYTES = {
    "capsnet": 17_000_000,
    "cnn": 6_000_000,
    "matrix": 2_000_000,
    "efficient": 4_500_000,
}
# None may become worse.
MAX_ERROR = {
    "capsnet-cifar10": 0.35,
    "capsnet-cifar10-without-none": 0.35,
    "capsnet-mnist": 0.008,
    "capsnet-overlapping": 0.11,
    "cnn-cifar10": 0.22,
    "cnn-mnist": 0.008,
    "cnn-overlapping": 0.12,
    "efficient-overlapping": 0.095,
    "cnn-toys": 0.06,
    "efficient-cifar10": 0.22,
    "efficient-toys": 0.06,
    "matrix-mnist": 0.008,
    "matrix-toys": 0.06,
    "efficient-mnist": 0.008,
}
TEST_IMAGES = {
    "mnist": 10_000,
    "overlapping": 10_000,
    "toys": 16_200,
    "cifar10": 10_000,
}
OF_PAIRS = [path for path in FILES if path.stem.endswith("-overlapping")]
OF_ONE = [path for path in FILES if path not in OF_PAIRS]
TRAINING = "python -m capsnet_explorer train"
BORDERLINE = 2  # images that another processor's rounding may read otherwise
READ_AGAIN = 100  # of the test images, about the first mistake: all take minutes

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def card_of(path):
    return json.loads(card_path(path).read_text(encoding="utf-8"))


@cache
def loaded(path):
    """Load a weight file once for all tests of it."""
    return load_weights(path)


@each_file
def test_a_weight_file_loads(path):
    trained = loaded(path)
    network, card = trained.network, trained.card
    with torch.no_grad():
        trace = network(torch.zeros(1, *network.config.image_shape))
    assert trace.scores.isfinite().all()
    assert card["title"]
    assert len(card["class_names"]) == network.config.classes


@each_file
def test_a_weight_file_is_the_one_its_card_describes(path):
    content = path.read_bytes()
    card = card_of(path)
    assert hashlib.sha256(content).hexdigest() == card["sha256"]
    assert len(content) <= MAX_BYTES[card["architecture"].lower()]


@each_file
def test_a_card_tells_an_error_as_low_as_it_should_be(path):
    card = card_of(path)
    assert card["test_images"] == TEST_IMAGES[card["dataset"]]
    assert 0 < card["test_error"] <= MAX_ERROR[path.stem]


each_of_one = pytest.mark.parametrize("path", OF_ONE, ids=lambda path: path.stem)


@each_file
def test_a_card_gives_each_pose_number_a_range(path):
    card = card_of(path)
    trained = loaded(path)
    if not trained.architecture.can.reconstruct:
        assert "pose_ranges" not in card
        assert "reconstruction_mse" not in card
        return
    numbers = trained.architecture.details(trained.network.config)["pose_dim"]
    # A capsule whose length is below 1 has no number beyond it.
    largest = 1 if trained.architecture.scores == "length" else 10
    assert len(card["pose_ranges"]) == card["config"]["classes"]
    for dimensions in card["pose_ranges"]:
        assert len(dimensions) == numbers
        assert all(-largest < low <= high < largest for low, high in dimensions)


@each_file
def test_a_cards_command_can_be_typed_on_any_machine(path):
    run = card_of(path)
    while run is not None:  # and those of the networks that it was started from
        words = shlex.split(run["command"])
        assert shlex.join(words[:4]).startswith(TRAINING)
        assert not any(Path(word).is_absolute() for word in words)
        run = run.get("start")


@pytest.mark.parametrize("path", OF_PAIRS, ids=lambda path: path.stem)
def test_a_card_on_pairs_keeps_what_was_asked_of_it(path):
    overlaps = card_of(path)["overlaps"]
    assert overlaps["pairs"]["error"] == card_of(path)["test_error"]
    assert overlaps["singles"]["error"] <= 0.02
    assert overlaps["one_or_two"]["roc_area"] >= 0.95


@cache
def images_of(dataset, folder):
    """Read the test set of several cards once."""
    return load_part(dataset, folder, train=False)


@pytest.mark.long
@each_of_one
def test_reading_the_test_set_again_finds_the_cards_mistakes(path, needs):
    trained = loaded(path)
    network, card = trained.network, trained.card
    dataset = dataset_of(card)
    test = images_of(dataset, needs(dataset.name))
    begin = max(0, card["mistakes"][0]["index"] - READ_AGAIN // 2)
    part = slice(begin, begin + READ_AGAIN)
    some = LabelledImages(test.images[part], test.labels[part])
    evaluation = evaluate(network, some, torch.device("cpu"))
    indices = {begin + index for index in evaluation.mistakes.tolist()}
    mistakes = [
        mistake
        for mistake in card["mistakes"]
        if part.start <= mistake["index"] < part.stop
    ]
    on_card = {mistake["index"] for mistake in mistakes}
    assert on_card
    assert len(indices ^ on_card) <= BORDERLINE
    for mistake in mistakes:
        assert int(evaluation.labels[mistake["index"] - begin]) == mistake["label"]
