"""Finds ONNX Runtime Web, which runs graphs in browsers; npm brings it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from capsnet_explorer import ROOT

NAME, VERSION = "onnxruntime-web", "1.30.0"
FILES = ("ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm")
HOW_TO_GET = (
    f"{NAME} {VERSION} is needed; run `npm install {NAME}@{VERSION}` here first, "
    "or name its folder with --runtime"
)


def runtime_files(folder: Path | None = None) -> dict[str, bytes]:
    """Return the files of the runtime, by name.

    Args:
        folder: has the package, or is its `dist`; None looks where npm installs.

    Raises:
        FileNotFoundError: it is not there, or of another version.
    """
    places = [folder] if folder is not None else _usual_places()
    others = []
    for place in places:
        top = place.parent if place.name == "dist" else place
        try:
            version = json.loads((top / "package.json").read_bytes())["version"]
        except (OSError, ValueError, KeyError):
            continue
        if version == VERSION:
            found = {name: (top / "dist" / name).read_bytes() for name in FILES}
            return {name: _alone(body) for name, body in found.items()}
        others.append(version)
    got = f", got {', '.join(others)}" if others else ""
    raise FileNotFoundError(HOW_TO_GET + got)


def _alone(body: bytes) -> bytes:
    """Return a script without the line that names its source map, which stays away."""
    head, mark, tail = body.rpartition(b"//# sourceMappingURL=")
    return head if mark and len(tail) < 100 else body


def _usual_places() -> Iterator[Path]:
    here = Path.cwd()
    for above in (here, *here.parents, ROOT):
        yield above / "node_modules" / NAME
    node = shutil.which("node")
    if node is not None:  # `npm install --global` puts it beside the program
        yield Path(node).parents[1] / "lib" / "node_modules" / NAME
