"""What the server says of its work: how much, and what it never says."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from capsnet_explorer.app.http.logs import start_logging
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]


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
        asked = f"/api/models/{model}/trace"
        with client.post(asked, json={"image": image}) as response:
            assert response.status_code == status
    text = written()
    assert "Traceback (most recent call last)" in text
    assert "RuntimeError: secret path /home/me" in text
    told = [line for line in text.splitlines() if "POST /api/models/<id>/trace" in line]
    assert len(told) == (2 if style == "text" else 0)


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


ON_A_FULL_DISK = """
from capsnet_explorer.app import create_app
from capsnet_explorer.app.http.logs import start_logging
from tests.app.conftest import BrokenEngine
start_logging("text")
client = create_app({"broken": BrokenEngine("broken")}).test_client()
image = [[0] * 28] * 28
for _ in range(100):
    with client.get("/api/health") as response:
        assert response.status_code == 200
with client.post("/api/models/broken/trace", json={"image": image}) as response:
    assert response.status_code == 500
"""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_loses_lines_but_no_request():
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-c", ON_A_FULL_DISK],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stderr=full,
            timeout=PATIENCE_S,
        )
    assert result.returncode == 0
