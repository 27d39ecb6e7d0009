"""Three networks for pairs of digits, trained alike in a few minutes of a GPU.

CNN, Efficient-CapsNet and CapsNet begin at random and see the same pairs, as often, in
steps of 500, with one learning rate that rises and falls once.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import torch

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.model.architectures import settings_of
from capsnet_explorer.model.device import chosen_device
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.run import RunRequest, train_and_measure
from capsnet_explorer.options import Option, parser_of

PROGRAM = "python -m capsnet_explorer.model.training.pairs"
DATASET = DATASETS["overlapping"]
INTERRUPTED = 130  # the shell's exit code for Ctrl-C

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
SAVE_S, VALIDATE_S = 60, 30


def pairs(
    run: Path,
    *,
    data: Annotated[Path, FOLDER] = Path("data"),
    epochs: int = 122,
    networks: Annotated[Sequence[str], EVERY] = tuple(NETWORKS),
    start: Annotated[Path | None, FOLDER] = None,
    rate: float = ALIKE["learning_rate"],
    digits: int = 0,
    device: str = "auto",
) -> None:
    """Train the networks for pairs of digits, all alike, one after the other.

        python -m capsnet_explorer.model.training.pairs runs/pairs --data data

    Each is measured on the test pairs when it is trained. If this is stopped, the same
    command goes on. On a GPU, products are taken in bfloat16, and torch compiles.

    Args:
        run: folder for weights and cards; in it one for each network, with its log.
        data: the folder that holds MNIST.
        epochs: for each network; each shows 55 000 pairs and single digits.
        networks: which of them, one after the other.
        start: folder with weights to begin with in place of random ones.
        rate: Adam's highest learning rate.
        digits: training digits to use; 0 takes all 55 000.
        device: auto, cpu, cuda or mps.

    Raises:
        ValueError: there is no such network, or a setting cannot work.
        DataError: MNIST is missing or damaged.
        CheckpointError: the run in the folder had other settings.
        OSError: a file cannot be read or written.
    """
    is_gpu = chosen_device(device).type == "cuda"
    torch.backends.cudnn.benchmark = is_gpu
    requests = [
        replace(
            request_of(name, {"learning_rate": rate, "examples": digits}, epochs),
            data=data,
            run=run / name,
            output=run / _file_of(name),
            start=None if start is None else start / _file_of(name),
            device=device,
            precision="bfloat16" if is_gpu else "float32",
            compiled=is_gpu,
        )
        for name in networks
    ]
    train_all(requests)


def request_of(name: str, changes: Mapping[str, float], epochs: int) -> RunRequest:
    """Return what to train one network with, by the recipe that all have.

    Args:
        name: of the architecture.
        changes: of the recipe, the same for all.
        epochs: the same for all.

    Raises:
        ValueError: there is no such network, or a setting is out of range.
    """
    if name not in NETWORKS:
        raise ValueError(f"networks must be among {', '.join(NETWORKS)}, got {name}")
    preset, values = NETWORKS[name]
    alike = {**ALIKE, **values, **changes, "epochs": epochs}
    changed = settings_of(name).changed(preset, alike)
    return RunRequest(
        architecture=name,
        training=changed.training,
        preset=preset,
        sizes=changed.sizes,
        loss=changed.loss,
        dataset=DATASET,
        data=Path("data"),
        run=Path("runs", name),
        convolution="direct",
        checkpoint_every_s=SAVE_S,
        validate_every_s=VALIDATE_S,
        command=" ".join([PROGRAM, *sys.argv[1:]]),
    )


def _file_of(name: str) -> str:
    return f"{name}-{DATASET.name}.safetensors"


def train_all(requests: Sequence[RunRequest]) -> None:
    """Train and measure one network after the other, but those that are there already.

    Args:
        requests: one for each, with `output`.
    """
    for request in requests:
        if request.output is not None and request.output.exists():
            print(f"{request.output} is there already")
            continue
        torch.compiler.reset()  # the sizes of one network say nothing about the next
        before = RunFolder(request.run).checkpoint.exists()
        train_and_measure(replace(request, resume=before))


if __name__ == "__main__":
    try:
        pairs(**vars(parser_of(pairs, PROGRAM, sys.argv[1:]).parse_args()))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except (OSError, ValueError) as error:
        sys.exit(f"{PROGRAM}: {error}")
