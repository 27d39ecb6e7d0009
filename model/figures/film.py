"""A film of a network's training: pictures and figures of some of a run's moments.

Kept as bytes, and reconstructions in sixteen greys, so that a whole training takes as
much room as a photograph. A moment is a snapshot of a run that was watched.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save

from capsnet_explorer.dataset_files.catalogue import dataset_of
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.files import replace_file
from capsnet_explorer.model.layers.maps import pictured
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.training.watching import TESTED, Watched
from capsnet_explorer.model.weights import Trained, card_of, load_weights
from capsnet_explorer.sample_digits import Sample, load_samples

MOMENTS = 42
FIRST = 24  # of them that follow each other
KERNELS = 36  # the first ones
LEVELS = 15  # of a reconstruction's pixel; two pixels share a byte
MIDDLE = 128  # of a kernel's byte: a weight of 0
REACH = 127


def write_film(run: Path, data: Path, to: Path) -> int:
    """Write the film of a run.

    Args:
        run: folder of a run that was trained with `--watched`, of a network with a
            decoder that reads MNIST's digits.
        data: the data folder, with the test images.
        to: the safetensors file. `kernels` (moments, kernels, rows, columns), 128 is
            0 and 255 is `kernels.reach`; `drawn` (moments, samples, bytes), what the
            network draws of the class that it reads, two pixels a byte; `lengths`
            (moments, samples, classes), 255 is 1; `steps`, `images`, `seconds`, `wrong`
            and `loss` (moments). The metadata name the samples and the network.

    Returns:
        The size of the file, in bytes.

    Raises:
        ValueError: the run has no snapshots.
        DataError: there are no test images.
    """
    watched = Watched(run)
    snapshots = watched.snapshots()
    if not snapshots:
        raise ValueError(f"{run} has no snapshots: train with --watched")
    told = _told(watched.events)
    steps = list(snapshots)
    chosen = chosen_moments(len(steps))
    card = card_of(snapshots[steps[-1]])
    test = load_part(dataset_of(card), data, train=False)
    tested = LabelledImages(test.images[:TESTED], test.labels[:TESTED])
    samples = _samples()
    pixels = torch.from_numpy(np.stack([each.image for each in samples]))
    frames = [
        _frame(load_weights(snapshots[steps[place]]), pixels, tested)
        for place in chosen
    ]
    moments = [told.at(steps[place]) for place in chosen]
    kernels = np.stack([frame["kernels"] for frame in frames])
    reach = float(np.abs(kernels).max())
    tensors = {
        name: np.stack([frame[name] for frame in frames])
        for name in ("drawn", "lengths", "wrong")
    }
    tensors["kernels"] = np.rint(MIDDLE + REACH * kernels / reach).astype(np.uint8)
    tensors["kernels.reach"] = np.array([reach], np.float32)
    tensors["steps"] = np.array([steps[place] for place in chosen], np.int32)
    for name, kind in (("images", np.int32), ("seconds", np.float32)):
        tensors[name] = np.array([each[name] for each in moments], kind)
    tensors["loss"] = np.array([each["loss"] for each in moments], np.float32)
    metadata = {
        "title": card["title"],
        "architecture": card["architecture"],
        "preset": card["preset"],
        "samples": json.dumps([each.id for each in samples]),
        "all_kernels": str(card["config"]["conv1_kernels"]),
        "tested": str(len(tested)),
    }
    content = save(tensors, metadata)
    replace_file(to, content)
    return len(content)


def chosen_moments(count: int) -> list[int]:
    """Return which of a run's snapshots to show: the first, and some of the others.

    Snapshots are denser at the beginning of a run already, where most happens.
    """
    first = range(min(count, FIRST))
    rest = np.linspace(len(first), count - 1, MOMENTS - FIRST).round().astype(int)
    return sorted({*first, *rest.tolist()} & {*range(count)})


def _samples() -> list[Sample]:
    """Return a sample of each class, the first."""
    found: dict[int, Sample] = {}
    for sample in load_samples():
        found.setdefault(sample.label, sample)
    return [found[label] for label in sorted(found)]


class _Told:
    """What a run told while it trained, by step."""

    def __init__(self, events: Sequence[Mapping[str, Any]]) -> None:
        self._moments = {
            each["step"]: each for each in events if each["event"] == "snapshot"
        }
        self._progress = [each for each in events if each["event"] == "progress"]
        self._steps = [each["step"] for each in self._progress]

    def at(self, step: int) -> dict[str, Any]:
        """Return images, seconds, and the loss of the last steps told of.

        Before training, that is the loss of the first step, which random weights have.
        """
        place = max(0, bisect_right(self._steps, step) - 1)
        moment = self._moments[step]
        loss = self._progress[place]["loss"]
        return {
            "images": moment["images"],
            "seconds": moment["seconds"],
            "loss": loss,
        }


def _told(events: Path) -> _Told:
    found: list[Mapping[str, Any]] = []
    for line in events.read_text("utf-8", errors="replace").splitlines():
        try:
            event = json.loads(line)
            if "total" in event:  # it goes on, and tells once more what came after
                found = [each for each in found if each["step"] <= event["step"]]
            found.append(event)
        except ValueError:
            continue  # a process that was killed left half a line
    return _Told(found)


@torch.no_grad()
def _frame(
    trained: Trained, samples: torch.Tensor, tested: LabelledImages
) -> dict[str, NDArray[Any]]:
    """Return what a network shows at a moment."""
    network = trained.network
    trace = network(samples)
    kernels = pictured(network.get_parameter("conv1.weight"))[:KERNELS]
    drawn = np.rint(LEVELS * trace.reconstruction.flatten(1).numpy()).astype(np.uint8)
    wrong = evaluate(network, tested, torch.device("cpu")).mistakes
    return {
        "kernels": kernels.float().numpy(),
        "drawn": drawn[:, ::2] << 4 | drawn[:, 1::2],
        "lengths": np.rint(255 * trace.scores.numpy()).astype(np.uint8),
        "wrong": np.array(len(wrong), np.int32),
    }
