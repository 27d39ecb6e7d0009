"""A run that others watch and steer while it trains.

It writes what happens into its folder, and reads there what is asked of it. So whoever
watches may come, go and come back, and the run's figures outlast its process.

    watched/events.jsonl       what happened, one event a line
    watched/control.json       what is asked: a learning rate, or a state
    watched/STEP.safetensors   the network after that step, a card beside it
    watched/lock               held by the process that trains
    watched/reserve            a little room, to say so where the disk is full
"""

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.presence import multi_hot
from capsnet_explorer.model.training.log import LogRow
from capsnet_explorer.model.training.loop import Stopped, Trainer, TrainingError
from capsnet_explorer.model.weights import SUFFIX, half_precision, save_weights

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None

SNAPSHOTS = 60
SNAPSHOTS_BYTES = 256 << 20  # of one run together; larger networks have fewer
LINE_EVERY = 10  # steps: the means that are told are over so many, or an epoch's last
TOLD_EVERY_S = 0.3  # least time between two events of progress
TESTED = 2_000  # images, the first of those given
TESTED_SHARE = 0.1  # of the training time that testing may take
TESTED_AT_ONCE = 100
FOUND = ("error", "tested")  # by testing a snapshot
LOOK_UP_S = 0.1  # between two looks at what is asked of a paused run
CHECKPOINT_EVERY_S = 2  # what a killed run loses at most, where that is cheap
CHECKPOINT_REST = 20  # times as long as a checkpoint takes, the run trains
PATIENCE_S = 60  # for a process that trained here before
RESERVED = 1 << 16  # bytes
FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
TENSORS = 3  # of a checkpoint for each of the network's: itself and Adam's two moments


