"""The server as an operator runs it: the real command, asked through real sockets."""

import http.client
import json
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from capsnet_explorer.server import _invitation, _listen
from tests.patience import PATIENCE_S, START_S

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, str(ROOT / "run_visualization.py")]
WEIGHTS = ROOT / "weights" / "capsnet-mnist.safetensors"
TRACE = "/api/models/capsnet-mnist/trace"
IMAGE = [[0.0] * 28] * 12 + [[1.0] * 28] * 4 + [[0.0] * 28] * 12
REFUSALS = {b"400", b"405", b"413", b"421", b"431", b"501"}

pytestmark = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs Linux's /dev/full"
)


class Running:
    """A server, its weight file, and what it has logged."""

    def __init__(self, folder):
        self.weights = folder / WEIGHTS.name
        for file in (WEIGHTS, WEIGHTS.with_suffix(".json")):
            shutil.copy(file, folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._log = folder / "log"
        options = ["--host", "0.0.0.0", "--port", self.port, "--weights", self.weights]
        # Whatever it prints meets a full disk.
        with open("/dev/full", "w") as full, self._log.open("w") as log:
            self.process = subprocess.Popen(
                [*COMMAND, *map(str, options)], stdout=full, stderr=log
            )

    def wait_until_ready(self):
        end = time.monotonic() + START_S
        while True:
            assert self.process.poll() is None, self._log.read_text()
            try:
                return self.ask("GET", "/api/health")
            except ConnectionError:
                assert time.monotonic() < end
                time.sleep(0.1)

    def ask(self, method, path, body=None, **headers):
        """Return status, headers and body of an answer."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE_S
        )
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.headers, content

    def post(self, path, text):
        """Post JSON; return what came, which must not be an error."""
        headers = {"Content_Type": "application/json"}
        status, _, body = self.ask("POST", path, text, **headers)
        assert status == 200, body
        return json.loads(body)


def question(iterations):
    body = {"image": IMAGE, "iterations": iterations, "tensors": ["digits.lengths"]}
    return json.dumps(body)


def lengths_from(answer):
    return answer["tensors"]["digits.lengths"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("server"))
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.process.kill()
        running.process.wait()


def test_a_full_disk_under_standard_output_does_not_stop_it(server):
    assert server.ask("GET", "/api/health")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        b"X: " + b"a" * 300_000,
        b"X: a\r\n" * 50_000,
        b"Content-Length: -1",
        b"Content-Length: 99999999999999999999",
        b"Content-Length: 1\r\nContent-Length: 2",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4",
        b"Transfer-Encoding: gzip",
        b"Host: localhost\r\nHost: evil.example",
        b": nameless",
        b"\0: null",
    ],
    ids=lambda headers: headers[:30].decode(),
)
def test_broken_headers_harm_nobody(server, headers):
    with socket.create_connection(
        ("127.0.0.1", server.port), timeout=PATIENCE_S
    ) as client:
        start = b"POST /api/models HTTP/1.1\r\nHost: localhost\r\n"
        try:
            client.sendall(start + headers + b"\r\n\r\nbody\r\n0\r\n\r\n")
            answer = client.recv(1 << 16)
        except ConnectionError:
            answer = b""  # hung up on
    assert not answer or answer.split()[1] in REFUSALS
    assert server.ask("GET", "/api/health")[0] == 200


def test_weights_that_break_while_it_runs_stay_as_they_were_loaded(server):
    def lengths(iterations):
        return lengths_from(server.post(TRACE, question(iterations)))

    before = lengths(3)
    content = server.weights.read_bytes()
    try:
        server.weights.write_bytes(bytes(len(content)))
        assert lengths(3) == before
        assert len(lengths(4)) == 10  # not asked before, so computed now
    finally:
        server.weights.write_bytes(content)


def test_others_are_told_an_address_that_they_can_open():
    with _listen("0.0.0.0", 0) as listener:
        port = listener.getsockname()[1]
        address = _invitation(listener)
        if address is None:
            pytest.skip("this machine is in no network")
        host = address.removeprefix("http://").removesuffix(f":{port}")
        with socket.create_connection((host, port)):
            pass


def test_nobody_else_is_invited_to_what_only_this_machine_reaches():
    with _listen("127.0.0.1", 0) as listener:
        assert _invitation(listener) is None
