"""Three networks for pairs of digits, trained alike in a few minutes of one GPU.

CNN, Efficient-CapsNet and CapsNet begin at random and see as many pairs each, in steps
of 500, with one learning rate that rises and falls once. How many pairs, the speed of
the machine decides: what all three can see in the time there is.

Each network has a process of its own. All three are prepared at once; then they are
timed, and trained, one after the other.
"""

import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Annotated, Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.model.architectures import architecture_named, settings_of
from capsnet_explorer.model.data.batches import Batch, epoch_batches
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.data.overlapping import DigitPool
from capsnet_explorer.model.measuring.card import measure
from capsnet_explorer.model.measuring.overlapping import answers
from capsnet_explorer.model.measuring.report import overlaps_report, report
from capsnet_explorer.model.training.checkpoint import Progress
from capsnet_explorer.model.training.folder import RunFolder, record_sitting
from capsnet_explorer.model.training.log import LogRow
from capsnet_explorer.model.training.loop import Stopped, Trainer
from capsnet_explorer.model.training.run import (
    Prepared,
    RunRequest,
    card_entries,
    prepared,
)
from capsnet_explorer.model.training.schedule import learning_rate
from capsnet_explorer.model.weights import card_path, load_weights, save_weights
from capsnet_explorer.options import Option, parser_of

PROGRAM = "python -m capsnet_explorer.model.training.pairs"
DATASET = DATASETS["overlapping"]

# 55 000 digits are 110 whole steps: torch compiles anew for each size of a step.
ALIKE = {
    "batch_size": 500,
    "learning_rate": 0.002,
    "schedule": "cosine",
    "warmup_steps": 1000,
    "averaging": 0.999,
    "shift": 4,
    "clip": 5.0,
}
# In the order in which they are trained: the preset of each, and changes of it. Long
# training would leave a CapsNet's digits to a few of its capsules.
NETWORKS: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "cnn": ("overlapping", {}),
    "efficient": ("laptop", {}),
    "capsnet": (
        "overlapping-slim",
        {
            "voters": 16.0,
            "voters_weight": 0.03,
            "saturation_weight": 0.01,
            "blank_weight": 0.01,
        },
    ),
}
FOLDER, EVERY = Option(metavar="FOLDER"), Option(shown=", ".join(NETWORKS))
COMPARED = 200  # steps by which bfloat16 is compared with TF32
TIMED = 60  # steps that say how fast a network is trained
FIRST = 3  # before these
SMALLEST_RATE = 1e-9
MOST_EPOCHS = 1000  # that a recipe can have
READY_S = 150  # the longest wait for networks that torch compiles
USABLE = 0.94  # of the time; looks at held-out pairs and checkpoints take the rest
PRINT_S, VALIDATE_S, SAVE_S = 20, 30, 60


@dataclass(frozen=True, slots=True)
class Plan:
    """What one process is to do.

    Attributes:
        request: of the run; epochs follow from the speed.
        output: where the weights go, each minute.
    """

    request: RunRequest
    output: Path

    @property
    def name(self) -> str:
        """Of the network's architecture."""
        return self.request.architecture

    @property
    def folder(self) -> RunFolder:
        """Of the run."""
        return RunFolder(self.request.run)

    @property
    def weights(self) -> Path:
        """The weight file."""
        return self.output / f"{self.name}-{self.request.dataset.name}.safetensors"


