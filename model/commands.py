"""The commands of networks: what they do, and what `--help` says of them.

Heavy packages are imported where they are used, so that `--help` responds at once.
"""

import shlex
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from capsnet_explorer.datasets.catalogue import (
    DATASETS,
    Dataset,
    dataset_named,
    dataset_of,
    file_name,
)
from capsnet_explorer.datasets.form import Folders, size_from
from capsnet_explorer.model import load
from capsnet_explorer.model.architectures import ARCHITECTURES, DEFAULT, settings_of
from capsnet_explorer.model.options import (
    DATA,
    DEFAULT_WEIGHTS,
    EXPERIMENT_NAMES,
    MEASUREMENT_NAMES,
    MIRROR_VARIABLE,
    Count,
    Data,
    Device,
    Folder,
    Network,
    Picture,
    Source,
    add_settings,
    in_form,
    measurement_names,
)
from capsnet_explorer.options import Option

# Where a run stands, and who started it: nobody else's business, and no part of what
# gives the same weights.
OF_THE_RUN = ("--watched", "--run", "--data", "--start")
DOWNLOADED = [entry.name for entry in DATASETS.values() if entry.can_be_downloaded]


def _command(*, is_watched: bool = False) -> str:
    """Return the command line for the card."""
    kept = sys.argv[1:]
    for name in OF_THE_RUN if is_watched else ():
        while name in kept:
            index = kept.index(name)
            del kept[index : index + 2]
    return shlex.join(["python", "-m", "capsnet_explorer", *kept])


def train(
    *,
    architecture: Annotated[str, Option(choices=tuple(ARCHITECTURES))] = DEFAULT,
    data: Data = DATA,
    dataset: Annotated[
        Dataset,
        Option(
            read=dataset_named,
            shown="mnist",
            help=f"what to train on: {', '.join(DATASETS)}, or a part of EMNIST such "
            "as emnist-letters. drawn: digits that the project draws itself; symbols: "
            "those saved in the page, as symbols.json in --data; and what --data "
            "itself holds, folder: pictures in folders, one for each class; csv, npz: "
            "images in CSV files, or in NumPy's; idx: your own four files in MNIST's "
            "format, with the classes' names in an optional classes.txt",
        ),
    ] = DATASETS["mnist"],
    size: Annotated[
        tuple[int, int] | None, Option(metavar="ROWSxCOLUMNS", read=size_from)
    ] = None,
    colour: bool = False,
    grey: bool = False,
    inverted: bool = False,
    folders: Folders | None = None,
    run: Folder | None = None,
    resume: bool = False,
    watched: Annotated[int | None, Option(metavar="PID", alone=0)] = None,
    start: Source | None = None,
    output: Path | None = None,
    device: Device = "auto",
    precision: Literal["auto", "float32", "bfloat16"] = "auto",
    convolution: Literal["auto", "direct", "winograd"] = "auto",
    is_compiled: Annotated[bool, Option(named="compile")] = False,
    threads: int = 0,
    **changes: Annotated[Any, Option(add=add_settings)],
) -> None:
    """Train a network, measure it once, and write its weights with a card beside them.

    A preset is a complete recipe; each setting changes one of its numbers.
    quick: one epoch, to check that everything works. laptop: eight epochs, about twenty
    minutes on two cores. paper: exactly what Sabour, Frosst & Hinton did, for many
    epochs. legible: for --start; many capsules share in each digit, and grounds and
    noise do little harm. live: a small network for watching it learn, a minute an
    epoch. overlapping, and overlapping-slim with fewer kernels: for --dataset
    overlapping, two digits on top of each other.

        python -m capsnet_explorer train
        python -m capsnet_explorer train --preset quick         takes minutes
        python -m capsnet_explorer train --preset paper --epochs 50
        python -m capsnet_explorer train --validation 10000     measure on others
        python -m capsnet_explorer train --resume               go on where it stopped
        python -m capsnet_explorer train --architecture cnn     --help lists its options

    Ctrl-C finishes the current step, saves and stops. The same command with --resume
    then continues, and ends with exactly the weights of an uninterrupted run. A
    checkpoint is also written every five minutes; it replaces the previous one only
    once it is complete.

    The run's folder (--run) contains run.json, the settings and the machine; log.csv;
    checkpoint/; and at the end the weights and their card. Show the network with
    python -m capsnet_explorer --weights FOLDER. See also docs/training.md.

    Exit codes: 0 success; 2 failure, explained in one line; 130 interrupted.

    Args:
        architecture: the kind of network; with --help, lists its options.
        size: of the images that pictures in folders become (32x32), or whose pixels a
            CSV file has (squares).
        colour: pictures in folders become images in colour, as they do unless said.
        grey: they become grey images.
        inverted: exchange light and dark in them: networks of drawings read light ink
            on a dark ground, as MNIST has it.
        folders: what the outermost folders of pictures are, where their names could
            mean parts as well as classes.
        run: for checkpoint, log and weights (runs/ARCHITECTURE-DATASET).
        resume: continue the run in that folder.
        watched: write what happens and snapshots of the network into the run's folder,
            and do what is asked there; given the process that starts the run, stop when
            that ends.
        start: a weight file, a run's folder or the name of a network that comes with
            the project, for the initial weights in place of random ones; one of other
            classes gives its lower layers.
        output: the weight file to write, with its card beside it (in the run's folder).
        precision: of products; auto takes bfloat16 where the hardware supports it,
            unless Winograd filtering is faster.
        convolution: how to compute PrimaryCaps; auto takes Winograd filtering on a CPU.
        is_compiled: let torch.compile fuse a step's small operations; for a GPU.
        threads: CPU threads; 0 takes one for each core.
        changes: a preset, and settings that differ from it.
    """
    from capsnet_explorer.model.training.folder import RunFolder
    from capsnet_explorer.model.training.run import RunRequest, train_and_measure

    folder = run or Path("runs") / f"{architecture}-{file_name(dataset.name)}"
    preset = changes.pop("preset")
    changed = settings_of(architecture).changed(preset, changes)
    request = RunRequest(
        architecture=architecture,
        training=changed.training,
        preset=preset,
        sizes=changed.sizes,
        loss=changed.loss,
        dataset=in_form(
            dataset, size, folders, colour=colour, grey=grey, inverted=inverted
        ),
        data=data,
        run=folder,
        start=start,
        output=output,
        resume=resume,
        watched=watched,
        device=device,
        precision=precision,
        convolution=convolution,
        compiled=is_compiled,
        threads=threads,
        command=_command(is_watched=bool(watched)),
    )
    try:
        train_and_measure(request)
    except (KeyboardInterrupt, OSError):
        if RunFolder(folder).checkpoint.exists():
            print(
                f"\n{folder} holds a checkpoint of the run; to continue, add --resume "
                "to the same command.",
                file=sys.stderr,
            )
        raise


