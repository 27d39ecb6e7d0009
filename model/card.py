"""The card of a weight file: what it is, how it was made, what was measured."""

from datetime import date
from typing import Any

import torch

from model.capsnet import CapsNet
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import DigitImages
from model.evaluation import Evaluation, evaluate
from model.weights import half_precision


def measure(
    network: CapsNet, test: DigitImages, device: torch.device
) -> tuple[Evaluation, dict[str, Any]]:
    """Evaluate the network as it is stored, and as it was trained.

    Returns:
        What the half-precision network does on the test set, and the card's figures.
    """
    as_trained = evaluate(network, test, device)
    stored = CapsNet(network.config).to(device).eval()
    stored.load_state_dict(half_precision(network))
    as_stored = evaluate(stored, test, device)
    changed = int((as_trained.predictions != as_stored.predictions).sum())
    return as_stored, {
        "test_error": as_stored.error,
        "test_images": len(test),
        "class_errors": [round(error, 6) for error in as_stored.class_errors],
        "reconstruction_mse": round(as_stored.reconstruction_mse, 6),
        "half_precision": {
            "mistakes_float32": len(as_trained.mistakes),
            "mistakes_float16": len(as_stored.mistakes),
            "predictions_changed": changed,
        },
        "mistakes": [
            {
                "index": index,
                "label": int(as_stored.labels[index]),
                "prediction": int(as_stored.predictions[index]),
            }
            for index in as_stored.mistakes.tolist()
        ],
        "pose_ranges": [
            [[round(bound, 4) for bound in pair] for pair in dimensions]
            for dimensions in as_stored.pose_ranges.tolist()
        ],
    }


def provenance(
    *,
    command: str,
    device: torch.device,
    bfloat16: bool,
    seconds: float,
    training_images: int,
    training: TrainingConfig,
    loss: LossConfig,
    sizes: CapsNetConfig,
) -> dict[str, Any]:
    """Return the card's words on how the weights were made."""
    return {
        "title": "CapsNet on MNIST",
        "data": "MNIST (LeCun, Cortes & Burges)",
        "class_names": [str(digit) for digit in range(sizes.classes)],
        "training_images": training_images,
        "training_time_s": round(seconds, 1),
        "command": command,
        "date": date.today().isoformat(),
        "epochs": training.epochs,
        "training": {name: getattr(training, name) for name in training.__slots__},
        "loss": {name: getattr(loss, name) for name in loss.__slots__},
        "device": device.type,
        "bfloat16": bfloat16,
        "torch": torch.__version__.split("+")[0],
    }
