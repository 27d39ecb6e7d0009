"""The HTTP server against clients that are slow, silent, gone, or many."""

import contextlib
import errno
import socket
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from capsnet_explorer import subprocess_environment
from capsnet_explorer.app.http import serving
from capsnet_explorer.app.http.serving import CONNECTIONS, Channel, Server
from tests.patience import PATIENCE_S

SIZE = 3_000_000  # bytes; more than a socket takes at once
GET = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPLOAD = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"


class App:
    """Answers at once, or once its gate is open, or with what was sent."""

    def __init__(self):
        self.gate = threading.Event()
        self.busy = threading.Event()
        self.noticed = threading.Event()

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        if path in ("/gated", "/gated-here"):
            self.busy.set()
            assert self.gate.wait(PATIENCE_S)
        elif path == "/watch":
            self.busy.set()
            while not environ["waitress.client_disconnected"]():
                assert not self.gate.wait(0.01)
            self.noticed.set()
        body = {
            "/large": b"x" * SIZE,
            "/gated": b"x" * SIZE,
            "/echo": environ["wsgi.input"].read(),
        }.get(path, b"here")
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


@contextlib.contextmanager
def serving_on(app, **settings):
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    # Connections inherit it, and so cannot take a large answer whole.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
    server = Server(app, listener, **{"threads": 4} | settings)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server, listener.getsockname()
    finally:
        app.gate.set()
        server.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


@pytest.fixture
def app():
    return App()


@pytest.fixture
def served(app):
    with serving_on(app) as (_, address):
        yield address


@contextlib.contextmanager
def connected(address, *sent):
    with socket.create_connection(address, timeout=PATIENCE_S) as client:
        for data in sent:
            client.sendall(data)
        yield client