def evaluate(
    source: Source = DEFAULT_WEIGHTS,
    *,
    data: Data = DATA,
    device: Device = "auto",
) -> None:
    """Print a network's errors on the test set, and how legible it is."""
    from capsnet_explorer.model.data.loading import load_part
    from capsnet_explorer.model.device import chosen_device
    from capsnet_explorer.model.measuring.card import evaluate_fully
    from capsnet_explorer.model.measuring.report import report
    from capsnet_explorer.model.weights import load_weights, weight_files

    processor = chosen_device(device)
    files = weight_files(source)
    for path in files:
        trained = load_weights(path)
        test = load_part(dataset_of(trained.card), data, train=False, one_class=False)
        if len(files) > 1:
            print(f"{path}:")
        kind, network = trained.architecture, trained.network.to(processor)
        evaluation, figures = evaluate_fully(
            kind, network, test, processor, trained.rule
        )
        print(report(evaluation, figures=figures))


def trace(
    picture: Picture,
    *,
    weights: Network = DEFAULT_WEIGHTS.stem,
    tensors: Annotated[
        tuple[str, ...] | None,
        Option(metavar="NAMES", read=lambda text: tuple(text.split(","))),
    ] = None,
    output: Path = Path("trace.safetensors"),
) -> None:
    """Print what a network reads in a picture, and write the tensors of the pass.

    The picture is converted to the network's input as on the page. Printed are the
    class, the score of each class, and doubts: why the picture, or the answer, may be
    wrong.

        python -m capsnet_explorer trace photo.jpg
        python -m capsnet_explorer trace photo.jpg --weights cnn-mnist
        python -m capsnet_explorer trace photo.jpg --tensors scores,votes.7

    docs/python.md shows how to read the file, and how to do the same in a notebook.

    Args:
        tensors: to write, separated by commas, such as scores,votes.7 (all but the
            largest and the rarely used).
        output: for the tensors.
    """
    reading = load(weights).trace(picture)
    written = reading.save(output, tensors)
    print(reading)
    print(f"{output}: {', '.join(written)}")


