"""The HTTP server: waitress with deadlines, a connection limit and a graceful stop.

Waitress reads requests in one loop and hands only complete ones to its threads, so a
slow sender never occupies a thread.
"""

import contextlib
import errno
import logging
import select
import socket
import time
from collections.abc import Callable
from typing import Any

from waitress import wasyncore
from waitress.buffers import OverflowableBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import create_server

try:
    import resource
except ImportError:  # Windows
    resource = None

# More than may wait for a network (`MOST_WAITING` and `MOST_BATCHES` of the queue), so
# that a thread is always free to decode a capsule or to refuse a request. Most of them
# sleep.
THREADS = 80

CONNECTIONS = 200  # a browser opens up to six; within every system's limit of select()
LEAST_CONNECTIONS = 8
SPARE_CONNECTIONS = 20  # accepted beyond these until the idlest ones are closed
IDLE_S = 120  # longest silence of a connection between two requests
EXCHANGE_S = 60  # from a request's first byte to its response's last; the page waits 30
GRACE_S = 8  # for requests in progress when the server stops
SWEEP_S = 1  # between two checks of the deadlines
IN_HAND = 96  # descriptors that are kept for files, pipes and processes
EACH = 2  # descriptors of a connection: its socket, and a long body's file
WANTED = IN_HAND + EACH * (CONNECTIONS + SPARE_CONNECTIONS)
FULL_PAUSE_S = 0.05  # between two looks at who waits to be accepted
FULL_S = 1.0  # without accepting, where no descriptor is left all the same
HAS_POLL = hasattr(select, "poll")  # Windows has only select()

RECEIVED_AT_ONCE = 1 << 16  # bytes; a complete request, except for pictures
MAX_HEADERS = 1 << 15  # bytes
MAX_BODY = 64 << 20  # bytes; routes have smaller limits with clearer errors
KEPT_IN_MEMORY = 8 << 20  # bytes of an unsent response; a trace as JSON has 3 MB

# It warns of every request that waits for a thread.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)
# It warns each time that as many are connected as may be.
logging.getLogger("waitress").setLevel(logging.ERROR)

log = logging.getLogger("capsnet.server")


def connections_allowed() -> int:
    """Return how many connections this process may have open, of their usual number.

    The limit of descriptors is raised where the system lets it; macOS begins with 256.
    """
    if resource is None:
        return CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < WANTED:
        most = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if soft == resource.RLIM_INFINITY:
        return CONNECTIONS
    room = (soft - IN_HAND) // EACH - SPARE_CONNECTIONS
    return max(LEAST_CONNECTIONS, min(CONNECTIONS, room))


class Nowhere(OverflowableBuffer):
    """Takes a body that is too large, and keeps nothing of it."""

    def append(self, s: bytes) -> None:
        """Drop it."""


class Parser(HTTPRequestParser):
    """A request whose body is kept only where its route takes as much.

    Of one that is too large the app gets the length alone, and says so.
    """

    # The library declares them wrongly, or not at all.
    command: Any
    path: Any
    headers: Any

    most_of: Callable[[str, str], int] = staticmethod(lambda method, path: MAX_BODY)
    most = MAX_BODY

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the header, and find out how much of a body may follow."""
        super().parse_header(header_plus)
        self.most = self.most_of(self.command, self.path)
        if not self.chunked and self.content_length > self.most:
            self._drop_body()

    def received(self, data: bytes) -> int:
        """Process received bytes; return how many."""
        taken = super().received(data)
        if self.chunked and self.body_bytes_received > self.most:
            self._drop_body()
            if self.completed and self.error is None:
                self.headers["CONTENT_LENGTH"] = str(self.body_bytes_received)
        return taken

    def _drop_body(self) -> None:
        if self.expect_continue:  # the client waits for a word before it sends any
            self.expect_continue, self.body_rcv = False, None
            self.headers["CONNECTION"] = "close"  # it may send the body all the same
        elif self.body_rcv is not None and not isinstance(self.body_rcv.buf, Nowhere):
            self.body_rcv.buf.close()
            self.body_rcv.buf = Nowhere(self.adj.inbuf_overflow)


class Channel(HTTPChannel):
    """A connection that records when it, or its newest request, began."""

    parser_class = Parser

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.began = time.monotonic()  # seconds

    def received(self, data: bytes) -> bool:
        """Process received bytes."""
        if self.request is None:
            self.began = time.monotonic()
        return super().received(data)

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send some of the bytes, and return how many; 0 after the client has left.

        The loop may find in one turn that the client left and that bytes remain. The
        first closes the connection; waitress would log a traceback about the second.
        """
        return 0 if self.socket is None else super().send(data, do_close)

    def writable(self) -> bool:
        """Return whether the loop should send; not while a thread is sending.

        Otherwise a client's next request would wake the loop, which would spin: the
        socket is ready, but the thread holds the lock.
        """
        if self.requests and not self.will_close:
            if not self.outbuf_lock.acquire(blocking=False):
                return False  # the thread wakes the loop if any bytes remain
            self.outbuf_lock.release()
        return bool(super().writable())

    @property
    def is_idle(self) -> bool:
        """Whether no request is in progress and nothing remains to be sent."""
        return self.request is None and not self.is_answering

    @property
    def is_answering(self) -> bool:
        """Whether a complete request awaits the end of its response."""
        return bool(self.requests or self.total_outbufs_len)


