"""The network's command line: train, import, evaluate, trace, measure, get data."""

import argparse
import io
import json
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capsnet_explorer.dataset_files.catalogue import (
    DATASETS,
    dataset_named,
    dataset_of,
    file_name,
)
from capsnet_explorer.model import load
from capsnet_explorer.model.architectures import ARCHITECTURES, settings_of
from capsnet_explorer.model.examples.plan import NUMBERS, PACE, PRESENTED, SEEDS, Grid
from capsnet_explorer.model.options import (
    DEFAULT_WEIGHTS,
    DRAWN_FILE,
    EXAMPLES_FILE,
    EXAMPLES_PAGE,
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
    chosen_dataset,
    experiments_in,
    measurement_names,
    positive,
    typed,
)
from capsnet_explorer.model.recipe import TrainingConfig

if TYPE_CHECKING:
    from capsnet_explorer.model.training.run import RunRequest
    from capsnet_explorer.model.weights import Trained

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
        _say(f"python -m model: {place}{error.strerror or error}")
        return FAILED
    # WeightsError, TeamError and TrainingError are ValueErrors.
    except (CheckpointError, DataError, ValueError) as error:
        _say(f"python -m model: {error}")
        return FAILED
    except KeyboardInterrupt:
        _say("\nInterrupted.")
        return INTERRUPTED
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        _say(f"python -m model: {OUT_OF_MEMORY}")
        return FAILED
    return 0


def _say(words: str) -> None:
    print(words, file=sys.stderr)


# Where a run stands, and who started it: nobody else's business, and no part of what
# gives the same weights.
OF_THE_RUN = ("--watched", "--run", "--data", "--start")


def _command(arguments: Sequence[str], *, is_watched: bool) -> str:
    """Return the command line for the card."""
    kept = list(arguments)
    for name in OF_THE_RUN if is_watched else ():
        while name in kept:
            place = kept.index(name)
            del kept[place : place + 2]
    return shlex.join(["python", "-m", "model", *kept])


def train(options: argparse.Namespace) -> None:
    """Train a network, measure it, and write its weights and card."""
    from capsnet_explorer.model.training.folder import RunFolder
    from capsnet_explorer.model.training.run import RunRequest, train_and_measure

    settings = settings_of(options.architecture)
    name = f"{options.architecture}-{file_name(options.dataset)}"
    run = options.run or Path("runs") / name
    request = RunRequest(
        architecture=options.architecture,
        training=replace(
            settings.presets[options.preset], **typed(options, TrainingConfig)
        ),
        preset=options.preset,
        sizes={
            **settings.preset_sizes.get(options.preset, {}),
            **typed(options, settings.sizes),
        },
        loss={
            **settings.preset_losses.get(options.preset, {}),
            **typed(options, settings.loss),
        },
        dataset=chosen_dataset(options),
        data=options.data,
        run=run,
        start=options.start,
        output=options.output,
        resume=options.resume,
        events=options.events,
        watched=options.watched,
        device=options.device,
        precision=options.precision,
        convolution=options.convolution,
        compiled=options.compiled,
        threads=options.threads,
        command=_command(sys.argv[1:], is_watched=bool(options.watched)),
    )
    if options.estimate:
        _print_estimate(request, as_json=options.estimate == "json")
        return
    try:
        train_and_measure(request)
    except (KeyboardInterrupt, OSError):
        if RunFolder(run).checkpoint.exists():
            _say(
                f"\n{run} holds a checkpoint of the run; to continue, add --resume to "
                "the same command."
            )
        raise


def _print_estimate(request: "RunRequest", *, as_json: bool) -> None:
    from capsnet_explorer.model.training.estimating import estimated

    found = estimated(request)
    print(json.dumps(asdict(found)) if as_json else found.words)


def evaluate(options: argparse.Namespace) -> None:
    """Print a network's errors on the test set, and how legible it is."""
    from capsnet_explorer.model.data.loading import load_part
    from capsnet_explorer.model.device import chosen_device
    from capsnet_explorer.model.measuring.robustness import robustness
    from capsnet_explorer.model.weights import load_weights, weight_files

    device = chosen_device(options.device)
    files = weight_files(options.weights or options.source)
    for path in files:
        trained = load_weights(path)
        network = trained.network.to(device)
        test = load_part(
            dataset_of(trained.card),
            options.data,
            train=False,
            one_class=options.changed,
        )
        if len(files) > 1:
            print(f"{path}:")
        if not options.changed:
            _print_evaluation(trained, test, device)
            continue
        print("error    change")
        for found in robustness(network, test, device):
            print(f"{found.error:7.2%}  {found.change}", flush=True)


