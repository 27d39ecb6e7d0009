"""The options of the network's command line, and the pages that --help prints.

Nothing here imports torch, so that --help responds at once.
"""

import argparse
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from capsnet_explorer.dataset_files.catalogue import (
    DATASETS,
    Dataset,
    dataset_named,
)
from capsnet_explorer.dataset_files.form import (
    COLOUR,
    GREY,
    USUAL_SIDE,
    Form,
    size_from,
)
from capsnet_explorer.model.architectures import ARCHITECTURES, DEFAULT
from capsnet_explorer.model.setting import Setting
from capsnet_explorer.model.settings import Settings

DATA_VARIABLE = "CAPSNET_DATA"
MIRROR_VARIABLE = "CAPSNET_MIRROR"

# Those of `model.measuring.laboratory`; the last is by far the slowest.
# What `measure --only` can name: the first are measured as the network stands, the
# others on images that are changed.
MEASUREMENT_NAMES = (
    *("following", "iterations", "forward", "legibility"),
    *("zero_gradients", "pose_reading", "atlas", "viewpoints", "pairs", "ink"),
    *("crossing", "crossing_down"),
)
EXPERIMENT_NAMES = (
    *("rotation", "shift", "shift_down", "scale", "shear", "tiles", "ground"),
    *("contrast", "grain", "blur", "stroke"),
    *("noise", "fgsm", "pgd", "fgsm_last", "pgd_last", "fgsm_trained"),
)
GROUPS = {
    "attack": (
        *("fgsm", "pgd", "fgsm_last", "pgd_last", "fgsm_trained"),
        "zero_gradients",
    )
}

DEFAULT_WEIGHTS = Path("weights/capsnet-mnist.safetensors")
FILM_FILE = Path("weights/measured/film.safetensors")
DRAWN_FILE = Path("weights/measured/drawn.json")

TRAIN_PAGE = """\
Train a network, measure it once, and write its weights with a card beside them.

A preset is a complete recipe; each option under "recipe" changes one of its numbers.
quick: one epoch, to check that everything works. laptop: eight epochs, about twenty
minutes on two cores. paper: exactly what Sabour, Frosst & Hinton did, for many epochs.
legible: for --start; many capsules share in each digit, and grounds and noise do
little harm. live: a small network for watching it learn, a minute an epoch.
overlapping, and overlapping-slim with fewer kernels: for --dataset overlapping, two
digits on top of each other.

    python -m model train                              the laptop preset
    python -m model train --preset quick               a check that takes minutes
    python -m model train --preset paper --epochs 50   the paper's recipe, shorter
    python -m model train --validation 10000           measure on held-out images
    python -m model train --resume                     continue an interrupted run
    python -m model train --architecture cnn           a CNN; --help lists its options
    torchrun --nproc-per-node 2 -m model train         two processes share each batch

Ctrl-C finishes the current step, saves and stops. The same command with --resume then
continues, and ends with exactly the weights of an uninterrupted run. A checkpoint is
also written every five minutes; it replaces the previous one only once it is complete.

The run's folder (--run) contains run.json, the settings and the machine; log.csv;
events/ for TensorBoard, with --events; checkpoint/; and at the end the weights and
their card. Show the network with python run_visualization.py --weights FOLDER, or draw
its figures with python -m model figures FOLDER. See also docs/training.md.
"""

TRACE_PAGE = """\
Print what a network reads in a picture, and write the tensors of the pass.

The picture is converted to the network's input as on the page. Printed are the class,
the score of each class, and doubts: why the picture, or the answer, may be wrong.

    python -m model trace photo.jpg
    python -m model trace photo.jpg --weights cnn-mnist
    python -m model trace photo.jpg --tensors scores,votes.7 --output votes.safetensors

docs/python.md shows how to read the file, and how to do the same in a notebook.
"""

