"""Writes a site: pages, recorded answers, networks, and what runs them.

All but the pages have their content in their address: whatever a browser, a host or
something between them has kept is right, and no two versions of a site are mixed.
"""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from flask.testing import FlaskClient

from capsnet_explorer import ROOT
from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.protocol import ExportableEngine, LacksOperator
from capsnet_explorer.app.page.files import EXTENSION as STATIC
from capsnet_explorer.app.page.files import StaticFiles
from capsnet_explorer.app.page.modules import needed_modules
from capsnet_explorer.app.site.checking import FAR, ROUNDED, checked, gradient_checked
from capsnet_explorer.app.site.folder import replace_site, require_own
from capsnet_explorer.app.site.learning import learning_files
from capsnet_explorer.app.site.pages import lacking, page_files, pages
from capsnet_explorer.app.site.recording import recorded
from capsnet_explorer.app.site.runs import run_files
from capsnet_explorer.app.site.runtime import licences, runtime_files

JOINED = ("js/", "css/")  # are served in packs and one sheet
ALONE = ("js/page/theme.js", "js/site/start.js", "css/all.css", "css/guide/article.css")
OFFLINE = "js/site/offline.js"  # stands at the top, whence it serves all below
WORKER = "js/site/worker/main.js"  # and what it imports: outside of all packs
VERSION = "version.json"  # what pages ask whether they are the newest

# The one module whose place is taken by others, as the page's packs have it.
EDITION = {
    "js/core/transport.js": b"""\
import { answer, explain, hear, PATIENCE } from "../site/answers.js";
import * as weights from "../site/weights.js";
import { mountKeeping } from "../site/keeping.js";

export const PATIENCE_MS = PATIENCE;
export const WHO = "The network";
export const ask = answer;
export const listen = hear;
export const openWeights = weights.openWeights;
export const whyUnloaded = explain;
mountKeeping();
""",
}

Say = Callable[[str], None]


def write_site(
    folder: Path,
    engines: Mapping[str, ExportableEngine],
    *,
    title: str | None = None,
    runtime: Path | None = None,
    learns: bool = False,
    runs: Sequence[str | os.PathLike[str]] = (),
    say: Say = print,
) -> Mapping[str, int]:
    """Write the explorer as a folder of files.

    Args:
        folder: is made; a site that was written before is replaced, when all is there.
        engines: the networks to bring, by id; the first is the one to begin with.
        title: of the page; None keeps its own.
        runtime: the folder `dist` of npm's onnxruntime-web; None looks for it.
        learns: whether a network can learn symbols of the visitor's own there.
        runs: folders of training runs to show again.
        say: is told each step, a line at a time.

    Returns:
        Bytes by the first part of the path.

    Raises:
        FileExistsError: the folder holds other things, or files that somebody changed.
        FileNotFoundError: onnxruntime-web is missing; the message says how to get it.
        ImportError: a package of requirements-site.txt is missing.
        ValueError: a graph computes something else than its network.
    """
    require_own(folder)
    made_of = {"runtime": runtime, "learns": learns, "runs": runs}
    files = site_files(engines, title=title, say=say, **made_of)
    replace_site(folder, files, [*engines], say)
    sizes: dict[str, int] = defaultdict(int)
    for path, body in files.items():
        sizes[path.split("/")[0]] += len(body)
    return sizes


def site_files(
    engines: Mapping[str, ExportableEngine],
    *,
    title: str | None,
    **made_of: Any,
) -> dict[str, bytes]:
    """Return the files of a site by path: see `write_site`."""
    with site_of(engines, EDITION, **made_of) as site:
        client, static, named = site
        addresses = {name: _address(name, body) for name, body in named.items()}
        files = {addresses[name]: body for name, body in named.items()} | _static(
            static
        )
        index = _index(files, addresses, page_files(client))
        index_address = _address("files.json", index)
        texts, version = pages(
            client,
            title,
            index=index_address,
            addresses=addresses,
            lacks=lacking(named),
        )
    return {
        **files,
        **texts,
        index_address: index,
        "offline.js": static.files[OFFLINE].body,
        VERSION: json.dumps({"version": version}).encode() + b"\n",
    }


