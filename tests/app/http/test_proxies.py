"""What a proxy says of its own address counts only where the operator says so."""

import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.http.access import Access
from tests.app.answers import refusal

SAID = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "courses.example.org",
    "X-Forwarded-Prefix": "/ml/explorer",
}


@pytest.fixture
def behind(engine):
    """A client of an app that trusts its proxy."""
    access = Access(["courses.example.org"], is_behind_proxy=True)
    return create_app({"fake": engine}, access=access).test_client()


def server_of(answer):
    """Where the API's document says that the API is."""
    (server,) = answer.json["servers"]
    return server["url"]


def test_no_forwarded_header_changes_an_address_unless_a_proxy_is_trusted(client):
    plain, forwarded = (
        {path: client.get(path, headers=headers).text for path in ("/", "/guide")}
        for headers in ({}, SAID)
    )
    assert plain == forwarded
    assert server_of(client.get("/api/openapi.json", headers=SAID)) == ".."
    # Nor does it pass for another host or origin.
    evil = {"X-Forwarded-Host": "evil.example"}
    assert client.get("/api/health", headers=evil).status_code == 200
    posted = client.post(
        "/api/overlay",
        headers={"X-Forwarded-Host": "evil.example", "Origin": "http://evil.example"},
    )
    assert posted.status_code == 403


def test_the_document_of_the_api_names_the_proxys_address(behind):
    answer = behind.get("/api/openapi.json", headers=SAID)
    assert server_of(answer) == "https://courses.example.org/ml/explorer"


def test_of_several_proxies_the_nearest_is_believed(behind):
    chain = {name: f"x{value}, {value}" for name, value in SAID.items()}
    answer = behind.get("/api/openapi.json", headers=chain)
    assert server_of(answer) == "https://courses.example.org/ml/explorer"


def test_the_forwarded_host_is_checked_like_any_other(behind):
    other = SAID | {"X-Forwarded-Host": "evil.example"}
    assert behind.get("/api/health", headers=other).status_code == 421
    page = {"Origin": "https://courses.example.org"}
    assert behind.post("/api/overlay", headers=SAID | page).status_code == 415
    assert behind.post("/api/overlay", headers=page).status_code == 403


@pytest.mark.parametrize(
    "prefix", ["/", "/explorer", "/explorer/", "/user/ada@example.org/proxy/5000"]
)
def test_a_prefix_is_a_path(behind, prefix):
    headers = SAID | {"X-Forwarded-Prefix": prefix}
    assert behind.get("/api/health", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "prefix",
    ["explorer", "/a/../b", "/a/./b", "/%2e%2e", "//evil.example"],
)
def test_a_prefix_that_is_no_path_is_refused_in_a_sentence(behind, prefix):
    headers = SAID | {"X-Forwarded-Prefix": prefix}
    answer = behind.get("/api/health", headers=headers)
    assert answer.status_code == 400
    message = answer.json["error"]["message"]
    assert message.startswith("X-Forwarded-Prefix must be a path such as /explorer")


def test_another_scheme_is_refused_in_a_sentence(behind):
    headers = SAID | {"X-Forwarded-Proto": "javascript"}
    answer = behind.get("/api/health", headers=headers)
    assert "must be http or https" in refusal(answer, 400)[0]


def test_no_page_may_frame_the_explorer_unless_it_is_named(client, engine):
    closed = client.get("/").headers
    assert "frame-ancestors 'none'" in closed["Content-Security-Policy"]
    assert closed["X-Frame-Options"] == "DENY"
    frames = ["https://course.example.org", "http://localhost:8888"]
    opened = create_app({"fake": engine}, access=Access(frames=frames)).test_client()
    for path in ("/", "/guide"):
        headers = opened.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert f"frame-ancestors 'self' {' '.join(frames)};" in f"{policy};"
        assert "script-src 'self'" in policy
        assert "X-Frame-Options" not in headers


@pytest.mark.parametrize(
    "origin",
    ["*", "course.example.org", "https://a.example/path", "https://a b"],
)
def test_an_origin_that_is_none_cannot_frame_it(origin):
    with pytest.raises(ValueError, match=r"must look like https://example\.org"):
        Access(frames=[origin])