def pairs(
    run: Path,
    *,
    data: Annotated[Path, FOLDER] = Path("data"),
    minutes: float = 9.0,
    networks: Annotated[tuple[str, ...], EVERY] = tuple(NETWORKS),
    output: Annotated[Path | None, FOLDER] = None,
    start: Annotated[Path | None, FOLDER] = None,
    rate: float = ALIKE["learning_rate"],
    digits: int = 0,
    device: str = "auto",
    test: bool = False,
) -> None:
    """Train the networks for pairs of digits, all alike, in a few minutes of one GPU.

        python -m capsnet_explorer.model.training.pairs runs/pairs --data data
        python -m capsnet_explorer.model.training.pairs runs/pairs --data data --test

    The first command trains; if it is stopped, the same command goes on. The second
    reads the test pairs, once, and writes what it finds onto the cards.

    Args:
        run: folder for checkpoints and logs, one folder in it for each network.
        data: the folder that holds MNIST.
        minutes: for everything, from the first line of output to the last.
        networks: which of them, one after the other.
        output: folder for weights and cards, written each minute (the run's).
        start: folder with weights to begin with in place of random ones.
        rate: Adam's highest learning rate.
        digits: training digits to use; 0 takes all 55 000.
        device: auto, cpu, cuda or mps.
        test: train nothing, and measure the weights on the test pairs.

    Raises:
        ValueError: there is no such network, or none could be trained.
    """
    begun = time.monotonic()
    for name in networks:
        if name not in NETWORKS:
            known = ", ".join(NETWORKS)
            raise ValueError(f"networks must be among {known}, got {name}")
    plans = []
    for name in networks:
        preset, changes = NETWORKS[name]
        changes = {**ALIKE, **changes, "learning_rate": rate, "examples": digits}
        changed = settings_of(name).changed(preset, changes)
        own = f"{name}-{DATASET.name}.safetensors"
        request = RunRequest(
            architecture=name,
            training=changed.training,
            preset=preset,
            sizes=changed.sizes,
            loss=changed.loss,
            dataset=DATASET,
            data=data,
            run=run / name,
            start=None if start is None else start / own,
            device=device,
            precision="float32",
            convolution="direct",
            command=" ".join([PROGRAM, *sys.argv[1:]]),
        )
        plans.append(Plan(request, output or run))
    if test:
        for plan in plans:
            measured(plan)
    else:
        train_all(plans, begun + 60 * minutes)


# The process that was started: what it says to the others, and hears of them.


def train_all(plans: Sequence[Plan], end: float, most: int = MOST_EPOCHS) -> None:
    """Train one network after the other, each on as many pairs.

    Args:
        plans: one for each.
        end: when everything is to be done, by `time.monotonic`, which all processes of
            a machine share.
        most: epochs, however much time there is.

    Raises:
        ValueError: none could be trained.
    """
    there = _ready(plans, compiled=True)
    late = [plan for plan in plans if plan.name not in there]
    there |= _ready(late, compiled=False)
    plans = [plan for plan in plans if plan.name in there]
    if not plans:
        raise ValueError("no network could be prepared: see the lines above")
    takes = {plan.name: _asked(there[plan.name], "time") for plan in plans}  # an epoch
    plans = [plan for plan in plans if takes[plan.name]]
    takes = {plan.name: takes[plan.name] for plan in plans}
    left = USABLE * (end - time.monotonic())
    epochs = min(most, max(1, int(left / sum(takes.values()))))
    for number, plan in enumerate(plans):
        rest = sum(takes[each.name] for each in plans[number:])
        until = time.monotonic() + (end - time.monotonic()) * takes[plan.name] / rest
        print(f"{plan.name}: {epochs} epochs of {takes[plan.name]:.3f} s", flush=True)
        _asked(there[plan.name], (epochs, until))


def _ready(plans: Sequence[Plan], *, compiled: bool) -> dict[str, Connection]:
    """Start a process for each, and return the way to those that are ready in time."""
    context = multiprocessing.get_context("spawn")
    processes, ways = {}, {}
    for plan in plans:
        ways[plan.name], other = context.Pipe()
        own = replace(plan, request=replace(plan.request, compiled=compiled))
        process = context.Process(target=work, args=(own, other))
        process.start()
        other.close()
        processes[plan.name] = process
    until = time.monotonic() + READY_S
    for name, way in [*ways.items()]:
        if not way.poll(max(0.0, until - time.monotonic())) or _told(way) is None:
            processes[name].kill()
            del ways[name]
            print(f"{name} is not ready, compiled: {compiled}", flush=True)
    return ways


def _asked(way: Connection, what: object) -> Any:
    """Return what a process answers; None if it failed."""
    try:
        way.send(what)
    except OSError:
        return None
    return _told(way)


