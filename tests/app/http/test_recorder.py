"""Each request gets an id and leaves one record."""

import re

import pytest

from capsnet_explorer.app.http.recorder import register_recorder
from capsnet_explorer.app.observing import Observer


class Listener(Observer):
    def __init__(self):
        self.in_flight = 0
        self.records = []

    def request_started(self):
        self.in_flight += 1

    def request_ended(self, record):
        self.in_flight -= 1
        self.records.append(record)


@pytest.fixture
def listener(app):
    listener = Listener()
    register_recorder(app, [listener])
    return listener


@pytest.fixture
def record_of(client, listener):
    """Make a request, take its whole answer, and return what was recorded of it."""

    def record_of(method, path, **more):
        with client.open(path, method=method, **more) as response:
            assert listener.in_flight == 1
            length = len(response.data)
        assert listener.in_flight == 0
        record = listener.records.pop()
        assert listener.records == []
        assert record.status == response.status_code
        assert 0 < record.seconds < 60
        if method != "HEAD":
            assert record.bytes == length
        return record

    return record_of


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("GET", "/", "/", 200),
        ("GET", "/api/health", "/api/health", 200),
        ("HEAD", "/api/health", "/api/health", 200),
        ("OPTIONS", "/api/health", "/api/health", 200),
        ("GET", "/api/models/fake/kernels", "/api/models/<id>/kernels", 200),
        ("GET", "/api/models/secret/kernels", "/api/models/<id>/kernels", 404),
        ("POST", "/api/models/fake/trace", "/api/models/<id>/trace", 415),
        ("GET", "/static/js/main.js", "/static/<path:filename>", 200),
        ("GET", "/api/a/private/address?of=mine", "other", 404),
        ("DELETE", "/api/health", "other", 405),
    ],
)
def test_a_record_tells_the_route_and_the_outcome(
    record_of, method, path, route, status
):
    record = record_of(method, path)
    assert (record.method, record.route, record.status) == (method, route, status)


def test_methods_that_a_client_made_up_are_one(record_of):
    assert record_of("BREW", "/api/health").method == "other"


def test_a_refused_request_leaves_a_record_too(record_of):
    record = record_of("GET", "/api/health", headers={"Host": "evil.example"})
    assert (record.route, record.status) == ("/api/health", 421)


def test_a_bug_leaves_a_record_too(record_of, image):
    record = record_of("POST", "/api/models/broken/trace", json={"image": image})
    assert record.status == 500


def test_a_failure_of_the_app_itself_ends_its_record(app, listener):
    def broken(*_):
        raise MemoryError

    app.wsgi_app = broken
    register_recorder(app, [listener])
    with pytest.raises(MemoryError):
        app.test_client().get("/")
    assert listener.in_flight == 0
    assert listener.records[0].status == 500


def test_every_answer_tells_its_id(client, record_of):
    first, second = (client.get("/api/health").headers["X-Request-ID"] for _ in "12")
    assert re.fullmatch(r"[0-9a-f]{32}", first)
    assert first != second
    id = client.get("/nope", headers={"Host": "evil"}).headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", id)


@pytest.mark.parametrize("id", ["12345678", "a.B-c_d0", "f" * 64])
def test_a_well_formed_id_is_kept(client, record_of, id):
    assert record_of("GET", "/api/health", headers={"X-Request-ID": id}).id == id
    response = client.get("/api/health", headers={"X-Request-ID": id})
    assert response.headers["X-Request-ID"] == id


@pytest.mark.parametrize(
    "id",
    ["", "1234567", "f" * 65, "with space", 'quo"te-----', "ünïcödé-", "a\tb------"],
)
def test_an_ill_formed_id_is_replaced(record_of, id):
    record = record_of("GET", "/api/health", headers={"X-Request-ID": id})
    assert re.fullmatch(r"[0-9a-f]{32}", record.id)
