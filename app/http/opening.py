"""What the page asks for when it opens, answered before the app is there.

To import the app and PyTorch, and to check every network, takes seconds. What a page
asks for first hardly changes, so the answers are kept on the disk. They are sent until
the networks are there; each that was sent is then compared with what the app answers.
All other requests wait for the app. The standard library is all that this needs.
"""

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from wsgiref.util import setup_testing_defaults

from capsnet_explorer.storage.writing import replace_file

FILE = "opening.bin"
SUM = 32  # bytes of a SHA-256
SIZE = 8  # bytes of the header's length
MOST_BODY = 1 << 16  # bytes of a request
MOST_UNSEEN = 64 << 20  # of a request that comes before the app, which checks it
MOST_BYTES = 4 << 20  # of all answers; a page opens with 0.4 MB
MOST_NEW = 256  # answers that a start adds
PAUSE_S = 1.0  # of quiet, before the app is asked again
QUIET_S = 0.25  # in which a page asks for nothing more: it has what it opens with
LONGEST_S = 1.5  # that the app waits for that

# In a request's environ:
KEEP = "capsnet.keep"  # the app lets its answer be kept
FOLLOWS = "capsnet.follows"  # a kept answer to another POST was sent before
STARTS = "capsnet.starts"  # the networks are on their way, or it is answered as if
AGAIN = "capsnet.again"  # it was counted when it came

# What an answer depends on, besides method, address and body: all that `Vary` names.
HEADERS = ("CONTENT_TYPE", "HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING")
# Who else is let in is for the app to say: by another name, or through another server.
THROUGH = ("HTTP_X_FORWARDED_", "HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP")
HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?")
OF_BODY = frozenset({"content-encoding", "content-length", "content-type"})
FAILURE = b"The explorer could not start: its output says why.\n"

Environ = dict[str, Any]
App = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class Request(NamedTuple):
    """All that an answer depends on.

    Attributes:
        method: GET or POST.
        path: unquoted.
        query: quoted, without `?`.
        headers: the values of HEADERS, in order.
        body: at most MOST_BODY bytes.
    """

    method: str
    path: str
    query: str
    headers: tuple[str, ...]
    body: bytes

    def answered(self, app: App, *, is_counted: bool) -> "Answer":
        """Return what the app answers while it starts."""
        from werkzeug.test import run_wsgi_app  # by now it is there

        environ: Environ = {
            "REQUEST_METHOD": self.method,
            "PATH_INFO": self.path,
            "QUERY_STRING": self.query,
            "CONTENT_LENGTH": str(len(self.body)),
            "wsgi.input": BytesIO(self.body),
            STARTS: True,
            AGAIN: is_counted,
            **dict(zip(HEADERS, self.headers, strict=True)),
        }
        setup_testing_defaults(environ)
        parts, status, headers = run_wsgi_app(app, environ, buffered=True)
        return Answer(status, tuple(headers), b"".join(parts))


