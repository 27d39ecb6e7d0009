"""Only a request that names this server is answered."""

import pytest
from werkzeug.test import Client

from capsnet_explorer.app import create_app
from capsnet_explorer.app.http.access import Access
from capsnet_explorer.app.http.hosts import own_names
from tests.app.answers import refusal

OURS = [
    "localhost",
    "localhost:5000",
    "LocalHost:5000",
    "localhost.",
    "explorer.localhost:5000",
    "127.0.0.1",
    "192.168.1.20:5000",
    "[fe80::1]:5000",
]
FOREIGN = [
    "evil.example:5000",
    "localhost.evil.example",
    "notlocalhost",
    "127.0.0.1.evil.example",
    "1.2.3",
]
BROKEN = [
    "",
    "localhost:5000:6",
    "localhost/",
    "user@localhost",
    "[::1].evil.example",
    "é",
]


@pytest.fixture
def client(settled):
    return settled


@pytest.fixture
def ask(client):
    def ask(host, path="/api/health"):
        return client.get(path, headers={"Host": host})

    return ask


@pytest.mark.parametrize("host", OURS)
def test_this_machine_is_answered_under_any_number_and_as_localhost(ask, host):
    assert ask(host).status_code == 200


def test_this_machine_is_answered_under_its_own_names(ask):
    names = own_names()
    assert len(names) > 1
    for name in names:
        assert ask(f"{name}:5000").status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_name_is_refused_and_told_what_helps(ask, host):
    response = ask(host)
    assert response.status_code == 421
    message = response.json["error"]["message"]
    assert host.partition(":5")[0] in message
    assert "--allow-host" in message
    assert "CAPSNET_ALLOW_HOSTS" in message


@pytest.mark.parametrize("host", BROKEN)
def test_a_broken_name_is_refused(ask, host):
    response = ask(host)
    assert "Host header" in refusal(response, 421)[0]


@pytest.mark.parametrize("path", ["/", "/static/js/main.js", "/nope"])
def test_outside_the_api_a_foreign_name_is_refused_in_words(ask, path):
    response = ask("evil.example", path)
    assert response.status_code == 421
    assert response.mimetype == "text/plain"
    assert '"evil.example"' in response.text


def test_no_route_is_left_out(client):
    for rule in client.application.url_map.iter_rules():
        path = rule.rule.replace("<int:index>", "0").replace("<id>", "fake")
        for method in rule.methods:
            response = client.open(path, method=method, headers={"Host": "evil"})
            assert response.status_code == 421, (method, path)


def test_a_client_too_old_to_name_a_host_is_answered(client):
    """HTTP/1.0, as some load balancers speak to ask for health."""

    def without_host(environ, start_response):
        del environ["HTTP_HOST"]
        return client.application(environ, start_response)

    assert Client(without_host).get("/api/health").status_code == 200


def test_names_can_be_allowed(engine):
    access = Access(hosts=["Explorer.example.org", ".school.example"])
    client = create_app({"fake": engine}, access=access).test_client()

    def status(host):
        return client.get("/api/health", headers={"Host": host}).status_code

    assert status("explorer.example.org") == 200
    assert status("explorer.example.org:8443") == 200
    assert status("room-7.school.example") == 200
    assert status("school.example") == 421
    assert status("notschool.example") == 421
    assert status("www.explorer.example.org") == 421


def test_names_can_be_allowed_in_the_environment(engine, monkeypatch):
    monkeypatch.setenv("CAPSNET_ALLOW_HOSTS", "one.example two.example")
    client = create_app({"fake": engine}).test_client()
    for host in ("one.example", "two.example"):
        assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "name", ["", "http://a.example", "a.example:80", "a.example/b", "*", ".", "a..b"]
)
def test_what_is_no_name_cannot_be_allowed(name):
    with pytest.raises(ValueError, match="an allowed host must be a name"):
        Access(hosts=[name])
