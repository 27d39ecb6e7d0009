"""Every page as a file, with links between files."""

import hashlib
import html
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from flask.testing import FlaskClient

from capsnet_explorer.app.http.headers import content_security_policy

# What a page's headers say elsewhere; a host of files sends none, and no <meta> can say
# who may frame the page. The networks run in a worker, whose own policy is none.
POLICY = content_security_policy(
    worker_src="'self'", trusted_types="site", frame_ancestors=None
)
NAME = "CapsNet Explorer"

# From a page to a place, with what follows it, among all pages.
Link = Callable[[str, str, str, Collection[str]], str | None]

_HREF = re.compile(r'href="([^"#?:]*)([^"]*)"')
_CHARSET = '<meta charset="utf-8">'
_PRELOAD = 'rel="preload" as="fetch" crossorigin="anonymous"'


def pages(
    client: FlaskClient,
    title: str | None,
    *,
    index: str,
    addresses: Mapping[str, str],
    lacks: str,
) -> tuple[dict[str, bytes], str]:
    """Return every page by the path of its file, and the site's version.

    Args:
        client: asks the app.
        title: stands in place of the explorer's name; None keeps it.
        index: address of the site's index, of which the scripts learn all others.
        addresses: of files that pages link to, by name, such as `api/models.json`.
        lacks: what the site has not: see `lacking`.

    Returns:
        The pages; and what changes whenever a page or a file of the index does, which
        each page holds.
    """
    marks = {"lacks": lacks, "index": index, "pages": "*.html"}
    texts = {}
    for path, text in read_pages(client, title, partial(_between_files, addresses)):
        # On its way while the scripts are.
        preload = f'\n  <link {_PRELOAD} href="{index}">' if path == "" else ""
        texts[_file_of(path)] = marked(text, marks, POLICY, preload)
    everything = "".join(f"{path} {len(text)} {text}" for path, text in texts.items())
    version = hashlib.sha256(everything.encode()).hexdigest()[:16]
    files = {
        path: text.replace("<html ", f'<html data-version="{version}" ', 1).encode()
        for path, text in texts.items()
    }
    return files, version


def lacking(names: Iterable[str]) -> str:
    """Return what a page has not that no server stands behind: `core/lacks.js`.

    Args:
        names: of the site's files.
    """
    names = [*names]
    parts = {
        "atlas": any(name.endswith("/atlas.safetensors") for name in names),
        "training": "api/recipes.json" in names,
    }
    return " ".join(
        ["server", *(part for part, is_here in parts.items() if not is_here)]
    )


def marked(text: str, marks: Mapping[str, str], policy: str, more: str = "") -> str:
    """Return a page with marks for its scripts, and a policy."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    text = text.replace(_CHARSET, f"{_CHARSET}\n  {meta}{more}", 1)
    attributes = " ".join(f'data-{name}="{value}"' for name, value in marks.items())
    return text.replace("<html ", f"<html {attributes} ", 1)


def read_pages(
    client: FlaskClient, title: str | None, link: Link
) -> Iterator[tuple[str, str]]:
    """Yield every page's path and its text.

    Args:
        client: asks the app.
        title: stands in place of the explorer's name; None keeps it.
        link: returns the address in place of one: of the page that links, of the one
            that it leads to, and all paths; None for no link.
    """
    paths = _paths(client)
    for path in paths:
        answer = client.get(f"/{path}")
        if answer.status_code != 200:
            raise ValueError(f"/{path} must be answered, got {answer.status}")
        text = _HREF.sub(
            partial(_linked, page=path, paths=paths, link=link), answer.text
        )
        if title is not None:
            text = text.replace(NAME, html.escape(title))
        yield path, text


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


def _linked(match: re.Match[str], page: str, paths: Collection[str], link: Link) -> str:
    """Return a link as `link` has it; what has no page here is no link."""
    target, rest = match.groups()
    if target == "":
        return match[0]  # a place on the same page, or another host
    path = posixpath.normpath(posixpath.join("/", posixpath.dirname(page), target))
    path = path.removeprefix("/")
    if path.startswith("static/"):
        return match[0]
    address = link(page, path, rest, paths)
    return "" if address is None else f'href="{address}"'


def _between_files(
    addresses: Mapping[str, str],
    page: str,
    path: str,
    rest: str,
    paths: Collection[str],
) -> str | None:
    """Return the address of a file, relative to a page's."""
    file = addresses.get(path) or addresses.get(f"{path}.json")
    if file is not None:
        rest = ""  # what was recorded is the answer to any query
    elif path in paths:
        file = _file_of(path)
    else:
        return None
    return posixpath.relpath(file, posixpath.dirname(page) or ".") + rest
