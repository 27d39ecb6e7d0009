"""The command that writes the explorer as a folder of files, or as one."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from capsnet_explorer import ROOT
from capsnet_explorer.options import Option

if TYPE_CHECKING:
    from capsnet_explorer.app.engines.protocol import ExportableEngine

SHIPPED = (
    *("capsnet-mnist", "efficient-mnist", "cnn-mnist", "matrix-mnist"),
    *("capsnet-overlapping", "efficient-overlapping"),
)


def site(
    folder: Path | None = None,
    *,
    file: Path | None = None,
    replace: bool = False,
    half: bool = False,
    learns: bool = False,
    run: Annotated[Sequence[Path], Option(metavar="FOLDER")] = (),
    network: Annotated[
        Sequence[str], Option(metavar="ID", shown=", ".join(SHIPPED))
    ] = SHIPPED,
    title: str | None = None,
    weights: Annotated[Path, Option(metavar="FOLDER", variable="CAPSNET_WEIGHTS")] = (
        ROOT / "weights"
    ),
    runtime: Annotated[Path | None, Option(metavar="FOLDER")] = None,
) -> None:
    """Write the explorer as a folder of files for any host, or as one HTML file.

    See docs/publishing.md.

    Networks run in the visitor's browser. Every graph that they are exported as is run
    beside PyTorch before anything is written.

    Args:
        folder: a new one, or one that was written before
        file: in place of a folder: one HTML file, which opens from the disk
        replace: write FILE also where another file stands
        half: round the weights in FILE to half precision; About says what that changes
        learns: have a small network learn symbols of the visitor's own there
        run: folder of a training run to show again, of at most 30 of its moments;
            the option can be repeated
        network: id of a shipped network, a weight file, or a Python file that describes
            networks; the page opens with the first, and the option can be repeated
        title: what the page is called in place of its own name
        weights: of the shipped networks
        runtime: of npm's onnxruntime-web; otherwise it is found where npm installs it
    """
    # Imported here, so that --help responds at once.
    from capsnet_explorer.app.site.folder import require_own

    if file is None and folder is not None:
        if half or replace:
            raise ValueError("--half and --replace are for --file FILE")
        require_own(folder)
        write: Callable[..., None] = partial(_write_folder, folder)
    elif folder is None and file is not None:
        from capsnet_explorer.app.site.onefile import require_own_file

        require_own_file(file, replaces=replace)
        write = partial(_write_file, file, replaces=replace, half=half)
    else:
        raise ValueError("a FOLDER is needed, or --file FILE, got both or neither")
    try:
        engines = engines_of(network, weights)
        write(engines, title=title, runtime=runtime, learns=learns, runs=run)
    except ImportError as error:
        raise ValueError(
            f"{error.name or error} is not installed; "
            "run `pip install -r requirements-site.txt` first"
        ) from error


def _write_file(file: Path, engines: Any, **settings: Any) -> None:
    from capsnet_explorer.app.site.onefile import write_file

    size = write_file(file, engines, **settings)
    print(f"{size / 1e6:.2f} MB are in {file}; a double click opens it")


def _write_folder(folder: Path, engines: Any, **settings: Any) -> None:
    from capsnet_explorer.app.site.writing import write_site

    sizes = write_site(folder, engines, **settings)
    for part, size in sorted(sizes.items(), key=lambda entry: -entry[1]):
        print(f"{size / 1e6:8.2f} MB  {part}")
    print(f"{sum(sizes.values()) / 1e6:8.2f} MB in all, in {folder}")
    print(
        "Any host of files serves it, this machine too: "
        f"python -m http.server --directory {folder} 8000"
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

    engines = Engines()
    for name in networks:
        opened = Engines()
        if name.endswith(".py"):
            open_described(opened, [Path(name)])
            if opened.refused:
                raise ValueError("; ".join(opened.refused.values()))
        else:
            file = Path(name)
            if file.suffix != ".safetensors":
                file = weights / f"{name}.safetensors"
            if not file.is_file():
                known = sorted(file.stem for file in weights.glob("*.safetensors"))
                raise ValueError(
                    f"--network must be one of {', '.join(known)}, a weight file, or "
                    f"a Python file that describes a network, got {name}"
                )
            opened |= load_engines(file)
        if twice := opened.keys() & engines.keys():
            raise ValueError(f"networks must have names of their own, got two {twice}")
        engines |= opened
    return cast("Mapping[str, ExportableEngine]", engines)
