"""What is done before the first visitor comes."""

import time

import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.warming import warm_up


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
    warm_up(app)
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
