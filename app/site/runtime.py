"""Finds ONNX Runtime Web, which runs graphs in browsers; npm brings it."""

import importlib.util
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from capsnet_explorer import ROOT

NAME, VERSION = "onnxruntime-web", "1.30.0"
# By the name that a site gives them: hosts know the types of these.
FILES = {
    "ort.wasm.bundle.min.js": "ort.wasm.bundle.min.mjs",
    "ort-wasm-simd-threaded.wasm": "ort-wasm-simd-threaded.wasm",
}
LICENCES = {"onnxruntime.txt": "LICENSE", "others.txt": "ThirdPartyNotices.txt"}
HOW_TO_GET = (
    f"{NAME} {VERSION} is needed; run `npm install {NAME}@{VERSION}` here first, "
    "or name its folder with --runtime"
)


def runtime_files(folder: Path | None = None) -> dict[str, bytes]:
    """Return the files of the runtime, by the name that they have in a site.

    Args:
        folder: has the package, or is its `dist`; None looks where npm installs.

    Raises:
        FileNotFoundError: it is not there, or of another version.
    """
    places = [folder] if folder is not None else _usual_places()
    others = []
    for module in places:
        top = module.parent if module.name == "dist" else module
        try:
            version = json.loads((top / "package.json").read_bytes())["version"]
        except (OSError, ValueError, KeyError):
            continue
        if version == VERSION:
            return {
                name: _alone((top / "dist" / file).read_bytes())
                for name, file in FILES.items()
            }
        others.append(version)
    got = f", got {', '.join(others)}" if others else ""
    raise FileNotFoundError(HOW_TO_GET + got)


def licences() -> dict[str, bytes]:
    """Return the licence texts of the runtime, and of what is built into it, by name.

    The package for npm has none; the one for Python, which checks graphs, has both.

    Raises:
        ImportError: onnxruntime is missing.
    """
    spec = importlib.util.find_spec("onnxruntime")
    if spec is None or spec.origin is None:
        raise ImportError("onnxruntime is not installed", name="onnxruntime")
    folder = Path(spec.origin).parent
    return {name: (folder / file).read_bytes() for name, file in LICENCES.items()}


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
