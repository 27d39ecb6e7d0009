"""`capsnet-explorer site FOLDER`: the explorer as a folder of files, for any host."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from capsnet_explorer import ROOT

if TYPE_CHECKING:
    from capsnet_explorer.app.engines.protocol import ExportableEngine

FAILED = 2
SHIPPED = (
    *("capsnet-mnist", "efficient-mnist", "cnn-mnist", "matrix-mnist"),
    *("capsnet-overlapping", "efficient-overlapping"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the folder, and say how large it is; return the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        _write(asked)
    except ImportError as error:
        _fail(
            f"{error.name or error} is not installed; "
            "run `pip install -r requirements-site.txt` first"
        )
    except (OSError, ValueError) as error:
        _fail(str(error))
    else:
        return 0
    return FAILED


def _fail(words: str) -> None:
    print(f"capsnet-explorer site: {words}", file=sys.stderr)


def _write(asked: argparse.Namespace) -> None:
    # Imported here, so that --help and a wrong folder respond at once.
    from capsnet_explorer.app.site.writing import require_own, write_site

    require_own(asked.folder)
    engines = engines_of(asked.networks or SHIPPED, asked.weights)
    sizes = write_site(asked.folder, engines, title=asked.title, runtime=asked.runtime)
    for part, size in sorted(sizes.items(), key=lambda each: -each[1]):
        print(f"{size / 1e6:8.2f} MB  {part}")
    print(f"{sum(sizes.values()) / 1e6:8.2f} MB in all, in {asked.folder}")
    print(
        "Any host of files serves it, this machine too: "
        f"python -m http.server --directory {asked.folder} 8000"
    )


def engines_of(
    networks: Sequence[str], weights: Path
) -> Mapping[str, "ExportableEngine"]:
    """Return the engines of networks, in their order.

    Args:
        networks: ids of shipped ones, weight files, or Python files that describe some.
        weights: the folder of shipped ones.

    Raises:
        ValueError: there is none of that name, or it cannot be used.
    """
    from capsnet_explorer.app.engines.torch import (
        Engines,
        load_engines,
        open_described,
    )

    found = Engines()
    for name in networks:
        own = Engines()
        if name.endswith(".py"):
            open_described(own, [Path(name)])
            if own.refused:
                raise ValueError("; ".join(own.refused.values()))
        else:
            file = Path(name)
            if file.suffix != ".safetensors":
                file = weights / f"{name}.safetensors"
            if not file.is_file():
                known = sorted(each.stem for each in weights.glob("*.safetensors"))
                raise ValueError(
                    f"--network must be one of {', '.join(known)}, a weight file, or "
                    f"a Python file that describes a network, got {name}"
                )
            own |= load_engines(file)
        if twice := own.keys() & found.keys():
            raise ValueError(f"networks must have names of their own, got two {twice}")
        found |= own
    return cast("Mapping[str, ExportableEngine]", found)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="capsnet-explorer site",
        description="Write the explorer as a folder of files that any host serves; "
        "networks run in the visitor's browser. See docs/publishing.md.",
    )
    parser.add_argument(
        "folder",
        type=Path,
        metavar="FOLDER",
        help="a new folder, or one that was written before",
    )
    parser.add_argument(
        "--network",
        action="append",
        dest="networks",
        metavar="ID",
        help="the id of a shipped network, a weight file, or a Python file that "
        "describes a network of your own (repeatable; the first is opened first; "
        f"otherwise {', '.join(SHIPPED)})",
    )
    parser.add_argument("--title", help="what the page is called in place of its name")
    parser.add_argument(
        "--weights",
        type=Path,
        default=Path(os.environ.get("CAPSNET_WEIGHTS", ROOT / "weights")),
        metavar="PATH",
        help="the folder of shipped networks (CAPSNET_WEIGHTS)",
    )
    parser.add_argument(
        "--runtime",
        type=Path,
        metavar="FOLDER",
        help="of npm's onnxruntime-web; otherwise it is found where npm installs it",
    )
    return parser