def _channel_class(most_of: Callable[[str, str], int] | None) -> type[Channel]:
    """Return channels whose requests know how much of a body their routes take."""
    if most_of is None:
        return Channel
    parser = type("OwnParser", (Parser,), {"most_of": staticmethod(most_of)})
    return type("OwnChannel", (Channel,), {"parser_class": parser})


class Server:
    """Serves an app on a socket until `stop` is called.

    Args:
        app: a WSGI application.
        listener: a bound and listening socket.
        threads: number of requests handled at once.
        exchange_s: longest time from a request's first byte to its response's last.
        most_of: returns how many bytes of a body are taken, by method and path.
    """

    def __init__(
        self,
        app: Callable[..., Any],
        listener: socket.socket,
        *,
        threads: int = THREADS,
        exchange_s: float = EXCHANGE_S,
        most_of: Callable[[str, str], int] | None = None,
    ) -> None:
        self._exchange_s = exchange_s
        self._connections = connections_allowed()
        self._sockets: Any = {}  # by descriptor
        self._waitress: Any = create_server(
            app,
            map=self._sockets,
            sockets=[listener],
            threads=threads,
            ident=None,
            connection_limit=self._connections + SPARE_CONNECTIONS,
            channel_timeout=IDLE_S,
            cleanup_interval=SWEEP_S,
            channel_request_lookahead=1,  # detects clients that disconnect
            recv_bytes=RECEIVED_AT_ONCE,
            max_request_header_size=MAX_HEADERS,
            max_request_body_size=MAX_BODY,
            outbuf_overflow=KEPT_IN_MEMORY,
            clear_untrusted_proxy_headers=False,  # app.http.proxies decides on them
        )
        self._waitress.channel_class = _channel_class(most_of)
        self._waitress.handle_accept = self._accept
        self._full_until = 0.0
        self._is_stopping = False

    def run(self) -> None:
        """Serve until `stop`, then allow a few seconds for requests in progress."""
        next_sweep = 0.0
        while not self._is_stopping:
            self._turn(SWEEP_S)
            now = time.monotonic()
            if now >= next_sweep:
                next_sweep = now + SWEEP_S
                self._close_overdue(now)
            self._close_surplus()
        self._finish()

    def stop(self) -> None:
        """Make `run` return soon; for signal handlers and other threads."""
        if not self._is_stopping:
            self._is_stopping = True
            with contextlib.suppress(OSError):  # the loop has ended already
                self._waitress.pull_trigger()

    @property
    def _channels(self) -> list[Channel]:
        return list(self._waitress.active_channels.values())

    def _accept(self) -> None:
        """Accept a connection; none for a while where no descriptor is left.

        Otherwise the loop would spin: the client goes on waiting to be accepted.
        """
        if time.monotonic() < self._full_until:
            time.sleep(FULL_PAUSE_S)
            return
        try:
            connection, address = self._waitress.socket.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._full_until = time.monotonic() + FULL_S
                log.warning("No file descriptor is left for another connection")
            return
        connection.setblocking(False)
        server = self._waitress
        server.set_socket_options(connection)  # a small answer leaves at once
        address = server.fix_addr(address)
        server.channel_class(server, connection, address, server.adj, map=server._map)

    def _turn(self, timeout_s: float) -> None:
        """Wait until a socket is ready, then serve all that are."""
        wasyncore.loop(timeout_s, use_poll=HAS_POLL, map=self._sockets, count=1)

    def _close_overdue(self, now: float) -> None:
        # Immediately: a channel marked for closing would wait for the client to read.
        for channel in self._channels:
            if not channel.is_idle and now - channel.began > self._exchange_s:
                channel.handle_close()

    def _close_surplus(self) -> None:
        """Close the surplus connections that have been without a request longest."""
        surplus = len(self._waitress.active_channels) - self._connections
        if surplus > 0:
            silent = [channel for channel in self._channels if not channel.is_answering]
            for channel in sorted(silent, key=lambda idle: idle.began)[:surplus]:
                channel.handle_close()

    def _finish(self) -> None:
        """Stop accepting connections, and complete the requests in progress."""
        wasyncore.dispatcher.close(self._waitress)  # the listener, not the trigger
        end = time.monotonic() + GRACE_S
        while (remaining := end - time.monotonic()) > 0:
            for channel in self._channels:
                if channel.is_idle:
                    channel.handle_close()
            if not self._channels:
                break
            self._turn(remaining)
        self._waitress.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self._sockets)