def _told(way: Connection) -> Any:
    try:
        return way.recv()
    except EOFError:
        return None


# A network's own process.


def work(plan: Plan, way: Connection) -> None:
    """Prepare a network, say how fast it is trained, and train it."""
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    run = _prepared(plan)
    trainer = run.trainer
    way.send("ready")
    way.recv()
    way.send(_seconds_of_epoch(trainer))
    epochs, until = way.recv()
    before = plan.folder.checkpoint.exists()
    if before:
        epochs = json.loads(plan.folder.record.read_bytes())["training"]["epochs"]
    trainer.config = replace(trainer.config, epochs=epochs)
    trainer.settings["epochs"] = epochs
    if before:
        trainer.resume()
    _train(plan, run, until)
    way.send("done")


def _prepared(plan: Plan) -> Prepared:
    """Return a run in the precision that suits, compiled once."""
    request, device = plan.request, torch.device("cpu")
    architecture = architecture_named(plan.name)
    if torch.cuda.is_available() and request.device in ("auto", "cuda"):
        device = torch.device("cuda")
        losses = {
            precision: _first_losses(replace(request, precision=precision), plan)
            for precision in ("float32", "bfloat16")
        }
        request = replace(request, precision=_chosen(plan.name, losses))
    run = prepared(
        replace(request, compiled=request.compiled and device.type == "cuda"),
        architecture,
        plan.folder,
    )
    if run.computing.compiled:
        _seconds_of_epoch(run.trainer)
    return run


