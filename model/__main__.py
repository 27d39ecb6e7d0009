"""The network's command line: train, evaluate, draw what was learned, get the data."""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from model.config import PRESETS, CapsNetConfig, LossConfig, TrainingConfig
from model.datasets import DATASETS, dataset_of
from model.options import (
    TRAIN_END,
    TRAIN_PAGE,
    PageFormatter,
    add_data_option,
    add_device_option,
    add_train_options,
    add_weights_option,
    typed,
)

FAILED = 2
INTERRUPTED = 130  # the shell's exit code for Ctrl-C

Command = Callable[[argparse.Namespace], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    # Imported late, so that --help answers at once.
    from model.checkpoint import CheckpointError
    from model.loading import DataError

    try:
        options.command(options)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        _say(f"python -m model: {place}{error.strerror or error}")
        return FAILED
    # Those of weights, teams and training are ValueErrors.
    except (CheckpointError, DataError, ValueError) as error:
        _say(f"python -m model: {error}")
        return FAILED
    except KeyboardInterrupt:
        _say("\nInterrupted.")
        return INTERRUPTED
    return 0


def _say(words: str) -> None:
    print(words, file=sys.stderr)


def train(options: argparse.Namespace) -> None:
    """Train a network, measure it, and write weights and card."""
    from model.run_folder import RunFolder
    from model.training_run import RunRequest, train_and_measure

    run = options.run or Path("runs") / f"capsnet-{options.dataset}"
    request = RunRequest(
        training=replace(PRESETS[options.preset], **typed(options, TrainingConfig)),
        preset=options.preset,
        sizes=typed(options, CapsNetConfig),
        loss=LossConfig(**typed(options, LossConfig)),
        dataset=DATASETS[options.dataset],
        data=options.data,
        run=run,
        start=options.start,
        output=options.output,
        resume=options.resume,
        events=options.events,
        device=options.device,
        precision=options.precision,
        convolution=options.convolution,
        compiled=options.compiled,
        threads=options.threads,
        command=shlex.join(["python", "-m", "model", *sys.argv[1:]]),
    )
    try:
        train_and_measure(request)
    except (KeyboardInterrupt, OSError):
        if RunFolder(run).checkpoint.exists():
            _say(
                f"\n{run} holds where the run stood when it was last saved; add "
                "--resume to the same command to continue."
            )
        raise


def evaluate(options: argparse.Namespace) -> None:
    """Print what a weight file gets right and wrong on the test set."""
    from model.device import chosen_device
    from model.evaluation import evaluate as read_all
    from model.loading import load_part
    from model.report import report
    from model.robustness import robustness
    from model.weights import load_weights

    network, card = load_weights(options.weights)
    device = chosen_device(options.device)
    network.to(device)
    test = load_part(dataset_of(card), options.data, train=False)
    if not options.changed:
        print(report(read_all(network, test, device)))
        return
    print("error    images changed by")
    for found in robustness(network, test, device):
        print(f"{found.error:7.2%}  {found.change}", flush=True)


def figures(options: argparse.Namespace) -> None:
    """Draw what a run, or a weight file, has learned, as PNG files."""
    from model.device import chosen_device
    from model.figures import draw_figures

    drawn = draw_figures(
        options.source,
        data=options.data,
        output=options.output,
        device=chosen_device(options.device),
        sweep=options.sweep,
    )
    for path in drawn:
        print(path)


def data(options: argparse.Namespace) -> None:
    """Download a data set where it is missing, and check every file."""
    from model.loading import broken_files, check_files, download

    dataset = DATASETS[options.dataset]
    if any(broken_files(dataset, options.data)):
        download(dataset, options.data)
    check_files(dataset, options.data)
    print(
        f"{dataset.title_in(options.data)} is complete in "
        f"{dataset.files_in(options.data)}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(
        command: Command,
        page: str = "",
        end: str = "",
        *,
        arguments: str = "[options]",
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(
            command.__name__,
            help=command.__doc__,
            description=page or command.__doc__,
            epilog=end,
            usage=f"python -m model {command.__name__} {arguments}",
            formatter_class=PageFormatter,
        )
        added.set_defaults(command=command)
        return added

    add_train_options(add(train, TRAIN_PAGE, TRAIN_END))
    evaluating = add(evaluate)
    add_weights_option(evaluating)
    add_data_option(evaluating)
    add_device_option(evaluating)
    evaluating.add_argument(
        "--changed",
        action="store_true",
        help="how many images are read wrong once moved, turned, scaled, slanted, "
        "bent, thicker or thinner",
    )
    drawing = add(figures, arguments="[options] SOURCE")
    drawing.add_argument(
        "source", type=Path, metavar="SOURCE", help="a run's folder, or a weight file"
    )
    drawing.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="where the pictures go (figures/ in the run, or beside the weights)",
    )
    drawing.add_argument(
        "--sweep",
        choices=("measured", "paper"),
        default="measured",
        help="what each number of a capsule is moved over: the range that test images "
        "use (measured), or the paper's -0.25 to 0.25 around an image's own",
    )
    add_data_option(drawing)
    add_device_option(drawing)
    getting = add(data)
    getting.add_argument(
        "--dataset", choices=DATASETS, default="mnist", help="which (mnist)"
    )
    add_data_option(getting)
    return parser


if __name__ == "__main__":
    sys.exit(main())
