"""POST /api/transform: changes of an image."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capsnet_explorer.perturbations.changes import Change, changed

ADDRESS = "/api/transform"
DIGIT = np.random.default_rng(0).random((28, 28)).tolist()


@pytest.fixture
def client(settled):
    return settled


def ask(client, changes, image=DIGIT):
    body = {"image": image, "changes": changes}
    return client.post(ADDRESS, json=body)


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
    changes = [{name: value} for name, value in change.items()] + [change]
    expected = changed(
        np.array(DIGIT),
        [
            Change(**{**change, "seed": int(change.get("seed", 0))})  # JSON: 9.0
            for change in changes
        ],
    )
    assert_allclose(ask(client, changes).json["images"], expected, atol=1e-12)


def test_an_image_may_have_the_size_of_any_model(client):
    image = [[0.25, 1], [0.5, 0], [0, 0.125]]  # that of `small`
    answer = ask(client, [{"shift": [1, 0]}], image)
    assert answer.json["images"] == [[[0, 0.25], [0, 0.5], [0, 0]]]
