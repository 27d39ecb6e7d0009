"""POST /api/models/<id>/batch: many images, and a few small tensors of each."""

import json
from dataclasses import replace

import numpy as np
import orjson
import pytest
from safetensors.numpy import load

from capsnet_explorer.app import MAX_BODY, create_app
from capsnet_explorer.app.api.payloads import MAX_BATCH, MAX_BATCH_NUMBERS
from capsnet_explorer.app.api.routes.batch import MAX_BATCH_BODY
from capsnet_explorer.app.engines.facts import TensorInfo
from capsnet_explorer.app.engines.sharing import CHUNK
from tests.app.answers import BINARY, metadata_of, refusal
from tests.app.conftest import FakeEngine, info_of

BATCH = "/api/models/fake/batch"
TRACE = "/api/models/fake/trace"


def images_of(count):
    """Images of different ink, the same in any precision."""
    return [[[k / 512] * 28] * 28 for k in range(count)]


class Predicting(FakeEngine):
    """Takes an image for the class that its ink counts to."""

    def trace(self, question):
        trace = super().trace(question)
        number = round(512 * float(question.image[0, 0, 0]))
        prediction = number % self.info.classes
        return replace(trace, prediction=prediction, present=(prediction,))


@pytest.fixture
def engine():
    return Predicting("fake")


@pytest.mark.parametrize("count", [1, CHUNK + 1])
def test_each_image_is_answered_as_a_trace_would_be(client, count):
    names = ["maps", "scores"]
    images = images_of(count)
    answer = client.post(BATCH, json={"images": images, "tensors": names}).json
    assert answer.keys() == {
        *("model", "iterations", "predictions", "names", "present", "tensors")
    }
    assert (answer["model"], answer["iterations"]) == ("fake", 3)
    assert answer["predictions"] == [index % 10 for index in range(count)]
    assert answer["present"] == [[index % 10] for index in range(count)]
    assert list(answer["tensors"]) == names
    for index in {0, count // 2, count - 1}:
        body = {"image": images[index], "tensors": names}
        trace = client.post(TRACE, json=body).json
        assert {name: answer["tensors"][name][index] for name in names} == trace[
            "tensors"
        ]


def test_the_binary_answer_holds_the_same(client):
    body = {"images": images_of(CHUNK + 3), "tensors": ["maps", "scores", "votes"]}
    expected = client.post(BATCH, json=body).json
    answer = client.post(BATCH, json=body, headers=BINARY)
    assert answer.mimetype == BINARY["Accept"]
    assert metadata_of(answer.data) == {
        "model": "fake",
        "version": "version-of-fake",
        "iterations": "3",
        "names": json.dumps(expected["names"], separators=(",", ":")),
        "present": json.dumps(expected["present"], separators=(",", ":")),
    }
    tensors = load(answer.data)
    predictions = tensors.pop("predictions")
    assert predictions.dtype == np.float32  # which the page reads, unlike integers
    assert predictions.tolist() == expected["predictions"]
    assert tensors.keys() == expected["tensors"].keys()
    for name, tensor in tensors.items():
        assert tensor.dtype == (np.float32 if name == "scores" else np.float16)
        np.testing.assert_allclose(tensor, expected["tensors"][name], rtol=1e-3)


def test_scores_are_answered_unless_others_are_named(client):
    for body in ({}, {"tensors": None}):
        answer = client.post(BATCH, json={"images": images_of(2)} | body).json
        assert list(answer["tensors"]) == ["scores"]
        assert np.shape(answer["tensors"]["scores"]) == (2, 10)


def test_a_tensor_named_twice_comes_once(client, engine):
    body = {"images": images_of(1), "tensors": ["scores", "maps", "scores"]}
    assert list(client.post(BATCH, json=body).json["tensors"]) == ["scores", "maps"]
    assert engine.questions[0].names == ("scores", "maps")


def test_iterations_are_those_of_every_image(client, engine):
    body = {"images": images_of(3), "tensors": ["routing"], "iterations": 2}
    answer = client.post(BATCH, json=body).json
    assert answer["iterations"] == 2
    assert np.shape(answer["tensors"]["routing"]) == (3, 2, 5)
    assert [question.options.iterations for question in engine.questions] == [2, 2, 2]


def test_an_answer_beyond_measure_is_refused_before_it_is_computed():
    numbers = MAX_BATCH_NUMBERS // 4
    large = TensorInfo("large", (numbers // 16, 16), "Large", "f16")
    engine = FakeEngine("fake", tensors=(*info_of("fake").tensors, large))
    client = create_app({"fake": engine}).test_client()
    body = {"images": images_of(4), "tensors": ["scores", "large"]}
    assert refusal(client.post(BATCH, json=body)) == (
        f"tensors must hold at most {MAX_BATCH_NUMBERS} numbers for all images, "
        f"got 4 images with {numbers + 10} numbers each",
        "tensors",
    )
    assert engine.calls["trace"] == 0


def test_a_whole_batch_in_full_precision_is_read(client):
    generator = np.random.default_rng(0)
    body = orjson.dumps(
        {"images": generator.random((MAX_BATCH, 28, 28))},
        option=orjson.OPT_SERIALIZE_NUMPY,
    )
    assert len(body) > 3 * MAX_BODY  # of other routes
    response = client.post(BATCH, data=body, content_type="application/json")
    assert response.status_code == 200
    assert len(response.json["predictions"]) == MAX_BATCH


@pytest.mark.parametrize(("spaces", "times"), [(0, 0), (MAX_BODY, 1)])
def test_the_memory_of_a_long_body_is_given_back(client, monkeypatch, spaces, times):
    returns = []
    monkeypatch.setattr(
        "capsnet_explorer.app.api.routes.batch.give_memory_back",
        lambda: returns.append(1),
    )
    body = orjson.dumps({"images": images_of(1)}) + b" " * spaces
    response = client.post(BATCH, data=body, content_type="application/json")
    assert response.status_code == 200
    assert len(returns) == times


def test_a_body_beyond_measure_is_refused(client):
    body = b" " * (MAX_BATCH_BODY + 1)
    response = client.post(BATCH, data=body, content_type="application/json")
    message = "the body must have at most 8 MB"
    assert refusal(response, 413) == (message, None)
