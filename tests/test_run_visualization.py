"""The command that people type first: what it says when something is wrong."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from urllib.request import urlopen

import pytest

from benchmarks.server import running_server
from capsnet_explorer import server
from capsnet_explorer.app.http.logs import level_of
from capsnet_explorer.datasets.digits import load_samples
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent
CARD = ROOT / "weights" / "capsnet-mnist.json"


@pytest.fixture
def refused(monkeypatch, capsys):
    """Start it here, where torch is loaded, and return the one line of its refusal."""
    monkeypatch.setattr("capsnet_explorer.model.device.leave_a_core", lambda: None)
    monkeypatch.setattr("capsnet_explorer.app.http.logs.start_logging", level_of)
    monkeypatch.setattr(signal, "signal", lambda *_: None)

    def start(*arguments):
        assert server.main([str(argument) for argument in arguments]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        (line,) = output.err.strip().splitlines()
        return line

    return start


def test_every_option_but_the_address_can_be_set_in_the_environment():
    documented = (ROOT / "docs" / "deployment.md").read_text()
    for action in server._parser()._actions:
        option = action.option_strings[-1].replace("--no-", "--")
        assert option == "--help" or f"`{option}" in documented, option
        if option not in ("--help", "--host", "--port"):
            (variable,) = re.findall(r"CAPSNET_\w+", str(action.help))
            assert f"`{variable}`" in documented


def test_an_app_for_other_servers_is_set_by_the_environment(monkeypatch, tmp_path):
    for ending in ("json", "safetensors"):
        shutil.copy(CARD.with_suffix(f".{ending}"), tmp_path)
    settings = {
        "WEIGHTS": tmp_path,
        "RUNS": tmp_path / "runs",
        "ALLOW_TRAINING": "1",
        "BEHIND_PROXY": "1",
        "ALLOW_HOSTS": "course.example .school.example",
        "ALLOW_FRAMES": "https://course.example",
        "CORS": "https://notebook.example",
    }
    for name, value in settings.items():
        monkeypatch.setenv(f"CAPSNET_{name}", str(value))
    client = server.application().test_client()
    headers = {"X-Forwarded-Host": "a.school.example", "X-Forwarded-Prefix": "/a"}
    answer = client.get("/api/openapi.json", headers=headers)
    assert answer.json["servers"] == [{"url": "http://a.school.example/a"}]
    assert "https://course.example" in answer.headers["Content-Security-Policy"]
    recipes = client.get("/api/recipes", headers={"Origin": settings["CORS"]})
    assert recipes.json["allowed"] is True
    assert recipes.headers["Access-Control-Allow-Origin"] == settings["CORS"]


def test_a_busy_port_is_told_in_one_line(refused):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refused("--port", port)
    assert f"cannot listen on 127.0.0.1 port {port}: " in line
    assert "in use; choose another" in line


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "no.such.host.invalid"], "no.such.host.invalid"),
        (["--weights", "none.safetensors"], "none.safetensors"),
        (["--weights", "."], "holds no"),
        (["--weights", CARD.stem + ".safetensors"], "damaged"),
        (["--data", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(
    refused, tmp_path, monkeypatch, options, words
):
    monkeypatch.chdir(tmp_path)
    if words == "damaged":  # a weight file that was cut short
        (tmp_path / options[1]).write_bytes(bytes(1000))
        shutil.copy(CARD, tmp_path)
    assert words in refused("--port", 0, *options)


@pytest.mark.parametrize(
    ("environment", "options", "complaint"),
    [
        ({}, ["--allow-host", "http://a.example"], "an allowed host must be a name"),
        ({"CAPSNET_CORS": "null"}, [], "an allowed origin must look like"),
        ({"CAPSNET_LOG": "xml"}, [], "the log must be one of quiet, text"),
        ({}, ["--allow-frame", "a.example"], "must look like https://example.org"),
        ({"CAPSNET_ALLOW_FRAMES": "*"}, [], "must look like https://example.org"),
        ({"CAPSNET_BEHIND_PROXY": "maybe"}, [], "must be 1 or 0, got 'maybe'"),
        ({"CAPSNET_THREADS": "-1"}, [], "--threads: must be a whole number"),
        ({}, ["--memory", "5"], "at least 32 MB for capsnet-mnist, got 5"),
    ],
)
def test_settings_that_cannot_be_are_told_in_one_line(
    refused, monkeypatch, environment, options, complaint
):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert complaint in refused("--port", 0, *options)


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_no_folder_of_runs(monkeypatch, refused, name):
    monkeypatch.setenv("CAPSNET_RUNS", name)
    assert "--runs: must be a folder, got nothing" in refused("--port", 0)


def test_runs_go_where_they_outlast_the_environment(monkeypatch, tmp_path):
    assert server.kept_folder() == ROOT / "runs" / "watched"
    monkeypatch.setattr(server, "IS_CHECKOUT", False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = server.kept_folder()
    assert ROOT not in folder.parents
    assert Path(sys.prefix) not in folder.parents
    if sys.platform == "linux":
        assert folder == tmp_path / "capsnet-explorer" / "runs"


@pytest.mark.parametrize("port", ["-1", "http", "1.5", "65536"])
def test_a_port_that_cannot_be_is_refused_with_the_reason(refused, port):
    assert f"from 0 to 65535, got '{port}'" in refused("--port", port)


def test_an_explorer_for_everybody_is_opened_on_this_machine():
    with server._listen("0.0.0.0", 0) as listener:
        assert server._address(listener).startswith("http://localhost:")


TRACE = """POST /api/models/capsnet-mnist/trace HTTP/1.1\r
Host: 127.0.0.1\r
Content-Type: application/json\r
Content-Length: {length}\r
{more}\r
"""


def trace_request(*more):
    """The head and the body of a request for everything, as JSON: an answer of MBs."""
    body = json.dumps({"image": load_samples()[0].image.tolist(), "iterations": 10})
    fields = "".join(f"{line}\r\n" for line in more)
    return TRACE.format(length=len(body), more=fields).encode(), body.encode()


@contextmanager
def connected(port):
    with socket.socket() as client:
        client.settimeout(PATIENCE_S)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        client.connect(("127.0.0.1", port))
        with client.makefile("rb") as answer:
            yield client, answer


def is_whole_trace(answer):
    """Read an answer; tell whether all of it is there."""
    assert answer.readline() == b"HTTP/1.1 200 OK\r\n"
    headers = {}
    while (line := answer.readline()) != b"\r\n":
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    body = answer.read(int(headers["content-length"]))
    return json.loads(body)["iterations"] == 10


def wait_until_refused(port):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionError:
            return
        time.sleep(0.01)
    raise AssertionError("the server still takes connections")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_signal_lets_everything_under_way_be_finished():
    with (
        running_server() as running,
        connected(running.port) as (sender, to_sender),
        connected(running.port) as (reader, to_reader),
    ):
        head, body = trace_request("Expect: 100-continue")
        sender.sendall(head)
        assert to_sender.readline() == b"HTTP/1.1 100 Continue\r\n"
        assert to_sender.readline() == b"\r\n"
        reader.sendall(b"".join(trace_request()))
        assert to_reader.peek(1)  # the rest does not fit into the socket

        running.process.send_signal(signal.SIGINT)
        wait_until_refused(running.port)

        sender.sendall(body)
        assert is_whole_trace(to_sender)
        assert is_whole_trace(to_reader)
        assert running.process.wait(PATIENCE_S) == 0
        assert "Stopped" in running.process.stdout.read()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_later_start_answers_at_once_and_says_what_cannot_be_loaded(
    monkeypatch, tmp_path
):
    weights = tmp_path / CARD.with_suffix(".safetensors").name
    for name, value in (
        ("RUNS", tmp_path),
        ("WEIGHTS", weights),
        ("BIND", "127.0.0.1:0"),
    ):
        monkeypatch.setenv(f"CAPSNET_{name}", str(value))
    shutil.copy(CARD, tmp_path)
    shutil.copy(CARD.with_suffix(".safetensors"), weights)

    def ask(port, path):
        with urlopen(f"http://127.0.0.1:{port}/{path}") as answer:
            return answer.read()

    paths = ("api/models", "api/samples", "guide")
    with running_server(weights) as first:
        assert json.loads(ask(first.port, "api/health"))["status"] == "ok"
        answers = [ask(first.port, path) for path in paths]
        kept = tmp_path / "opening.bin"
        deadline = time.monotonic() + PATIENCE_S
        while b'"/guide"' not in kept.read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.1)
    with running_server(weights) as second:
        assert json.loads(ask(second.port, "api/health"))["status"] == "starting"
        assert [ask(second.port, path) for path in paths] == answers
        second.process.send_signal(signal.SIGINT)  # torch is on its way
        assert second.process.wait(PATIENCE_S) == 0

    stat, content = weights.stat(), weights.read_bytes()
    weights.write_bytes(bytes(len(content)))  # by its size and time it is the same
    os.utime(weights, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    command = [sys.executable, "run_visualization.py", "--port=0"]
    for words in ("CapsNet Explorer is ready", ""):  # then nothing is kept any more
        third = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
        )
        assert third.returncode == 2
        assert third.stdout.startswith(words)
        assert bool(third.stdout) == bool(words)
        (line,) = third.stderr.splitlines()
        assert weights.name in line
        assert not kept.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_either_signal_stops_the_server_and_a_second_one_the_process(
    monkeypatch, number
):
    handlers, stopped, closed, ended = {}, Event(), Event(), Event()
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    server._stop_on_signals(
        SimpleNamespace(stop=stopped.set),
        lambda: [SimpleNamespace(close=event.set) for event in (closed, ended)],
    )
    assert not stopped.is_set() | closed.is_set() | ended.is_set()
    handlers[number](number, None)
    assert stopped.is_set() & closed.is_set() & ended.is_set()
    assert handlers[number] is signal.SIG_DFL