IMPORT_PAGE = """\
Import weights of one of this project's networks that were trained elsewhere.

FILE is a state dict or checkpoint of PyTorch (.pt, .pth, .bin, .ckpt; nothing in it is
executed), .safetensors, NumPy's .npz, or Keras' .h5 or .keras (needs h5py). Its tensors
are found by shape and name. What these do not tell is tried on test images, all
together: orders of axes and of capsules, how capsules are cut, over what the softmax
runs, the number of iterations. Where two ways fit equally well, it is refused.

    python -m model import capsnet.pt --out mine.safetensors
    python -m model import model.keras --out mine.safetensors --dataset fashion-mnist
    python -m model import capsnet.pt --out mine.safetensors --expected answers.npz

For --expected, save some images, (count, channels, rows, columns) from 0 to 1, as
`images`, and the network's own scores for them as `scores`. Without it, the network
must read the test images of --dataset. A network of any other kind is described in
Python instead: docs/own-networks.md.
"""

READ_PAGE = """\
Print the number that a picture of several digits shows.

Digits are read in lines, from left to right. Where ink touches, or a digit is broken,
the network decides what reads best; what is doubtful is said below the number.

    python -m model read photo.jpg
    python -m model read photo.jpg --weights efficient-mnist
"""

SWEEP_PAGE = """\
Train many networks, and compare their errors.

The file says what all runs have in common, the seeds, and what varies: all combinations
of a [grid], or some drawn at random. Names are those of the options of `train`.

    architecture = "capsnet"
    dataset = "drawn"
    preset = "live"
    epochs = 2
    seeds = [0, 1, 2]

    [grid]                                 # or:  [random]
    routing_iterations = [1, 3]            #      runs = 20
    learning_rate = [0.001, 0.003]         #      learning_rate = { from = 1e-4,
                                           #          to = 1e-2, scale = "log" }

    python -m model sweep SETTINGS.toml --workers 2
    python -m model sweep SETTINGS.toml --cluster tcp://10.0.0.1:8786

The folder of the sweep (runs/ and the file's name) gets results.csv, a page index.html
that opens each network in the explorer, and the networks. Ctrl-C lets every run finish
its step and save it; the same command goes on, and does what is not done yet, be it
that the file asks for more.
"""

TRAIN_END = f"""\
exit codes: 0 success; 2 failure, explained in one line; 130 interrupted.
environment: {DATA_VARIABLE} sets the default of --data.
"""


class PageFormatter(argparse.RawDescriptionHelpFormatter):
    """Help that keeps its text as written and aligns its options in one column."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


def add_architecture_option(group: argparse._ActionsContainer) -> None:
    """Add --architecture."""
    group.add_argument(
        "--architecture",
        choices=ARCHITECTURES,
        default=DEFAULT,
        help=f"the kind of network ({DEFAULT}); with --help, lists its options",
    )


def chosen_architecture(arguments: Sequence[str] | None) -> str:
    """Return the architecture that a command line names, ignoring all else.

    The options for sizes and loss depend on it.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--architecture", default=DEFAULT)
    found = parser.parse_known_args(arguments)[0].architecture
    return found if found in ARCHITECTURES else DEFAULT  # the full parser rejects it


def dataset_name(text: str) -> str:
    """Read the name of a data set from the command line."""
    try:
        return dataset_named(text).name
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_form_options(group: argparse._ActionsContainer) -> None:
    """Add the options on what pictures become."""
    group.add_argument(
        "--size",
        type=_size,
        metavar="ROWSxCOLUMNS",
        help="of the images that pictures in folders become (32x32), or whose pixels a "
        "CSV file has (squares)",
    )
    colour = group.add_mutually_exclusive_group()
    colour.add_argument(
        "--colour",
        action="store_const",
        const=COLOUR,
        dest="channels",
        help="pictures in folders become images in colour, as they do unless said",
    )
    colour.add_argument(
        "--grey",
        action="store_const",
        const=GREY,
        dest="channels",
        help="they become grey images",
    )
    group.add_argument(
        "--inverted",
        action="store_true",
        help="exchange light and dark in them: networks of drawings read light ink on "
        "a dark ground, as MNIST has it",
    )


