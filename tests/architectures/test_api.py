"""What the API promises of every architecture, asked of an app that serves it."""

import numpy as np
import pytest
import torch
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.torch import LARGEST_HALF, SMALLEST_HALF, load_engines
from capsnet_explorer.model.layers.maps import picture_shape
from capsnet_explorer.model.weights import load_weights
from tests.architectures.conftest import TWO

SAFETENSORS = {"Accept": "application/x-safetensors"}


@pytest.fixture(scope="module")
def client(weights, tmp_path_factory):
    return create_app(
        load_engines(weights), data_folder=tmp_path_factory.mktemp("data")
    ).test_client()


@pytest.fixture(scope="module")
def model(client):
    (model,) = client.get("/api/models").json["models"]
    return model


@pytest.fixture(scope="module")
def address(model):
    return f"/api/models/{model['id']}"


@pytest.fixture(scope="module")
def image(images):
    return images[0].tolist()


def test_a_model_says_what_it_is(architecture, config, model, is_colour):
    assert model["architecture"] == architecture.name
    assert model["scores"] == architecture.scores
    assert model["can"].keys() == {"reconstruct", "route", "gradient"}
    assert model["input_shape"] == list(config.image_shape)
    assert len(model["class_names"]) == model["classes"] == config.classes
    rule = TWO if is_colour else {"at_most": 1, "threshold": None}
    assert model["present"] == rule
    assert (model["routing_iterations"] is not None) == model["can"]["route"]
    assert (model["pose_dim"] is not None) == model["can"]["reconstruct"]


def test_every_name_in_the_layers_is_answered(client, model, address, image):
    layers = model["layers"]
    ids = [layer["id"] for layer in layers]
    names = sorted({name for layer in layers for name in layer["tensors"].values()})
    body = {"image": image, "tensors": names}
    answer = client.post(f"{address}/trace", json=body, headers=SAFETENSORS)
    assert load(answer.data).keys() == set(names)
    for index, layer in enumerate(layers):
        assert layer["below"] in {None, *ids[:index]}
        assert layer["title"]
        for name in layer["weights"].values():
            answer = client.get(f"{address}/weights/{name}", headers=SAFETENSORS)
            assert answer.status_code == 200, name
            assert load(answer.data).keys() == {name}


def test_a_trace_answers_with_every_tensor_as_described(
    client, model, address, image, is_colour
):
    names = [tensor["name"] for tensor in model["tensors"]]
    body = {"image": image, "tensors": names}
    binary = load(client.post(f"{address}/trace", json=body, headers=SAFETENSORS).data)
    for tensor in model["tensors"]:
        values = binary[tensor["name"]]
        assert list(values.shape) == tensor["shape"]
        largest = np.abs(values).max()
        # Half precision has no room for what is very large, or very small.
        fits = largest == 0 or SMALLEST_HALF <= largest <= LARGEST_HALF
        is_half = tensor["precision"] == "f16" and fits
        assert values.dtype == (np.float16 if is_half else np.float32)
    np.testing.assert_allclose(binary["input"], np.squeeze(image), atol=1e-6)
    usual = [tensor["name"] for tensor in model["tensors"] if not tensor["on_request"]]
    answer = client.post(f"{address}/trace", json={"image": image}).json
    assert list(answer["tensors"]) == usual
    scores = answer["tensors"]["scores"]
    best = np.argsort(-np.array(scores)).tolist()
    assert answer["prediction"] == best[0]
    assert answer["present"] == (
        [label for label in best[:2] if scores[label] >= TWO["threshold"]]
        if is_colour
        else best[:1]
    )
    assert answer["iterations"] == model["routing_iterations"]
    np.testing.assert_allclose(
        answer["tensors"]["scores"], binary["scores"], rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("iterations", 2),
        ("silence", [0]),
        ("routing", "uniform"),
        ("pin", [{"capsule": 0, "digit": 0, "coupling": 1}]),
    ],
)
def test_iterations_and_surgery_are_refused_by_what_cannot_route(
    client, model, address, image, name, value
):
    answer = client.post(f"{address}/trace", json={"image": image, name: value})
    if name == "silence" and model.get("silenceable_maps"):
        assert answer.status_code == 200
    elif not model["can"]["route"]:
        assert answer.status_code == 422
        assert answer.json["error"]["field"] == name
        assert answer.json["error"]["message"].startswith(f"{name} must be absent")
    elif name == "iterations" and model["max_routing_iterations"] < value:
        assert answer.status_code == 422
        assert answer.json["error"]["message"].startswith("iterations must be 1")
    else:
        assert answer.status_code == 200