def _print_evaluation(trained: "Trained", test: Any, device: Any) -> None:
    """Print a network's errors on a test set, and what else is measured with them.

    Args:
        trained: the network, on `device`, and its card.
        test: the images, `LabelledImages`.
        device: where to compute.
    """
    from capsnet_explorer.model.measuring.card import evaluated
    from capsnet_explorer.model.measuring.report import (
        legibility_report,
        overlaps_report,
        report,
    )

    found, figures = evaluated(
        trained.architecture, trained.network, test, device, trained.rule
    )
    print(report(found))
    if "overlaps" in figures:
        print(f"\n{overlaps_report(figures['overlaps'])}")
    if "legibility" in figures:
        print(f"\n{legibility_report(figures['legibility'])}")


def trace(options: argparse.Namespace) -> None:
    """Print what a network reads in a picture, and write the tensors of the pass."""
    reading = load(options.weights).trace(options.picture)
    written = reading.save(options.output, options.tensors)
    print(reading)
    print(f"{options.output}: {', '.join(written)}")


def read(options: argparse.Namespace) -> None:
    """Print the number that a picture of several digits shows, and what is doubtful."""
    model = load(options.weights)
    number = model.read(options.picture)
    print(number.text)
    for place, digit in enumerate(number.digits, start=1):
        name = model.class_names[digit.prediction]
        for doubt in digit.doubts:
            print(f"doubt: digit {place}, {name}: {doubt.message}")


def measure(options: argparse.Namespace) -> None:
    """Measure speed, legibility, other pictures, or what numbers mean, for the card."""
    from capsnet_explorer.model.measuring.commands import MeasureRequest, measure_file
    from capsnet_explorer.model.weights import weight_files

    named = [name for names in options.only or () for name in names]
    is_alone = options.meanings or options.portraits
    every = () if is_alone else MEASUREMENT_NAMES
    asked = MeasureRequest(
        names=[name for name in named or every if name in MEASUREMENT_NAMES],
        experiments=experiments_in(named, is_asked=is_alone),
        is_named=bool(named),
        meanings=options.meanings,
        portraits=options.portraits,
        data=options.data,
        images=options.images,
        device=options.device,
    )
    for path in weight_files(options.source):
        measure_file(path, asked, _say)


def figures(options: argparse.Namespace) -> None:
    """Draw figures of a run or a weight file as PNG files, or the guide's as SVG."""
    from capsnet_explorer.model.device import chosen_device
    from capsnet_explorer.model.figures.drawing import draw_figures
    from capsnet_explorer.model.figures.guide.command import FOLDER, draw_guide

    if options.guide:
        output = options.output or FOLDER
        for path in draw_guide(options.source, data=options.data, output=output):
            print(path)
        return
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
    """Download a data set if it is missing, and check it; or describe your own."""
    from capsnet_explorer.model.data.loading import broken_files, check_files, download

    if options.describe is not None:
        from capsnet_explorer.dataset_files.describing import described

        print(described(options.describe).text(options.describe))
        return
    dataset = DATASETS[options.dataset]
    title = dataset.title_in(options.data)
    if dataset.is_written:
        print(f"{title}: there is nothing to download, they are drawn when read")
        return
    # Whoever asks it to end leaves no half of a file.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if any(broken_files(dataset, options.data)):
        with _progress_of(dataset.archive_bytes, options.lines) as advance:
            download(dataset, options.data, mirror=options.mirror, advance=advance)
    check_files(dataset, options.data)
    print(f"{title} is complete in {dataset.files_in(options.data)}")


@contextmanager
def _progress_of(total: int, as_lines: bool) -> Iterator[Callable[[int], object]]:
    """Show how many bytes have come: a bar, or the number alone, a line each time."""
    if as_lines:
        yield lambda fetched: print(fetched, flush=True)
        return
    from tqdm import tqdm

    with tqdm(total=total, unit="B", unit_scale=True) as bar:
        yield lambda fetched: bar.update(fetched - bar.n)


def canvas(options: argparse.Namespace) -> None:
    """Write MNIST on a canvas of 40 x 40 pixels, its test digits changed."""
    from capsnet_explorer.model.data.canvas import write_canvases
    from capsnet_explorer.model.data.loading import load_part

    training, test = (
        load_part(DATASETS["mnist"], options.data, train=part) for part in (True, False)
    )
    for folder in write_canvases(training, test, options.to):
        print(folder)


