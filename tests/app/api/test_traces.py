"""POST /api/traces: one image through several models."""

from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from tests.app.answers import BINARY, metadata_of, refusal
from tests.app.conftest import FakeEngine

TRACES = "/api/traces"


class Plain(FakeEngine):
    """Another network of the same size."""

    def trace(self, question):
        trace = super().trace(question)
        return replace(trace, prediction=4, present=(4,))


@pytest.fixture
def client(engine, other_engine):
    engines = {"fake": engine, "plain.one": Plain("plain.one"), "small": other_engine}
    return create_app(engines).test_client()


def both(*, fake=("scores",), plain=("maps",)):
    return {"fake": list(fake), "plain.one": list(plain)}


def test_each_model_answers_as_it_does_alone_in_the_order_asked(client, image):
    for tensors in (both(), dict(reversed(both().items()))):
        answer = client.post(TRACES, json={"image": image, "tensors": tensors}).json
        alone = [
            client.post(
                f"/api/models/{id}/trace", json={"image": image, "tensors": names}
            ).json
            for id, names in tensors.items()
        ]
        assert answer == {"traces": alone}
    assert {trace["prediction"] for trace in alone} == {4, 9}


def test_the_binary_answer_names_the_model_of_each_tensor(client, image):
    body = {"image": image, "tensors": both(fake=["scores", "votes"])}
    answer = client.post(TRACES, json=body, headers=BINARY)
    assert answer.mimetype == "application/x-safetensors"
    assert "Accept" in answer.vary
    arrays = load(answer.data)
    assert set(arrays) == {"fake/scores", "fake/votes", "plain.one/maps"}
    lists = {
        trace["model"]: trace for trace in client.post(TRACES, json=body).json["traces"]
    }
    for name, array in arrays.items():
        id, tensor = name.split("/")
        np.testing.assert_allclose(array, lists[id]["tensors"][tensor], rtol=2**-11)
    metadata = metadata_of(answer.data)
    assert metadata == {
        "fake/iterations": "3",
        "fake/prediction": "9",
        "fake/name": "9",
        "fake/present": "[9]",
        "fake/version": "version-of-fake",
        "plain.one/iterations": "3",
        "plain.one/prediction": "4",
        "plain.one/name": "4",
        "plain.one/present": "[4]",
        "plain.one/version": "version-of-plain.one",
    }


def test_without_names_every_model_of_the_images_size_returns_its_scores(client, image):
    traces = client.post(TRACES, json={"image": image}).json["traces"]
    assert [(trace["model"], list(trace["tensors"])) for trace in traces] == [
        ("fake", ["scores"]),
        ("plain.one", ["scores"]),
    ]
    (only,) = client.post(TRACES, json={"image": [[0, 1]] * 3}).json["traces"]
    assert only["model"] == "small"
    message, field = refusal(client.post(TRACES, json={"image": [[0]]}))
    assert field == "image"
    assert "got 1 rows of 1" in message


@pytest.mark.parametrize(
    ("tensors", "status", "message", "field"),
    [
        (
            {"fake": [], "nobody": []},
            404,
            'the model must be one of fake, plain.one, small, got "nobody"',
            "tensors",
        ),
        ({"fake": [], "small": []}, 422, "image must have 3 rows, got 28", "image"),
    ],
)
def test_says_what_is_wrong_before_anything_is_computed(
    client, engine, image, tensors, status, message, field
):
    response = client.post(TRACES, json={"image": image, "tensors": tensors})
    assert refusal(response, status) == (message, field)
    assert engine.calls["trace"] == 0
