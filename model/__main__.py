"""The network's command line: train, evaluate, and get the data."""

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from model.config import TrainingConfig

DATA_VARIABLE = "CAPSNET_DATA"
DEFAULT_WEIGHTS = Path("weights/capsnet-mnist.safetensors")
FAILED = 2
INTERRUPTED = 130  # the shell's exit code for Ctrl-C

Command = Callable[[argparse.Namespace], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    # Imported late, so that --help answers at once.
    from model.checkpoint import CheckpointError
    from model.data import DataError
    from model.weights import WeightsError

    try:
        options.command(options)
    except (CheckpointError, DataError, WeightsError, ValueError, OSError) as error:
        print(f"python -m model: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        return INTERRUPTED
    return 0


def train(options: argparse.Namespace) -> None:
    """Train a network, measure it on the test set, write weights and card."""
    from model.training_run import train_and_measure

    recipe = TrainingConfig(
        **{name: getattr(options, name) for name in TrainingConfig.__slots__}
    )
    try:
        train_and_measure(
            recipe,
            run=options.run,
            data=options.data,
            output=options.output,
            resume=options.resume,
            device=options.device,
            precision=options.precision,
            threads=options.threads,
            command=shlex.join(["python", "-m", "model", *sys.argv[1:]]),
        )
    except KeyboardInterrupt:
        print(
            f"\n{options.run} holds where the run stands; add --resume to the same "
            "command to continue.",
            file=sys.stderr,
        )
        raise


def evaluate(options: argparse.Namespace) -> None:
    """Print what a weight file gets right and wrong on the test set."""
    from model.data import load_mnist
    from model.device import chosen_device
    from model.evaluation import evaluate as read_all
    from model.report import report
    from model.weights import load_weights

    network, _ = load_weights(options.weights)
    device = chosen_device(options.device)
    test = load_mnist(options.data, train=False)
    print(report(read_all(network.to(device), test, device)))


def data(options: argparse.Namespace) -> None:
    """Download MNIST where it is missing, and check every file."""
    from model.data import broken_files, download_mnist

    if any(broken_files(options.data)):
        download_mnist(options.data)
    print(f"MNIST is complete in {options.data / 'MNIST' / 'raw'}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(command: Command) -> argparse.ArgumentParser:
        added = commands.add_parser(
            command.__name__,
            help=command.__doc__,
            description=command.__doc__,
            formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        )
        added.set_defaults(command=command)
        added.add_argument(
            "--data",
            type=Path,
            default=Path(os.environ.get(DATA_VARIABLE, "data")),
            metavar="FOLDER",
            help=f"holds MNIST/raw; {DATA_VARIABLE} sets the default",
        )
        return added

    _add_train_options(add(train))
    evaluating = add(evaluate)
    evaluating.add_argument(
        "--weights", type=Path, default=DEFAULT_WEIGHTS, metavar="FILE", help="to read"
    )
    _add_device_option(evaluating)
    add(data)
    return parser


def _add_train_options(parser: argparse.ArgumentParser) -> None:
    files = parser.add_argument_group("files")
    files.add_argument(
        "--run",
        type=Path,
        default=Path("runs/capsnet-mnist"),
        metavar="FOLDER",
        help="keeps checkpoint and log",
    )
    files.add_argument(
        "--resume", action="store_true", help="continue the run in that folder"
    )
    files.add_argument(
        "--output",
        type=Path,
        default=None,
        metavar="FILE",
        help="the weight file, its card beside it; None puts it into the run's folder",
    )
    recipe = parser.add_argument_group("recipe")
    for name, help_text in {
        "epochs": "passes over the training images",
        "batch_size": "images a step",
        "learning_rate": "Adam's, at its highest",
        "schedule": "how the learning rate goes: cosine, or the paper's exponential",
        "warmup_steps": "steps in which it rises (cosine)",
        "decay": "factor by which it falls (exponential)",
        "decay_steps": "steps between two falls (exponential)",
        "shift": "pixels by which images move at most, in each direction",
        "validation": "images at the end of the training set that are held out",
        "seed": "decides initial weights, order and shifts",
    }.items():
        default = getattr(TrainingConfig(), name)
        recipe.add_argument(
            f"--{name.replace('_', '-')}",
            type=type(default),
            default=default,
            help=help_text,
        )
    machine = parser.add_argument_group("machine")
    _add_device_option(machine)
    machine.add_argument(
        "--precision",
        choices=("auto", "float32", "bfloat16"),
        default="auto",
        help="of products; auto takes bfloat16 where the hardware computes it",
    )
    machine.add_argument(
        "--threads", type=int, default=0, help="CPU threads; 0 is one for each core"
    )


def _add_device_option(
    parser: "argparse.ArgumentParser | argparse._ArgumentGroup",
) -> None:
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda", "mps"),
        default="auto",
        help="where to compute; auto takes CUDA, else MPS, else the CPU",
    )


if __name__ == "__main__":
    sys.exit(main())