def chosen_dataset(options: argparse.Namespace) -> Dataset:
    """Return the data set that the command line names, in the form that it asks for.

    Raises:
        ValueError: the data set has no such form.
    """
    dataset = dataset_named(options.dataset)
    asked = (options.size, options.channels, options.inverted or None)
    if asked == (None, None, None):
        return dataset
    if dataset.format == "csv" and asked[1:] == (None, None):
        return replace(dataset, form=Form(*options.size))
    if dataset.format != "pictures":
        raise ValueError(
            "--size, --grey, --colour and --inverted are for pictures in folders: add "
            f"--dataset folder, got {dataset.name}"
        )
    rows, columns = options.size or (USUAL_SIDE, USUAL_SIDE)
    form = Form(rows, columns, options.channels or COLOUR, options.inverted)
    return replace(dataset, form=form)


def _size(text: str) -> tuple[int, int]:
    try:
        return size_from(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_train_options(parser: argparse.ArgumentParser, settings: Settings) -> None:
    """Add the options of `train`.

    Args:
        parser: of the command.
        settings: of the architecture to train.
    """
    add_architecture_option(parser)
    files = parser.add_argument_group("files")
    add_data_option(files)
    files.add_argument(
        "--dataset",
        type=dataset_name,
        default="mnist",
        metavar="NAME",
        help=f"what to train on: {', '.join(DATASETS)} (mnist), or a part of EMNIST "
        "such as emnist-letters. drawn: digits that the project draws itself; symbols: "
        "those saved in the page, as symbols.json in --data; and what --data itself "
        "holds, folder: pictures in folders, one for each class; csv, npz: images in "
        "CSV files, or in NumPy's; idx: your own four files in MNIST's format, with "
        "the classes' names in an optional classes.txt",
    )
    add_form_options(files)
    files.add_argument(
        # torchrun takes a bare --run for an abbreviation of one of its own options.
        *("--run", "--run-folder"),
        type=Path,
        metavar="FOLDER",
        help="for checkpoint, log and weights (runs/ARCHITECTURE-DATASET)",
    )
    files.add_argument(
        "--resume", action="store_true", help="continue the run in that folder"
    )
    files.add_argument(
        "--watched",
        type=int,
        nargs="?",
        const=0,
        metavar="PID",
        help="write what happens and snapshots of the network into the run's folder, "
        "and do what is asked there; given the process that starts the run, stop when "
        "that ends",
    )
    files.add_argument(
        "--estimate",
        nargs="?",
        const="words",
        choices=("words", "json"),
        help="only take a few steps, and say what time and memory the run would need",
    )
    files.add_argument(
        "--start",
        type=Path,
        metavar="SOURCE",
        help="a weight file, a run's folder or the name of a network that comes with "
        "the project, for the initial weights in place of random ones; one of other "
        "classes gives its lower layers",
    )
    files.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="the weight file to write, with its card beside it (in the run's folder)",
    )
    files.add_argument(
        "--events",
        action="store_true",
        help="also write a log for TensorBoard; needs requirements-train.txt",
    )
    presets = settings.presets
    recipe = parser.add_argument_group(
        "recipe", "In brackets: the usual value, and those of presets that change it."
    )
    recipe.add_argument(
        "--preset",
        choices=presets,
        default=settings.default_preset,
        help=f"the recipe that the options below change ({settings.default_preset})",
    )
    groups = {"recipe": recipe} | {
        name: parser.add_argument_group(name) for name in ("network", "loss")
    }
    values = {name: settings.values(name) for name in presets}
    for name, declared in settings.groups.items():
        for each, setting in declared.items():
            of_presets = {preset: values[preset][each] for preset in presets}
            usual = of_presets[settings.default_preset]
            shown = [_shown(usual)] + [
                f"{preset}: {_shown(value)}"
                for preset, value in of_presets.items()
                if value != usual
            ]
            _add_setting(groups[name], each, setting, "; ".join(shown))
    _add_machine_options(parser.add_argument_group("machine"))


def _shown(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else f"{value}"


def _add_setting(
    group: argparse._ArgumentGroup, name: str, setting: Setting, shown: str
) -> None:
    group.add_argument(
        f"--{name.replace('_', '-')}",
        type=setting.type,
        nargs=setting.count or ("?" if setting.alone is not None else None),
        const=setting.alone,
        default=argparse.SUPPRESS,  # so that only given options change the preset
        metavar="NAME" if setting.kind == "choice" else "N",
        help=f"{setting.help} ({shown})",
    )


def typed(options: argparse.Namespace, kind: type) -> dict[str, Any]:
    """Return the fields of a config that the command line sets, by name."""
    given = {
        each.name: getattr(options, each.name)
        for each in fields(kind)
        if hasattr(options, each.name)
    }
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
    }


