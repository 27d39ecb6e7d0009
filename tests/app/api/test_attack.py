"""POST /api/models/<id>/attack: what it takes, and in which form it answers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.facts import Abilities
from capsnet_explorer.app.engines.queue import process_queue
from capsnet_explorer.app.engines.sharing import CHUNK, GRADIENTS
from tests.app.answers import BINARY
from tests.app.conftest import Attackable

ADDRESS = "/api/models/fake/attack"
DIGIT = np.random.default_rng(1).random((28, 28))
BODY = {
    "image": DIGIT.tolist(),
    "label": 3,
    "method": "fgsm",
    "epsilons": [0, 0.1, 0.25],
}


@pytest.fixture
def engine():
    return Attackable("fake")


@pytest.fixture
def client(engine):
    return create_app({"fake": engine}).test_client()


def expected_images(sign=1):
    way = np.ones((28, 28))
    way[14:] = -1
    return np.stack(
        [(DIGIT + sign * epsilon * way).clip(0, 1) for epsilon in BODY["epsilons"]]
    )


def test_each_epsilon_is_answered_with_its_image(client):
    answer = client.post(ADDRESS, json=BODY)
    assert answer.status_code == 200, answer.text
    assert answer.json.keys() == {
        *("model", "images", "predictions", "names", "tensors"),
        *("zero_gradients", "path"),
    }
    assert answer.json["path"] is None
    images = np.array(answer.json["images"])
    assert_allclose(images, expected_images(), atol=1e-6)
    assert answer.json["images"][0] == BODY["image"]
    for image, epsilon in zip(images, BODY["epsilons"], strict=True):
        assert np.abs(image - DIGIT).max() <= epsilon
    tensors = answer.json["tensors"]
    assert tensors.keys() == {"scores", "reconstruction_error"}
    assert np.shape(tensors["scores"]) == (3, 10)
    errors = (images - images / 2) ** 2
    assert_allclose(tensors["reconstruction_error"], errors.mean((1, 2)), rtol=1e-5)
    assert answer.json["predictions"] == [
        int(100 * np.float32(image[0, 0])) % 10 for image in images
    ]


def test_the_binary_answer_holds_the_same(client):
    expected = client.post(ADDRESS, json=BODY).json
    tensors = load(client.post(ADDRESS, json=BODY, headers=BINARY).data)
    assert {tensor.dtype for tensor in tensors.values()} == {np.dtype(np.float32)}
    assert_allclose(tensors.pop("images"), expected["images"], atol=1e-7)
    assert_array_equal(tensors.pop("predictions"), expected["predictions"])
    assert tensors.keys() == expected["tensors"].keys()
    for name, tensor in tensors.items():
        assert_allclose(tensor, expected["tensors"][name], rtol=1e-6)


def test_the_loss_is_raised_for_the_label_and_lowered_for_a_target(client, engine):
    client.post(ADDRESS, json=BODY)
    answer = client.post(ADDRESS, json=BODY | {"target": 7})
    assert_allclose(answer.json["images"], expected_images(-1), atol=1e-6)
    assert [labels for labels, _, _ in engine.slopes] == [(3,), (7,)]


def test_gradient_and_loss_are_chosen_by_the_request(client, engine):
    client.post(ADDRESS, json=BODY)
    client.post(ADDRESS, json=BODY | {"loss": "trained", "gradient": "last"})
    assert [rest for _, *rest in engine.slopes] == [
        ["gap", "full"],
        ["trained", "last"],
    ]


def test_steps_and_seed_are_those_of_the_request(client, engine):
    body = BODY | {"method": "bim", "epsilons": [0.1], "steps": 4}
    client.post(ADDRESS, json=body)
    assert len(engine.slopes) == 5
    answers = [
        client.post(ADDRESS, json=BODY | {"method": "noise", "seed": seed}).json
        for seed in (1, 1, 2)
    ]
    assert answers[0] == answers[1]
    assert answers[0]["images"] != answers[2]["images"]


def test_it_is_computed_in_small_parts(client, engine, monkeypatch):
    monkeypatch.setattr(process_queue(), "_wanted_s", 0)  # as if nobody else asked
    epsilons = [k / 32 for k in range(1, 33)]
    client.post(
        ADDRESS, json=BODY | {"method": "bim", "steps": 1, "epsilons": epsilons}
    )
    counts = [len(labels) for labels, _, _ in engine.slopes]
    assert counts == [1] + [GRADIENTS] * (32 // GRADIENTS)
    assert engine.chunks == [CHUNK] * (32 // CHUNK)


def test_zero_gradients_are_told_where_there_was_one(engine):
    class Half(Attackable):
        def gradient(self, images, labels, **how):
            slope = super().gradient(images, labels, **how)
            slope.gradient[:, :, :7] = 0
            return slope

    client = create_app({"fake": Half("fake")}).test_client()
    for method, expected in (("fgsm", 0.25), ("bim", 0.25), ("noise", None)):
        body = BODY | {"method": method}
        assert client.post(ADDRESS, json=body).json["zero_gradients"] == expected
    nothing = client.post(ADDRESS, json=BODY | {"epsilons": [0]}).json
    assert nothing["zero_gradients"] is None


@pytest.mark.parametrize("method", ["bim", "pgd"])
def test_a_path_has_every_step(client, method):
    body = BODY | {"method": method, "epsilons": [0.2], "steps": 5}
    alone = client.post(ADDRESS, json=body).json
    answer = client.post(ADDRESS, json=body | {"path": True}).json
    path = answer.pop("path")
    assert answer == {name: alone[name] for name in answer}
    images = np.array(path["images"])
    assert images.shape == (6, 28, 28)
    assert np.abs(images - DIGIT).max() <= 0.2
    values = path["tensors"]["values"]
    assert path["images"][int(np.argmax(values))] == answer["images"][0]
    assert len(path["predictions"]) == len(path["tensors"]["scores"]) == 6
    assert path["start"] == 0
    body |= {"path": True}
    tensors = load(client.post(ADDRESS, json=body, headers=BINARY).data)
    assert_allclose(tensors["path.images"], images, atol=1e-7)
    assert_allclose(tensors["path.values"], values, rtol=1e-6)


@pytest.mark.parametrize("method", ["noise", "fgsm"])
def test_a_model_without_a_gradient_is_not_attacked(method):
    cannot = Abilities(reconstruct=True, route=True, gradient=False)
    client = create_app({"fake": Attackable("fake", can=cannot)}).test_client()
    answer = client.post(ADDRESS, json=BODY | {"method": method})
    assert answer.status_code == 422
    assert answer.json["error"] == {
        "message": "the model must be one that has a gradient, got fake",
        "field": None,
    }
