"""A network in a notebook: names, pictures, options, doubts and files."""

import io
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors import safe_open

import capsnet_explorer as ce
from capsnet_explorer.model.answer import write_score
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE as CAPSNET
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.reading import UnknownTensor
from capsnet_explorer.model.weights import WeightsError, load_weights, save_weights
from tests.intake_pictures import drawn_five, encoded
from tests.tiny import SIZES, square

IMAGE = np.linspace(0, 1, 144, dtype=np.float32).reshape(12, 12)
NAMES = ["none", "left", "right"]
CARD = {"class_names": NAMES}


@pytest.fixture
def weights(tmp_path, network):
    """The weight file of a small CapsNet."""
    path = tmp_path / "tiny.safetensors"
    save_weights(path, CAPSNET, network, CARD)
    return path


@pytest.fixture
def tiny(weights):
    return ce.load(weights)


def with_alarm(weights, network, measure, threshold):
    """Load the network with an alarm on its card."""
    alarm = {
        "measure": measure,
        "threshold": threshold,
        "beyond": [threshold, 10.0],
        "test_images": 1000,
    }
    save_weights(weights, CAPSNET, network, {**CARD, "outliers": alarm})
    return ce.load(weights)


def test_a_network_of_the_project_is_known_by_its_name():
    assert ce.load().name == "capsnet-mnist"
    assert ce.load("cnn-mnist").card["title"].startswith("CNN")


def test_a_folder_stands_for_the_only_network_in_it(weights, tiny, network):
    assert ce.load(weights.parent).name == tiny.name == "tiny"
    save_weights(weights.with_name("more.safetensors"), CAPSNET, network, CARD)
    with pytest.raises(WeightsError, match=r"more\.safetensors, tiny\.safetensors"):
        ce.load(weights.parent)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("capsnet", "must be capsnet-cifar10, .*capsnet-mnist, capsnet-overlapping"),
        ("none.safetensors", "cannot read the weight file none.safetensors"),
    ],
)
def test_what_is_no_network_is_refused(source, message):
    with pytest.raises(WeightsError, match=message):
        ce.load(source)


def test_every_tensor_is_that_of_the_networks_own_pass(tiny, weights):
    reading = tiny.trace(IMAGE)
    network = load_weights(weights).network  # as it is stored, in half precision
    with torch.no_grad():
        trace = network(torch.from_numpy(IMAGE)[None, None])
    named = CAPSNET.tensors(network.config)
    assert list(tiny.tensors) == list(named)
    for name, tensor in named.items():
        expected = tensor.read(trace, 0).numpy()
        np.testing.assert_allclose(reading[name], expected, atol=1e-5, err_msg=name)
    assert reading.prediction == trace.scores.argmax()


def test_a_reading_keeps_its_tensors_from_whoever_changes_them(tiny):
    reading = tiny.trace(IMAGE)
    before = reading["digits.capsules"]
    reading["digits.capsules"][:] = 9
    np.testing.assert_array_equal(reading["digits.capsules"], before)


def test_a_picture_is_read_alike_as_path_and_bytes_and_as_the_image_it_becomes(
    tiny, tmp_path
):
    picture = tmp_path / "five.png"
    picture.write_bytes(encoded(drawn_five()))
    content = encoded(drawn_five())
    with picture.open("rb") as file, Image.open(picture) as opened:
        pictures = (
            *(str(picture), picture, content, bytearray(content), memoryview(content)),
            *(io.BytesIO(content), file, opened),
            *(opened.convert(mode) for mode in ("P", "RGBA", "CMYK", "F", "HSV")),
        )
        readings = [tiny.trace(source) for source in pictures]
    image = readings[0].image
    assert image.shape == (12, 12)
    readings += [tiny.trace(image), tiny.trace(np.rint(255 * image[None]).astype("u1"))]
    for reading in readings:
        np.testing.assert_array_equal(reading.image, image)
        np.testing.assert_array_equal(reading.scores, readings[0].scores)


