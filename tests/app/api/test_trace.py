"""POST /api/models/<id>/trace, with a fake engine: no weights, no torch."""

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load

from capsnet_explorer.app.engines.facts import Abilities

TRACE = "/api/models/fake/trace"
SAFETENSORS = {"Accept": "application/x-safetensors"}


def changed(image, row, column, value):
    return [
        [value if (i, j) == (row, column) else x for j, x in enumerate(line)]
        for i, line in enumerate(image)
    ]


def test_answers_with_every_tensor_that_is_not_on_request(client, image):
    answer = client.post(TRACE, json={"image": image}).json
    assert answer["model"] == "fake"
    assert answer["prediction"] == 9
    assert list(answer["tensors"]) == ["maps", "routing", "scores"]


def test_tensors_are_nested_lists_in_the_right_order(client, image):
    maps = client.post(TRACE, json={"image": image}).json["tensors"]["maps"]
    ink = np.mean(np.array(image, np.float32))
    # The fake's array is Fortran-ordered: value = ink + plane + 2 row + 6 column.
    expected = [
        [[ink + p + 2 * r + 6 * c for c in range(4)] for r in range(3)]
        for p in range(2)
    ]
    np.testing.assert_allclose(maps, expected, rtol=1e-6)


@pytest.mark.parametrize(("asked", "ran"), [({}, 3), ({"iterations": 10}, 10)])
def test_runs_the_iterations_asked_for_or_the_models_own(client, image, asked, ran):
    answer = client.post(TRACE, json={"image": image} | asked).json
    assert answer["iterations"] == ran
    assert len(answer["tensors"]["routing"]) == ran


def test_answers_with_named_tensors_only_and_each_once(client, image):
    body = {"image": image, "tensors": ["votes", "scores", "votes"]}
    answer = client.post(TRACE, json=body).json
    assert list(answer["tensors"]) == ["votes", "scores"]


def test_no_names_means_the_prediction_only(client, image):
    answer = client.post(TRACE, json={"image": image, "tensors": []}).json
    assert answer["tensors"] == {}
    assert answer["prediction"] == 9


def test_the_binary_answer_holds_the_same_tensors(client, image):
    body = {"image": image, "iterations": 5}
    binary = client.post(TRACE, json=body, headers=SAFETENSORS)
    assert binary.mimetype == "application/x-safetensors"
    assert "Accept" in binary.vary
    arrays = load(binary.data)
    lists = client.post(TRACE, json=body).json["tensors"]
    assert arrays.keys() == lists.keys()
    for name, array in arrays.items():
        np.testing.assert_allclose(array, lists[name], rtol=2**-11)  # half an f16 step


def test_precision_is_as_the_model_says(client, image):
    arrays = load(client.post(TRACE, json={"image": image}, headers=SAFETENSORS).data)
    assert {name: array.dtype for name, array in arrays.items()} == {
        "maps": np.float16,
        "routing": np.float16,
        "scores": np.float32,
    }


def test_json_is_written_from_full_precision(client, image, engine):
    client.post(TRACE, json={"image": image})
    client.post(TRACE, json={"image": image}, headers=SAFETENSORS)
    assert [question.half for question in engine.questions] == [False, True]


def test_surgery_reaches_the_engine(client, image, engine):
    surgery = {
        "silence": [1151, 0],
        "routing": "uniform",
        "pin": [
            {"capsule": 7, "digit": 9, "coupling": 1},
            {"capsule": 0, "digit": 0, "coupling": 0.25},
        ],
    }
    assert client.post(TRACE, json={"image": image} | surgery).status_code == 200
    assert engine.asked == [surgery]


@pytest.mark.parametrize(
    "asked", [{}, {"silence": [], "routing": "agreement", "pin": []}]
)
def test_nothing_is_changed_unless_asked_for(client, image, engine, asked):
    client.post(TRACE, json={"image": image} | asked)
    assert engine.questions[0].options == engine.options({})


def test_a_model_that_cannot_route_refuses_iterations_and_surgery(app, engine, image):
    cannot = Abilities(reconstruct=False, route=False, gradient=True)
    engine.info = engine.info.model_copy(update={"can": cannot, "details": {}})
    client = app.test_client()
    for name, value in {"iterations": 3, "silence": [0], "routing": "uniform"}.items():
        answer = client.post(TRACE, json={"image": image, name: value})
        assert answer.status_code == 422
        assert answer.json["error"]["field"] == name


