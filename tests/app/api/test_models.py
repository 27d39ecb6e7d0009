"""GET /api/models and /api/models/<id>/kernels, with fake engines."""

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.facts import WeightInfo
from tests.app.answers import BINARY, refusal
from tests.app.conftest import FakeEngine, info_of

KERNELS = "/api/models/fake/kernels"


def test_models_are_described_and_the_first_is_the_default(client):
    fake, small, broken = client.get("/api/models").json["models"]
    assert fake == {
        "id": "fake",
        "title": "Fake",
        "architecture": "capsnet",
        "paper": None,
        "version": "version-of-fake",
        "scores": "length",
        "can": {"reconstruct": True, "route": True, "gradient": False},
        "default": True,
        "kept": False,
        "classes": 10,
        "class_names": list("0123456789"),
        "input_shape": [1, 28, 28],
        "present": {"at_most": 1, "threshold": None},
        "primary_capsules": 1152,
        "pose_dim": 16,
        "parameters": 12345,
        "routing_iterations": 3,
        "max_routing_iterations": 10,
        "layers": [],
        "tensors": fake["tensors"],
        "weights": [{"name": "conv1.weight", "shape": [4, 9, 9]}],
        "kernels": ["conv1.kernels", "conv1.bias"],
        "measured": [
            {"name": "poses.mean", "shape": [3, 2]},
            {"name": "types.mean", "shape": [2, 2]},
        ],
        "measured_version": "measured-1",
        "card": {"test_error_percent": 0.5},
    }
    assert fake["tensors"][3] == {
        "name": "votes",
        "shape": [6, 7],
        "title": "Votes",
        "precision": "f16",
        "on_request": True,
    }
    assert (small["default"], broken["default"]) == (False, False)


def test_a_brief_list_has_what_choosing_a_model_takes():
    card = {
        "test_error": 0.1,
        "mistakes": [1, 2],
        "overlaps": {"pairs": {"error": 0.2}, "misread": {"named": [3]}},
    }
    first, second = FakeEngine("first", card=card), FakeEngine("second", card=card)
    client = create_app({"first": first, "second": second}).test_client()
    whole = client.get("/api/models").json["models"]
    default, other = client.get("/api/models?brief=true").json["models"]
    assert default == whole[0]
    left_out = {"layers", "tensors", "weights", "kernels", "measured"}
    assert whole[1].keys() - other.keys() == left_out | {"measured_version"}
    short = {"test_error": 0.1, "overlaps": {"pairs": {"error": 0.2}}}
    assert other == {key: whole[1][key] for key in other} | {"card": short}


def test_kernels_are_nested_lists(client):
    answer = client.get(KERNELS).json
    assert (answer["model"], answer["version"]) == ("fake", "version-of-fake")
    kernels = np.array(answer["tensors"]["conv1.kernels"])
    assert kernels.shape == (4, 9, 9)
    assert kernels[1, 0, 0] == pytest.approx(1 / 7)
    assert kernels[0, 0, 1] == pytest.approx(4 / 7)
    np.testing.assert_allclose(answer["tensors"]["conv1.bias"], [0, 1 / 3, 2 / 3, 1])


def test_kernels_of_the_current_version_may_be_kept_for_good(client):
    response = client.get(f"{KERNELS}?version=version-of-fake")
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("query", ["", "?version=older"])
def test_other_kernels_must_be_asked_for_again(client, query):
    assert client.get(KERNELS + query).headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("headers", [{}, {"Accept-Encoding": "gzip"}, BINARY])
def test_kernels_a_client_has_are_not_sent_again(client, engine, headers):
    tag = client.get(KERNELS, headers=headers).headers["ETag"]
    again = client.get(KERNELS, headers=headers | {"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == tag
    assert "Accept" in again.vary
    assert engine.calls["weights"] == 1


@pytest.mark.parametrize(
    ("accept", "mimetype"),
    [
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("application/x-safetensors, */*;q=0.1", "application/x-safetensors"),
        ("application/x-safetensors;q=0.5, application/json", "application/json"),
    ],
)
def test_the_preferred_form_is_sent(client, accept, mimetype):
    assert client.get(KERNELS, headers={"Accept": accept}).mimetype == mimetype


PRIMARY = "/api/models/fake/kernels/primary"


def test_primary_kernels_of_one_type_are_nested_lists(client):
    answer = client.get(f"{PRIMARY}/1").json
    assert (answer["model"], answer["type"]) == ("fake", 1)
    kernels = np.array(answer["tensors"]["primary.kernels"])
    assert kernels.shape == (3, 4, 2, 2)
    assert (kernels[0, 0, 0, 1], kernels[2, 3, 1, 1]) == (2, 48)
    assert answer["tensors"]["primary.bias"] == [1, 1, 1]


@pytest.mark.parametrize("type", ["2", "999999999999999999999"])
def test_a_type_that_is_not_there_is_not_found(client, type):
    response = client.get(f"{PRIMARY}/{type}")
    assert response.status_code == 404
    assert response.json["error"]["message"]


WEIGHTS = "/api/models/fake/weights"


def test_weights_are_answered_under_their_own_name(client, engine):
    answer = client.get(f"{WEIGHTS}/conv1.weight").json
    assert answer["model"] == "fake"
    arrays = load(client.get(f"{WEIGHTS}/conv1.weight", headers=BINARY).data)
    (expected,) = engine.weights(["conv1.weight"]).values()
    np.testing.assert_array_equal(arrays["conv1.weight"], expected)
    np.testing.assert_allclose(answer["tensors"]["conv1.weight"], expected, rtol=1e-6)


def test_weights_that_are_not_there_are_named(client):
    answer = client.get(f"{WEIGHTS}/conv7.weight")
    assert refusal(answer, 404)[0] == 'fake has no weights "conv7.weight"'


MEASURED = "/api/models/fake/measured"


def test_a_part_of_what_was_measured_comes_alone(client):
    answer = client.get(f"{MEASURED}/poses").json
    assert (answer["model"], answer["part"]) == ("fake", "poses")
    assert answer["version"] == "measured-1"
    assert answer["tensors"] == {"poses.mean": [[0, 1], [2, 3], [4, 5]]}


def test_what_was_measured_may_change_without_the_weights(client):
    response = client.get(f"{MEASURED}/poses?version=version-of-fake")
    assert response.headers["Cache-Control"] == "no-cache"
    tag = {"If-None-Match": response.headers["ETag"]}
    assert client.get(f"{MEASURED}/poses", headers=tag).status_code == 304
    assert client.get(f"{MEASURED}/types", headers=tag).status_code == 200


@pytest.mark.parametrize("part", ["pose", "poses.mean"])
def test_what_was_not_measured_is_not_found(client, part):
    response = client.get(f"{MEASURED}/{part}")
    assert refusal(response, 404)[0] == f'fake has no measured "{part}"'


def test_a_glance_has_the_first_picture_of_each_type(client, engine):
    measured = (*info_of("fake").measured, WeightInfo("types.decoded", (2, 3, 4)))
    engine.info = engine.info.model_copy(update={"measured": measured})
    pictures = np.arange(24.0).reshape(2, 3, 4)
    engine.weights = lambda names: dict.fromkeys(names, pictures)
    answer = client.get(f"{MEASURED}/types?glance=true")
    assert answer.json["tensors"] == {"types.decoded": pictures[:, :1].tolist()}
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert client.get(f"{MEASURED}/types", headers=tag).status_code == 200
    assert client.get(f"{MEASURED}/poses?glance=true").status_code == 404