@contextmanager
def site_of(
    engines: Mapping[str, ExportableEngine],
    edition: Mapping[str, bytes],
    *,
    runtime: Path | None,
    say: Say,
    examples: int | None = None,
    is_file: bool = False,
    half: bool = False,
    learns: bool = False,
    runs: Sequence[str | os.PathLike[str]] = (),
) -> Iterator[tuple[FlaskClient, StaticFiles, dict[str, bytes]]]:
    """Give what both forms of a site are made of.

    Args:
        engines: the networks to bring, by id.
        edition: modules in place of the page's own, by path.
        examples: how many are recorded of each network; None records as many as fit.
        is_file: whether pages are to hold what they are made of.
        half: whether to round weights to half precision.
        learns: whether a network can learn symbols of the visitor's own there.
        runs: folders of training runs to show again.
        runtime: the folder `dist` of npm's onnxruntime-web; None looks for it.
        say: is told each step, a line at a time.

    Yields:
        What asks the app for pages; its static files; and by name what runs networks,
        what the API answers of them, and licences.
    """
    named = {f"runtime/{name}": body for name, body in runtime_files(runtime).items()}
    differences: dict[str, float] = {}
    lacked: dict[str, str] = {}
    flat: dict[str, str] = {}
    for id, engine in engines.items():
        try:
            exported = engine.exported(half=half)
        except LacksOperator as error:
            images, _ = getattr(engine, "own_images", (None, None))
            if images is None:
                raise
            lacked[id] = error.operator
            flat[id] = f"browsers lack the operator {error.operator}"
            say(
                f"{id}: ONNX has no operator {error.operator}, so the page cannot run "
                f"this network: it has what it answers to your {len(images)} images, "
                "by iteration, and reads no drawing"
            )
            continue
        worst = checked(engine, exported, ROUNDED if half else FAR)
        say(f"{id}: its graphs compute what PyTorch does, to {worst:.0e}")
        differences |= {engine.info.title: worst} if half else {}
        named |= {f"networks/{name}": body for name, body in exported.items()}
        if engine.info.can.gradient:
            try:
                stored = exported[f"{id}.safetensors"]
                graphs = engine.exported_gradient(stored, half=half)
                gradient_checked(engine, graphs, stored, ROUNDED if half else FAR)
                named |= {f"networks/{name}": body for name, body in graphs.items()}
            except ValueError as error:
                flat[id] = str(error)
                say(f"{id}: attacks pass it by, since {error}")
    named |= _licences()
    if learns:
        named |= learning_files()
    for run in runs:
        named |= run_files(run, named)
        say(f"{run}: its moments compute what PyTorch does")
    with TemporaryDirectory() as nothing:
        app = create_app(
            engines, data_folder=Path(nothing), edition=edition, is_file=is_file
        )
        app.jinja_env.globals["rounded"] = differences
        client = app.test_client()
        named |= recorded(
            client, engines, named, examples, half=half, lacked=lacked, flat=flat
        )
        yield client, app.extensions[STATIC].refreshed(), named


def _address(name: str, body: bytes) -> str:
    """Return where a file stands: its name, with a digest of its content."""
    path = PurePosixPath(name)
    digest = hashlib.sha256(body).hexdigest()[:16]
    return str(path.with_name(f"{path.stem}.{digest}{path.suffix}"))


def _index(
    files: Mapping[str, bytes], addresses: Mapping[str, str], page_names: Sequence[str]
) -> bytes:
    """Return where each file is and its size: one that is cut short is noticed.

    The page's own files have their addresses as names, too: all are kept for offline.
    """
    names = {address: name for name, address in addresses.items()}
    entries = {
        names.get(address, address): [address, len(body)]
        for address, body in files.items()
    }
    index = {"files": entries, "pages": page_names}
    return json.dumps(index, separators=(",", ":")).encode()


def _licences() -> dict[str, bytes]:
    """Return the licence texts of all that a site brings, by name."""
    others = {f"licences/{name}": body for name, body in licences().items()}
    return {"licences/explorer.txt": (ROOT / "LICENSE").read_bytes(), **others}


def _static(static: StaticFiles) -> dict[str, bytes]:
    """Return the page's own files, and the worker, which stands outside all packs."""
    scripts = {name: file.body for name, file in static.files.items()}
    alone = {*ALONE, *needed_modules(scripts, WORKER)}
    return {
        static.address(name): file.body
        for name, file in static.files.items()
        if not name.startswith(JOINED) or name in alone
    }
