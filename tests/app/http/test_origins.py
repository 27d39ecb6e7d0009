"""What pages of other sites may do: nothing, unless their origin is allowed."""

import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.http.access import Access
from tests.app.answers import refusal

FRIEND = "https://notebook.example"
EVIL = "https://evil.example"
HOST = "localhost:5000"
TRACE = "/api/models/fake/trace"


@pytest.fixture
def closed(client):
    return client


@pytest.fixture
def opened(engine):
    access = Access(origins=[FRIEND, "http://localhost:8888"])
    return create_app({"fake": engine}, access=access).test_client()


def post(client, image, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(TRACE, json={"image": image}, headers={"Host": HOST} | named)


@pytest.mark.parametrize(
    "headers",
    [
        {},  # a script, or curl
        {"Sec_Fetch_Site": "same-origin", "Origin": f"http://{HOST}"},
        {"Sec_Fetch_Site": "same-origin", "Origin": "https://through.a.proxy"},
        {"Sec_Fetch_Site": "none"},
        {"Origin": f"http://{HOST}"},  # no Sec-Fetch-Site over plain HTTP from afar
    ],
)
def test_our_page_and_scripts_may_post(closed, image, headers):
    assert post(closed, image, **headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site", "Origin": "http://localhost:8000"},
        {"Sec_Fetch_Site": "cross-site", "Origin": f"http://{HOST}"},
        {"Origin": "null"},
        {"Origin": "http://localhost:5001"},
        {"Origin": f"http://{HOST}.evil.example"},
    ],
)
def test_pages_of_other_sites_may_not_post(closed, engine, image, headers):
    response = post(closed, image, **headers)
    assert "--cors" in refusal(response, 403)[0]
    assert engine.calls["trace"] == 0


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"],
)
def test_no_form_can_post_json(closed, engine, content_type):
    """The three types that a browser sends across sites without asking first."""
    response = closed.post(TRACE, data=b'{"image": [[0]]}', content_type=content_type)
    assert response.status_code == 415
    assert engine.calls["trace"] == 0


def test_whatever_changes_something_is_posted(app):
    """But where people keep things, by methods for which a browser asks first."""
    kept = ("/api/runs", "/api/downloads", "/api/sets")
    methods = set().union(
        *(
            rule.methods - ({"DELETE"} if rule.rule == "/api/models/<id>" else set())
            for rule in app.url_map.iter_rules()
            if not rule.rule.startswith(kept)
        )
    )
    assert methods == {"GET", "HEAD", "OPTIONS", "POST"}


def permission(response):
    prefix = "Access-Control-"
    return {
        name.removeprefix(prefix): value
        for name, value in response.headers
        if name.startswith(prefix)
    }


def preflight(client, origin, path=TRACE):
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    return client.options(path, headers=headers)


@pytest.mark.parametrize("origin", [EVIL, "null"])
def test_nobody_is_permitted_to_read_by_default(closed, origin):
    assert permission(closed.get("/api/models", headers={"Origin": origin})) == {}
    assert permission(preflight(closed, origin)) == {}


def test_an_allowed_origin_may_ask_and_read(opened, image):
    answer = preflight(opened, FRIEND)
    assert answer.status_code == 200
    assert permission(answer) == {
        "Allow-Origin": FRIEND,
        "Allow-Methods": answer.headers["Allow"],
        "Allow-Headers": "Content-Type, If-None-Match",
        "Expose-Headers": "ETag, Retry-After",
        "Max-Age": "7200",
    }
    assert "POST" in answer.headers["Allow"]

    answer = post(opened, image, Origin=FRIEND, Sec_Fetch_Site="cross-site")
    assert answer.status_code == 200
    assert permission(answer)["Allow-Origin"] == FRIEND
    assert "Origin" in answer.vary


def test_an_allowed_origin_may_read_errors_too(opened):
    response = opened.get("/api/nope", headers={"Origin": FRIEND})
    assert response.status_code == 404
    assert permission(response)["Allow-Origin"] == FRIEND
    assert permission(preflight(opened, FRIEND, "/api/nope"))["Allow-Methods"] == ""


@pytest.mark.parametrize("origin", ["null", f"{FRIEND}.evil.example", f"{FRIEND}:80"])
def test_allowing_one_allows_no_other(opened, image, origin):
    assert permission(preflight(opened, origin)) == {}
    assert post(opened, image, Origin=origin).status_code == 403
    # Whether or not it was permitted, a cache must not hand it to somebody else.
    assert "Origin" in opened.get("/api/models", headers={"Origin": origin}).vary


def test_only_the_api_is_opened(opened):
    assert permission(opened.get("/", headers={"Origin": FRIEND})) == {}


def test_every_origin_can_be_allowed(engine, image):
    app = create_app({"fake": engine}, access=Access(origins=["*"]))
    answer = post(app.test_client(), image, Origin=EVIL, Sec_Fetch_Site="cross-site")
    assert answer.status_code == 200
    assert permission(answer)["Allow-Origin"] == EVIL


def test_origins_can_be_allowed_in_the_environment(engine, monkeypatch):
    monkeypatch.setenv("CAPSNET_CORS", f"http://a.example {FRIEND}")
    client = create_app({"fake": engine}).test_client()
    assert permission(preflight(client, FRIEND))["Allow-Origin"] == FRIEND


@pytest.mark.parametrize(
    "origin",
    ["null", "example.org", "https://a.example/", "https://A.example", "https://*"],
)
def test_what_is_no_origin_cannot_be_allowed(origin):
    with pytest.raises(ValueError, match="an allowed origin must look like"):
        Access(origins=[origin])