def answered(client):
    """Return the status line and the body of one answer."""
    with client.makefile("rb") as file:
        status = file.readline()
        length = 0
        while (line := file.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status + file.read(length)


def read_answer(client):
    """Return the body of one answer that is none of an error."""
    status, _, body = answered(client).partition(b"\r\n")
    assert status == b"HTTP/1.1 200 OK"
    return body


def is_closed(client):
    """Wait for the server to close a connection; tell whether it says nothing else."""
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True


def test_requests_are_answered_on_one_connection(served):
    with connected(served) as client:
        for path, body in ((b"", b"here"), (b"large", b"x" * SIZE), (b"", b"here")):
            client.sendall(GET % path)
            assert read_answer(client) == body


def test_an_answer_leaves_at_once(app):
    """Head and body go apart: without this, the body would wait 40 ms for an answer."""
    with serving_on(app) as (server, address), connected(address, GET % b"") as client:
        read_answer(client)
        (channel,) = server._channels
        connection = channel.socket
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_slow_uploads_occupy_no_thread(served):
    with contextlib.ExitStack() as stack:
        for _ in range(20):  # five times the threads
            stack.enter_context(connected(served, UPLOAD, b"0"))
        with connected(served, GET % b"") as client:
            assert read_answer(client) == b"here"


def test_an_endless_upload_is_cut_off_even_if_it_never_pauses(app):
    with serving_on(app, exchange_s=0.5) as (_, address):
        with connected(address, UPLOAD.replace(b": 10", b": 1000000")) as client:
            stop = threading.Event()
            trickle = threading.Thread(target=_trickle, args=(client, stop))
            trickle.start()
            assert is_closed(client)
            stop.set()
            trickle.join()
        with connected(address, GET % b"") as client:
            assert read_answer(client) == b"here"


def _trickle(client, stop):
    with contextlib.suppress(OSError):
        while not stop.wait(0.05):
            client.sendall(b"0")


def test_an_answer_that_nobody_takes_is_given_up(app):
    with (
        serving_on(app, exchange_s=0.5) as (server, address),
        connected(address) as client,
    ):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(GET % b"large")
        assert client.recv(1)
        assert server._channels
        end = time.monotonic() + PATIENCE_S
        while server._channels:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_connection_may_be_older_than_a_request_may_last(app):
    exchange_s = 1.0
    with (
        serving_on(app, exchange_s=exchange_s) as (_, address),
        connected(address) as client,
    ):
        for _ in range(2):
            time.sleep(exchange_s)
            client.sendall(GET % b"")
            assert read_answer(client) == b"here"


@pytest.mark.parametrize("sent", [b"", UPLOAD])
def test_crowds_that_ask_nothing_stop_nobody(served, sent):
    with contextlib.ExitStack() as stack:
        for _ in range(CONNECTIONS + 50):
            stack.enter_context(connected(served, sent))
        with connected(served, GET % b"") as client:
            assert read_answer(client) == b"here"


def test_whoever_is_being_answered_is_not_crowded_out(app, served):
    with connected(served, GET % b"gated") as client, contextlib.ExitStack() as stack:
        assert app.busy.wait(PATIENCE_S)
        crowd = [
            stack.enter_context(connected(served)) for _ in range(CONNECTIONS + 50)
        ]
        assert is_closed(crowd[0])
        app.gate.set()
        assert read_answer(client) == b"x" * SIZE


def test_the_app_hears_of_a_client_that_leaves(app, served):
    with connected(served, GET % b"watch"):
        assert app.busy.wait(PATIENCE_S)
    assert app.noticed.wait(PATIENCE_S)


def test_a_client_that_leaves_while_it_is_answered_is_no_error(
    app, monkeypatch, caplog
):
    has_left = threading.Event()
    readable = Channel.readable

    def readable_then_answered(channel):
        """Have the answer come between the loop's two looks at a connection."""
        is_readable = readable(channel)
        if channel.requests:
            assert has_left.wait(PATIENCE_S)
            app.gate.set()
            while channel.requests:
                time.sleep(0.01)
        return is_readable

    monkeypatch.setattr(Channel, "readable", readable_then_answered)
    with serving_on(app) as (server, address):
        with connected(address, GET % b"gated-here") as client:
            assert app.busy.wait(PATIENCE_S)
            at_once = struct.pack("ii", 1, 0)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        has_left.set()
        end = time.monotonic() + PATIENCE_S
        while server._channels:
            assert time.monotonic() < end
            time.sleep(0.01)
    assert not caplog.records


def test_what_is_under_way_is_finished_before_stopping(app, monkeypatch):
    monkeypatch.setattr(serving, "GRACE_S", PATIENCE_S)
    with (
        serving_on(app) as (server, address),
        connected(address, GET % b"gated") as client,
        connected(address) as idle,
        ThreadPoolExecutor() as pool,
    ):
        assert app.busy.wait(PATIENCE_S)
        server.stop()
        assert is_closed(idle)
        with pytest.raises(OSError, match=r"refused|reset"):
            socket.create_connection(address, timeout=PATIENCE_S).recv(1)
        answer = pool.submit(read_answer, client)
        app.gate.set()
        assert answer.result(PATIENCE_S) == b"x" * SIZE
        assert is_closed(client)


def test_stopping_waits_for_nobody_for_ever(app, monkeypatch):
    monkeypatch.setattr(serving, "GRACE_S", 0.2)
    with (
        serving_on(app) as (server, address),
        connected(address, GET % b"gated") as client,
    ):
        assert app.busy.wait(PATIENCE_S)
        server.stop()
        assert is_closed(client)


# Bodies beyond what a route takes


POST = b"POST /echo HTTP/1.1\r\nHost: localhost\r\n"


def refusing(environ, start_response):
    """Say how long the body is, and how much of it is there."""
    came = len(environ["wsgi.input"].read())
    body = f"{environ.get('CONTENT_LENGTH')} {came}".encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture
def limited(monkeypatch):
    """A server whose routes take a million bytes, and where no file may be made."""
    monkeypatch.setattr(
        "waitress.buffers.TempfileBasedBuffer.newfile",
        lambda self: pytest.fail("a body came to the disk"),
    )
    vars(refusing)["gate"] = threading.Event()
    with serving_on(refusing, most_of=lambda method, path: 10**6) as (_, address):
        yield address


@pytest.mark.parametrize(
    "sent",
    [
        [b"Content-Length: 5000000\r\n\r\n", bytes(5_000_000)],
        [
            b"Transfer-Encoding: chunked\r\n\r\n",
            *[b"10000\r\n" + bytes(0x10000) + b"\r\n"] * 60,
            b"0\r\n\r\n",
        ],
    ],
    ids=["counted", "chunked"],
)
def test_a_body_beyond_the_limit_never_comes_to_the_disk(limited, monkeypatch, sent):
    if b"chunked" in sent[0]:  # half a megabyte is kept in memory before one is known
        monkeypatch.undo()
    with connected(limited, POST + sent[0], *sent[1:]) as client:
        length, came = answered(client).split(b"\r\n")[1].split()
        assert int(length) > 10**6
        assert int(came) == 0
        client.sendall(GET % b"")  # the connection is as good as before
        assert answered(client).startswith(b"HTTP/1.1 200")


def test_a_client_that_asks_first_is_refused_at_once(limited):
    head = b"Expect: 100-continue\r\nContent-Length: 5000000\r\n\r\n"
    with connected(limited, POST + head) as client:
        assert answered(client) == b"HTTP/1.1 200 OK\r\n5000000 0"
        assert is_closed(client)


@pytest.mark.parametrize("chunk", [b"zz\r\n", b"3\r\nabcXX\r\n"])
def test_a_bad_chunk_is_refused_without_a_traceback(served, caplog, chunk):
    chunked = POST + b"Transfer-Encoding: chunked\r\n\r\n"
    with connected(served, chunked, chunk) as client:
        assert answered(client).startswith(b"HTTP/1.1 400")
    assert not caplog.records


# File descriptors

FEW = """
import resource, socket, sys, threading
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
from capsnet_explorer.app.http.serving import Server
from capsnet_explorer.app.http.logs import start_logging

def app(environ, start_response):
    environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", "4")])
    return [b"here"]

start_logging("quiet")
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
print(listener.getsockname()[1], flush=True)
Server(app, listener).run()
"""


@pytest.mark.skipif(serving.resource is None, reason="only POSIX has such limits")
def test_half_sent_bodies_leave_descriptors_for_others():
    """Each takes two: a socket, and a file for what has come."""
    command = [sys.executable, "-c", FEW]
    environment = subprocess_environment()
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        ) as server,
        contextlib.ExitStack() as stack,
    ):
        try:
            address = ("127.0.0.1", int(server.stdout.readline()))
            half = b"Content-Length: 9000000\r\n\r\n" + bytes(700_000)
            for _ in range(200):
                client = socket.create_connection(address, timeout=PATIENCE_S)
                stack.callback(client.close)
                client.setblocking(False)
                with contextlib.suppress(BlockingIOError, ConnectionError):
                    client.sendall(POST + half)
            with connected(address, GET % b"") as client:
                assert answered(client).startswith(b"HTTP/1.1 200")
        finally:
            server.kill()
        errors = server.stderr.read()
    assert b"Traceback" not in errors
    assert errors.count(b"\n") < 10


