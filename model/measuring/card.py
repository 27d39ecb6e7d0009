"""The card of a weight file: how the weights were trained, and what was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, Literal

import torch

from model.architecture import Architecture, Meter, Network
from model.computing import Computing
from model.data.images import LabelledImages
from model.measuring.evaluation import Evaluation, evaluate
from model.measuring.speed import forward_time
from model.presence import ONE_CLASS, Presence
from model.recipe import TrainingConfig
from model.weights import half_precision

Part = Literal["test", "validation"]


def measure(
    architecture: Architecture,
    network: Network,
    images: LabelledImages,
    device: torch.device,
    part: Part,
    rule: Presence = ONE_CLASS,
) -> tuple[Evaluation, dict[str, Any]]:
    """Evaluate the network in half precision, as stored, and as it was trained.

    Args:
        architecture: the network's.
        network: on `device`.
        images: the images to measure on.
        device: where to compute.
        part: which images they are. Held-out training images guided the choice of the
            recipe, so their error must not be reported as a test error.
        rule: for the classes that an answer names.

    Returns:
        The evaluation of the half-precision network, and the figures for the card.
    """
    as_trained = evaluate(network, images, device, rule=rule)
    stored = architecture.build(network.config).to(device).eval()
    stored.load_state_dict(half_precision(network))
    meter = architecture.legibility_meter(stored)
    as_stored = evaluate(stored, images, device, meter, rule)
    changed = int((as_trained.named != as_stored.named).any(dim=1).sum())
    return as_stored, {
        "measured_on": part,
        f"{part}_error": as_stored.error,
        f"{part}_images": len(images),
        "class_errors": [round(error, 6) for error in as_stored.class_errors],
        **_of_reconstruction(as_stored),
        **legibility_entry(meter),
        "half_precision": {
            "mistakes_float32": len(as_trained.mistakes),
            "mistakes_float16": len(as_stored.mistakes),
            "predictions_changed": changed,
        },
        **architecture.card_figures(stored.cpu(), images.to(torch.device("cpu"))),
        "forward": forward_time(architecture, stored),
        **({} if rule == ONE_CLASS else {"present": asdict(rule)}),
        # The explorer looks these up in the test set, whose images show one class each.
        **(_mistakes(as_stored) if part == "test" and images.labels.ndim == 1 else {}),
    }


def _mistakes(found: Evaluation) -> dict[str, Any]:
    return {
        "mistakes": [
            {
                "index": index,
                "label": int(found.labels[index]),
                "prediction": int(found.predictions[index]),
            }
            for index in found.mistakes.tolist()
        ]
    }


def _lineage(
    epochs: int, seconds: float, start: Mapping[str, Any] | None
) -> dict[str, float]:
    """Return runs, epochs and training time in seconds, including all ancestors."""
    own = {"runs": 1, "epochs": epochs, "training_time_s": round(seconds, 1)}
    if start is None:
        return own
    before = start.get("lineage") or {
        "runs": 1,
        "epochs": start.get("epochs", 0),
        "training_time_s": start.get("training_time_s", 0),
    }
    return {name: round(own[name] + before[name], 1) for name in own}


def _of_reconstruction(evaluation: Evaluation) -> dict[str, Any]:
    """Return the card's figures on poses and reconstructions."""
    figures: dict[str, Any] = {}
    if evaluation.reconstruction_mse is not None:
        figures["reconstruction_mse"] = round(evaluation.reconstruction_mse, 6)
    if evaluation.pose_ranges is not None:
        figures["pose_ranges"] = [
            [[round(bound, 4) for bound in pair] for pair in numbers]
            for numbers in evaluation.pose_ranges.tolist()
        ]
    return figures


def legibility_entry(meter: Meter | None) -> dict[str, Any]:
    """Return the card's entry on legibility; nothing without a meter."""
    if meter is None:
        return {}
    figures = asdict(meter.figures)
    return {"legibility": {name: round(value, 4) for name, value in figures.items()}}


def provenance(
    *,
    architecture: Architecture,
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
    loss: Any,
    start: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the card's entries on how the weights were trained.

    `start` is the card of the network that provided the initial weights, if any.
    """
    return {
        "title": f"{architecture.title} on {title}",
        "dataset": dataset,
        "data": source,
        "class_names": list(class_names),
        "training_images": training_images,
        "training_time_s": round(seconds, 1),
        "lineage": _lineage(training.epochs, seconds, start),
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
