"""The app as a whole: how it starts, its page, its headers, its compression."""

import re
import sys
from pathlib import Path
from urllib.parse import urljoin

import pytest

import capsnet_explorer.app as package
from capsnet_explorer.app import create_app

ROOT = Path(__file__).parents[2]


@pytest.fixture
def loaded_from(monkeypatch, engine):
    """Where engines were loaded from, while a fake stands in for torch_engine."""
    folders = []

    class FakeModule:
        @staticmethod
        def load_engines(weights):
            folders.append(weights)
            return {"fake": engine}

    monkeypatch.setitem(sys.modules, "capsnet_explorer.app.engines.torch", FakeModule)
    return folders


def test_weights_come_from_the_folder_in_the_environment(loaded_from, monkeypatch):
    monkeypatch.setenv("CAPSNET_WEIGHTS", "some/folder")
    create_app()
    assert loaded_from == [Path("some/folder")]


def test_data_come_from_the_folder_in_the_environment(engine, monkeypatch, data_folder):
    monkeypatch.setenv("CAPSNET_DATA", str(data_folder))
    client = create_app({"fake": engine}).test_client()
    assert client.get("/api/datasets").json["datasets"][0]["count"] == 8


def test_an_app_without_models_does_not_start():
    with pytest.raises(ValueError, match="needs at least one model"):
        create_app({})


def test_health_tells_the_version(client):
    answer = client.get("/api/health").json
    assert answer == {"status": "ok", "version": package.__version__}


@pytest.fixture
def home(app, tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html><title>Page</title>" * 100)
    app.template_folder = str(tmp_path)
    return app.test_client()


def test_the_page_is_served_and_not_sent_twice(home):
    first = home.get("/")
    assert first.mimetype == "text/html"
    assert "<title>Page</title>" in first.text
    again = home.get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_page_names_its_start_and_the_scripts_of_all_views_lie_beside_it(client):
    page = client.get("/").text
    start = r'<script type="module" src="([^"]+)" data-start data-shared="([^"]+)">'
    ((main, shared),) = re.findall(start, page)
    modules = (ROOT / "static" / "js").rglob("*.js")
    texts = [module.read_text("utf-8") for module in modules]
    scripts = {name for text in texts for name in re.findall(r'script: "(.+)"', text)}
    assert {"input/index.js", "kinds/routing/dynamic/panels.js"} <= scripts
    for address in (main, shared, *(urljoin(main, script) for script in scripts)):
        answer = client.get(address)
        assert (answer.status_code, answer.mimetype) == (200, "text/javascript")
        assert "immutable" in answer.headers["Cache-Control"]
        imports = re.findall(r'^import .* from "(.*)";$', answer.text, re.MULTILINE)
        assert {urljoin(address, name) for name in imports} <= {main, shared}


def test_a_page_to_debug_begins_with_the_module_itself(client):
    (main,) = re.findall(r'src="([^"]+)" data-start>', client.get("/?debug").text)
    assert main.endswith("/js/main.js")
    assert client.get(main).data == (ROOT / "static" / "js" / "main.js").read_bytes()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/nope", 404),
        ("/api/health", 200),
        ("/api/nope", 404),
    ],
)
def test_every_answer_limits_what_a_browser_may_do(home, path, status):
    response = home.get(path)
    assert response.status_code == status
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; " in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert "camera=()" in response.headers["Permissions-Policy"]
    assert "microphone=()" in response.headers["Permissions-Policy"]
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response.headers["Origin-Agent-Cluster"] == "?1"
    assert "Strict-Transport-Security" not in response.headers  # the proxy's to send
    assert response.headers["Cache-Control"] == "no-cache"


def test_large_json_is_compressed(client):
    plain = client.get("/api/samples")
    packed = client.get("/api/samples", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) < len(plain.data) / 4
    assert "Accept-Encoding" in plain.vary


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/api/health", "*/*"),  # small
        ("/api/models/fake/kernels", "application/x-safetensors"),
    ],
)
def test_other_answers_are_not_compressed(client, path, accept):
    headers = {"Accept-Encoding": "gzip, br", "Accept": accept}
    assert "Content-Encoding" not in client.get(path, headers=headers).headers


def test_samples_can_be_traced_and_are_not_sent_twice(client):
    first = client.get("/api/samples")
    sample = first.json["samples"][0]
    assert {"id", "label", "title", "source", "image"} <= sample.keys()
    body = {"image": sample["image"]}
    assert client.post("/api/models/fake/trace", json=body).status_code == 200
    headers = {"If-None-Match": first.headers["ETag"], "Accept-Encoding": "gzip"}
    assert client.get("/api/samples", headers=headers).status_code == 304
