"""The page's static files: read once, packed once, and cached indefinitely by browsers.

Their URLs contain one version for all files, `/static/v0f3c…/js/main.js`. Modules
import each other by relative paths and so stay within one version. Caches revalidate
URLs without a version, `/static/js/main.js`, before each use.

A proxy may serve the explorer below any path, so that pages name files relative to
themselves.
"""

import gzip
import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import cast

import brotli
from flask import Blueprint, Flask, Response, abort, current_app, request

from capsnet_explorer.app.http.caching import FOR_GOOD, fresh, tag_of
from capsnet_explorer.app.page.modules import path_from
from capsnet_explorer.app.page.packs import packs_of

EXTENSION = "capsnet-static"

# Files of other kinds are not served.
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
PACKED_TYPES = frozenset({".css", ".js", ".svg"})
START = "js/main.js"  # the start module
PACKS = "packs"  # a folder that exists only in memory

# Of a style sheet: comments, indentation and empty lines, a quarter of what is sent.
UNSAID = re.compile(rb"/\*.*?\*/\s*|^\s+", re.MULTILINE | re.DOTALL)

BROTLI_QUALITY = 5  # 9 takes ten times as long and saves a thousandth
PACKERS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=BROTLI_QUALITY),
    "gzip": lambda body: gzip.compress(body, mtime=0),
}
VERSION_LENGTH = 16  # hex digits

_STYLE_IMPORT = re.compile(r'^@import "(\.[^"]+\.css)";\n', re.MULTILINE)
_OTHER_STYLE_IMPORT = re.compile(r"^\s*@import\b.*$", re.MULTILINE)

Stamps = tuple[tuple[str, int, int], ...]
NOTHING: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True)
class StaticFile:
    """One file.

    Attributes:
        mimetype: such as `text/css`.
        body: its content.
        encodings: content encodings in which it is served, the smallest first.
        tag: changes whenever the body does.
    """

    mimetype: str
    body: bytes
    encodings: tuple[str, ...]
    tag: str

    @cached_property
    def _packed(self) -> dict[str, bytes]:
        return {}

    def packed(self, encoding: str) -> bytes:
        """Return the content compressed; it is when first asked for, and kept."""
        if encoding not in self._packed:
            self._packed[encoding] = PACKERS[encoding](self.body)
        return self._packed[encoding]


@dataclass(frozen=True, slots=True, eq=False)
class StaticFiles:
    """A snapshot of every file in a folder.

    Attributes:
        version: changes whenever any file does.
        files: by path below the folder, such as `js/main.js`.
    """

    version: str
    files: Mapping[str, StaticFile]

    def address(self, name: str) -> str:
        """Return the URL of a file, relative to the explorer's own.

        Raises:
            KeyError: there is no such file.
        """
        if name not in self.files:
            raise KeyError(f"no static file {name}")
        return f"static/v{self.version}/{name}"


class StaticFolder:
    """A folder, read when first asked for, and again after a file in it changes.

    Args:
        folder: contains the files, also in subfolders.
        edition: files in place of some of these, by path.
    """

    def __init__(self, folder: Path, edition: Mapping[str, bytes] = NOTHING) -> None:
        self._folder = folder
        self._edition = tuple(edition.items())
        self._files: StaticFiles | None = None

    def refreshed(self) -> StaticFiles:
        """Return the current files on the disk."""
        self._files = _read(self._folder, _stamps(self._folder), self._edition)
        return self._files

    def of_version(self, version: str | None) -> StaticFiles:
        """Return the files of a version, or the newest ones if that is gone."""
        if self._files is None or version not in (None, self._files.version):
            return self.refreshed()  # another process may have served a newer page
        return self._files


def register_static_files(
    app: Flask, folder: Path, edition: Mapping[str, bytes] = NOTHING
) -> None:
    """Serve a folder under /static/; templates get the URLs from `asset`."""
    app.extensions[EXTENSION] = StaticFolder(folder, edition)
    app.register_blueprint(_blueprint)


def current_static_folder() -> StaticFolder:
    """Return the static folder of the current app."""
    return cast(StaticFolder, current_app.extensions[EXTENSION])


_blueprint = Blueprint("static-files", __name__)


@_blueprint.get("/static/<path:filename>")
@_blueprint.get(f"/static/v<string(length={VERSION_LENGTH}):version>/<path:filename>")
def _static_file(filename: str, version: str | None = None) -> Response:
    static = current_static_folder().of_version(version)
    file = static.files.get(filename)
    if file is None:
        abort(404)

    def answer() -> Response:
        encoding = request.accept_encodings.best_match(file.encodings)
        if encoding is None:
            return Response(file.body, mimetype=file.mimetype)
        response = Response(file.packed(encoding), mimetype=file.mimetype)
        response.headers["Content-Encoding"] = encoding
        return response

    is_exact = version == static.version
    response = fresh(
        file.tag, answer, cache_control=FOR_GOOD if is_exact else "no-cache"
    )
    response.vary.add("Accept-Encoding")
    return response


def _stamps(folder: Path) -> Stamps:
    """Return path, modification time and size of every file to serve, sorted."""
    stamps = []
    for directory, _, names in os.walk(folder):
        for name in names:
            if os.path.splitext(name)[1] in TYPES:
                path = os.path.join(directory, name)
                if os.path.islink(path):
                    continue  # it could point outside the folder
                state = os.stat(path)
                stamps.append((path, state.st_mtime_ns, state.st_size))
    return tuple(sorted(stamps))


@lru_cache(maxsize=1)
def _read(
    folder: Path, stamps: Stamps, edition: tuple[tuple[str, bytes], ...] = ()
) -> StaticFiles:
    bodies = {
        Path(path).relative_to(folder).as_posix(): Path(path).read_bytes()
        for path, _, _ in stamps
    }
    bodies |= edition
    if START in bodies:
        packs = packs_of(bodies, START)
        bodies |= {f"{PACKS}/{name}": body for name, body in packs.items()}
    everything = hashlib.sha256()
    for name, body in bodies.items():
        everything.update(f"{name} {len(body)} ".encode() + body)
    return StaticFiles(
        version=everything.hexdigest()[:VERSION_LENGTH],
        files={name: _file(name, bodies) for name in bodies},
    )


def _file(name: str, bodies: Mapping[str, bytes]) -> StaticFile:
    kind = os.path.splitext(name)[1]
    is_sheet = kind == ".css"
    body = UNSAID.sub(b"", _join_sheets(name, bodies)) if is_sheet else bodies[name]
    encodings = tuple(PACKERS) if kind in PACKED_TYPES else ()
    return StaticFile(TYPES[kind], body, encodings, tag_of(body))


def _join_sheets(
    name: str, sheets: Mapping[str, bytes], importers: tuple[str, ...] = ()
) -> bytes:
    """Return a style sheet with each `@import` replaced by the imported sheet.

    Raises:
        KeyError: an imported sheet does not exist.
        ValueError: sheets import each other in a circle, or an `@import` has another
            form; the message quotes it.
    """
    chain = (*importers, name)
    if name in importers:
        circle = " imports ".join(chain[chain.index(name) :])
        raise ValueError(f"style sheets must not import in a circle: {circle}")

    def import_sheet(match: re.Match[str]) -> str:
        return _join_sheets(path_from(name, match[1]), sheets, chain).decode()

    sheet = sheets[name].decode()
    if other := _OTHER_STYLE_IMPORT.search(_STYLE_IMPORT.sub("", sheet)):
        raise ValueError(f"{name}: cannot be joined with the line `{other[0].strip()}`")
    return _STYLE_IMPORT.sub(import_sheet, sheet).encode()