class Answer(NamedTuple):
    """A response.

    Attributes:
        status: such as `200 OK`.
        headers: names and values.
        body: as it is sent, perhaps compressed.
    """

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def equals(self, other: "Answer") -> bool:
        """Tell whether both say the same, byte for byte.

        Safetensors writes the metadata of a file in any order.
        """
        if self == other:
            return True
        is_file = any(value.endswith("safetensors") for _, value in self.headers)
        return (
            is_file
            and self[:2] == other[:2]
            and _parts_of(self.body) == _parts_of(other.body)
        )

    def sent(
        self, environ: Environ, start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Send it; without its body if the client has it."""
        status, headers, body = self
        tag = next((value for name, value in headers if name == "ETag"), "")
        if tag and tag in environ.get("HTTP_IF_NONE_MATCH", ""):
            status, body = "304 Not Modified", b""
            headers = [pair for pair in headers if pair[0].lower() not in OF_BODY]
        start_response(status, [*headers])
        return [body]


class Opening:
    """A WSGI app that sends what was kept until the networks are there.

    Args:
        folder: has the file in which answers are kept; None keeps nothing.
        key: changes with whatever decides about answers: kept ones count under the
            same key.

    Attributes:
        facts: what was kept of the networks; empty if nothing was.
        app: the app, once it is there, or what went wrong.
    """

    def __init__(self, folder: Path | None = None, key: str = "") -> None:
        self.app: Future[Any] = Future()
        self._most_of: Callable[[str, str], int] | None = None
        self._file = None if folder is None else folder / FILE
        self._key = key
        self.facts, self._answers = _read(self._file, key)
        self._is_complete = self._is_closed = False
        self._lock, self._renewing = threading.Lock(), threading.Lock()
        self._due: dict[Request, bool] = {}  # to be asked again; whether it was counted
        self._posted: set[str] = set()  # paths
        self._room = MOST_NEW
        self._timer: threading.Timer | None = None
        self._is_needed = threading.Event()  # the app
        self._sent_at = time.monotonic()

    def __call__(
        self, environ: Environ, start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer a request."""
        request = None if self._file is None else self._request_of(environ)
        if request is not None and not self._is_complete:
            answer = self._answers.get(request)
            if answer is not None:
                if request not in self._due:  # a page asks again for the health
                    self._sent_at = time.monotonic()
                self._ask_again(request, is_counted=False)
                return answer.sent(environ, start_response)
        self._is_needed.set()
        environ[FOLLOWS] = bool(self._posted)
        environ[STARTS] = not self._is_complete
        try:
            app = self.app.result()
        except BaseException:  # it is printed where the server was started
            start_response(
                "503 Service Unavailable", [("Content-Length", str(len(FAILURE)))]
            )
            return [FAILURE]
        parts = app(environ, start_response)
        is_new = self._room > 0 and request not in self._answers
        if request is not None and is_new and environ.get(KEEP):
            self._room -= 1
            self._ask_again(request, is_counted=True)
        return parts

    def _request_of(self, environ: Environ) -> Request | None:
        """Return a request whose answer can be kept.

        Of what is posted to an address, that is the first of a start alone.
        """
        host = environ.get("HTTP_HOST", "")
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        size = int(environ.get("CONTENT_LENGTH") or 0)
        if (
            method not in {"GET", "POST"}
            or HOST.fullmatch(host) is None
            or environ.get("HTTP_ORIGIN", f"http://{host}") != f"http://{host}"
            or environ.get("HTTP_SEC_FETCH_SITE", "none") not in {"none", "same-origin"}
            or "HTTP_RANGE" in environ
            or any(name.startswith(THROUGH) for name in environ)
            or size > MOST_BODY
            or (method == "POST" and path in self._posted)
        ):
            return None
        body = environ["wsgi.input"].read(size) if size else b""
        environ["wsgi.input"] = BytesIO(body)
        headers = tuple(environ.get(name, "") for name in HEADERS)
        return Request(method, path, environ.get("QUERY_STRING", ""), headers, body)

    def wait_until_quiet(self) -> None:
        """Wait until a page has what it opens with, or somebody needs the app.

        To import the app takes a core, which the page that opens needs, too.
        """
        latest = time.monotonic() + LONGEST_S
        while (end := min(self._sent_at + QUIET_S, latest)) > time.monotonic():
            if self._is_needed.wait(end - time.monotonic()):
                break

    @property
    def is_answered(self) -> bool:
        """Whether the app is there."""
        return self.app.done() and self.app.exception() is None

    def most_of(self, method: str, path: str) -> int:
        """Return how many bytes of a body are taken: as many as the app takes."""
        return MOST_UNSEEN if self._most_of is None else self._most_of(method, path)

    def answer_with(self, app: App, most_of: Callable[[str, str], int]) -> None:
        """Let the app answer what was not kept.

        Args:
            app: a WSGI app.
            most_of: returns how many bytes of a body it takes, by method and path.
        """
        self._most_of = most_of
        self.app.set_result(app)

    def fail(self, error: BaseException) -> None:
        """Refuse all that is asked from now on, and keep nothing."""
        if not self.app.done():
            self.app.set_exception(error)
        self.forget()

    def complete(self, facts: bytes) -> None:
        """Let the app answer everything from now on, and compare what was sent.

        Args:
            facts: what the networks say of themselves.
        """
        self._is_complete = True
        if facts != self.facts:
            self.facts = facts
            self._answers.clear()
            self._write()
        self._renew()

    def forget(self) -> None:
        """Keep nothing, so that the next start looks at everything anew."""
        self._is_complete = True
        if self._file is not None:
            with suppress(OSError):
                self._file.unlink()
            self._file = None

    def _ask_again(self, request: Request, *, is_counted: bool) -> None:
        with self._lock:
            if request.method == "POST":
                self._posted.add(request.path)
            self._due.setdefault(request, is_counted)
            if self._is_complete and self._timer is None:
                self._timer = threading.Timer(PAUSE_S, self._renew)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """Ask the app nothing more, and wait for what it is being asked."""
        self._is_closed = True
        with self._renewing:
            pass

    def _renew(self) -> None:
        """Ask the app again for what is due, and keep what is new."""
        with self._renewing:
            with self._lock:
                due, self._due, self._timer = self._due, {}, None
            is_new = False
            for request, is_counted in due.items():
                if self._is_closed:
                    return
                answer = request.answered(self.app.result(), is_counted=is_counted)
                kept = self._answers.pop(request, None)
                if answer.status == "200 OK":
                    self._answers[request] = answer  # the newest stands last
                is_new |= kept is None or not kept.equals(answer)
            if is_new:
                self._write()

    def _write(self) -> None:
        """Write the file; where that cannot be, the next start takes longer."""
        newest: dict[Request, Answer] = {}
        room = MOST_BYTES
        for request, answer in reversed([*self._answers.items()]):
            room -= len(answer.body) + len(request.body)
            if room >= 0:
                newest[request] = answer
        self._answers = dict(reversed(newest.items()))
        if (file := self._file) is not None:
            with suppress(OSError):
                content = _packed(self._key, self.facts, self._answers)
                replace_file(file, content, makes_folder=True)


def key_of(paths: Sequence[Path], facts: object) -> str:
    """Return what changes with any file, of some or in some folders, and with facts."""
    files = {str(path) for path in paths if path.is_file()}
    for folder in paths:
        for directory, folders, names in os.walk(folder):
            if "__pycache__" in folders:
                folders.remove("__pycache__")
            files.update(os.path.join(directory, name) for name in names)
    stats = []
    for path in sorted(files):
        with suppress(OSError):
            stat = os.stat(path)
            stats.append((path, stat.st_size, stat.st_mtime_ns))
    return hashlib.sha256(repr((facts, stats)).encode()).hexdigest()


def _packed(key: str, facts: bytes, answers: Mapping[Request, Answer]) -> bytes:
    bodies = [facts]
    for request, answer in answers.items():
        bodies += (request.body, answer.body)
    header = json.dumps(
        {
            "key": key,
            "sizes": [len(body) for body in bodies],
            "answers": [
                (request[:-1], answer[:-1]) for request, answer in answers.items()
            ],
        }
    ).encode()
    content = b"".join([len(header).to_bytes(SIZE, "little"), header, *bodies])
    return hashlib.sha256(content).digest() + content


def _read(file: Path | None, key: str) -> tuple[bytes, dict[Request, Answer]]:
    """Return what was kept under the same key; nothing where it is not whole."""
    with suppress(Exception):  # whatever a file of another version leads to
        content = b"" if file is None else file.read_bytes()
        if hashlib.sha256(memoryview(content)[SUM:]).digest() == content[:SUM]:
            end = SUM + SIZE
            end += int.from_bytes(content[SUM:end], "little")
            header = json.loads(content[SUM + SIZE : end])
            if header["key"] == key:
                bodies = []
                for size in header["sizes"]:
                    bodies.append(content[end : end + size])
                    end += size
                facts, *rest = bodies
                return facts, dict(_pairs(header["answers"], rest))
    return b"", {}


def _pairs(
    heads: Iterable[Any], bodies: Sequence[bytes]
) -> Iterable[tuple[Request, Answer]]:
    parts = zip(heads, bodies[::2], bodies[1::2], strict=True)
    for ((method, path, query, names), (status, headers)), sent, received in parts:
        request = Request(method, path, query, tuple(names), sent)
        yield request, Answer(status, tuple(map(tuple, headers)), received)


def _parts_of(file: bytes) -> tuple[object, bytes]:
    """Return the header of a safetensors file, and its tensors."""
    start = SIZE + int.from_bytes(file[:SIZE], "little")
    return json.loads(file[SIZE:start]), file[start:]