def test_a_network_of_colours_reads_the_colours_of_a_picture(tmp_path):
    torch.manual_seed(0)
    network = CapsNet(replace(SIZES, image_channels=3)).eval()
    path = tmp_path / "colours.safetensors"
    save_weights(path, CAPSNET, network, CARD)
    thirds = np.zeros((24, 24, 3), np.uint8)
    for channel in range(3):
        thirds[:, 8 * channel : 8 * channel + 8, channel] = 255
    reading = ce.load(path).trace(encoded(Image.fromarray(thirds)))
    assert reading.image.shape == (3, 12, 12)
    for channel in range(3):  # away from the edges of a third
        middle = reading.image[:, :, 4 * channel + 1 : 4 * channel + 3]
        assert (middle.argmax(axis=0) == channel).all()


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (np.zeros((28, 28)), r"must be \(12, 12\), got \(28, 28\)"),
        (np.full((12, 12), 255.0), r"0\.\.1, or uint8, got 255\.\.255"),
        (np.full((12, 12), np.nan), r"0\.\.1, or uint8"),
        (b"GIF89a", "picture"),
        (np.zeros((3, 12, 12)), r"got \(3, 12, 12\); several are traced one by one"),
        ([[0, 1], [0]], "array of numbers, got list"),
        (["a.png", "b.png"], "several pictures are traced one by one"),
        (np.zeros((12, 12), complex), "array of numbers, got ndarray"),
        (None, "got NoneType"),
        (io.StringIO("text"), "opened as bytes"),
    ],
)
def test_what_is_no_image_is_refused(tiny, image, message):
    with pytest.raises((ValueError, TypeError), match=message):
        tiny.trace(image)


def test_tensors_of_pytorch_and_channels_last_are_images(tiny):
    expected = tiny.trace(IMAGE).scores
    for image in (torch.from_numpy(IMAGE).requires_grad_(), IMAGE[..., None]):
        np.testing.assert_array_equal(tiny.trace(image).scores, expected)


def test_options_change_the_routing(tiny):
    assert len(tiny.trace(IMAGE, iterations=5)["routing.couplings"]) == 5
    even = tiny.trace(IMAGE, routing="uniform")["routing.couplings"]
    np.testing.assert_allclose(even, 1 / 3, atol=1e-6)
    none = tiny.trace(IMAGE, silence=range(tiny.trace(IMAGE)["primary.lengths"].size))
    assert not none.scores.any()
    pin = {"capsule": 0, "digit": 2, "coupling": 0.75}
    held = tiny.trace(IMAGE, pin=[pin])["routing.couplings"]
    np.testing.assert_allclose(held[:, 0, 0, 0, 2], 0.75)


def test_poses_are_decoded_one_or_several(tiny):
    reading = tiny.trace(IMAGE)
    pose = reading["digits.capsules"][reading.prediction]
    image = tiny.decode(reading.prediction, pose)
    np.testing.assert_allclose(image, reading["reconstruction"], atol=1e-5)
    several = tiny.decode(reading.prediction, [pose, np.zeros_like(pose)])
    assert several.shape == (2, 12, 12)
    np.testing.assert_allclose(several[0], image, atol=1e-5)
    assert np.abs(several[1] - image).max() > 1e-5


@pytest.mark.parametrize(
    ("digit", "poses", "message"),
    [
        (3, np.zeros(5), r"digit must be a class 0\.\.2, got 3"),
        (0, np.zeros(6), r"poses must be \(5,\) or \(count, 5\), got \(6,\)"),
        (0, np.zeros((0, 5)), r"got \(0, 5\)"),
    ],
)
def test_what_cannot_be_decoded_is_refused(tiny, digit, poses, message):
    with pytest.raises(ValueError, match=message):
        tiny.decode(digit, poses)


def test_a_network_without_routing_or_decoder_says_so(tmp_path):
    path = tmp_path / "plain.safetensors"
    config = CnnConfig(**square(12), kernel_size=3, classes=3)
    save_weights(path, CNN, CNN.build(config).eval(), CARD)
    plain = ce.load(path)
    with pytest.raises(ValueError, match="does not route"):
        plain.trace(IMAGE, iterations=1)
    with pytest.raises(ValueError, match="plain has no decoder: CNN"):
        plain.decode(0, [0.0])


