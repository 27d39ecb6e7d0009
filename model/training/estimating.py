"""What a run would take: a few of its steps, measured, and nothing written."""

import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

import torch

from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.data.batches import epoch_batches
from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.printed import time_words
from capsnet_explorer.model.training import memory
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.loop import Trainer
from capsnet_explorer.model.training.run import (
    RunRequest,
    check,
    measured_on,
    prepared,
)
from capsnet_explorer.model.training.schedule import learning_rate
from capsnet_explorer.model.training.watching import (
    TESTED,
    TESTED_AT_ONCE,
    TESTED_SHARE,
)
from capsnet_explorer.model.weights import SUFFIX

try:
    import resource
except ImportError:  # Windows
    resource = None

WARM_UP = 1  # steps that are not counted: they take memory for the first time
MOST_STEPS = 20
MOST_S = 4.0  # of measured steps; one at least is
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take on this machine, as busy as it is.

    Attributes:
        steps: of the whole run.
        batch: images of a step; fewer than asked where memory has no room for more.
        measured: steps that were measured.
        step_s: median of these, in seconds.
        seconds: of the whole run: its steps, and its tests while it is watched.
        memory: bytes that this process took at most; on a GPU, of the GPU's memory.
            None where nobody can tell.
        taken: titles of the layers whose weights are those of the network that it
            starts from.
        anew: titles of the layers that begin at random all the same.
    """

    steps: int
    batch: int
    measured: int
    step_s: float
    seconds: float
    memory: int | None
    taken: tuple[str, ...] = ()
    anew: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """One sentence."""
        memory = (
            ""
            if self.memory is None
            else f", and {self.memory / MEGABYTE:,.0f} MB of memory"
        )
        return (
            f"about {time_words(self.seconds)}{memory}: {self.steps:,} steps of "
            f"{self.batch} images, as {self.measured} steps measured now that took "
            f"{self.step_s:.3g} s each"
        )


def estimated(request: RunRequest) -> Estimate:
    """Prepare a run, take a few of its steps, and forget them.

    Raises:
        ValueError: a setting cannot work, or memory has no room for a step.
        DataError: the data set is missing or damaged.
    """
    architecture = architecture_named(request.architecture)
    if request.threads:
        torch.set_num_threads(request.threads)
    folder = RunFolder(request.run)
    check(replace(request, resume=True), folder, folder.path / f"any{SUFFIX}")
    run = prepared(replace(request, resume=False), architecture, folder)
    trainer, device = run.trainer, run.trainer.device
    _, images = measured_on(request, trainer)
    took = list(_steps(trainer))
    counted = took[WARM_UP:] or took
    step_s = statistics.median(counted)
    training = step_s * trainer.total_steps
    some, _ = images.split(max(0, len(images) - TESTED_AT_ONCE))
    at = time.monotonic()
    with torch.no_grad():
        trainer.trained()(to_network(some.images.to(device)))
    _wait_for(device)
    once = (time.monotonic() - at) / max(1, len(some))
    # Watched, a run is tested at its beginning, and then as often as there is time; in
    # the end, on all images.
    tests = once * (min(TESTED, len(images)) + len(images)) + TESTED_SHARE * training
    return Estimate(
        steps=trainer.total_steps,
        batch=trainer.config.batch_size,
        measured=len(counted),
        step_s=step_s,
        seconds=training + tests,
        memory=_peak(device),
        taken=() if run.start is None else run.start.taken,
        anew=() if run.start is None else run.start.anew,
    )


def _steps(trainer: Trainer) -> Iterator[float]:
    """Take the first steps of a run, for a few seconds; yield how long each takes."""
    epochs = range(trainer.config.epochs)
    batches = chain.from_iterable(
        epoch_batches(trainer.training_part, trainer.config, epoch=epoch)
        for epoch in epochs
    )
    began = time.monotonic()
    for number, batch in enumerate(islice(batches, WARM_UP + MOST_STEPS)):
        at = time.monotonic()
        rate = learning_rate(number, trainer.total_steps, trainer.config)
        trainer.step(batch.read(), rate)
        _wait_for(trainer.device)
        now = time.monotonic()
        yield now - at
        if number >= WARM_UP and now - began > MOST_S:
            return


def _wait_for(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _peak(device: torch.device) -> int | None:
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if (most := memory.peak_bytes()) is not None:
        return most
    if resource is None:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most
