"""A run that others watch and steer while it trains.

It writes what happens into its folder, and reads there what is asked of it. So whoever
watches may come, go and come back, and a run does not end with its watcher.

    watched/events.jsonl       what happened, one event a line
    watched/control.json       what is asked: a learning rate, or a state
    watched/STEP.safetensors   the network after that step, a card beside it
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.architecture import Network
from model.data.images import LabelledImages, to_network
from model.files import replace_file
from model.training.log import LogRow
from model.training.loop import Stopped, Trainer, TrainingError
from model.weights import SUFFIX, half_precision, save_weights

SNAPSHOTS = 60
SNAPSHOTS_BYTES = 256 << 20  # of one run together; larger networks have fewer
TOLD_EVERY_S = 0.5  # between two events of progress
TESTED_SHARE = 0.1  # of the training time that reading test images may take
TESTED_AT_ONCE = 100
LOOK_UP_S = 0.1  # between two looks at what is asked of a paused run


class Watched:
    """The files of a run that is watched.

    Args:
        folder: the run's.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "watched"

    @property
    def events(self) -> Path:
        """What happened, one event a line."""
        return self.folder / "events.jsonl"

    @property
    def control(self) -> Path:
        """What is asked of the run."""
        return self.folder / "control.json"

    def snapshot(self, step: int) -> Path:
        """Return the weight file of the network after a step."""
        return self.folder / f"{step}{SUFFIX}"


def snapshot_steps(total: int, count: int) -> list[int]:
    """Return after which steps to take snapshots: more of them at the beginning.

    Args:
        total: steps of the run.
        count: of snapshots, at least 2; fewer are taken where there are fewer steps.

    Returns:
        Ascending, from 0 to the last step.
    """
    return sorted({round(total * (place / (count - 1)) ** 2) for place in range(count)})


class Watch:
    """Tells what happens in a run, and does what is asked of it.

    Args:
        trainer: of the run.
        test: images to count errors on while it trains.
        card: returns what the card of a snapshot says of the run so far.
    """

    def __init__(
        self,
        trainer: Trainer,
        test: LabelledImages,
        card: Callable[[], dict[str, Any]],
    ) -> None:
        self._trainer = trainer
        self._files = Watched(trainer.folder.path)
        self._images = to_network(test.images)
        self._labels = test.labels
        self._card = card
        size = sum(each.nbytes for each in half_precision(trainer.network).values())
        count = max(2, min(SNAPSHOTS, SNAPSHOTS_BYTES // max(1, size)))
        self._steps = snapshot_steps(trainer.total_steps, count)
        self._right: Tensor | None = None
        self._tested_s = 0.0
        self._told = float("-inf")
        self._asked_at = 0

    def begin(self) -> None:
        """Tell that the run begins or goes on, and take the first snapshot."""
        self._files.folder.mkdir(parents=True, exist_ok=True)
        _drop_after(self._files.events, self._trainer.steps_done)
        self._tell("state", state="running", total=self._trainer.total_steps)
        if not self._trainer.steps_done:
            self._take_snapshot()

    def report(self, row: LogRow, _seen: int) -> None:
        """Report a step: tell of it now and then, and look at what is asked.

        Raises:
            Stopped: the run was asked to stop.
        """
        step = self._trainer.steps_done
        now = time.monotonic()
        if step in self._steps:
            self._take_snapshot()
        if now - self._told >= TOLD_EVERY_S or step == self._trainer.total_steps:
            self._told = now
            self._tell(
                "progress",
                loss=row.loss,
                class_loss=row.class_loss,
                reconstruction_loss=row.reconstruction_loss,
                accuracy=row.accuracy,
                learning_rate=row.learning_rate,
            )
        self._obey()

    def end(self, state: str, message: str | None = None) -> None:
        """Tell how the run ended: `done`, `stopped` or `failed`."""
        more = {} if message is None else {"message": message}
        self._tell("state", state=state, **more)

    def _obey(self) -> None:
        asked = self._asked()
        if asked is None:
            return
        rate = asked.get("learning_rate")
        if rate is not None:
            self._trainer.held_rate = float(rate)
        if asked.get("state") == "stopped":
            raise Stopped
        if asked.get("state") != "paused":
            return
        self._tell("state", state="paused")
        since = time.monotonic()
        while True:
            time.sleep(LOOK_UP_S)
            asked = self._asked()
            if asked is None or asked.get("state") == "paused":
                continue
            self._trainer.clock.skip(time.monotonic() - since)
            if asked.get("state") == "stopped":
                raise Stopped
            if (rate := asked.get("learning_rate")) is not None:
                self._trainer.held_rate = float(rate)
            self._tell("state", state="running")
            return

    def _asked(self) -> dict[str, Any] | None:
        """Return what is asked, if that is new."""
        try:
            at = self._files.control.stat().st_mtime_ns
            if at == self._asked_at:
                return None
            self._asked_at = at
            return json.loads(self._files.control.read_bytes())
        except (OSError, ValueError):
            return None

    def _take_snapshot(self) -> None:
        """Store the network, and count its errors if there is time for it."""
        trainer = self._trainer
        network = trainer.trained()
        if not all(each.isfinite().all() for each in network.parameters()):
            raise TrainingError(
                f"weights are no longer numbers after step {trainer.steps_done}: "
                "training has failed. A lower --learning-rate may help"
            )
        step = trainer.steps_done
        is_last = step == trainer.total_steps
        found = self._test(network) if self._has_time or is_last else {}
        save_weights(
            self._files.snapshot(step),
            trainer.architecture,
            network.cpu(),
            {**self._card(), "steps": step},
        )
        self._tell("snapshot", **found)

    @property
    def _has_time(self) -> bool:
        return self._tested_s <= TESTED_SHARE * self._trainer.clock.seconds

    @torch.no_grad()
    def _test(self, network: Network) -> dict[str, Any]:
        """Count errors on the test images, and tell which changed sides."""
        began = time.monotonic()
        device = self._trainer.team.device
        read = [
            network(images.to(device)).scores.argmax(dim=1).cpu()
            for images in self._images.split(TESTED_AT_ONCE)
        ]
        right = torch.cat(read) == self._labels
        before = right if self._right is None else self._right
        self._right = right
        self._tested_s += time.monotonic() - began
        error = 1 - right.double().mean().item()
        return {
            "error": error,
            "tested": len(right),
            "gained": (right & ~before).nonzero()[:, 0].tolist(),
            "lost": (before & ~right).nonzero()[:, 0].tolist(),
        }

    def _tell(self, kind: str, **more: Any) -> None:
        trainer = self._trainer
        event = {
            "event": kind,
            "step": trainer.steps_done,
            "images": trainer.images_done,
            "seconds": round(trainer.clock.seconds, 2),
            **more,
        }
        with self._files.events.open("a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")


def _drop_after(events: Path, step: int) -> None:
    """Drop the events after a step, which a resumed run will tell again."""
    try:
        lines = events.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return
    kept = [line for line in lines if _step_of(line) <= step]
    replace_file(events, "".join(f"{line}\n" for line in kept).encode())


def _step_of(line: str) -> float:
    try:
        return json.loads(line)["step"]
    except (ValueError, LookupError):
        return float("inf")  # a line that was cut off