def test_poses_are_decoded_by_what_can_reconstruct(client, model, address):
    numbers = model["pose_dim"] or 16
    body = {"digit": 1, "poses": [[0.1] * numbers] * 2}
    answer = client.post(f"{address}/reconstruct", json=body)
    if model["can"]["reconstruct"]:
        assert np.shape(answer.json["images"]) == (
            2,
            *picture_shape(model["input_shape"]),
        )
    else:
        assert answer.status_code == 422
        assert "can reconstruct" in answer.json["error"]["message"]


def test_weights_are_answered_by_the_layers_names(client, model, address, network):
    state = network.state_dict()
    assert [weight["name"] for weight in model["weights"]] == list(state)
    for weight in model["weights"]:
        answer = client.get(f"{address}/weights/{weight['name']}", headers=SAFETENSORS)
        (values,) = load(answer.data).values()
        assert list(values.shape) == weight["shape"]
        expected = state[weight["name"]].half().float().numpy()
        np.testing.assert_array_equal(values.astype(np.float32), expected)


def test_a_batch_answers_as_single_traces_do(client, address, images):
    body = {"images": images.tolist(), "tensors": ["scores"]}
    answer = client.post(f"{address}/batch", json=body)
    assert answer.status_code == 200
    for index, image in enumerate(images.tolist()):
        trace = client.post(f"{address}/trace", json={"image": image}).json
        np.testing.assert_allclose(
            answer.json["tensors"]["scores"][index],
            trace["tensors"]["scores"],
            rtol=1e-3,
            atol=1e-5,
        )
        assert answer.json["predictions"][index] == trace["prediction"]
        assert answer.json["present"][index] == trace["present"]


@pytest.mark.parametrize(
    ("method", "loss"),
    [("noise", "gap"), ("fgsm", "trained"), ("bim", "entropy"), ("pgd", "scores")],
)
def test_an_attack_stays_within_its_bounds(client, address, images, method, loss):
    image, epsilons = images[1].double().numpy(), [0, 0.03, 0.2]
    body = {"image": image.tolist(), "label": 1, "epsilons": epsilons, "steps": 3}
    request = body | {"method": method, "loss": loss, "gradient": "last"}
    answer = client.post(f"{address}/attack", json=request)
    assert answer.status_code == 200, answer.text
    attacked = np.array(answer.json["images"])
    assert answer.json["images"][0] == np.squeeze(image).tolist()
    assert 0 <= attacked.min() <= attacked.max() <= 1
    for changed, epsilon in zip(attacked, epsilons, strict=True):
        assert np.abs(changed - np.squeeze(image)).max() <= epsilon
    batch = client.post(
        f"{address}/batch", json={"images": attacked.tolist(), "tensors": ["scores"]}
    ).json
    assert answer.json["predictions"] == batch["predictions"]
    np.testing.assert_allclose(
        answer.json["tensors"]["scores"],
        batch["tensors"]["scores"],
        rtol=1e-3,
        atol=1e-5,
    )


def test_attacks_grow_in_strength(client, address, images, architecture, weights):
    """By the gap of the stored network; `fgsm` along a straight enough way."""
    stored = load_weights(weights).network
    body = {"image": images[0].tolist(), "label": 0, "epsilons": [0, 0.01, 0.1]}

    def gaps(method):
        request = body | {"method": method, "steps": 5}
        answer = client.post(f"{address}/attack", json=request).json
        changed = torch.tensor(answer["images"]).view(-1, *images.shape[1:])
        with torch.no_grad():
            evidence = architecture.evidence(stored(changed))
        return (evidence[:, 1:].amax(dim=1) - evidence[:, 0]).tolist()

    fgsm, bim, pgd = (gaps(method) for method in ("fgsm", "bim", "pgd"))
    assert fgsm[1] > fgsm[0]
    for index in range(3):
        assert bim[index] >= bim[0] - 1e-6
        assert pgd[index] >= fgsm[index] - 1e-6


def test_reconstructions_of_attacked_images_are_measured(
    client, model, address, images
):
    body = {"image": images[0].tolist(), "label": 0, "method": "fgsm"}
    answer = client.post(f"{address}/attack", json=body | {"epsilons": [0, 0.2]}).json
    errors = answer["tensors"]["reconstruction_error"]
    if not model["can"]["reconstruct"]:
        assert errors is None
        return
    for image, error in zip(answer["images"], errors, strict=True):
        request = {"image": image, "tensors": ["reconstruction"]}
        trace = client.post(f"{address}/trace", json=request).json
        difference = np.array(image) - np.array(trace["tensors"]["reconstruction"])
        assert error == pytest.approx(np.square(difference).mean(), rel=1e-3)