def _add_machine_options(machine: argparse._ArgumentGroup) -> None:
    add_device_option(machine)
    machine.add_argument(
        "--precision",
        choices=("auto", "float32", "bfloat16"),
        default="auto",
        help="of products; auto takes bfloat16 where the hardware supports it, "
        "unless Winograd filtering is faster",
    )
    machine.add_argument(
        "--convolution",
        choices=("auto", "direct", "winograd"),
        default="auto",
        help="how to compute PrimaryCaps; auto takes Winograd filtering on a CPU",
    )
    machine.add_argument(
        "--compile",
        action="store_true",
        dest="compiled",
        help="let torch.compile fuse a step's small operations; worth it on a GPU",
    )
    machine.add_argument(
        "--threads",
        type=int,
        default=0,
        metavar="N",
        help="CPU threads; 0 takes one for each core, or torchrun's choice (0)",
    )


def add_import_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `import`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="of weights")
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="WEIGHTS",
        help="the weight file to write, .safetensors, with its card beside it",
    )
    parser.add_argument(
        "--architecture",
        choices=ARCHITECTURES,
        help="the kind of network, where several have such tensors",
    )
    parser.add_argument(
        "--dataset",
        type=dataset_name,
        metavar="NAME",
        help="what it has learned to read (mnist; without its files, drawn digits)",
    )
    parser.add_argument(
        "--expected",
        type=Path,
        metavar="ANSWERS",
        help="a .npz or .safetensors file of images and the network's own scores",
    )
    add_data_option(parser)


def add_data_option(group: argparse._ActionsContainer) -> None:
    """Add --data."""
    group.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get(DATA_VARIABLE, "data")),
        metavar="FOLDER",
        help=f"folder of the data sets (data, or {DATA_VARIABLE}); MNIST in MNIST/raw",
    )


def add_device_option(group: argparse._ActionsContainer) -> None:
    """Add --device."""
    group.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda", "mps"),
        default="auto",
        help="where to compute; auto takes CUDA, else MPS, else the CPU",
    )


def add_weights_option(group: argparse._ActionsContainer) -> None:
    """Add --weights, an alternative to SOURCE."""
    group.add_argument(
        "--weights", type=Path, metavar="SOURCE", help="the same as SOURCE"
    )


def add_source(
    group: argparse._ActionsContainer, *, default: Path | None = None
) -> None:
    """Add SOURCE, which names one or more networks.

    Args:
        group: of a command.
        default: taken when SOURCE is absent; None makes SOURCE required.
    """
    taken = "" if default is None else f" ({default})"
    group.add_argument(
        "source",
        type=Path,
        nargs=None if default is None else "?",
        default=default,
        metavar="SOURCE",
        help=f"a weight file, or a folder of weight files, such as a run's{taken}",
    )


def measurement_names(known: Collection[str]) -> Callable[[str], list[str]]:
    """Return the type of an argument that names measurements, separated by commas."""

    def names(text: str) -> list[str]:
        asked = [name for name in text.split(",") if name]
        for name in asked:
            if name not in known and name not in GROUPS:
                choices = ", ".join([*known, *GROUPS])
                raise argparse.ArgumentTypeError(f"must be of {choices}, got {name!r}")
        return [each for name in asked for each in GROUPS.get(name, (name,))]

    return names


def experiments_in(named: Sequence[str], *, is_asked: bool) -> list[str]:
    """Return the experiments to measure, each once, in their order.

    Args:
        named: by --only; none means all.
        is_asked: whether something was asked for that is measured alone.
    """
    if not named and is_asked:
        return []
    return [name for name in EXPERIMENT_NAMES if not named or name in named]


def positive(text: str) -> int:
    """Read a whole number of at least 1 from the command line."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(
            f"must be a whole number of at least 1, got {text!r}"
        )
    return number
