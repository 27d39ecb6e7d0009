"""The options of the network's command line, and the pages that --help prints.

Nothing here imports torch, so that help answers at once.
"""

import argparse
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

from model.config import PRESETS, CapsNetConfig, LossConfig, TrainingConfig
from model.datasets import DATASETS

DATA_VARIABLE = "CAPSNET_DATA"
DEFAULT_PRESET = "laptop"
DEFAULT_WEIGHTS = Path("weights/capsnet-mnist.safetensors")

TRAIN_PAGE = """\
Train a CapsNet, measure it once, and write its weights with a card beside them.

A preset is a whole recipe, and any option of the recipe changes one number of it.
quick: one epoch, to see that all works. laptop: eight epochs, about twenty minutes on
two cores. paper: exactly what Sabour, Frosst & Hinton did, for many epochs.

    python -m model train                              the laptop preset
    python -m model train --preset quick               see that it works, in minutes
    python -m model train --preset paper --epochs 50   the paper's recipe, shorter
    python -m model train --validation 10000           measure on held-out images
    python -m model train --resume                     continue where it stopped
    torchrun --nproc-per-node 2 -m model train         two processes share each batch

Ctrl-C stops after the step under way and saves; --resume with the same command then
ends bit for bit where the run would have ended anyway. A checkpoint is also written
every five minutes, and replaces the one before only when it is whole.

The run's folder (--run) holds run.json, what was asked for and on what machine;
log.csv; events/ for TensorBoard, if asked for; checkpoint/; and in the end the weights
and their card. Give it to the explorer, python run_visualization.py --weights FOLDER,
or draw what was learned, python -m model figures FOLDER. More in docs/training.md.
"""

TRAIN_END = f"""\
exit codes: 0 done; 2 it could not be done, and one line says why; 130 interrupted.
environment: {DATA_VARIABLE} names the data folder where --data does not.
"""

RECIPE_HELP = {
    "epochs": "passes over the training images",
    "batch_size": "images a step",
    "learning_rate": "Adam's, at its highest",
    "schedule": "how the rate goes: cosine, or the paper's exponential",
    "warmup_steps": "steps in which the rate rises (cosine)",
    "decay": "factor by which the rate falls (exponential)",
    "decay_steps": "steps between two falls (exponential)",
    "shift": "pixels by which images move at most, in each direction",
    "rotation": "degrees by which they turn at most, either way",
    "scale": "share by which width and height grow or shrink at most",
    "shear": "pixels that rows lean at most, for each row from the middle",
    "bend": "pixels, standard deviation of a coarse grid's random moves",
    "thickness": "share of the way strokes thicken or thin at most, up to 1",
    "flags": "share of an epoch's images in whose place a drawn 1 with a flag comes",
    "averaging": "share that the weights' running mean keeps in a step; 0: no mean",
    "start_share": "of the weights begun with in those that are kept in the end",
    "validation": "images at the end of the training set that are held out; the run "
    "is then measured on them and never reads the test set",
    "seed": "decides initial weights, order and augmentation",
}
SIZES_HELP = {
    "conv1_kernels": "kernels of Conv1",
    "kernel_size": "rows, and columns, of both convolutions' kernels",
    "primary_types": "types of primary capsules",
    "primary_dim": "numbers in a primary capsule",
    "primary_stride": "stride of the PrimaryCaps convolution",
    "digit_dim": "numbers in a digit capsule",
    "routing_iterations": "how often couplings are refined",
    "decoder_hidden": "sizes of the decoder's two hidden layers",
}
LOSS_HELP = {
    "present_margin": "a present class costs nothing above this length",
    "absent_margin": "an absent class costs nothing below this length",
    "absent_weight": "of what absent classes cost",
    "reconstruction_weight": "of the sum of squared pixel differences",
}


class PageFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as a page: its text as written, its options in one column."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


def add_train_options(parser: argparse.ArgumentParser) -> None:
    """Add what `train` can be told."""
    files = parser.add_argument_group("files")
    add_data_option(files)
    files.add_argument(
        "--dataset",
        choices=DATASETS,
        default="mnist",
        help="what to train on (mnist); idx: your own four files of MNIST's format in "
        "--data, with the classes' names in classes.txt if you like",
    )
    files.add_argument(
        # torchrun takes a bare --run for an option of its own that is cut short.
        *("--run", "--run-folder"),
        type=Path,
        metavar="FOLDER",
        help="keeps checkpoint, log and weights (runs/capsnet-DATASET)",
    )
    files.add_argument(
        "--resume", action="store_true", help="continue the run in that folder"
    )
    files.add_argument(
        "--start",
        type=Path,
        metavar="FILE",
        help="a weight file to begin with, in place of random weights",
    )
    files.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="the weight file, its card beside it (in the run's folder)",
    )
    files.add_argument(
        "--events",
        action="store_true",
        help="write the log for TensorBoard, too; needs requirements-train.txt",
    )
    recipe = parser.add_argument_group(
        "recipe", f"In brackets: {', '.join(PRESETS)}, where they differ."
    )
    recipe.add_argument(
        "--preset",
        choices=PRESETS,
        default=DEFAULT_PRESET,
        help=f"the recipe that the options below change ({DEFAULT_PRESET})",
    )
    for name, words in RECIPE_HELP.items():
        values = [f"{getattr(preset, name)}" for preset in PRESETS.values()]
        shown = values[0] if len(set(values)) == 1 else ", ".join(values)
        _add_setting(recipe, name, getattr(TrainingConfig(), name), words, shown)
    for title, defaults, helps in (
        ("network, the paper's by default", CapsNetConfig(), SIZES_HELP),
        ("loss, the paper's by default", LossConfig(), LOSS_HELP),
    ):
        group = parser.add_argument_group(title)
        for name, words in helps.items():
            default = getattr(defaults, name)
            many = isinstance(default, tuple)
            shown = " ".join(map(str, default)) if many else f"{default}"
            _add_setting(group, name, default, words, shown)
    _add_machine_options(parser.add_argument_group("machine"))


def _add_setting(
    group: argparse._ArgumentGroup, name: str, default: Any, words: str, shown: str
) -> None:
    many = isinstance(default, tuple)
    group.add_argument(
        f"--{name.replace('_', '-')}",
        type=type(default[0] if many else default),
        nargs=len(default) if many else None,
        default=argparse.SUPPRESS,  # so that only what is typed changes the preset
        metavar="N" if not isinstance(default, str) else "NAME",
        help=f"{words} ({shown})",
    )


def typed(options: argparse.Namespace, kind: type) -> dict[str, Any]:
    """Return those fields of a config that were typed, by name."""
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
        help="of products; auto takes bfloat16 where the hardware computes it, "
        "unless Winograd's way is faster",
    )
    machine.add_argument(
        "--convolution",
        choices=("auto", "direct", "winograd"),
        default="auto",
        help="how PrimaryCaps is computed; auto takes Winograd's way on a CPU",
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
        help="CPU threads; 0 is one for each core, or torchrun's choice (0)",
    )


def add_data_option(group: argparse._ActionsContainer) -> None:
    """Add --data."""
    group.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get(DATA_VARIABLE, "data")),
        metavar="FOLDER",
        help=f"where data sets lie (data, or {DATA_VARIABLE}); MNIST in its MNIST/raw",
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
    """Add --weights."""
    group.add_argument(
        "--weights",
        type=Path,
        default=DEFAULT_WEIGHTS,
        metavar="FILE",
        help=f"the network ({DEFAULT_WEIGHTS})",
    )
