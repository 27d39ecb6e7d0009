"""POST /api/transform: changes of an image."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from safetensors.numpy import load

from capsnet_explorer.app.api.laboratory import MAX_CHANGES
from capsnet_explorer.laboratory.changes import Change, changed

ADDRESS = "/api/transform"
DIGIT = np.random.default_rng(0).random((28, 28)).tolist()


def ask(client, changes, image=DIGIT, **options):
    body = {"image": image, "changes": changes}
    return client.post(ADDRESS, json=body, **options)


def test_no_change_answers_with_the_very_numbers(client):
    answer = ask(client, [{}, {"seed": 3}])
    assert answer.status_code == 200
    assert answer.json == {"images": [DIGIT, DIGIT]}


def test_every_part_is_applied_as_the_laboratory_does(client):
    change = {
        "rotate": 30,
        "shift": [2, -1.5],
        "scale": 1.2,
        "shear": -10,
        "stroke": 0.5,
        "blur": 0.8,
        "contrast": 0.7,
        "ground": 0.1,
        "noise": 0.05,
        "seed": 9.0,
    }
    asked = [{name: value} for name, value in change.items()] + [change]
    expected = changed(
        np.array(DIGIT),
        [
            Change(**{**each, "seed": int(each.get("seed", 0))})  # JSON has 9.0 for 9
            for each in asked
        ],
    )
    assert_allclose(ask(client, asked).json["images"], expected, atol=1e-12)
    headers = {"Accept": "application/x-safetensors"}
    (images,) = load(ask(client, asked, headers=headers).data).values()
    assert images.dtype == np.float32
    assert_allclose(images, expected, atol=1e-7)


def test_an_image_may_have_the_size_of_any_model(client):
    image = [[0.25, 1], [0.5, 0], [0, 0.125]]  # that of `small`
    answer = ask(client, [{"shift": [1, 0]}], image)
    assert answer.json["images"] == [[[0, 0.25], [0, 0.5], [0, 0]]]


def test_as_many_changes_as_allowed(client):
    changes = [{"rotate": place} for place in range(MAX_CHANGES)]
    assert len(ask(client, changes).json["images"]) == MAX_CHANGES


@pytest.mark.parametrize(
    ("change", "field", "need"),
    [
        ({"turn": 3}, "turn", "is not a field of this request"),
        ({"rotate": 361}, "rotate", "less than or equal to 360, got 361"),
        ({"rotate": "30"}, "rotate", 'must be a valid number, got "30"'),
        ({"rotate": True}, "rotate", "must be a valid number, got true"),
        ({"rotate": None}, "rotate", "must be a valid number, got nothing"),
        ({"scale": 0}, "scale", "greater than or equal to 0.1, got 0"),
        ({"scale": -1}, "scale", "greater than or equal to 0.1, got -1"),
        ({"shear": 90}, "shear", "less than or equal to 80, got 90"),
        ({"shift": [1]}, "shift.1", "is required"),
        ({"shift": [1, 2, 3]}, "shift", "must have at most 2 items, got a list of 3"),
        ({"shift": 3}, "shift", "must be a valid tuple, got 3"),
        ({"shift": [0, 1e4]}, "shift.1", "less than or equal to 256, got 10000"),
        ({"stroke": 5}, "stroke", "less than or equal to 4, got 5"),
        ({"blur": -0.1}, "blur", "greater than or equal to 0, got -0.1"),
        ({"contrast": 11}, "contrast", "less than or equal to 10, got 11"),
        ({"ground": 1.5}, "ground", "less than or equal to 1, got 1.5"),
        ({"noise": -1}, "noise", "greater than or equal to 0, got -1"),
        ({"seed": 1.5}, "seed", "must be a valid integer, got 1.5"),
        ({"seed": 2**32}, "seed", "less than 4294967296, got 4294967296"),
    ],
)
def test_a_wrong_part_is_named(client, change, field, need):
    answer = ask(client, [{}, change])
    assert answer.status_code == 422
    error = answer.json["error"]
    assert error["field"] == f"changes.1.{field}"
    assert need in error["message"]


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({}, "image", "image is required"),
        ({"image": DIGIT}, "changes", "changes is required"),
        (
            {"image": DIGIT, "changes": []},
            "changes",
            "changes must have at least 1 item, got a list of 0",
        ),
        (
            {"image": DIGIT, "changes": [{}] * 257},
            "changes",
            "changes must have at most 256 items, got a list of 257",
        ),
        (
            {"image": DIGIT, "changes": {}},
            "changes",
            "changes must be a valid list, got an object",
        ),
        (
            {"image": DIGIT, "changes": [7]},
            "changes.0",
            "changes.0 must be an object, got 7",
        ),
        (
            {"image": DIGIT[1:], "changes": [{}]},
            "image",
            "image must have 28 rows of 28 or 3 rows of 2 numbers, as a model reads "
            "it, got 27 rows of 28",
        ),
        (
            {"image": [[2, *DIGIT[0][1:]], *DIGIT[1:]], "changes": [{}]},
            "image.0.0",
            "image.0.0 must be a number in [0, 1], got 2",
        ),
        ({"image": DIGIT, "changes": [{}], "seed": 1}, "seed", "seed is not a field"),
    ],
)
def test_a_wrong_request_is_explained(client, body, field, message):
    answer = client.post(ADDRESS, json=body)
    assert answer.status_code == 422
    assert answer.json["error"]["field"] == field
    assert answer.json["error"]["message"].startswith(message)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_refused(client, number):
    body = b'{"image": [[0, 0], [0, 0], [0, 0]], "changes": [{"rotate": %s}]}'
    answer = client.post(
        ADDRESS, data=body % number.encode(), content_type="application/json"
    )
    assert answer.status_code == 422
    assert answer.json["error"]["message"]
