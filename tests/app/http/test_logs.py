"""What the server says of its work: how much, and what it never says."""

import errno
import io
import logging

import pytest

from capsnet_explorer.app.http.logs import log_handler, start_logging


@pytest.fixture
def log(capsys):
    """Start logging in a style; what was written since can be read."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def start(style):
        start_logging(style)
        return lambda: capsys.readouterr().err

    yield start
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.parametrize("style", ["quiet", "text"])
def test_a_bug_is_logged_with_its_traceback_and_requests_as_asked(
    log, client, image, style
):
    written = log(style)
    for model, status in (("fake", 200), ("broken", 500)):
        address = f"/api/models/{model}/trace"
        with client.post(address, json={"image": image}) as response:
            assert response.status_code == status
    text = written()
    assert "Traceback (most recent call last)" in text
    assert "RuntimeError: secret path /home/me" in text
    assert text.count("POST /api/models/<id>/trace") == (2 if style == "text" else 0)


def test_a_log_says_neither_who_asked_nor_what(log, client):
    written = log("text")
    image = [[0.123454321] * 28] * 28
    client.post(
        "/api/models/fake/trace?who=alice",
        json={"image": image},
        headers={"User-Agent": "secret-browser", "Referer": "http://secret.page"},
        environ_overrides={"REMOTE_ADDR": "203.0.113.77"},
    ).close()
    client.get("/api/secret%0Aname").close()
    text = written()
    assert len(text.splitlines()) == 2
    for private in ("0.12345", "alice", "secret", "203.0.113.77"):
        assert private not in text


def test_an_unknown_style_is_refused():
    with pytest.raises(ValueError, match="must be one of quiet, text, got 'xml'"):
        start_logging("xml")


def test_a_full_disk_loses_lines_and_says_nothing(capsys):
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, "No space left on device")

    handler = log_handler()
    handler.setStream(Full())
    handler.handle(logging.makeLogRecord({"msg": "a line"}))
    assert capsys.readouterr() == ("", "")
