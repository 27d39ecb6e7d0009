"""What the options of the network's commands have in common. Imports no torch."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from capsnet_explorer.datasets.catalogue import Dataset
from capsnet_explorer.datasets.form import COLOUR, GREY, USUAL_SIDE, Folders, Form
from capsnet_explorer.model.architectures import ARCHITECTURES, DEFAULT, settings_of
from capsnet_explorer.model.setting import Setting
from capsnet_explorer.options import Option, whole_number

DATA_VARIABLE = "CAPSNET_DATA"
MIRROR_VARIABLE = "CAPSNET_MIRROR"

# What `measure --only` can name: the first are measured as the network stands, the
# others on images that are changed. Attacks are by far the slowest.
MEASUREMENT_NAMES = (
    *("iterations", "forward", "legibility", "zero_gradients", "atlas"),
    *("viewpoints", "pairs", "crossing", "crossing_down"),
)
EXPERIMENT_NAMES = (
    *("rotation", "shift", "shift_down", "scale", "shear", "tiles", "ground"),
    *("contrast", "grain", "blur", "stroke"),
    *("noise", "fgsm", "pgd", "square", "alarm"),
)
GROUPS = {"attack": ("fgsm", "pgd", "square", "alarm", "zero_gradients")}

DEFAULT_WEIGHTS = Path("weights/capsnet-mnist.safetensors")

DATA = Path("data")
Data = Annotated[
    Path,
    Option(
        metavar="FOLDER",
        help="folder of the data sets; MNIST in MNIST/raw",
        variable=DATA_VARIABLE,
    ),
]
Device = Annotated[
    Literal["auto", "cpu", "cuda", "mps"],
    Option(help="where to compute; auto takes CUDA, else MPS, else the CPU"),
]
Source = Annotated[
    Path,
    Option(
        metavar="SOURCE",
        help="a weight file, or a folder of weight files, such as a run's",
    ),
]
Picture = Annotated[Path, Option(help="a drawing, a scan or a photo")]
Network = Annotated[
    str,
    Option(
        metavar="SOURCE",
        help="a network that comes with the project, a weight file, or a run's folder",
    ),
]
Folder = Annotated[Path, Option(metavar="FOLDER")]


def in_form(
    dataset: Dataset,
    size: tuple[int, int] | None,
    folders: Folders | None = None,
    *,
    colour: bool,
    grey: bool,
    inverted: bool,
) -> Dataset:
    """Return a data set in the form that is asked for.

    Args:
        dataset: as it is.
        size: rows and columns of its images; None leaves them.
        folders: what the outermost folders of pictures are; None lets names tell.
        colour: whether its images are to be in colour.
        grey: whether they are to be grey.
        inverted: whether light and dark change places.

    Raises:
        ValueError: the data set has no such form.
    """
    if folders is not None and dataset.format != "pictures":
        raise ValueError(
            f"--folders is for pictures: add --dataset folder, got {dataset.name}"
        )
    base = replace(dataset, folders=folders)
    if colour and grey:
        raise ValueError("images are in colour or grey: leave out --colour or --grey")
    is_other = colour or grey or inverted
    if size is None and not is_other:
        return base
    if base.format == "csv" and size is not None and not is_other:
        return replace(base, form=Form(*size))
    if base.format != "pictures":
        raise ValueError(
            "--size, --grey, --colour and --inverted are for pictures in folders: add "
            f"--dataset folder, got {base.name}"
        )
    rows, columns = size or (USUAL_SIDE, USUAL_SIDE)
    return replace(base, form=Form(rows, columns, GREY if grey else COLOUR, inverted))


def add_settings(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add a preset and every setting of the architecture that a command line names.

    Settings that are not given do not appear among the parsed options.
    """
    only = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    only.add_argument("--architecture", default=DEFAULT)
    named = only.parse_known_args(arguments)[0].architecture
    # The full parser rejects what is no architecture.
    settings = settings_of(named if named in ARCHITECTURES else DEFAULT)
    recipe = parser.add_argument_group(
        "recipe", "In brackets: the usual value, and those of presets that change it."
    )
    usual = settings.default_preset
    recipe.add_argument(
        "--preset",
        choices=settings.presets,
        default=usual,
        help=f"the recipe that the options below change ({usual})",
    )
    values = {preset: settings.values(preset) for preset in settings.presets}
    groups = {"recipe": recipe} | {
        name: parser.add_argument_group(name) for name in ("network", "loss")
    }
    for group, declared in settings.groups.items():
        for name, setting in declared.items():
            of_usual = values[usual][name]
            values_shown = [_write(of_usual)] + [
                f"{preset}: {_write(preset_values[name])}"
                for preset, preset_values in values.items()
                if preset_values[name] != of_usual
            ]
            _add_setting(groups[group], name, setting, "; ".join(values_shown))


def _write(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else f"{value}"


def _add_setting(
    group: argparse._ArgumentGroup, name: str, setting: Setting, shown: str
) -> None:
    group.add_argument(
        f"--{name.replace('_', '-')}",
        type=setting.type,
        nargs=setting.count or ("?" if setting.alone is not None else None),
        const=setting.alone,
        default=argparse.SUPPRESS,
        metavar="NAME" if setting.kind == "choice" else "N",
        help=f"{setting.help} ({shown})",
    )


def measurement_names(text: str) -> list[str]:
    """Read the names of measurements, separated by commas.

    Raises:
        ValueError: one is none.
    """
    known = {name: (name,) for name in (*MEASUREMENT_NAMES, *EXPERIMENT_NAMES)} | GROUPS
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in known:
            raise ValueError(f"must be of {', '.join(known)}, got {name!r}")
    return [measurement for name in names for measurement in known[name]]


Count = Annotated[int, Option(metavar="N", read=whole_number(1))]
