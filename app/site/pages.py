"""Every page as a file, with links between files."""

import hashlib
import html
import posixpath
import re
from collections.abc import Collection, Mapping
from functools import partial

from flask.testing import FlaskClient

from capsnet_explorer.app.http.headers import content_security_policy

# What a page's headers say elsewhere; a host of files sends none, and no <meta> can say
# who may frame the page. The networks run in a worker, whose own policy is none.
POLICY = content_security_policy(
    worker_src="'self'", trusted_types="site", frame_ancestors=None
)
NAME = "CapsNet Explorer"

_HREF = re.compile(r'href="([^"#?:]*)([^"]*)"')
_CHARSET = '<meta charset="utf-8">'
_PRELOAD = 'rel="preload" as="fetch" crossorigin="anonymous"'


def pages(
    client: FlaskClient,
    title: str | None,
    *,
    index: str,
    addresses: Mapping[str, str],
    has_atlas: bool,
) -> tuple[dict[str, bytes], str]:
    """Return every page by the path of its file, and the site's version.

    Args:
        client: asks the app.
        title: stands in place of the explorer's name; None keeps it.
        index: address of the site's index, of which the scripts learn all others.
        addresses: of files that pages link to, by name, such as `api/models.json`.
        has_atlas: whether a network's test set was measured.

    Returns:
        The pages; and what changes whenever a page or a file of the index does, which
        each page holds.
    """
    lacking = "server" if has_atlas else "server atlas"
    marks = f'data-lacks="{lacking}" data-index="{index}"'
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    texts = {}
    paths = _paths(client)
    for path in paths:
        answer = client.get(f"/{path}")
        if answer.status_code != 200:
            raise ValueError(f"/{path} must be answered, got {answer.status}")
        link = partial(_as_file, page=path, paths=paths, addresses=addresses)
        text = _HREF.sub(link, answer.text)
        head = f"{_CHARSET}\n  {policy}"
        if path == "":  # on its way while the scripts are
            head += f'\n  <link {_PRELOAD} href="{index}">'
        text = text.replace(_CHARSET, head, 1)
        text = text.replace("<html ", f"<html {marks} ", 1)
        if title is not None:
            text = text.replace(NAME, html.escape(title))
        texts[_file_of(path)] = text
    everything = "".join(f"{path} {len(text)} {text}" for path, text in texts.items())
    version = hashlib.sha256(everything.encode()).hexdigest()[:16]
    found = {
        path: text.replace("<html ", f'<html data-version="{version}" ', 1).encode()
        for path, text in texts.items()
    }
    return found, version


def page_files(client: FlaskClient) -> list[str]:
    """Return the paths of all pages' files."""
    return [_file_of(path) for path in _paths(client)]


def _paths(client: FlaskClient) -> list[str]:
    chapters = client.get("/api/guide").get_json()["chapters"]
    return [
        *("", "guide", "guide/whole", "claims"),
        *(f"guide/{chapter['id']}" for chapter in chapters),
        *(f"guide/{part}/{i}" for part in ("worksheet", "solutions") for i in (1, 2)),
    ]


def _file_of(path: str) -> str:
    return f"{path or 'index'}.html"


def _as_file(
    link: re.Match[str],
    page: str,
    paths: Collection[str],
    addresses: Mapping[str, str],
) -> str:
    """Return a link with the address of the file that it leads to."""
    target, rest = link.groups()
    if target == "":
        return link[0]  # a place on the same page, or another host
    place = posixpath.normpath(posixpath.join("/", posixpath.dirname(page), target))
    place = place.removeprefix("/")
    if place.startswith("static/"):
        return link[0]
    file = addresses.get(place) or addresses.get(f"{place}.json")
    if file is None and place in paths:
        file = _file_of(place)
    if file is None:
        return ""  # what has no page here is no link
    start = posixpath.dirname(page) or "."
    return f'href="{posixpath.relpath(file, start)}{rest}"'
