"""A lightweight connection to the server, which takes the clients little time."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from safetensors.numpy import load

HEAD_END = b"\r\n\r\n"


class BrokenOff(Exception):
    """The server closed the connection in the middle of a response."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response.

    Attributes:
        status: the HTTP status.
        headers: by lower-case name.
        body: the bytes received.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    def tensors(self) -> dict[str, NDArray[Any]]:
        """Read the body as a safetensors file."""
        return load(self.body)


def post(path: str, body: object) -> bytes:
    """Return a POST request for safetensors."""
    return _request(path, "application/json", json.dumps(body).encode())


def picture(path: str, content: bytes) -> bytes:
    """Return a POST request with a PGM file, for safetensors."""
    return _request(path, "image/x-portable-graymap", content)


def _request(path: str, kind: str, content: bytes) -> bytes:
    head = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Accept: application/x-safetensors",
        f"Content-Type: {kind}",
        f"Content-Length: {len(content)}",
    ]
    return "\r\n".join(head).encode() + HEAD_END + content


class Connection:
    """A persistent connection for one request at a time.

    Args:
        port: of the server on this machine.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> Answer:
        """Send a request and read its response.

        Raises:
            BrokenOff: the server closed the connection before the response ended.
            OSError: the connection could not be opened, or failed.
        """
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        try:
            writer.write(request)
            head = await reader.readuntil(HEAD_END)
            line, *fields = head.decode("latin-1").split("\r\n")
            pairs = (field.split(": ", 1) for field in fields if field)
            headers = {name.lower(): value for name, value in pairs}
            body = await reader.readexactly(int(headers["content-length"]))
        except asyncio.IncompleteReadError as error:
            await self.close()
            raise BrokenOff("the server closed the connection") from error
        except OSError:
            await self.close()
            raise
        return Answer(int(line.split()[1]), headers, body)

    async def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