class Watched:
    """The files of a run that is watched; see above."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "watched"
        self.events = self.folder / "events.jsonl"
        self.control = self.folder / "control.json"
        self.reserve = self.folder / "reserve"

    def snapshot(self, step: int) -> Path:
        """Return the weight file of the network after a step."""
        return self.folder / f"{step}{SUFFIX}"

    def snapshots(self) -> dict[int, Path]:
        """Return all snapshots by step, in order."""
        files = {int(path.stem): path for path in self.folder.glob(f"*{SUFFIX}")}
        return dict(sorted(files.items()))


def snapshot_steps(total: int, count: int) -> list[int]:
    """Return after which steps to take snapshots: more of them at the beginning.

    Args:
        total: steps of the run.
        count: of snapshots, at least 2; fewer are taken where there are fewer steps.

    Returns:
        Ascending, from 0 to the last step.
    """
    return sorted({round(total * (index / (count - 1)) ** 2) for index in range(count)})


class Watch:
    """Tells what happens in a run, and does what is asked of it.

    Args:
        trainer: of the run.
        images: to count errors on while it trains; the first of them are taken.
        card: returns what the card of a snapshot says of the run so far.
        parent: the process with which the run ends; 0 for none.

    Attributes:
        steered: after which steps the learning rate was set, and to what.
    """

    def __init__(
        self,
        trainer: Trainer,
        images: LabelledImages,
        card: Callable[[], dict[str, Any]],
        parent: int = 0,
    ) -> None:
        self.steered: list[dict[str, float | None]] = []
        self._trainer = trainer
        trainer.reads_each_step = True
        trainer.log_every = LINE_EVERY
        self._files = Watched(trainer.folder.path)
        few, _ = images.split(max(0, len(images) - TESTED))
        self._images = few.images
        self._present = multi_hot(few.labels, trainer.network.config.classes) > 0
        self._card = card
        self._parent = parent
        size = sum(tensor.nbytes for tensor in half_precision(trainer.network).values())
        count = max(2, min(SNAPSHOTS, SNAPSHOTS_BYTES // max(1, size)))
        self._steps = set(snapshot_steps(trainer.total_steps, count))
        self._tested_s = 0.0
        self._kept = -1  # the step of the last snapshot
        self._reported_at = float("-inf")
        self._control = b""
        self._is_stop_asked: Callable[[], bool] = lambda: False
        self._is_stopping = False
        copies = TENSORS + (trainer.average is not None)
        self._needs = size + 2 * copies * size  # in single precision
        trainer.written = self.written
        trainer.checkpoint_every_s = CHECKPOINT_EVERY_S
        trainer.checkpoint_rest = CHECKPOINT_REST

    @property
    def has_parent(self) -> bool:
        """Whether another process started the run."""
        return bool(self._parent)

    def begin(self) -> None:
        """Tell that the run begins or goes on, and take the first snapshot.

        A run that goes on tells the steps after its checkpoint once more.
        """
        trainer = self._trainer
        self._files.folder.mkdir(parents=True, exist_ok=True)
        self.written(lambda: self._files.reserve.write_bytes(bytes(RESERVED)))
        if trainer.steps_done:
            self.steered = _read_steering(self._files.events, trainer.steps_done)
            if self.steered:
                trainer.held_rate = self.steered[-1]["learning_rate"]
        self._tell(
            "state",
            state="running",
            total=trainer.total_steps,
            examples=len(trainer.training_part),
        )
        if not trainer.steps_done:
            self._take_snapshot()
            self._tested_s = 0.0  # not of the training time

    def report(self, row: LogRow, is_stop_asked: Callable[[], bool]) -> None:
        """Report a step: tell of it now and then, and look at what is asked.

        Args:
            row: means since the last line of the log.
            is_stop_asked: whether a signal asks the run to stop; looked at in pauses.

        Raises:
            Stopped: the run was asked to stop, or its parent has ended.
        """
        trainer = self._trainer
        self._is_stop_asked = is_stop_asked
        step, now = trainer.steps_done, time.monotonic()
        is_line = step % LINE_EVERY == 0 or trainer.progress.batch == 0
        is_due = is_line and now - self._reported_at >= TOLD_EVERY_S
        if is_due or step in (1, trainer.total_steps):
            self._reported_at = now
            self._tell(
                "progress",
                epoch=row.epoch,
                loss=row.loss,
                class_loss=row.class_loss,
                reconstruction_loss=row.reconstruction_loss,
                accuracy=row.accuracy,
                learning_rate=row.learning_rate,
                images_per_second=row.images_per_second,
                further=row.further,
            )
        if step in self._steps:
            self._take_snapshot()
        self._obey()

    def written(self, job: Callable[[], object]) -> None:
        """Do what writes to the disk; where that is full, pause until there is room.

        Raises:
            Stopped: the run was asked to stop meanwhile.
            OSError: it cannot be written for another reason.
        """
        if self._has_written(job):
            return
        since = time.monotonic()
        with contextlib.suppress(OSError):
            self._files.reserve.unlink(missing_ok=True)
            needs = f"{self._needs / (1 << 20):.3g} MB"
            words = (
                f"the disk is full: the run needs {needs}, and goes on when there is "
                "room"
            )
            self._add("state", state="paused", message=words)
        while True:
            time.sleep(LOOK_UP_S)
            if self._is_stopping or self._is_stop_asked():
                raise Stopped
            self._new_request()
            # First room for the words that tell of the next time.
            if self._has_written(self._reserve) and self._has_written(job):
                break
        self._trainer.clock.skip(time.monotonic() - since)
        self._control = b""  # a pause that was asked for meanwhile is still to come
        self._tell("state", state="running")

    def _reserve(self) -> None:
        if not self._files.reserve.exists():
            self._files.reserve.write_bytes(bytes(RESERVED))

    def _has_written(self, job: Callable[[], object]) -> bool:
        try:
            job()
        except OSError as error:
            if error.errno not in FULL:
                raise
            return False
        return True

    def end(self, state: str, **more: Any) -> None:
        """Tell how the run ended, if the disk takes it: `done`, `stopped` or `failed`.

        Args:
            state: which of them.
            more: further entries of the event, such as a `message`.
        """
        with contextlib.suppress(OSError):
            self._files.reserve.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._add("state", state=state, **more)

    def _obey(self) -> None:
        """Do what is asked, and come back when the run is not to pause any longer."""
        request = self._new_request()
        if request.get("state") != "paused":
            return
        self._tell("state", state="paused")
        since = time.monotonic()
        while request.get("state") in (None, "paused"):
            time.sleep(LOOK_UP_S)
            if self._is_stop_asked():
                raise Stopped
            request = self._new_request()
        self._trainer.clock.skip(time.monotonic() - since)
        self._tell("state", state="running")

    def _new_request(self) -> dict[str, Any]:
        """Return what is asked, if that has changed, and set the learning rate."""
        if self._parent and os.getppid() != self._parent:
            self._is_stopping = True
            raise Stopped("the server that started the run has ended")
        try:
            content = self._files.control.read_bytes()
        except OSError:
            return {}
        if content == self._control:
            return {}
        self._control = content
        request = _object(content)
        rate = request.get("learning_rate")
        if rate != self._trainer.held_rate:
            self._trainer.held_rate = rate
            step = self._trainer.steps_done
            self.steered.append({"step": step, "learning_rate": rate})
            self._tell("rate", learning_rate=rate)
        if request.get("state") == "stopped":
            self._is_stopping = True
            self._keep_end()
            raise Stopped(request.get("message", ""))
        return request

    def _keep_end(self) -> None:
        """Store and count what a run that is to stop has come to, once."""
        if self._kept != self._trainer.steps_done:
            with contextlib.suppress(TrainingError):
                self._take_snapshot(is_end=True)

    def _take_snapshot(self, *, is_end: bool = False) -> None:
        """Store the network, and count its errors at the end or if there is time."""
        trainer = self._trainer
        network = trainer.trained()
        step = trainer.steps_done
        # In half precision, numbers above 65 504 are infinite.
        if not all(part.isfinite().all() for part in half_precision(network).values()):
            raise TrainingError(
                f"weights are too large, or no numbers, after step {step}: training "
                "has failed. A lower learning rate may help"
            )
        has_time = self._tested_s <= TESTED_SHARE * trainer.clock.seconds
        is_end = is_end or step in (0, trainer.total_steps)
        figures = self._test(network) if has_time or is_end else dict.fromkeys(FOUND)
        path = self._files.snapshot(step)
        card = self._card()
        steps = "1 step" if step == 1 else f"{step} steps"
        when = f"after {steps}" if step else "before training"
        card |= {"title": f"{card['title']} {when}", "steps": step}
        network = network.cpu()
        self.written(lambda: save_weights(path, trainer.architecture, network, card))
        self._tell("snapshot", bytes=path.stat().st_size, **figures)
        self._kept = step

    @torch.no_grad()
    def _test(self, network: Network) -> dict[str, Any]:
        """Count errors on the test images."""
        began = time.monotonic()
        device, rule = self._trainer.device, self._trainer.rule
        named = [
            rule.among(network(to_network(images.to(device))).scores).cpu()
            for images in self._images.split(TESTED_AT_ONCE)
        ]
        right = (torch.cat(named) == self._present).all(dim=1)
        self._tested_s += time.monotonic() - began
        count, wrong = len(right), int((~right).sum())
        return dict(zip(FOUND, (wrong / count, count), strict=True))

    def _tell(self, kind: str, **more: Any) -> None:
        self.written(lambda: self._add(kind, **more))

    def _add(self, kind: str, **more: Any) -> None:
        trainer = self._trainer
        event = {
            "event": kind,
            "step": trainer.steps_done,
            "images": trainer.images_done,
            "seconds": round(trainer.progress.seconds, 2),
            **more,
        }
        with self._files.events.open("ab+") as file:
            # A process that was killed, or a full disk, may have left half a line.
            file.seek(max(0, file.tell() - 1))
            start = b"" if file.read() in (b"", b"\n") else b"\n"
            file.write(start + json.dumps(event).encode() + b"\n")


def _object(content: bytes | str) -> dict[str, Any]:
    """Return a JSON object; an empty one of what is none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _read_steering(events: Path, step: int) -> list[dict[str, float | None]]:
    """Return after which steps the learning rate was set until a step, and to what."""
    try:
        lines = events.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return []
    rates = [event for line in lines if (event := _object(line)).get("event") == "rate"]
    return [
        {"step": event["step"], "learning_rate": event["learning_rate"]}
        for event in rates
        if {"step", "learning_rate"} <= event.keys()
        and isinstance(event["step"], int)
        and event["step"] <= step
    ]


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Be the only process that trains in a folder; wait for one that is about to end.

    Raises:
        TrainingError: another one goes on training there.
    """
    (folder / "watched").mkdir(parents=True, exist_ok=True)
    with (folder / "watched" / "lock").open("ab") as file:
        end = time.monotonic() + PATIENCE_S
        while not _is_locked(file.fileno()):
            if time.monotonic() > end:
                raise TrainingError("another process trains in the run's folder")
            time.sleep(LOOK_UP_S)
        yield


def _is_locked(descriptor: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
