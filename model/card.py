"""The card of a weight file: what it is, how it was made, what was measured."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, Literal

import torch

from model.capsnet import CapsNet
from model.computing import Computing
from model.config import LossConfig, TrainingConfig
from model.data import DigitImages
from model.evaluation import Evaluation, evaluate
from model.weights import half_precision

Part = Literal["test", "validation"]


def measure(
    network: CapsNet, images: DigitImages, device: torch.device, part: Part
) -> tuple[Evaluation, dict[str, Any]]:
    """Evaluate the network as it is stored, and as it was trained.

    Args:
        network: on `device`.
        images: what it is measured on.
        device: where to compute.
        part: what the images are. Those held out from training were looked at while
            the recipe was chosen, so that their error must not pass for a test error.

    Returns:
        What the half-precision network does, and the card's figures.
    """
    as_trained = evaluate(network, images, device)
    stored = CapsNet(network.config).to(device).eval()
    stored.load_state_dict(half_precision(network))
    as_stored = evaluate(stored, images, device)
    changed = int((as_trained.predictions != as_stored.predictions).sum())
    mistakes = [
        {
            "index": index,
            "label": int(as_stored.labels[index]),
            "prediction": int(as_stored.predictions[index]),
        }
        for index in as_stored.mistakes.tolist()
    ]
    return as_stored, {
        "measured_on": part,
        f"{part}_error": as_stored.error,
        f"{part}_images": len(images),
        "class_errors": [round(error, 6) for error in as_stored.class_errors],
        "reconstruction_mse": round(as_stored.reconstruction_mse, 6),
        "half_precision": {
            "mistakes_float32": len(as_trained.mistakes),
            "mistakes_float16": len(as_stored.mistakes),
            "predictions_changed": changed,
        },
        # The explorer looks these up in the test set.
        **({"mistakes": mistakes} if part == "test" else {}),
        "pose_ranges": [
            [[round(bound, 4) for bound in pair] for pair in dimensions]
            for dimensions in as_stored.pose_ranges.tolist()
        ],
    }


def provenance(
    *,
    command: str,
    dataset: str,
    title: str,
    source: str,
    class_names: Sequence[str],
    preset: str,
    computing: Computing,
    seconds: float,
    training_images: int,
    training: TrainingConfig,
    loss: LossConfig,
) -> dict[str, Any]:
    """Return the card's words on how the weights were made."""
    return {
        "title": f"CapsNet on {title}",
        "dataset": dataset,
        "data": source,
        "class_names": list(class_names),
        "training_images": training_images,
        "training_time_s": round(seconds, 1),
        "command": command,
        "date": date.today().isoformat(),
        "preset": preset,
        "epochs": training.epochs,
        "training": asdict(training),
        "loss": asdict(loss),
        "device": computing.device.type,
        "bfloat16": computing.bfloat16,
        "winograd": computing.winograd,
        "compiled": computing.compiled,
        "torch": torch.__version__.split("+")[0],
    }
