"""A site as one HTML file, which opens from the disk, from a mail, in a notebook.

Its files are elements of the page, packed; scripts run from addresses that are made of
their bytes. What the first picture needs stands before all else.
"""

import hashlib
import html
import json
import os
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from capsnet_explorer.app.engines.protocol import ExportableEngine
from capsnet_explorer.app.http.headers import content_security_policy
from capsnet_explorer.app.page.packs import joined
from capsnet_explorer.app.site.folder import put
from capsnet_explorer.app.site.packing import packed
from capsnet_explorer.app.site.pages import lacking, marked, read_pages
from capsnet_explorer.app.site.writing import WORKER, Say, site_of

START = "js/main.js"
BOOT = "js/site/file/boot.js"
SHEETS = ("css/all.css", "css/guide/article.css")
THEME = "js/page/theme.js"
END = '<script type="text/plain" data-end></script>'  # tells that nothing is missing
SIGNED = b"\n<!-- capsnet_explorer site --file, sha256 "  # of all before
EXAMPLES = 1  # the one that the page begins with; the network reads all others

# Modules in whose place others of `static/js/site/file` stand.
OF_FILE = {
    "js/core/transport.js": b"""\
import { answer, explain, hear, PATIENCE } from "../site/answers.js";
import * as weights from "../site/weights.js";
import { mountPages } from "../site/file/pages.js";

export const PATIENCE_MS = PATIENCE;
export const WHO = "The network";
export const ask = answer;
export const listen = hear;
export const openWeights = weights.openWeights;
export const whyUnloaded = explain;
mountPages();
""",
    "js/site/files.js": b"""\
import * as contents from "./file/contents.js";

export const siteHere = contents.siteHere;
export const filesOf = contents.filesOf;
""",
    "js/site/starting.js": b"""\
import * as own from "./file/starting.js";

export const startWorker = own.startWorker;
""",
}


def file_of(
    engines: Mapping[str, ExportableEngine],
    *,
    title: str | None = None,
    half: bool = False,
    runtime: Path | None = None,
    learns: bool = False,
    runs: Sequence[str | os.PathLike[str]] = (),
    say: Say = print,
) -> bytes:
    """Return the explorer as one HTML file.

    Args:
        engines: the networks to bring, by id; the first is the one to begin with.
        title: of the page; None keeps its own.
        half: whether to round weights to half precision; About says what that changes.
        learns: whether a network can learn symbols of the visitor's own there.
        runs: folders of training runs to show again.
        runtime: the folder `dist` of npm's onnxruntime-web; None looks for it.
        say: is told each step, a line at a time.

    Raises:
        FileNotFoundError, ImportError, ValueError: as `write_site`.
    """
    with site_of(
        engines,
        OF_FILE,
        runtime=runtime,
        say=say,
        examples=EXAMPLES,
        is_file=True,
        half=half,
        learns=learns,
        runs=runs,
    ) as (client, static, named):
        index, *others = read_pages(client, title, partial(_within, named))
    bodies = {name: file.body for name, file in static.files.items()}
    scripts = {name: body for name, body in bodies.items() if name.endswith(".js")}
    pages = json.dumps(dict(others)).encode()
    named |= {
        "pages.json": pages,
        "page.js": joined(scripts, START),
        "worker.js": joined(scripts, WORKER),
    }
    boot = joined(scripts, BOOT)
    policy = _policy([boot, bodies[THEME]], [bodies[sheet] for sheet in SHEETS])
    marks = {"lacks": f"{lacking(named)} address", "pages": "#page=*"}
    text = marked(index[1], marks, policy)
    first, later = _in_order(named, next(iter(engines)))
    blocks = [*first, f"<script data-start>{boot.decode()}</script>", *later, END]
    head, body_end, tail = text.rpartition("</body>")
    page = "\n".join([head, *blocks, body_end + tail]).encode()
    return page + SIGNED + _signature(page)


def write_file(
    path: Path,
    engines: Mapping[str, ExportableEngine],
    *,
    replaces: bool = False,
    **settings: Any,
) -> int:
    """Write the explorer as one HTML file, in one step.

    Args:
        path: is made, or replaced where it was written before; a link is replaced, too.
        engines: the networks to bring, by id.
        replaces: whether to write in the place of any other file.
        settings: those of `file_of`.

    Returns:
        Its size in bytes.

    Raises:
        FileExistsError: something else stands there, or somebody changed the file.
        FileNotFoundError, ImportError, ValueError: as `file_of`.
    """
    require_own_file(path, replaces=replaces)
    body = file_of(engines, **settings)
    put(path.parent, path.name, body)
    return len(body)


def require_own_file(path: Path, *, replaces: bool = False) -> None:
    """Refuse to write where something stands that was not written here.

    Raises:
        FileExistsError: a folder, another file, or one that was changed since.
    """
    if path.is_symlink() or not path.exists():
        return
    if path.is_dir():
        raise FileExistsError(f"a file is needed, got the folder {path}")
    if not replaces and not _is_own(path.read_bytes()):
        raise FileExistsError(
            f"{path} must be new, or a page that was written before; it holds other "
            "things, or was changed since. Move it, or add --replace (replace=True)"
        )


def _is_own(body: bytes) -> bool:
    text, mark, digest = body.rpartition(SIGNED)
    return bool(mark) and digest == _signature(text)


def _signature(text: bytes) -> bytes:
    return f"{hashlib.sha256(text).hexdigest()} -->\n".encode()


def _in_order(named: Mapping[str, bytes], first_id: str) -> tuple[list[str], list[str]]:
    """Return the elements of files: those of the first picture, and all others."""
    needed = [
        *("page.js", "api/models.json", "api/samples.json"),
        *(f"api/models/{first_id}.json", f"networks/{first_id}.json"),
        *(name for name in named if name.startswith(f"api/models/{first_id}/samples/")),
    ]
    first = [_element(name, named[name]) for name in needed if name in named]
    later = [_element(name, named[name]) for name in named if name not in needed]
    return first, later


def _element(name: str, body: bytes) -> str:
    it = packed(name, body)
    return (
        f'<script type="text/plain" data-name="{html.escape(name)}" '
        f'data-packed="{it.packed}" data-bytes="{it.bytes}" data-width="{it.width}">'
        f"{it.text}</script>"
    )


def _within(
    named: Collection[str], page: str, path: str, rest: str, paths: Collection[str]
) -> str | None:
    """Return the address of a page, or of a file, within the one file."""
    if path == "":
        return rest or "#"
    name = next((file for file in (path, f"{path}.json") if file in named), None)
    if path in paths:
        name = path
    return None if name is None else f"#page={name}{rest}"


def _policy(scripts: list[bytes], sheets: list[bytes]) -> str:
    """Return a policy that lets in what stands in the file, and nothing else."""
    runs = f"{_digests(scripts)} blob: data: 'wasm-unsafe-eval'"
    return content_security_policy(
        script_src=runs,
        style_src=_digests(sheets),
        img_src="data: blob:",
        connect_src=None,
        font_src=None,
        manifest_src=None,
        frame_ancestors=None,
        worker_src="blob:",
        trusted_types="boot file",
    )


def _digests(bodies: list[bytes]) -> str:
    return " ".join(
        f"'sha256-{b64encode(hashlib.sha256(body).digest()).decode()}'"
        for body in bodies
    )