def pin(capsule=0, digit=0, coupling=0.5, **more):
    return {"capsule": capsule, "digit": digit, "coupling": coupling, **more}


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"silence": 3}, "silence", "must be a valid list, got 3"),
        ({"silence": None}, "silence", "must be a valid list, got nothing"),
        ({"silence": [0, -1]}, "silence.1", "must be greater than or equal to 0, got"),
        ({"silence": [1.5]}, "silence.0", "must be a valid integer, got"),
        ({"silence": [True]}, "silence.0", "must be a valid integer, got true"),
        ({"routing": "x"}, "routing", "must be 'agreement' or 'uniform', got \"x\""),
        ({"pin": pin()}, "pin", "must be a valid list, got an object"),
        ({"pin": [3]}, "pin.0", "must be an object, got 3"),
        ({"pin": [{"capsule": 0, "digit": 0}]}, "pin.0.coupling", "is required"),
        (
            {"pin": [pin(), pin(1, coupling=1.01)]},
            "pin.1.coupling",
            "must be less than",
        ),
        ({"pin": [pin(coupling=-0.1)]}, "pin.0.coupling", "must be greater than or"),
        ({"pin": [pin(coupling=True)]}, "pin.0.coupling", "must be a valid number"),
        ({"pin": [pin(coupling="1")]}, "pin.0.coupling", "must be a valid number"),
        ({"pin": [pin(weight=1)]}, "pin.0.weight", "is not a field of this request"),
    ],
)
def test_wrong_surgery_is_named(client, image, change, field, message):
    response = client.post(TRACE, json={"image": image} | change)
    assert response.status_code == 422
    error = response.json["error"]
    assert error["field"] == field
    assert error["message"].startswith(f"{field} {message}")


def test_the_scalars_are_in_the_metadata(client, image, tmp_path):
    file = tmp_path / "trace.safetensors"
    file.write_bytes(
        client.post(TRACE, json={"image": image}, headers=SAFETENSORS).data
    )
    with safe_open(file, "numpy") as opened:
        assert opened.metadata() == {
            "model": "fake",
            "version": "version-of-fake",
            "iterations": "3",
            "prediction": "9",
            "present": "[9]",
        }


def test_sizes_are_those_of_the_model(client):
    small = "/api/models/small/trace"
    body = {"image": [[0, 1], [1, 0], [0, 0]], "iterations": 4}
    assert client.post(small, json=body).status_code == 200
    assert client.post(small, json=body | {"iterations": 5}).status_code == 422


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"image": None}, "image", "image must be a list of rows of numbers, got n"),
        ({"image": "x"}, "image", "image must be a list of rows of numbers, got "),
        ({"image": [[0.5]]}, "image", "image must have 28 rows, got 1"),
        ({"image": [[0.5]] * 28}, "image.0", "image.0 must have 28 numbers, got 1"),
        ({"image": [[0.5] * 28] * 27}, "image", "image must have 28 rows, got 27"),
        ({"iterations": 0}, "iterations", "iterations must be greater than or equal"),
        ({"iterations": 11}, "iterations", "iterations must be at most 10, got 11"),
        ({"iterations": 2.5}, "iterations", "iterations must be a valid integer, got"),
        ({"iterations": True}, "iterations", "iterations must be a valid integer"),
        (
            {"iterations": "3"},
            "iterations",
            'iterations must be a valid integer, got "3',
        ),
        ({"tensors": "maps"}, "tensors", "tensors must be a valid list, got"),
        ({"tensors": ["maps", "x"]}, "tensors.1", "tensors.1 must be a tensor of fake"),
        ({"tensors": [1]}, "tensors.0", "tensors.0 must be a valid string, got 1"),
        ({"tensors": ["maps"] * 101}, "tensors", "tensors must have at most 100 items"),
        ({"ink": 1}, "ink", "ink is not a field of this request"),
    ],
)
def test_a_wrong_field_is_named(client, image, change, field, message):
    response = client.post(TRACE, json={"image": image} | change)
    assert response.status_code == 422
    assert response.json["error"]["field"] == field
    assert response.json["error"]["message"].startswith(message)


@pytest.mark.parametrize("value", [1.5, -0.1, True, "0.5", None, [0.5], {}])
def test_a_wrong_pixel_is_named(client, image, value):
    response = client.post(TRACE, json={"image": changed(image, 3, 7, value)})
    assert response.status_code == 422
    assert response.json["error"]["field"] == "image.3.7"


def test_a_row_of_another_length_is_named(client, image):
    response = client.post(TRACE, json={"image": [image[0][:-1], *image[1:]]})
    assert response.json["error"] == {
        "message": "image.0 must have 28 numbers like other rows, got 27",
        "field": "image.0",
    }


def test_a_long_value_is_not_echoed(client, image):
    response = client.post(TRACE, json={"image": changed(image, 0, 0, "x" * 10_000)})
    assert len(response.json["error"]["message"]) < 120


def test_an_image_is_required(client):
    assert client.post(TRACE, json={}).json["error"] == {
        "message": "image is required",
        "field": "image",
    }


def test_a_whole_number_may_be_written_with_a_point(client, image):
    """JSON has one kind of number, and some languages write 4 as 4.0."""
    body = {"image": image, "iterations": 4.0, "silence": [3.0]}
    assert client.post(TRACE, json=body).json["iterations"] == 4
