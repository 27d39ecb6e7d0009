"""Every failure under /api/ answers in one JSON shape."""

import logging
import sys
from pathlib import Path

import pytest
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from capsnet_explorer.app.errors import short
from tests.app.answers import refusal

ROOT = Path(__file__).parents[3]
TRACE = "/api/models/fake/trace"


def is_error(response):
    error = response.json["error"]
    return response.json.keys() == {"error"} and error.keys() == {"message", "field"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the body must be a JSON object, got nothing"),
        (b"{", "the body must be JSON, got "),
        (b"[]", "the body must be a JSON object, got a list of 0"),
        (b"null", "the body must be a JSON object, got nothing"),
        (b'{"image": [[NaN]]}', "the body must be JSON, got "),
        (b'{"image": [[1e999]]}', "the body must be JSON, got "),
        (b'{"image": "\xff"}', "the body must be JSON, got "),
        (b"[" * 100_000, "the body must be JSON, got "),
    ],
)
def test_a_broken_body_says_what_is_wrong_with_it(client, body, message):
    response = client.post(TRACE, data=body, content_type="application/json")
    assert response.status_code == 422
    assert is_error(response)
    assert response.json["error"]["message"].startswith(message)


def test_a_json_body_has_a_limit(client):
    response = client.post(TRACE, json={"image": "x" * (1 << 20)})
    assert response.status_code == 413
    assert response.json["error"] == {
        "message": "the body must have at most 1 MB",
        "field": None,
    }


def test_an_unknown_address_is_not_found(client):
    response = client.get("/api/nope")
    assert refusal(response, 404)[0] == 'there is nothing at "/api/nope"'


def test_a_wrong_method_is_told_the_right_ones(client):
    response = client.get(TRACE)
    assert response.status_code == 405
    assert is_error(response)
    assert set(response.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}


def test_addresses_outside_the_api_answer_with_a_page(client):
    assert client.get("/nope").mimetype == "text/html"


def test_a_bug_stays_on_the_server_and_in_its_log(client, image, caplog):
    with caplog.at_level(logging.ERROR):
        response = client.post("/api/models/broken/trace", json={"image": image})
    assert response.status_code == 500
    assert is_error(response)
    assert "secret" not in response.text
    assert "secret path /home/me" in caplog.text
    assert "Traceback" in caplog.text


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("GET", "/api/nope", {}),
        ("GET", "/static/../nope.js", {}),
        ("GET", "/api/datasets", {}),
        ("POST", TRACE, {"json": {"image": "x"}}),
        ("POST", "/api/models/broken/trace", {"json": {"image": [[0] * 28] * 28}}),
        ("POST", "/api/images", {"data": b"x", "content_type": "image/png"}),
        ("GET", "/", {"headers": {"Host": "evil.example"}}),
    ],
)
def test_no_answer_tells_where_anything_is_on_the_disk(
    app, tmp_path, method, path, sent
):
    with app.test_client().open(path, method=method, **sent) as response:
        text = f"{response.headers}{response.text}"
    for private in (str(ROOT), str(tmp_path), sys.prefix, "site-packages", ".py"):
        assert private not in text


@pytest.mark.parametrize(
    ("failure", "status", "wait"),
    [
        (TooManyRequests(), 429, "1"),
        (ServiceUnavailable(), 503, "1"),
        (ServiceUnavailable(retry_after=30), 503, "30"),
    ],
)
def test_a_busy_server_says_when_to_come_back(
    client, image, engine, monkeypatch, failure, status, wait
):
    def busy(*_):
        raise failure

    monkeypatch.setattr(engine, "trace", busy)
    response = client.post(TRACE, json={"image": image})
    assert response.status_code == status
    assert is_error(response)
    assert response.headers["Retry-After"] == wait


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "true"),
        (1.5, "1.5"),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "an object"),
        ('a"b', '"a\\"b"'),
        ("x" * 41, '"' + "x" * 40 + '…"'),
        ("\ud800", '"?"'),
    ],
)
def test_a_clients_value_is_named_briefly(value, words):
    assert short(value) == words
