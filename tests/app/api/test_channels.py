"""Images of several channels, and answers of several classes, through the API."""

from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.facts import Presence
from tests.app.answers import BINARY, refusal
from tests.app.conftest import FakeEngine

SHAPE = (3, 4, 5)
ADDRESS = "/api/models/colour"


class Colour(FakeEngine):
    """Finds classes 9 and 4 in every image, and draws flat colours."""

    def trace(self, question):
        return replace(super().trace(question), present=(9, 4))

    def reconstruct(self, digit, poses):
        return np.ones((len(poses), *SHAPE), np.float32) * poses[0, 0]


@pytest.fixture
def engine():
    rule = Presence(at_most=2, threshold=0.95)
    return Colour("colour", input_shape=SHAPE, present=rule)


@pytest.fixture
def client(engine):
    return create_app({"colour": engine}).test_client()


@pytest.fixture
def image():
    return np.random.default_rng(0).random(SHAPE).round(3)


def refused(client, route, **body):
    return refusal(client.post(f"{ADDRESS}/{route}", json=body))


def test_changed_and_decoded_images_keep_their_channels(client, image):
    body = {"image": image.tolist(), "changes": [{}, {"shift": [1, 0]}]}
    images = np.array(client.post("/api/transform", json=body).json["images"])
    assert images.shape == (2, *SHAPE)
    np.testing.assert_allclose(images[1][:, :, 1:], image[:, :, :-1])
    poses = {"digit": 0, "poses": [[0.5] * 16]}
    answer = client.post(f"{ADDRESS}/reconstruct", json=poses, headers=BINARY)
    assert load(answer.data)["images"].shape == (1, *SHAPE)


def test_refusals_say_what_is_needed_and_what_came(client, image):
    assert refused(client, "trace", image=image[0].tolist()) == (
        "image must have 3 channels of 4 rows of 5 numbers, got 4 rows of 5",
        "image",
    )
    assert refused(client, "trace", image=image[:, :, :4].tolist()) == (
        "image.0.0 must have 5 numbers, got 4",
        "image.0.0",
    )
    ragged = [image[0].tolist(), image[1, :2].tolist(), image[2].tolist()]
    assert refused(client, "batch", images=[ragged]) == (
        "images.0.1 must have 4 rows of 5 numbers like the first channel, "
        "got 2 rows of 5",
        "images.0.1",
    )
    image[1, 2, 3] = 2
    assert refused(client, "trace", image=image.tolist()) == (
        "image.1.2.3 must be a number in [0, 1], got 2.0",
        "image.1.2.3",
    )
