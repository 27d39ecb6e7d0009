"""What the server says of its work: how much, in which form, and what it never says."""

import json
import logging
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from capsnet_explorer.app.http.logs import start_logging
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
ID = "request-0001"


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


def ask(client, image, model="fake"):
    body = {"image": image, "tensors": ["scores"]}
    headers = {"X-Request-ID": ID}
    with client.post(
        f"/api/models/{model}/trace", json=body, headers=headers
    ) as response:
        return response


def test_a_quiet_log_holds_no_requests(log, client, image):
    written = log("quiet")
    ask(client, image)
    assert written() == ""


def test_a_text_log_holds_a_line_for_each_request(log, client, image):
    written = log("text")
    ask(client, image)
    (line,) = written().splitlines()
    assert " POST /api/models/<id>/trace 200 " in line
    assert line.endswith(f" ms [request {ID}]")


def test_a_json_log_holds_an_object_for_each_request(log, client, image):
    written = log("json")
    response = ask(client, image)
    (line,) = written().splitlines()
    entry = json.loads(line)
    assert datetime.fromisoformat(entry.pop("time")).utcoffset().seconds == 0
    milliseconds = entry.pop("milliseconds")
    assert milliseconds > 0
    assert entry == {
        "level": "INFO",
        "logger": "capsnet.requests",
        "message": f"POST /api/models/<id>/trace 200 {milliseconds:.1f} ms",
        "request_id": ID,
        "method": "POST",
        "route": "/api/models/<id>/trace",
        "status": 200,
        "bytes": len(response.data),
    }


@pytest.mark.parametrize("style", ["quiet", "text", "json"])
def test_a_bug_is_logged_with_its_traceback_and_its_request(log, client, image, style):
    written = log(style)
    response = ask(client, image, model="broken")
    assert response.status_code == 500
    assert response.headers["X-Request-ID"] == ID
    text = written()
    assert "Traceback (most recent call last)" in text
    assert "RuntimeError: secret path /home/me" in text
    assert ID in text


def test_a_traceback_in_json_is_one_line(log, client, image):
    written = log("json")
    ask(client, image, model="broken")
    bug, request = map(json.loads, written().splitlines())
    assert bug["level"] == "ERROR"
    assert bug["traceback"].startswith("Traceback")
    assert bug["request_id"] == request["request_id"] == ID
    assert request["status"] == 500


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_log_says_neither_who_asked_nor_what(log, client, style):
    written = log(style)
    image = [[0.123454321] * 28] * 28
    with client.post(
        "/api/models/fake/trace?who=alice",
        json={"image": image},
        headers={"User-Agent": "secret-browser", "Referer": "http://secret.page"},
        environ_overrides={"REMOTE_ADDR": "203.0.113.77"},
    ):
        pass
    with client.get("/api/secret%0Aname"):
        pass
    text = written()
    assert len(text.splitlines()) == 2
    for private in ("0.12345", "alice", "secret", "203.0.113.77"):
        assert private not in text


def test_an_unknown_style_is_refused():
    with pytest.raises(ValueError, match="must be one of quiet, text, json, got 'xml'"):
        start_logging("xml")


ON_A_FULL_DISK = """
import sys
sys.path.insert(0, "tests/app")
from conftest import BrokenEngine
from capsnet_explorer.app import create_app
from capsnet_explorer.app.http.logs import start_logging
start_logging("json")
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
