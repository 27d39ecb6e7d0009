"""The HTTP server: waitress, with deadlines, a limit to idlers, and a graceful stop.

Waitress reads requests in one loop and hands only whole ones to its threads, so that
however slowly something is sent, it never occupies a thread.
"""

import logging
import select
import socket
import time
from collections.abc import Callable
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server

# More than may wait for the network (`queueing.MOST_WAITING`), so that there is always
# a thread left to decode a capsule, or to say that too many wait. Most of them sleep.
THREADS = 80

CONNECTIONS = 200  # a browser keeps up to six; fewer than select() takes anywhere
SPARE_CONNECTIONS = 20  # until the idlest of the others is closed
IDLE_S = 120  # a connection may be silent between two requests
EXCHANGE_S = 60  # from a request's first byte to its answer's last; the page waits 30
GRACE_S = 3  # for what is under way when the server is told to stop
SWEEP_S = 1  # between two looks at the clock
HAS_POLL = hasattr(select, "poll")  # not on Windows, where select() has to do

RECEIVED_AT_ONCE = 1 << 16  # bytes; a whole request, but for pictures
MAX_HEADERS = 1 << 15  # bytes
MAX_BODY = 64 << 20  # bytes; routes have smaller limits, and words for them
KEPT_IN_MEMORY = 8 << 20  # bytes of an answer on its way; a trace as JSON has three

# It warns of every request that waits for a thread.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class Channel(HTTPChannel):
    """A connection that knows when it, or the newest request on it, began."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.began = time.monotonic()  # seconds

    def received(self, data: bytes) -> bool:
        """Take what has come of a request."""
        if self.request is None:
            self.began = time.monotonic()
        return super().received(data)

    def writable(self) -> bool:
        """Tell whether the loop is to send; never what a thread is sending just now.

        Else the loop, woken by a client that asks again at once, would find the socket
        ready and the thread in its way, again and again.
        """
        if self.requests and not self.will_close:
            if not self.outbuf_lock.acquire(blocking=False):
                return False  # the thread wakes the loop if it leaves anything
            self.outbuf_lock.release()
        return bool(super().writable())

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked and nothing left to be sent."""
        return self.request is None and not self.is_answering

    @property
    def is_answering(self) -> bool:
        """Whether a request has come whole and its answer has not yet gone whole."""
        return bool(self.requests or self.total_outbufs_len)


class Server:
    """Serves an app on a socket until told to stop.

    Args:
        app: a WSGI application.
        listener: bound and listening.
        threads: requests that are worked on at once.
        exchange_s: from a request's first byte to its answer's last, at most.
    """

    def __init__(
        self,
        app: Callable[..., Any],
        listener: socket.socket,
        *,
        threads: int = THREADS,
        exchange_s: float = EXCHANGE_S,
    ) -> None:
        self._exchange_s = exchange_s
        self._sockets: Any = {}  # by descriptor
        self._waitress: Any = create_server(
            app,
            map=self._sockets,
            sockets=[listener],
            threads=threads,
            ident=None,
            connection_limit=CONNECTIONS + SPARE_CONNECTIONS,
            channel_timeout=IDLE_S,
            cleanup_interval=SWEEP_S,
            channel_request_lookahead=1,  # notices clients that leave
            recv_bytes=RECEIVED_AT_ONCE,
            max_request_header_size=MAX_HEADERS,
            max_request_body_size=MAX_BODY,
            outbuf_overflow=KEPT_IN_MEMORY,
        )
        self._waitress.channel_class = Channel
        self._is_stopping = False

    def run(self) -> None:
        """Serve until `stop`, then finish what is under way, for a few seconds."""
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
            self._waitress.pull_trigger()

    @property
    def _channels(self) -> list[Channel]:
        return list(self._waitress.active_channels.values())

    def _turn(self, timeout_s: float) -> None:
        """Wait until a socket is ready, and serve those that are."""
        wasyncore.loop(timeout_s, use_poll=HAS_POLL, map=self._sockets, count=1)

    def _close_overdue(self, now: float) -> None:
        # At once: one that is only marked to be closed waits until it takes more bytes.
        for channel in self._channels:
            if not channel.is_idle and now - channel.began > self._exchange_s:
                channel.handle_close()

    def _close_surplus(self) -> None:
        """Make room: close those that have asked nothing whole for longest."""
        surplus = len(self._waitress.active_channels) - CONNECTIONS
        if surplus > 0:
            silent = [channel for channel in self._channels if not channel.is_answering]
            for channel in sorted(silent, key=lambda each: each.began)[:surplus]:
                channel.handle_close()

    def _finish(self) -> None:
        """Take no more connections, and answer what has been asked."""
        wasyncore.dispatcher.close(self._waitress)  # the listener, not what wakes us
        end = time.monotonic() + GRACE_S
        while (left := end - time.monotonic()) > 0:
            for channel in self._channels:
                if channel.is_idle:
                    channel.handle_close()
            if not self._channels:
                break
            self._turn(left)
        self._waitress.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self._sockets)
