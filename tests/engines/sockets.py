"""A WebSocket to a program of this machine (RFC 6455): text there, text back."""

import base64
import os
import socket
import struct
from typing import Self

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10  # kinds of frames
FINAL, MASKED = 0x80, 0x80
SHORT, LONG = 126, 127  # stand for a length of 2 and of 8 bytes


class WebSocket:
    """A connection.

    Args:
        port: of the program.
        path: of its socket.
        patience_s: longest wait for an answer, in seconds.

    Raises:
        OSError: nobody listens there.
    """

    def __init__(self, port: int, path: str, patience_s: float) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), patience_s)
        self._file = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            "\r\n",
        )
        self._socket.sendall("\r\n".join(lines).encode())
        status = self._file.readline()
        if b" 101 " not in status:
            raise ConnectionError(f"no socket at {path}: {status!r}")
        while self._file.readline().strip():
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def send(self, text: str) -> None:
        """Send a text."""
        self._send(TEXT, text.encode())

    def _send(self, kind: int, content: bytes) -> None:
        size = len(content)
        if size < SHORT:
            head = struct.pack("!BB", FINAL | kind, MASKED | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", FINAL | kind, MASKED | SHORT, size)
        else:
            head = struct.pack("!BBQ", FINAL | kind, MASKED | LONG, size)
        mask = os.urandom(4)  # Firefox closes the connection on one of zeros
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(content))
        self._socket.sendall(head + mask + masked)

    def receive(self) -> str:
        """Wait for the next text.

        Raises:
            ConnectionError: the program has closed the connection.
            TimeoutError: nothing comes.
        """
        parts: list[bytes] = []
        while True:
            first, second = self._read(2)
            size = second & ~MASKED
            if size == SHORT:
                (size,) = struct.unpack("!H", self._read(2))
            elif size == LONG:
                (size,) = struct.unpack("!Q", self._read(8))
            content = self._read(size)
            kind = first & 0x0F
            if kind == CLOSE:
                raise ConnectionError("the socket was closed")
            if kind == PING:
                self._send(PONG, content)
            elif kind != PONG:
                parts.append(content)
                if first & FINAL:
                    return b"".join(parts).decode()

    def _read(self, size: int) -> bytes:
        content = self._file.read(size)
        if len(content) < size:
            raise ConnectionError("the socket was closed")
        return content
