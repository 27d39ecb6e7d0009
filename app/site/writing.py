"""Writes the folder: pages, recorded answers, networks, and what runs them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.protocol import ExportableEngine
from capsnet_explorer.app.page.files import EXTENSION as STATIC
from capsnet_explorer.app.page.files import StaticFiles
from capsnet_explorer.app.page.modules import needed_modules
from capsnet_explorer.app.site.checking import checked
from capsnet_explorer.app.site.pages import pages
from capsnet_explorer.app.site.recording import recorded
from capsnet_explorer.app.site.runtime import runtime_files

MARK = "site.json"  # tells a folder that was written here from all others
JOINED = ("js/", "css/")  # are served in packs and one sheet
ALONE = ("js/page/theme.js", "css/all.css", "css/guide/article.css")
OFFLINE = "js/site/offline.js"  # stands at the top, whence it serves all below
WORKER = "js/site/worker/main.js"  # and what it imports: outside of all packs

# The one module whose place is taken by others, as the page's packs have it.
EDITION = {
    "js/core/transport.js": b"""import { answer, PATIENCE } from "../site/answers.js";

export const PATIENCE_MS = PATIENCE;
export const ask = answer;
""",
}

Say = Callable[[str], None]


def write_site(
    folder: Path,
    engines: Mapping[str, ExportableEngine],
    *,
    title: str | None = None,
    runtime: Path | None = None,
    say: Say = print,
) -> Mapping[str, int]:
    """Write the explorer as a folder of files.

    Args:
        folder: is made; one that was written before is replaced, when all is there.
        engines: the networks to bring, by id; the first is the one to begin with.
        title: of the page; None keeps its own.
        runtime: the folder `dist` of npm's onnxruntime-web; None looks for it.
        say: is told each step, a line at a time.

    Returns:
        Bytes by the first part of the path.

    Raises:
        FileExistsError: the folder holds other things.
        FileNotFoundError: onnxruntime-web is missing; the message says how to get it.
        ImportError: a package of requirements-site.txt is missing.
        ValueError: a graph computes something else than its network.
    """
    require_own(folder)
    files = {f"runtime/{name}": body for name, body in runtime_files(runtime).items()}
    for id, engine in engines.items():
        exported = engine.exported()
        worst = checked(engine, exported)
        say(f"{id}: its graphs compute what PyTorch does, to {worst:.0e}")
        files |= {f"networks/{name}": body for name, body in exported.items()}
    files["networks/sizes.json"] = _sizes(files)
    with TemporaryDirectory() as nothing:
        app = create_app(engines, data_folder=Path(nothing), edition=EDITION)
        client = app.test_client()
        files |= recorded(client, engines, files)
        has_atlas = any(path.endswith("/atlas.safetensors") for path in files)
        files |= pages(client, title, has_atlas=has_atlas)
        files |= _static(app.extensions[STATIC].refreshed())
    digest = _digest(files)
    said = {"networks": [*engines], "digest": digest}
    files[MARK] = json.dumps(said, indent=2).encode() + b"\n"
    offline = app.extensions[STATIC].refreshed().files[OFFLINE].body
    files["offline.js"] = f'globalThis.CONTENT = "{digest}";\n'.encode() + offline
    _replace(folder, files)
    sizes: dict[str, int] = defaultdict(int)
    for path, body in files.items():
        sizes[path.split("/")[0]] += len(body)
    return sizes


def require_own(folder: Path) -> None:
    """Refuse a folder that holds what was not written here."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() and not (folder / MARK).is_file():
        raise FileExistsError(
            f"the folder must be new, empty or a site that was written before, got "
            f"{folder}, which holds other things"
        )


def _static(static: StaticFiles) -> dict[str, bytes]:
    """Return the page's own files, and the worker, which stands outside all packs."""
    scripts = {name: file.body for name, file in static.files.items()}
    alone = {*ALONE, *needed_modules(scripts, WORKER)}
    return {
        static.address(name): file.body
        for name, file in static.files.items()
        if not name.startswith(JOINED) or name in alone
    }


def _sizes(files: Mapping[str, bytes]) -> bytes:
    """Return how large each file is that is loaded whole: one cut short is noticed."""
    return json.dumps({"sizes": {path: len(files[path]) for path in files}}).encode()


def _digest(files: Mapping[str, bytes]) -> str:
    """Return what changes whenever any file does."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path} {len(files[path])} ".encode() + files[path])
    return digest.hexdigest()[:16]


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files, and remove those of a site that stood there before."""
    before = {path for path in folder.rglob("*") if path.is_file()}
    kept = set()
    for path, body in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body)
        kept.add(target)
    for path in before - kept:
        path.unlink()
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
