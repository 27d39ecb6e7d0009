"""How each architecture is trained here: its live preset, shifted, on a cosine."""

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.loop import Trainer
from capsnet_explorer.model.training.processes import Alone

PRESET = "live"
SHIFT = 1  # pixels, the same for all
CPU = torch.device("cpu")
SPEED_STEPS = 40  # to measure a speed …
SPEED_SKIPPED = 10  # … after so many, in which caches fill and loops are compiled


@dataclass(frozen=True, slots=True)
class Kind:
    """How one architecture is trained.

    Attributes:
        name: of the architecture.
        training: the recipe of one pass over what a run is shown, but for the seed.
        sizes: of the network.
        loss: an instance of `architecture.settings.loss`.
        computing: how steps are computed.
    """

    name: str
    training: TrainingConfig
    sizes: Any
    loss: Any
    computing: Computing

    @property
    def recipe(self) -> dict[str, Any]:
        """What decides the outcome of a run, apart from its images and its seed."""
        training = asdict(self.training)
        for name in ("epochs", "examples", "seed"):
            del training[name]
        return {
            "training": training,
            "sizes": _plain(asdict(self.sizes)),
            "loss": _plain(asdict(self.loss)),
            "bfloat16": self.computing.bfloat16,
            "winograd": self.computing.winograd,
        }


def kind_of(name: str, images: LabelledImages) -> Kind:
    """Return how an architecture is trained on images of this form."""
    architecture = architecture_named(name)
    settings = architecture.settings
    channels, rows, columns = images.shape
    sizes = settings.sizes(
        **settings.preset_sizes.get(PRESET, {}),
        image_channels=channels,
        image_rows=rows,
        image_columns=columns,
        classes=images.classes,
    )
    computing = architecture.chosen_computing(
        CPU, sizes, precision="float32", convolution="auto", compiled=False
    )
    return Kind(
        name,
        replace(settings.presets[PRESET], epochs=1, schedule="cosine", shift=SHIFT),
        sizes,
        settings.loss(**settings.preset_losses.get(PRESET, {})),
        # Filtered in float32 or computed in bfloat16: whichever is faster.
        replace(computing, bfloat16=not computing.winograd),
    )


def shown(
    images: LabelledImages, examples: int, seed: int, count: int
) -> LabelledImages:
    """Return what a run is shown: each of its examples as often as the others.

    Args:
        images: all there are.
        examples: how many of them to draw.
        seed: of the draw.
        count: of images, repetitions included. If it is no multiple of `examples`, the
            first of them are shown once more.
    """
    some = images.drawn(examples, seed)
    places = torch.arange(count) % len(some)
    return LabelledImages(some.images[places], some.labels[places])


def trained(kind: Kind, stream: LabelledImages, seed: int) -> tuple[Network, float]:
    """Train a network on all images of a stream, in an order drawn by the seed.

    Returns:
        The network, and the seconds that a processor took for the steps.
    """
    return _run(kind, stream, seed, skipped=1)


def speed(kind: Kind, images: LabelledImages) -> float:
    """Return how many images a second of a processor's time trains on."""
    count = SPEED_STEPS * kind.training.batch_size
    _, seconds = _run(
        kind, shown(images, count, 0, count), seed=0, skipped=SPEED_SKIPPED
    )
    return count / seconds


def _run(
    kind: Kind, stream: LabelledImages, seed: int, skipped: int
) -> tuple[Network, float]:
    """Train, and take the time without the first few steps for that of all.

    On one thread a processor's time is the time on an idle machine: other work on the
    same machine hardly changes it.
    """
    marks: list[float] = []
    with TemporaryDirectory() as folder:
        trainer = Trainer(
            architecture_named(kind.name),
            stream,
            RunFolder(Path(folder)),
            team=Alone(CPU),
            computing=kind.computing,
            training=replace(kind.training, seed=seed),
            sizes=kind.sizes,
            loss=kind.loss,
        )
        network = trainer.run(lambda row, seen: marks.append(time.process_time()))
    steps = len(marks)
    return network, (marks[-1] - marks[skipped - 1]) * steps / (steps - skipped)


def _plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings as JSON has them, to compare."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()
    }