def toys(options: argparse.Namespace) -> None:
    """Draw toys from all sides, for --dataset toys; continue where it was stopped."""
    from tqdm import tqdm

    from capsnet_explorer.model.data.toys import write_toys
    from capsnet_explorer.model.figures.drawing import require_matplotlib

    if options.figures is not None:
        require_matplotlib()
    dataset = DATASETS["toys"]
    folder = dataset.files_in(options.data)
    with tqdm(unit=" toys") as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        write_toys(
            folder,
            azimuths=options.azimuths,
            elevations=options.elevations,
            advance=advance,
        )
    print(f"{dataset.title} are complete in {folder}")
    if options.figures is not None:
        from capsnet_explorer.model.figures.toys import draw_toy_figures

        for told in draw_toy_figures(options.data, options.figures):
            print(told)


def drawn(options: argparse.Namespace) -> None:
    """Measure networks trained on drawn digits on MNIST's test digits."""
    from capsnet_explorer.model.measuring.drawn import measure_drawn

    found = measure_drawn(options.runs, options.data, options.output)
    for name, each in found.items():
        print(f"{name} misreads {each['wrong']} of {each['images']} real test digits")


def examples(options: argparse.Namespace) -> None:
    """Train every kind of network on few and on many digits, and count their errors."""
    from capsnet_explorer.model.data.loading import load_part
    from capsnet_explorer.model.device import keep_large_buffers
    from capsnet_explorer.model.examples.kinds import kind_of
    from capsnet_explorer.model.examples.results import report_examples
    from capsnet_explorer.model.examples.running import run_all

    mnist = DATASETS["mnist"]
    training, test = (
        load_part(mnist, options.data, train=part) for part in (True, False)
    )
    keep_large_buffers()
    found = run_all(
        Grid(options.architectures, options.numbers, options.seeds, options.presented),
        {
            name: kind_of(name, training)
            for name in dict.fromkeys([PACE, *options.architectures])
        },
        training,
        test,
        options.output,
        command=shlex.join(["python", "-m", "model", *sys.argv[1:]]),
        say=lambda words: print(words, flush=True),
    )
    print(f"\n{report_examples(found)}")


def film(options: argparse.Namespace) -> None:
    """Write a film of a run's moments, for the page."""
    from capsnet_explorer.model.figures.film import write_film

    size = write_film(options.run, options.data, options.output)
    print(f"{options.output}: {size} bytes")


def sweep(options: argparse.Namespace) -> None:
    """Train many networks whose settings differ, here or on a cluster; compare them."""
    from capsnet_explorer.model.sweeps.cluster import on_cluster
    from capsnet_explorer.model.sweeps.plan import read_plan
    from capsnet_explorer.model.sweeps.results import report, write_results
    from capsnet_explorer.model.sweeps.running import here, run_all

    runs = read_plan(options.settings)
    to = options.output or Path("runs") / options.settings.stem
    give = on_cluster(options.cluster) if options.cluster else here(options.workers)
    failed: dict[str, str] = {}
    try:
        failed = run_all(
            runs, to, options.data, give, lambda words: print(words, flush=True)
        )
    finally:
        write_results(runs, to, failed)
    print(f"\n{report(runs, to)}\n\n{to / 'index.html'}")
    if failed:
        count = "1 run" if len(failed) == 1 else f"{len(failed)} runs"
        raise ValueError(
            f"{count} failed, the first because: {next(iter(failed.values()))}"
        )


def novel(options: argparse.Namespace) -> None:
    """Measure runs trained on some sides of toys on all others, for a card."""
    from capsnet_explorer.model.measuring.commands import measure_novel
    from capsnet_explorer.model.measuring.viewpoints import Moments
    from capsnet_explorer.model.training.watching import Watched
    from capsnet_explorer.model.weights import weight_files

    runs = []
    for folder in options.runs:
        snapshots = Watched(folder).snapshots()
        if not snapshots:
            raise ValueError(f"{folder} has no snapshots: train with --watched")
        (weights,) = weight_files(folder)
        runs.append(Moments(weights, snapshots))
    measure_novel(options.weights, runs, options.data)


