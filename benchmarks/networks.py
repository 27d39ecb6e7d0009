"""The network that others are compared with, and how long each takes for one image."""

from collections.abc import Callable
from pathlib import Path

import torch

from benchmarks.threads import threads_set_to
from benchmarks.timing import Comparison, compare
from capsnet_explorer.model.weights import Trained, load_weights

IN_A_ROW = 20  # passes, as where one person draws
DIGITS = "capsnet-mnist"  # reads the sample digits; every comparison begins with it


def weight_file(weights: Path) -> Path:
    """Return the file of the CapsNet for digits.

    Args:
        weights: the file, or a folder of weight files.
    """
    return weights / f"{DIGITS}.safetensors" if weights.is_dir() else weights


def compare_networks(weights: Path, rounds: int) -> list[Comparison]:
    """Compare forward passes of one image, on one thread, as they are served.

    Args:
        weights: a folder; the networks in it are compared with the CapsNet for digits.
            A single file has nothing to be compared with.
        rounds: of each comparison.
    """
    first = weight_file(weights)
    files = sorted(weights.glob("*.safetensors")) if weights.is_dir() else []
    others = [load_weights(file) for file in files if file != first]
    if not others:
        return []
    digits = load_weights(first)
    with threads_set_to(1):
        return [
            compare(
                "forward pass of one image on one thread: "
                f"{_title(other)} against {_title(digits)}",
                _one_pass(other),
                _one_pass(digits),
                rounds=4 * rounds,
                in_a_row=IN_A_ROW,
            )
            for other in others
        ]


def _title(trained: Trained) -> str:
    return str(trained.card["title"])


def _one_pass(trained: Trained) -> Callable[[], object]:
    """Return a forward pass that computes every layer, and reads nothing of it."""
    architecture, config = trained.architecture, trained.network.config
    serving = architecture.serving(trained.network)
    options = [architecture.options(config, {})]
    image = torch.rand(1, *config.image_shape)

    def run() -> object:
        with torch.inference_mode():
            return serving.run(image, options)

    return run
