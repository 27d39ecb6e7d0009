"""What is done before the first visitor comes."""

import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.api.routes import samples
from capsnet_explorer.app.warming import warm_up


@pytest.fixture
def app(engine, other_engine, data_folder):
    return create_app({"fake": engine, "small": other_engine}, data_folder=data_folder)


def test_every_network_that_reads_such_images_has_run_once(app, engine, other_engine):
    warm_up(app)
    assert engine.calls["trace"] == 1
    assert other_engine.calls["trace"] == 0  # its images have another size


def test_the_samples_have_been_drawn(app):
    samples._samples_body.cache_clear()
    warm_up(app)
    assert samples._samples_body.cache_info().currsize == 1


def test_the_page_has_been_compiled(app):
    warm_up(app)
    assert "index.html" in {name for _, name in app.jinja_env.cache}


def test_nothing_is_counted_as_a_request(app):
    client = app.test_client()
    warm_up(app)
    assert 'route="/"' not in client.get("/api/metrics").text
    client.get("/").close()
    assert 'route="/"' in client.get("/api/metrics").text