def import_(options: argparse.Namespace) -> None:
    """Import weights of a network of this project from a file of any usual kind."""
    from capsnet_explorer.model.importing.command import ImportRequest, import_weights

    request = ImportRequest(
        file=options.file,
        out=options.out,
        data=options.data,
        architecture=options.architecture,
        dataset=options.dataset and dataset_named(options.dataset),
        expected=options.expected,
        command=_command(sys.argv[1:], is_watched=False),
    )
    import_weights(request, lambda words: print(words, flush=True))


def _parser(architecture: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(
        command: Command,
        page: str = "",
        end: str = "",
        *,
        arguments: str = "[options]",
    ) -> argparse.ArgumentParser:
        name = command.__name__.rstrip("_")  # `import` is a word of Python
        added = commands.add_parser(
            name,
            help=command.__doc__,
            description=page or command.__doc__,
            epilog=end,
            usage=f"python -m model {name} {arguments}",
            formatter_class=PageFormatter,
        )
        added.set_defaults(command=command)
        return added

    add_train_options(add(train, TRAIN_PAGE, TRAIN_END), settings_of(architecture))
    _add_evaluate_options(add(evaluate, arguments="[options] [SOURCE]"))
    _add_trace_options(add(trace, TRACE_PAGE, arguments="[options] PICTURE"))
    _add_picture_options(add(read, READ_PAGE, arguments="[options] PICTURE"))
    _add_figures_options(add(figures, arguments="[options] SOURCE"))
    _add_measure_options(add(measure, arguments="SOURCE [options]"))
    add_import_options(add(import_, IMPORT_PAGE, arguments="FILE --out WEIGHTS"))
    getting = add(data)
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
    placing = add(canvas, arguments="FOLDER [options]")
    placing.add_argument(
        "to", type=Path, metavar="FOLDER", help="for the data sets placed and affine"
    )
    add_data_option(placing)
    _add_toys_options(add(toys))
    real = add(drawn, arguments="RUN [RUN ...] [options]")
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
    filmed = add(film, arguments="RUN [options]")
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
    _add_examples_options(add(examples, EXAMPLES_PAGE))
    _add_sweep_options(add(sweep, SWEEP_PAGE, arguments="SETTINGS.toml [options]"))
    others = add(novel, arguments="WEIGHTS RUN [RUN ...] [options]")
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


def _add_examples_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--architectures",
        nargs="+",
        choices=ARCHITECTURES,
        default=list(ARCHITECTURES),
        metavar="NAME",
        help=f"of {', '.join(ARCHITECTURES)} (all)",
    )
    parser.add_argument(
        "--numbers",
        type=positive,
        nargs="+",
        default=NUMBERS,
        metavar="N",
        help="training images to learn from, as many of each class "
        f"({' '.join(map(str, NUMBERS))})",
    )
    parser.add_argument(
        "--seeds",
        type=int,
        nargs="+",
        default=SEEDS,
        metavar="N",
        help="each draws the training images, the first weights, order and shifts "
        f"({' '.join(map(str, SEEDS))})",
    )
    parser.add_argument(
        "--presented",
        type=positive,
        default=PRESENTED,
        metavar="N",
        help="images that a run is shown, repetitions included, when all are shown as "
        f"many ({PRESENTED}); every other run lasts as long as such a run of {PACE}",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=EXAMPLES_FILE,
        metavar="FILE",
        help=f"for the results ({EXAMPLES_FILE}); what it has is not done again",
    )
    add_data_option(parser)


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
        help="also draw a contact sheet of the test toys, and print how far size and "
        "ink alone tell the categories apart",
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
        "--guide",
        action="store_true",
        help="draw the figures of the guide's article, and their words, from a folder "
        "of weight files into static/guide/",
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
        " in a digit, and similar figures; outliers: how well digits are told "
        "from letters, shapes, scribbles and noise, on MNIST; pose_reading: how "
        "well turns, shifts, scales and shears can be read from poses or a hidden"
        " layer; fgsm_carried: accuracy on FGSM's images of each network in the "
        "folder; atlas: maps of the test set, and how well they keep neighbours; "
        "numbers: the numbers of each class's pose, or components of a hidden layer,"
        " over the test set, and whether each stands for one property; "
        "viewpoints: errors on toys by the side from which they are seen; "
        "coloured: toys drawn in colour, on plain grounds and on clutter, named right "
        "by networks of CIFAR-10's classes; "
        "ink: what is drawn of pairs: each digit's ink, absent classes, and what is "
        "said of two digits of one class; "
        "backgrounds: what the background of CIFAR-10's pictures does to answers, "
        "evidence and reconstructions; "
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
