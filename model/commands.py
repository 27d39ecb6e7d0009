"""What each command of `python -m model` does, once its options are read.

Heavy packages are imported where they are used, so that `--help` responds at once.
"""

import argparse
import json
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
from capsnet_explorer.model.architectures import settings_of
from capsnet_explorer.model.options import (
    MEASUREMENT_NAMES,
    chosen_dataset,
    experiments_in,
    typed,
)
from capsnet_explorer.model.recipe import TrainingConfig

if TYPE_CHECKING:
    from capsnet_explorer.model.training.run import RunRequest
    from capsnet_explorer.model.weights import Trained


def say(words: str) -> None:
    """Print what is no result."""
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
            say(
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
        measure_file(path, asked, say)


def figures(options: argparse.Namespace) -> None:
    """Draw figures of a run or a weight file as PNG files."""
    from capsnet_explorer.model.device import chosen_device
    from capsnet_explorer.model.figures.drawing import draw_figures

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