def measure(
    source: Source,
    *,
    data: Data = DATA,
    device: Device = "auto",
    only: Annotated[
        list[list[str]] | None,
        Option(
            metavar="NAME",
            read=measurement_names,
        ),
    ] = None,
    images: Count = 1000,
    meanings: bool = False,
    portraits: bool = False,
) -> None:
    """Measure speed, legibility, other pictures, or what numbers mean, for the card.

    Names for --only: iterations, how many test images are misread with more and fewer
    iterations of routing; forward, the time of a forward pass; legibility, how many
    capsules share in a digit, and similar figures; atlas, maps of the test set, and how
    well they keep neighbours; viewpoints, errors on toys by the side from which they
    are seen; crossing and crossing_down, pairs read while one digit moves across the
    other. Accuracy and scores on test images that are changed: rotation, shift,
    shift_down, scale, shear, tiles, ground, contrast, grain, blur, stroke, noise; and
    attack, which is fgsm, pgd, square, alarm and zero_gradients.

    Args:
        only: names, separated by spaces or commas (all).
        images: test images that each experiment changes, chosen at random.
        meanings: measure only what each number of a class's pose does to the decoded
            picture, for the card.
        portraits: collect only what each type of primary capsules looks for, for
            measured/.
    """
    from capsnet_explorer.model.device import chosen_device
    from capsnet_explorer.model.measuring.commands import measure_network
    from capsnet_explorer.model.measuring.task import Task
    from capsnet_explorer.model.weights import load_weights, weight_files

    alone = ["meanings"] * meanings + ["portraits"] * portraits
    named = [*alone, *(name for names in only or () for name in names)]
    processor = chosen_device(device)
    for path in weight_files(source):
        task = Task(path, load_weights(path), data, images, processor)
        wanted = named or [*MEASUREMENT_NAMES, *EXPERIMENT_NAMES]
        measure_network(task, wanted, is_named=bool(named))


def data(
    *,
    dataset: Annotated[
        str,
        Option(
            metavar="NAME",
            choices=tuple(DATASETS),
            help=f"the data set: {', '.join(DOWNLOADED)}",
        ),
    ] = "mnist",
    data: Data = DATA,
    describe: Folder | None = None,
    folders: Folders | None = None,
    mirror: Annotated[
        str | None, Option(metavar="ADDRESS", variable=MIRROR_VARIABLE)
    ] = None,
    lines: bool = False,
) -> None:
    """Download a data set if it is missing, and check it; or describe your own.

    Args:
        describe: say what would be understood of a folder, or file, of your own: its
            format and classes, what is strange, and how to train on it.
        folders: with --describe, what the outermost folders of pictures are, where
            their names could mean parts as well as classes.
        mirror: folder of a server that has the archives, such as one in a classroom, in
            place of the usual one.
        lines: print the number of bytes that have come, a line each time.
    """
    from capsnet_explorer.model.data.files import broken_files, check_files, download

    if describe is not None:
        from capsnet_explorer.datasets.describing import described

        print(described(describe, folders).text(describe))
        return
    known = DATASETS[dataset]
    title = known.title_in(data)
    if known.is_written:
        print(f"{title}: there is nothing to download, they are drawn when read")
        return
    # Whoever asks it to end leaves no half of a file.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if any(broken_files(known, data)):
        from tqdm import tqdm

        total = known.archive_bytes
        with tqdm(total=total, unit="B", unit_scale=True, disable=lines) as bar:

            def advance(fetched: int) -> None:
                if lines:
                    print(fetched, flush=True)
                bar.update(fetched - bar.n)

            download(known, data, mirror=mirror, advance=advance)
    check_files(known, data)
    print(f"{title} is complete in {known.files_in(data)}")


def toys(
    *,
    data: Data = DATA,
) -> None:
    """Draw toys from all sides, for --dataset toys; continue where it was stopped."""
    from tqdm import tqdm

    from capsnet_explorer.model.data.toys import write_toys

    dataset = DATASETS["toys"]
    folder = dataset.files_in(data)
    with tqdm(unit=" toys") as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        write_toys(folder, advance=advance)
    print(f"{dataset.title} are complete in {folder}")