def test_the_limit_of_descriptors_is_raised_as_far_as_the_system_lets(monkeypatch):
    resource = pytest.importorskip("resource")
    limits = [(256, 100_000)]
    monkeypatch.setattr(resource, "getrlimit", lambda which: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda which, to: limits.append(to))
    assert serving.connections_allowed() == CONNECTIONS
    assert limits[-1] == (serving.WANTED, 100_000)
    limits[:] = [(256, 256)]
    fewer = serving.connections_allowed()
    assert 2 * (fewer + serving.SPARE_CONNECTIONS) + serving.IN_HAND <= 256
    assert fewer >= 40


def test_without_a_descriptor_the_loop_rests(app, monkeypatch, caplog):
    turns = []
    turn = Server._turn
    monkeypatch.setattr(
        Server, "_turn", lambda *arguments: turns.append(1) or turn(*arguments)
    )
    with serving_on(app) as (server, address):
        real = server._waitress.socket

        class Full:
            def __getattr__(self, name):
                return getattr(real, name)

            def accept(self):
                raise OSError(errno.EMFILE, "Too many open files")

        server._waitress.socket = Full()
        with connected(address, GET % b"") as client:
            client.settimeout(1.5 * serving.FULL_S)
            with pytest.raises(TimeoutError):
                client.recv(1)
            server._waitress.socket = real
            client.settimeout(PATIENCE_S)
            assert read_answer(client) == b"here"
    assert len(turns) < 200
    assert {record.getMessage() for record in caplog.records} == {
        "No file descriptor is left for another connection"
    }
    assert len(caplog.records) < 5
