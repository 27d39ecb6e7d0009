"""The app under gunicorn, whose workers are forked from a process that loaded it."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from capsnet_explorer.datasets.digits import load_samples
from tests.intake_pictures import drawn_five, encoded
from tests.patience import PATIENCE_S, START_S

ROOT = Path(__file__).parent.parent
TRACE = "/api/models/capsnet-mnist/trace"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="gunicorn does not run on Windows"
)


@contextmanager
def gunicorn(*arguments, log=None, **environment):
    """Run it on a free port, and yield that; add what it says to a list."""
    command = ["gunicorn", "--bind", "127.0.0.1:0", *arguments]
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as server:
        log = [] if log is None else log
        for line in server.stderr:
            log.append(line)
            if address := re.search(r"Listening at: http://127.0.0.1:(\d+)", line):
                break
        assert address, "".join(log)
        try:
            yield int(address[1])
        finally:
            server.terminate()
            try:
                log.append(server.communicate(timeout=PATIENCE_S)[1])
            except subprocess.TimeoutExpired:
                server.kill()
                raise


def prediction(port, image):
    """What a worker says to an image; every request is a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
    body = json.dumps({"image": image.tolist(), "tensors": []})
    headers = {"Content-Type": "application/json"}
    connection.request("POST", TRACE, body, headers)
    answer = connection.getresponse()
    content = json.load(answer)
    connection.close()
    assert answer.status == 200, content
    return content["prediction"]


def picture_status(port, picture):
    """What a worker answers a picture with."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
    connection.request("POST", "/api/images", picture, {"Content-Type": "image/png"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_forked_workers_read_digits_and_pictures_many_at_once():
    samples = [sample for sample in load_samples() if not sample.hard]
    pictures = [encoded(drawn_five())] * 16
    settings = ["--workers=2", "--worker-class=gthread", "--threads=8", "--preload"]
    with (
        gunicorn("app:create_app()", *settings) as port,
        ThreadPoolExecutor(12) as pool,
    ):
        answers = pool.map(lambda sample: prediction(port, sample.image), samples)
        assert list(answers) == [sample.label for sample in samples]
        assert set(pool.map(partial(picture_status, port), pictures)) == {200}


def sent(port, start):
    """Open a connection and send the beginning of a request."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    connection.sendall(start)
    return connection


def head(length):
    return (
        b"POST /api/sets?name=a.zip HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Content-Type: application/zip\r\n" + length + b"\r\n\r\n"
    )


def test_uploads_that_stall_or_break_off_hold_nobody_else(tmp_path):
    """As gunicorn.conf.py starts it, where people may train: in one process."""
    log = []
    environment = {
        "CAPSNET_ALLOW_TRAINING": "1",
        "CAPSNET_RUNS": str(tmp_path / "runs"),
        "CAPSNET_WEIGHTS": str(ROOT / "weights" / "capsnet-mnist.safetensors"),
    }
    with gunicorn(log=log, **environment) as port:
        stalled = [sent(port, head(b"Content-Length: 1000") + b"PK") for _ in range(2)]
        broken = sent(port, head(b"Transfer-Encoding: chunked") + b"zz\r\nno chunk\r\n")
        try:
            for _ in range(3):
                other = http.client.HTTPConnection(
                    "127.0.0.1", port, timeout=PATIENCE_S
                )
                other.request("GET", "/api/sets")
                answer = other.getresponse()
                assert answer.status == 200, answer.read()
                sets = json.load(answer)["sets"]
                assert {entry["state"] for entry in sets} <= {"receiving"}
                other.close()
            assert b" 4" in broken.recv(100).partition(b"\r\n")[0]
        finally:
            for connection in (*stalled, broken):
                connection.close()
    assert "Traceback" not in "".join(log)


@pytest.mark.parametrize("trains", ["", "1"])
def test_what_a_network_leaves_running_does_not_keep_it_from_ending(tmp_path, trains):
    file = tmp_path / "leaves.py"
    file.write_text(
        "import threading\n"
        "threading.Thread(target=threading.Event().wait, daemon=False).start()\n"
    )
    environment = {
        "CAPSNET_NETWORKS": str(file),
        "CAPSNET_WEIGHTS": str(ROOT / "weights" / "capsnet-mnist.safetensors"),
        "CAPSNET_RUNS": str(tmp_path / "runs"),
        "CAPSNET_ALLOW_TRAINING": trains,
        "WEB_CONCURRENCY": "1",
    }
    with gunicorn("--graceful-timeout=600", **environment) as port:  # waits for its end
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
        connection.request("GET", "/api/models")
        assert "leaves" in json.load(connection.getresponse())["refused"][0]["id"]
        connection.close()
