"""What is done before the first visitor comes, and kept of the first for the next."""

import time

import numpy as np
import pytest
from werkzeug.test import Client

from capsnet_explorer.app import create_app
from capsnet_explorer.app.http.opening import Opening
from capsnet_explorer.app.warming import keep_answers, read_networks_ahead, warm_up
from capsnet_explorer.datasets.digits import load_samples


@pytest.fixture
def app(engine, other_engine, data_folder):
    return create_app({"fake": engine, "small": other_engine}, data_folder=data_folder)


def wait_for_a_trace(engine):
    deadline = time.monotonic() + 60
    while not engine.calls["trace"]:
        assert time.monotonic() < deadline, "it was not asked within a minute"
        time.sleep(0.01)


def test_a_network_runs_once_as_soon_as_a_page_opens_that_will_ask_it(
    app, engine, other_engine
):
    read_networks_ahead(app)
    client = app.test_client()
    assert not engine.calls["trace"]  # nobody has opened a page
    client.get("/?model=unknown").close()
    wait_for_a_trace(engine)
    assert not other_engine.calls["trace"]
    client.get("/?model=small").close()
    wait_for_a_trace(other_engine)
    client.get("/").close()
    client.get("/api/models").close()
    assert engine.calls["trace"] == 1


def test_the_page_has_been_compiled(app):
    warm_up(app)
    assert "index.html" in {name for _, name in app.jinja_env.cache}


def test_nothing_is_counted_as_a_request(app):
    client = app.test_client()
    warm_up(app)
    assert 'route="/"' not in client.get("/api/metrics").text
    client.get("/").close()
    assert 'route="/"' in client.get("/api/metrics").text


SAFETENSORS = {"Accept": "application/x-safetensors"}


def answered(folder, app):
    """Return a client of a server that keeps what it answers, and the opening."""
    opening = Opening(folder, "key")
    if app is None:  # none comes
        opening.app.set_exception(ValueError("what was not kept"))
    else:
        opening.answer_with(app, lambda method, path: 0)
    return Client(opening), opening


def post(client, image, route="trace", **more):
    body = {"image": np.asarray(image).tolist()} | more
    address = f"/api/models/fake/{route}"
    return client.post(address, json=body, headers=SAFETENSORS)


def test_a_page_opens_with_what_was_kept_of_the_last_one(app, tmp_path):
    keep_answers(app)
    client, opening = answered(tmp_path, app)
    paths = ("/", "/guide", "/api/models?brief=true", "/api/samples", "/api/health")
    image = load_samples()[3].image
    answers = {path: client.get(path) for path in paths}
    client.head("/")
    reading = post(client, image)
    assert reading.status_code == 200
    opening.complete(b"facts")

    client, _ = answered(tmp_path, None)
    for path in paths[1:]:
        assert client.get(path).data == answers[path].data
    assert 'data-part="starting"' in client.get("/").text
    assert client.get("/api/health").json["status"] == "starting"
    again = post(client, image)
    assert again.data[-100:] == reading.data[-100:]
    assert again.headers["Content-Type"] == reading.headers["Content-Type"]


def test_nothing_that_a_visitor_drew_is_kept(app, tmp_path):
    keep_answers(app)
    client, opening = answered(tmp_path, app)
    image = load_samples()[3].image
    post(client, image / 2)
    post(client, image)  # whoever posts this has drawn
    opening.complete(b"facts")
    client, _ = answered(tmp_path, None)
    assert post(client, image).status_code == 503
    assert post(client, image / 2).status_code == 503


def test_a_server_is_not_starting_once_its_networks_are_there(app, tmp_path):
    client, opening = answered(tmp_path, app)
    assert client.get("/api/health").json["status"] == "starting"
    opening.complete(b"facts")
    assert client.get("/api/health").json["status"] == "ok"
    assert 'data-part="starting"' not in client.get("/").text