def test_of_many_classes_the_highest_scores_are_told(tmp_path):
    torch.manual_seed(0)
    network = CapsNet(replace(SIZES, classes=40)).eval()
    path = tmp_path / "many.safetensors"
    save_weights(path, CAPSNET, network, CARD)
    reading = ce.load(path).trace(IMAGE)
    lines = str(reading).splitlines()
    assert len([line for line in lines if line.startswith("  ")]) == 31
    assert lines[1].split()[0] == str(reading.prediction)
    assert "  and 10 others" in lines


def test_a_reading_tells_its_scores_and_doubts(tiny):
    reading = tiny.trace(IMAGE)
    order = np.argsort(-reading.scores)
    first, *lines, doubt = str(reading).splitlines()
    best = NAMES[order[0]]
    assert reading.said.state == "none"
    highest = f"the highest length is {reading.scores.max():.3f}, of {best}"
    assert first == f"tiny sees none of its classes: {highest}"
    assert lines == [
        f"  {name:>5}  {write_score(score)}"
        for name, score in zip(NAMES, reading.scores, strict=True)
    ]
    assert doubt == f"doubt: {reading.doubts[0]}"  # it is untrained: none is long
    assert "the network sees none of its classes" in doubt


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("error", "The reconstruction is less like the image"),
        ("gap", "The lead over the runner-up is smaller"),
        ("score", "The highest length is lower"),
    ],
)
def test_an_answer_beyond_the_cards_threshold_is_doubted(
    weights, network, measure, words
):
    def doubts(threshold, **options):
        loaded = with_alarm(weights, network, measure, threshold)
        return loaded.trace(IMAGE, **options).doubts[1:]

    (doubt,) = doubts(0.001)
    assert doubt == (
        f"Is this a digit at all? {words} than for all but 1 of 1000 test images."
    )
    assert doubts(5.0) == ()
    assert doubts(0.001, iterations=1) == ()  # the card's figures are of three


def test_what_made_a_picture_hard_to_convert_is_doubted(tiny):
    faint = tiny.trace(encoded(drawn_five(ink=0.82, paper=0.9)))
    assert any("hardly stands out" in doubt for doubt in faint.doubts)
    assert not any(
        "hardly" in doubt for doubt in tiny.trace(encoded(drawn_five())).doubts
    )


def test_a_file_has_the_tensors_and_the_reading(tiny, tmp_path):
    path = tmp_path / "out" / "trace.safetensors"
    reading = tiny.trace(IMAGE, iterations=2)
    assert reading.save(path, ["votes.1", "scores"]) == ["votes.1", "scores"]
    with safe_open(path, framework="np") as file:
        assert set(file.keys()) == {"votes.1", "scores"}
        np.testing.assert_array_equal(file.get_tensor("votes.1"), reading["votes.1"])
        metadata = file.metadata()
    assert metadata["model"] == "tiny"
    assert metadata["iterations"] == "2"
    assert metadata["prediction"] == str(reading.prediction)
    assert metadata["name"] == reading.name == tiny.class_names[reading.prediction]
    assert metadata["version"] == tiny.card["sha256"][:16]


def test_an_unknown_name_is_answered_with_those_that_are_like_it(tiny, tmp_path):
    reading = tiny.trace(IMAGE)
    for error in (KeyError, ValueError):
        with pytest.raises(error, match=r"routing\.coupling is not a tensor") as caught:
            reading["routing.coupling"]
        assert "it has routing.couplings" in str(caught.value)
    with pytest.raises(UnknownTensor, match=r"it has conv1\.pre, conv1\.relu"):
        reading.save(tmp_path / "trace.safetensors", ["?"])
    assert not (tmp_path / "trace.safetensors").exists()


def test_tensors_are_written_over_no_weights(tiny, weights, tmp_path):
    reading = tiny.trace(IMAGE)
    before = weights.read_bytes()
    with pytest.raises(ValueError, match="is a weight file"):
        reading.save(weights)
    assert weights.read_bytes() == before
    with pytest.raises(ValueError, match=r"must end in \.safetensors, got .*trace.npz"):
        reading.save(tmp_path / "trace.npz")