def _first_losses(request: RunRequest, plan: Plan) -> Tensor:
    """Return the loss of each of the first steps."""
    request = replace(request, compiled=False)
    trainer = prepared(request, architecture_named(plan.name), plan.folder).trainer
    recipe = replace(trainer.config, warmup_steps=COMPARED // 4)
    rates = (learning_rate(step, COMPARED**2, recipe) for step in count())
    steps = zip(range(COMPARED), rates, _batches(trainer), strict=False)
    return torch.stack([trainer.step(batch, rate) for _, rate, batch in steps])[
        :, :3
    ].sum(dim=1)


def _chosen(name: str, losses: Mapping[str, Tensor]) -> str:
    """Return bfloat16 unless its losses are higher beyond noise."""
    exact, rough = (losses[each].double() for each in ("float32", "bfloat16"))
    last = (rough - exact)[COMPARED // 2 :]
    noise = float(last.std()) / len(last) ** 0.5
    more, usual = float(last.mean()), float(exact[COMPARED // 2 :].mean())
    is_equal = more <= max(3 * noise, 0.02 * usual)
    print(
        f"{name}: loss over {len(last)} steps {usual:.4f}, in bfloat16 {more:+.4f} "
        f"(noise {noise:.4f}): {'bfloat16' if is_equal else 'TF32'}",
        flush=True,
    )
    return "bfloat16" if is_equal else "float32"


def _batches(trainer: Trainer) -> Iterator[Batch]:
    for epoch in count():
        for planned in epoch_batches(
            trainer.training_part, trainer.config, epoch=epoch
        ):
            yield planned.read()


def _state(trainer: Trainer) -> list[dict[str, Tensor]]:
    networks = (trainer.network, trainer.average)
    return [
        {name: value.clone() for name, value in each.state_dict().items()}
        for each in networks
        if each is not None
    ]


def _restore(trainer: Trainer, before: Sequence[dict[str, Tensor]]) -> None:
    networks = (trainer.network, trainer.average)
    there = [each for each in networks if each is not None]
    for network, state in zip(there, before, strict=True):
        network.load_state_dict(state)
    trainer.optimizer.state.clear()


def _seconds_of_epoch(trainer: Trainer) -> float:
    """Time some steps, and leave the network as it was."""
    before = _state(trainer)
    steps = min(TIMED, trainer.steps_per_epoch)
    begun = 0.0
    for step, batch in zip(range(-FIRST, steps), _batches(trainer), strict=False):
        if step == 0:
            _wait(trainer)
            begun = time.monotonic()
        # The objective compiles anew for the first other progress, if it depends on it.
        trainer.progress = Progress(0, step + FIRST)
        trainer.step(batch, SMALLEST_RATE)
    _wait(trainer)
    taken = time.monotonic() - begun
    trainer.progress = Progress()
    _restore(trainer, before)
    return taken / steps * trainer.steps_per_epoch


def _wait(trainer: Trainer) -> None:
    if trainer.team.device.type == "cuda":
        torch.cuda.synchronize()


def _train(plan: Plan, run: Prepared, until: float) -> None:
    """Train to the end, or until the time is over, and write the weights."""
    trainer = run.trainer
    trainer.checkpoint_every_s, trainer.validate_every_s = SAVE_S, VALIDATE_S
    record_sitting(
        plan.folder,
        command=plan.request.command,
        architecture=plan.name,
        preset=plan.request.preset,
        dataset=plan.request.dataset.name,
        training=trainer.config,
        sizes=trainer.network.config,
        loss=run.loss,
        computing=run.computing,
        processes=1,
    )
    printed, saved, held_out = 0.0, 0.0, ""

    def show(row: LogRow, seen: int) -> None:
        nonlocal printed, saved, held_out
        if row.validation_accuracy is not None:
            held_out = f", held out {1 - row.validation_accuracy:.2%}"
        if row.seconds - printed >= PRINT_S:
            print(
                f"{plan.name} {row.seconds:.0f} s, epoch {row.epoch:.1f}, "
                f"{row.images_per_second:.0f} pairs/s, loss {row.loss:.4f}, "
                f"misread {1 - row.accuracy:.2%}{held_out}",
                flush=True,
            )
            printed = row.seconds
        if row.seconds - saved >= SAVE_S:
            _save(plan, run)
            saved = row.seconds
        if time.monotonic() > until:
            raise Stopped

    try:
        trainer.run(show)
    except Stopped:
        print(f"{plan.name}: stopped after {trainer.steps_done} steps", flush=True)
    _save(plan, run)
    seen, error = trainer.images_done, 1 - trainer.validated()
    print(f"{plan.name}: {seen} pairs, held out {error:.2%}", flush=True)


def _save(plan: Plan, run: Prepared) -> None:
    """Write the averaged weights as they are now, and their card."""
    plan.weights.parent.mkdir(parents=True, exist_ok=True)
    save_weights(
        plan.weights,
        run.trainer.architecture,
        run.trainer.trained(),
        card_entries(plan.request, run),
    )


# What anybody does afterwards, on any machine.


def measured(plan: Plan) -> None:
    """Choose the score from which on a digit counts, and read the test pairs once."""
    trained, device = load_weights(plan.weights), torch.device("cpu")
    network = trained.network
    if plan.folder.checkpoint.exists():  # which has the same in full precision
        tensors = load_file(plan.folder.checkpoint)
        names = network.state_dict()
        network.load_state_dict({name: tensors[f"average.{name}"] for name in names})
    part = load_part(
        plan.request.dataset, plan.request.data, train=True, one_class=False
    )
    if not isinstance(part, DigitPool):
        raise ValueError(f"digits must be laid over each other, got {part.shape}")
    _, held_out = part.split(plan.request.training.validation)
    rule = answers(network, held_out, device).rule
    images = load_part(
        plan.request.dataset, plan.request.data, train=False, one_class=False
    )
    found, figures = measure(
        trained.architecture, network, images, device, "test", rule
    )
    kept = {
        name: value
        for name, value in trained.card.items()
        if name not in ("architecture", "config", "sha256", "version")
    }
    save_weights(plan.weights, trained.architecture, network, {**kept, **figures})
    print(f"{plan.weights} and {card_path(plan.weights).name}")
    print(f"{report(found, 'test')}\n{overlaps_report(figures['overlaps'])}\n")


if __name__ == "__main__":
    try:
        pairs(**vars(parser_of(pairs, PROGRAM, sys.argv[1:]).parse_args()))
    except (OSError, ValueError) as error:
        sys.exit(f"{PROGRAM}: {error}")
