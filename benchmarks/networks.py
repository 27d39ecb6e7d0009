"""How long each network takes for one image, beside the first of them."""

from collections.abc import Callable
from pathlib import Path

import torch
from capsnet_explorer.model.weights import Trained, load_weights

from benchmarks.threads import threads_set_to
from benchmarks.timing import Comparison, compare

IN_A_ROW = 20  # passes, as where one person draws


def compare_networks(weights: Path, rounds: int) -> list[Comparison]:
    """Compare forward passes of one image, on one thread, as they are served.

    Args:
        weights: a folder; the networks in it are compared with its first. A single file
            has nothing to be compared with.
        rounds: of each comparison.
    """
    files = sorted(weights.glob("*.safetensors")) if weights.is_dir() else []
    if len(files) < 2:
        return []
    first, *others = map(load_weights, files)
    with threads_set_to(1):
        return [
            compare(
                "forward pass of one image on one thread: "
                f"{_title(other)} against {_title(first)}",
                _one_pass(other),
                _one_pass(first),
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
