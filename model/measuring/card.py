"""The card of a weight file: how the weights were trained, and what was measured."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, Literal

import torch

from capsnet_explorer.model.architecture import Architecture, Meter, Network
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.measuring.evaluation import Evaluation, evaluate
from capsnet_explorer.model.measuring.overlapping import overlaps_entry, ownership_meter
from capsnet_explorer.model.measuring.speed import forward_time
from capsnet_explorer.model.presence import ONE_CLASS, Presence
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.weights import half_precision

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
    counts = _counting_rule(rule, images)
    as_trained = evaluate(network, images, device, rule=counts)
    stored = architecture.build(network.config).to(device).eval()
    stored.load_state_dict(half_precision(network))
    as_stored, figures = evaluate_fully(architecture, stored, images, device, rule)
    changed = int((as_trained.named != as_stored.named).any(dim=1).sum())
    return as_stored, {
        "measured_on": part,
        f"{part}_error": as_stored.error,
        f"{part}_images": len(images),
        "class_errors": [round(error, 6) for error in as_stored.class_errors],
        **reconstruction_entry(as_stored),
        **figures,
        "half_precision": {
            "mistakes_float32": len(as_trained.mistakes),
            "mistakes_float16": len(as_stored.mistakes),
            "predictions_changed": changed,
        },
        "forward": forward_time(architecture, stored),
        **({} if rule == ONE_CLASS else {"present": asdict(rule)}),
        # The explorer looks these up in the test set, whose images show one class each.
        **(_mistakes(as_stored) if part == "test" and images.labels.ndim == 1 else {}),
    }


def evaluate_fully(
    architecture: Architecture,
    network: Network,
    images: LabelledImages,
    device: torch.device,
    rule: Presence,
) -> tuple[Evaluation, dict[str, Any]]:
    """Evaluate a network, with all that is measured along with it.

    Args:
        architecture: the network's.
        network: on `device`, in evaluation mode.
        images: the images to measure on.
        device: where to compute.
        rule: for the classes that an answer names.

    Returns:
        The evaluation, and the card's entries on legibility and on digits on top of
        each other, as far as they apply.
    """
    legibility = architecture.legibility_meter(network)
    overlaps = images if isinstance(images, Overlaps) else None
    ownership = ownership_meter(network, overlaps)
    meters = [meter for meter in (legibility, ownership) if meter]
    evaluation = evaluate(network, images, device, meters, _counting_rule(rule, images))
    card = overlaps_entry(network, overlaps, device, rule, evaluation.scores, ownership)
    return evaluation, {**card, **legibility_entry(legibility)}


def _counting_rule(rule: Presence, images: LabelledImages) -> Presence:
    """Return the rule by which an image counts as read right.

    Of two digits on top of each other the highest scores count, whatever the threshold.
    """
    return Presence(rule.at_most) if isinstance(images, Overlaps) else rule


def _mistakes(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "mistakes": [
            {
                "index": index,
                "label": int(evaluation.labels[index]),
                "prediction": int(evaluation.predictions[index]),
            }
            for index in evaluation.mistakes.tolist()
        ]
    }


def _lineage(
    epochs: int, seconds: float, start: Mapping[str, Any] | None
) -> dict[str, float]:
    """Return runs, epochs and training time in seconds, including all ancestors."""
    lineage = {"runs": 1, "epochs": epochs, "training_time_s": round(seconds, 1)}
    if start is None:
        return lineage
    before = start.get("lineage", {})
    return {name: round(lineage[name] + before.get(name, 0), 1) for name in lineage}


def reconstruction_entry(evaluation: Evaluation) -> dict[str, Any]:
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
    computing: Computing,
    seconds: float,
    training: TrainingConfig,
    loss: Any,
    start: Mapping[str, Any] | None = None,
    **known: Any,
) -> dict[str, Any]:
    """Return the card's entries on how the weights were trained.

    Args:
        computing: how steps were computed.
        seconds: of training.
        training: the recipe.
        loss: an instance of `settings.loss`.
        start: the card of the network that provided the initial weights, if any.
        known: entries as they are, such as `command` and `class_names`.
    """
    return {
        **known,
        "training_time_s": round(seconds, 1),
        "lineage": _lineage(training.epochs, seconds, start),
        "date": date.today().isoformat(),
        "epochs": training.epochs,
        "training": asdict(training),
        "loss": asdict(loss),
        "device": computing.device.type,
        "bfloat16": computing.bfloat16,
        "winograd": computing.winograd,
        "compiled": computing.compiled,
        "torch": torch.__version__.split("+")[0],
    }
