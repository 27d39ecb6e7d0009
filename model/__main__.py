"""The network's command line: train, import, evaluate, trace, measure, get data."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from capsnet_explorer.dataset_files.catalogue import (
    DATASETS,
)
from capsnet_explorer.model import commands
from capsnet_explorer.model.architectures import settings_of
from capsnet_explorer.model.options import (
    DEFAULT_WEIGHTS,
    DRAWN_FILE,
    EXPERIMENT_NAMES,
    FILM_FILE,
    IMPORT_PAGE,
    MEASUREMENT_NAMES,
    MIRROR_VARIABLE,
    READ_PAGE,
    SWEEP_PAGE,
    TRACE_PAGE,
    TRAIN_END,
    TRAIN_PAGE,
    PageFormatter,
    add_data_option,
    add_device_option,
    add_import_options,
    add_source,
    add_train_options,
    add_weights_option,
    chosen_architecture,
    measurement_names,
    positive,
)

if TYPE_CHECKING:
    pass

_CAN_BE_DOWNLOADED = [
    each.name for each in DATASETS.values() if each.archives or each.format == "cifar"
]
FAILED = 2
OUT_OF_MEMORY = (
    "memory has run out: a smaller --batch-size, smaller images or a smaller network "
    "need less"
)
INTERRUPTED = 130  # the shell's exit code for Ctrl-C

Command = Callable[[argparse.Namespace], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names may be in any script
            stream.reconfigure(errors="backslashreplace")
    options = _parser(chosen_architecture(arguments)).parse_args(arguments)
    # Imported late, so that --help responds at once.
    from capsnet_explorer.model.data.loading import DataError
    from capsnet_explorer.model.training.checkpoint import CheckpointError
    from capsnet_explorer.model.training.memory import is_out_of_memory

    try:
        options.command(options)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        commands.say(f"python -m model: {place}{error.strerror or error}")
        return FAILED
    # WeightsError, TeamError and TrainingError are ValueErrors.
    except (CheckpointError, DataError, ValueError) as error:
        commands.say(f"python -m model: {error}")
        return FAILED
    except KeyboardInterrupt:
        commands.say("\nInterrupted.")
        return INTERRUPTED
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        commands.say(f"python -m model: {OUT_OF_MEMORY}")
        return FAILED
    return 0


def _parser(architecture: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    subparsers = parser.add_subparsers(required=True, metavar="command")

    def add(
        command: Command,
        page: str = "",
        end: str = "",
        *,
        arguments: str = "[options]",
    ) -> argparse.ArgumentParser:
        name = command.__name__.rstrip("_")  # `import` is a word of Python
        added = subparsers.add_parser(
            name,
            help=command.__doc__,
            description=page or command.__doc__,
            epilog=end,
            usage=f"python -m model {name} {arguments}",
            formatter_class=PageFormatter,
        )
        added.set_defaults(command=command)
        return added

    add_train_options(
        add(commands.train, TRAIN_PAGE, TRAIN_END), settings_of(architecture)
    )
    _add_evaluate_options(add(commands.evaluate, arguments="[options] [SOURCE]"))
    _add_trace_options(add(commands.trace, TRACE_PAGE, arguments="[options] PICTURE"))
    _add_picture_options(add(commands.read, READ_PAGE, arguments="[options] PICTURE"))
    _add_figures_options(add(commands.figures, arguments="[options] SOURCE"))
    _add_measure_options(add(commands.measure, arguments="SOURCE [options]"))
    add_import_options(
        add(commands.import_, IMPORT_PAGE, arguments="FILE --out WEIGHTS")
    )
    getting = add(commands.data)
    getting.add_argument(
        "--dataset",
        choices=DATASETS,
        default="mnist",
        metavar="NAME",
        help=f"the data set: {', '.join(_CAN_BE_DOWNLOADED)} (mnist)",
    )
    add_data_option(getting)
    getting.add_argument(
        "--describe",
        type=Path,
        metavar="FOLDER",
        help="say what would be understood of a folder, or file, of your own: its "
        "format and classes, what is strange, and how to train on it",
    )
    getting.add_argument(
        "--mirror",
        default=os.environ.get(MIRROR_VARIABLE),
        metavar="ADDRESS",
        help="folder of a server that has the archives, such as one in a classroom, in "
        f"place of the usual one ({MIRROR_VARIABLE})",
    )
    getting.add_argument(
        "--lines",
        action="store_true",
        help="print the number of bytes that have come, a line each time",
    )
    placing = add(commands.canvas, arguments="FOLDER [options]")
    placing.add_argument(
        "to", type=Path, metavar="FOLDER", help="for the data sets placed and affine"
    )
    add_data_option(placing)
    _add_toys_options(add(commands.toys))
    real = add(commands.drawn, arguments="RUN [RUN ...] [options]")
    real.add_argument(
        "runs",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="weight files, or folders of them, trained with --dataset drawn",
    )
    real.add_argument(
        "--output",
        type=Path,
        default=DRAWN_FILE,
        metavar="FILE",
        help=f"for the figures ({DRAWN_FILE})",
    )
    add_data_option(real)
    filmed = add(commands.film, arguments="RUN [options]")
    filmed.add_argument(
        "run",
        type=Path,
        metavar="RUN",
        help="folder of a run that was trained with --watched",
    )
    filmed.add_argument(
        "--output",
        type=Path,
        default=FILM_FILE,
        metavar="FILE",
        help=f"for the film ({FILM_FILE})",
    )
    add_data_option(filmed)
    _add_sweep_options(
        add(commands.sweep, SWEEP_PAGE, arguments="SETTINGS.toml [options]")
    )
    others = add(commands.novel, arguments="WEIGHTS RUN [RUN ...] [options]")
    others.add_argument(
        "weights", type=Path, metavar="WEIGHTS", help="weight file with the card"
    )
    others.add_argument(
        "runs",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="folders of runs that were trained with --watched on the data in --data",
    )
    add_data_option(others)
    return parser


def _add_sweep_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "settings", type=Path, metavar="SETTINGS.toml", help="what to train"
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="for networks and results (runs/ and the file's name)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        type=positive,
        default=1,
        metavar="N",
        help="runs at a time on this machine (1); give each its threads in the file",
    )
    where.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="train on the cluster of this dask scheduler, as many runs at a time as "
        "it has threads; needs dask.distributed",
    )
    add_data_option(parser)


def _add_toys_options(parser: argparse.ArgumentParser) -> None:
    from capsnet_explorer.toys.collection import AZIMUTHS, ELEVATIONS

    for name, known, what in (
        ("--azimuths", AZIMUTHS, "sides from which training shows them"),
        ("--elevations", ELEVATIONS, "heights from which training shows them"),
    ):
        parser.add_argument(
            name,
            type=int,
            nargs="+",
            choices=known,
            default=known,
            metavar="DEGREES",
            help=f"{what}: {known[0]} to {known[-1]} in steps of "
            f"{known[1] - known[0]} (all)",
        )
    parser.add_argument(
        "--figures",
        type=Path,
        metavar="FOLDER",
        help="also draw a contact sheet of the test toys",
    )
    add_data_option(parser)


def _add_evaluate_options(parser: argparse.ArgumentParser) -> None:
    add_source(parser, default=DEFAULT_WEIGHTS)
    add_weights_option(parser)
    add_data_option(parser)
    add_device_option(parser)
    parser.add_argument(
        "--changed",
        action="store_true",
        help="measure the error on images that are shifted, rotated, scaled, sheared, "
        "bent, thickened or thinned, fainter, on a grey ground, or noisy",
    )


def _add_picture_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "picture", type=Path, metavar="PICTURE", help="a drawing, a scan or a photo"
    )
    parser.add_argument(
        "--weights",
        default=DEFAULT_WEIGHTS.stem,
        metavar="SOURCE",
        help="a network that comes with the project, a weight file, or a run's folder "
        f"({DEFAULT_WEIGHTS.stem})",
    )


def _add_trace_options(parser: argparse.ArgumentParser) -> None:
    _add_picture_options(parser)
    parser.add_argument(
        "--tensors",
        type=lambda text: text.split(","),
        metavar="NAMES",
        help="to write, separated by commas, such as scores,votes.7 (all but the "
        "largest and the rarely used)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("trace.safetensors"),
        metavar="FILE",
        help="for the tensors (trace.safetensors)",
    )


def _add_figures_options(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="for the figures (figures/ in the run's folder, or beside the weights)",
    )
    parser.add_argument(
        "--sweep",
        choices=("measured", "paper"),
        default="measured",
        help="range over which each component of a capsule varies: the one found on "
        "test images (measured), or the paper's 0.25 to either side",
    )
    add_data_option(parser)
    add_device_option(parser)


def _add_measure_options(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    add_data_option(parser)
    add_device_option(parser)
    parser.add_argument(
        "--only",
        nargs="+",
        type=measurement_names([*MEASUREMENT_NAMES, *EXPERIMENT_NAMES]),
        metavar="NAME",
        help="names, separated by spaces or commas. iterations: how many test images "
        "are misread with more and fewer iterations of routing; following: how "
        "each number of a pose follows when the image is shifted or turned; "
        "forward: the time of a forward pass; legibility: how many capsules share"
        " in a digit, and similar figures; pose_reading: how "
        "well turns, shifts, scales and shears can be read from poses or a hidden"
        " layer; atlas: maps of the test set, and how well they keep neighbours; "
        "viewpoints: errors on toys by the side from which they are seen; "
        "ink: what is drawn of pairs: each digit's ink, absent classes, and what is "
        "said of two digits of one class; "
        "crossing, crossing_down: pairs read while one digit moves across the other; "
        f"{', '.join(EXPERIMENT_NAMES)}: accuracy and scores on test "
        "images that are changed; attack: fgsm and pgd (all)",
    )
    parser.add_argument(
        "--images",
        type=positive,
        default=1000,
        metavar="N",
        help="test images that each experiment changes, chosen at random (1000)",
    )
    parser.add_argument(
        "--meanings",
        action="store_true",
        help="measure only what each number of a class's pose does to the decoded "
        "picture, for the card and measured/",
    )
    parser.add_argument(
        "--portraits",
        action="store_true",
        help="collect only what each type of primary capsules looks for, for measured/",
    )


if __name__ == "__main__":
    sys.exit(main())
