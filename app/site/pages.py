"""Every page as a file, with links between files."""

import html
import posixpath
import re
from collections.abc import Collection
from functools import partial

from flask.testing import FlaskClient

from capsnet_explorer.app.http.headers import content_security_policy

# What a page's headers say elsewhere; a host of files sends none, and no <meta> can say
# who may frame the page. The networks run in a worker, whose own policy is none.
POLICY = content_security_policy(
    worker_src="'self'", trusted_types="site", frame_ancestors=None
)
RECORDED = ("api/models", "api/samples")  # on their way before the page asks for them
NAME = "CapsNet Explorer"

# Browsers load no modules from a disk: only this sentence stands there then.
FROM_DISK = (
    '<p class="from-disk">This page is one of a folder of files that a web server has '
    "to serve: a browser runs no part of it from the disk. In that folder, run "
    "<code>python -m http.server</code> and open http://localhost:8000.</p>"
)

_BODY = re.compile("<body[^>]*>")
_HREF = re.compile(r'href="([^"#?:]*)([^"]*)"')
_CHARSET = '<meta charset="utf-8">'


def pages(
    client: FlaskClient, title: str | None, *, has_atlas: bool
) -> dict[str, bytes]:
    """Return every page by the path of its file.

    Args:
        client: asks the app.
        title: stands in place of the explorer's name; None keeps it.
        has_atlas: whether a network's test set was measured.
    """
    chapters = client.get("/api/guide").get_json()["chapters"]
    paths = [
        *("", "guide", "guide/whole", "claims"),
        *(f"guide/{chapter['id']}" for chapter in chapters),
        *(f"guide/worksheet/{number}" for number in (1, 2)),
    ]
    found = {}
    for path in paths:
        answer = client.get(f"/{path}")
        if answer.status_code != 200:
            raise ValueError(f"/{path} must be answered, got {answer.status}")
        text = _HREF.sub(partial(_as_file, page=path, paths=paths), answer.text)
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        text = text.replace(_CHARSET, f"{_CHARSET}\n  {policy}", 1)
        lacking = "server" if has_atlas else "server atlas"
        text = text.replace("<html ", f'<html data-lacks="{lacking}" ', 1)
        if path == "":
            text = _BODY.sub(rf"\g<0>\n  {FROM_DISK}", text, count=1)
        if title is not None:
            text = text.replace(NAME, html.escape(title))
        found[_file_of(path)] = text.encode()
    return found


def _file_of(path: str) -> str:
    return f"{path or 'index'}.html"


def _as_file(found: re.Match[str], page: str, paths: Collection[str]) -> str:
    """Return a link with the ending of the file that it leads to."""
    target, rest = found.groups()
    if target == "":
        return found[0]  # a place on the same page, or another host
    place = posixpath.normpath(posixpath.join("/", posixpath.dirname(page), target))
    place = place.removeprefix("/")
    if place.startswith("static/"):
        return found[0]
    if place in RECORDED:
        return f'href="{target}.json{rest}"'
    if place not in paths:
        return ""  # what has no page here is no link
    start = posixpath.dirname(page) or "."
    return f'href="{posixpath.relpath(_file_of(place), start)}{rest}"'
