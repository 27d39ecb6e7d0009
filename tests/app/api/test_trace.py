"""POST /api/models/<id>/trace, with a fake engine: no weights, no torch."""

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load

from capsnet_explorer.app.engines.facts import Abilities
from tests.app.answers import BINARY, refusal

TRACE = "/api/models/fake/trace"


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


@pytest.mark.parametrize(("options", "ran"), [({}, 3), ({"iterations": 10}, 10)])
def test_runs_the_iterations_asked_for_or_the_models_own(client, image, options, ran):
    answer = client.post(TRACE, json={"image": image} | options).json
    assert answer["iterations"] == ran
    assert len(answer["tensors"]["routing"]) == ran


def test_the_binary_answer_holds_the_same_tensors(client, image):
    body = {"image": image, "iterations": 5}
    binary = client.post(TRACE, json=body, headers=BINARY)
    assert binary.mimetype == "application/x-safetensors"
    assert "Accept" in binary.vary
    arrays = load(binary.data)
    lists = client.post(TRACE, json=body).json["tensors"]
    assert arrays.keys() == lists.keys()
    for name, array in arrays.items():
        assert array.dtype == (np.float32 if name == "scores" else np.float16)
        np.testing.assert_allclose(array, lists[name], rtol=2**-11)  # half an f16 step


def test_json_is_written_from_full_precision(client, image, engine):
    client.post(TRACE, json={"image": image})
    client.post(TRACE, json={"image": image}, headers=BINARY)
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
    assert engine.choices == [surgery]


@pytest.mark.parametrize(
    "options", [{}, {"silence": [], "routing": "agreement", "pin": []}]
)
def test_nothing_is_changed_unless_asked_for(client, image, engine, options):
    client.post(TRACE, json={"image": image} | options)
    assert engine.questions[0].options == engine.options({})


def test_a_model_that_cannot_route_refuses_iterations_and_surgery(app, engine, image):
    cannot = Abilities(reconstruct=False, route=False, gradient=True)
    engine.info = engine.info.model_copy(update={"can": cannot, "details": {}})
    client = app.test_client()
    for name, value in {"iterations": 3, "silence": [0], "routing": "uniform"}.items():
        answer = client.post(TRACE, json={"image": image, name: value})
        assert refusal(answer)[1] == name


def test_the_scalars_are_in_the_metadata(client, image, tmp_path):
    file = tmp_path / "trace.safetensors"
    file.write_bytes(client.post(TRACE, json={"image": image}, headers=BINARY).data)
    with safe_open(file, "numpy") as opened:
        assert opened.metadata() == {
            "model": "fake",
            "version": "version-of-fake",
            "iterations": "3",
            "prediction": "9",
            "name": "9",
            "present": "[9]",
        }
