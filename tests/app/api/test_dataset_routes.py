"""GET /api/datasets and the digits in them."""

import numpy as np
import pytest

from capsnet_explorer.app import create_app
from tests.app.answers import refusal

DIGITS = "/api/datasets/mnist-test/digits"


def indexes(response):
    return [digit["index"] for digit in response.json["digits"]]


def test_data_sets_are_listed(client):
    assert client.get("/api/datasets").json == {
        "datasets": [
            {
                "id": "mnist-test",
                "dataset": "mnist",
                "title": "MNIST test set",
                "count": 8,
                "labels": [1, 2, 1, 0, 2, 0, 0, 1, 0, 1],
            },
            {
                "id": "drawn-test",
                "dataset": "drawn",
                "title": "Test digits that this project draws",
                "count": 2000,
                "labels": [200] * 10,
            },
        ]
    }


def test_missing_data_is_explained(engine, tmp_path):
    client = create_app({"fake": engine}, data_folder=tmp_path / "no").test_client()
    answer = client.get("/api/datasets").json
    assert [dataset["id"] for dataset in answer["datasets"]] == ["drawn-test"]
    assert answer["missing"].startswith("MNIST's test set is missing.")
    assert "python -m capsnet_explorer data" in answer["missing"]
    assert str(tmp_path) not in answer["missing"]


def test_a_digit_has_its_label_and_ink(client):
    digit = client.get(f"{DIGITS}/3").json
    assert (digit["index"], digit["label"]) == (3, 0)
    np.testing.assert_allclose(digit["image"], np.full((28, 28), 30 / 255), rtol=1e-6)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("?label=4", [4, 6]),
        ("?label=8", []),
        ("?offset=2&limit=3", [2, 3, 4]),
        ("?offset=7", [7]),
        ("?offset=8", []),
        ("?label=1&offset=1", [5]),
        ("?mistakes_of=small", [2, 6]),
        ("?mistakes_of=small&label=4", [6]),
        ("?mistakes_of=small&label=0", []),
    ],
)
def test_digits_are_chosen(client, query, expected):
    assert indexes(client.get(DIGITS + query)) == expected


@pytest.mark.parametrize(
    ("query", "total"),
    [("?limit=1", 8), ("?label=4&offset=5", 2), ("?mistakes_of=small", 2)],
)
def test_the_total_counts_all_pages(client, query, total):
    assert client.get(DIGITS + query).json["total"] == total


def test_a_mistake_comes_with_what_it_was_taken_for(client):
    digits = client.get(f"{DIGITS}?mistakes_of=small").json["digits"]
    assert [(d["label"], d["prediction"]) for d in digits] == [(1, 2), (4, 3)]


def test_random_pages_of_one_seed_make_up_the_whole(client):
    query = f"{DIGITS}?order=random&seed=5&limit=3"
    pages = [indexes(client.get(f"{query}&offset={start}")) for start in (0, 3, 6)]
    order = [index for page in pages for index in page]
    assert sorted(order) == list(range(8))
    assert order != list(range(8))
    assert order == indexes(client.get(f"{DIGITS}?order=random&seed=5"))
    assert order != indexes(client.get(f"{DIGITS}?order=random&seed=6"))


@pytest.mark.parametrize(
    "mistakes",
    [
        [{"index": 8, "label": 1, "prediction": 2}],  # beyond the data set
        [{"index": 2, "label": 5, "prediction": 2}],  # another label there
        [{"index": 2, "label": 1, "prediction": 4}],  # of four classes
        [{"index": 2}],
        "many",
    ],
)
def test_mistakes_on_other_digits_are_refused(
    client, other_engine, mistakes, monkeypatch
):
    monkeypatch.setitem(other_engine.info.card, "mistakes", mistakes)
    response = client.get(f"{DIGITS}?mistakes_of=small")
    assert response.status_code == 422
    assert (
        "must be a model evaluated on mnist-test" in response.json["error"]["message"]
    )


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/api/datasets/nobody/digits", None),
        ("/api/datasets/nobody/digits/0", None),
        (f"{DIGITS}/8", None),
        ("/api/datasets/mnist-test/images?index=8", None),
        (f"{DIGITS}?mistakes_of=nobody", "mistakes_of"),
    ],
)
def test_unknown_things_are_not_found(client, path, field):
    response = client.get(path)
    assert refusal(response, 404)[1] == field
