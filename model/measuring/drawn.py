"""How networks that were trained on drawn digits read MNIST's test digits."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.kept_files.reading import read_object
from capsnet_explorer.kept_files.writing import replace_file
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.weights import card_of, load_weights, weight_files

DRAWN = "drawn"


def measure_drawn(runs: Sequence[Path], data: Path, to: Path) -> dict[str, Any]:
    """Measure networks on real digits, and write the figures by architecture.

    Args:
        runs: weight files or folders of networks that were trained on drawn digits.
        data: the data folder, with MNIST.
        to: the file; what it says of other architectures stays.

    Returns:
        What the file says.

    Raises:
        ValueError: a network was trained on other images.
        DataError: there is no MNIST.
    """
    test = load_part(DATASETS["mnist"], data, train=False)
    found = read_object(to) if to.exists() else {}
    for path in (file for run in runs for file in weight_files(run)):
        card = card_of(path)
        if card.get("dataset") != DRAWN:
            raise ValueError(
                f"{path} must have been trained on --dataset {DRAWN}, "
                f"it was on {card.get('dataset')}"
            )
        trained = load_weights(path)
        evaluation = evaluate(trained.network, test, torch.device("cpu"))
        found[trained.architecture.name] = {
            "wrong": len(evaluation.mistakes),
            "images": len(test),
            "preset": card["preset"],
            "epochs": card["training"]["epochs"],
            "seed": card["training"]["seed"],
        }
    replace_file(to, (json.dumps(found, indent=2) + "\n").encode(), makes_folder=True)
    return found
