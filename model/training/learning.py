"""Whether a run learned anything, and the likely cause where it did not."""

from collections.abc import Sequence

import torch

from capsnet_explorer.model.measuring.evaluation import Evaluation
from capsnet_explorer.model.measuring.shares import wilson_interval
from capsnet_explorer.model.recipe import TrainingConfig

FAR = 10  # times the usual learning rate, from which on it is a likely cause
FEW_STEPS = 200
UNEVEN = 5  # times as many training images of one class as of another


def nothing_learned(
    evaluation: Evaluation,
    class_names: Sequence[str],
    *,
    part: str,
    recipe: TrainingConfig,
    steps: int,
    class_counts: Sequence[int],
) -> str | None:
    """Say that a network reads images no better than chance, and why that may be.

    Chance is to give the commonest class of these images for each of them. Images that
    show several classes, or all the same one, tell nothing of it.

    Args:
        evaluation: of the trained network.
        class_names: one for each class.
        part: of the data that the images are of, for people.
        recipe: of the run.
        steps: that it took.
        class_counts: training images of each class.

    Returns:
        Sentences; None where the network is better than chance.
    """
    labels = evaluation.labels
    if labels.ndim > 1 or len(labels.unique()) < 2:
        return None
    count = len(labels)
    commonest = int(torch.bincount(labels).argmax())
    chance = int((labels == commonest).sum()) / count
    right = (count - len(evaluation.mistakes)) / count
    low, high = wilson_interval(right, count)
    answers = evaluation.predictions.unique().tolist()
    if len(answers) == 1:
        fact = (
            f"The network learned nothing: its answer is {class_names[answers[0]]} for "
            f"each of the {count} {part} images"
        )
    elif low <= chance:
        verdict = "no better than chance" if right <= chance else "not surely better"
        fact = (
            f"The network is {verdict}: it reads {right:.1%} of {count} {part} images "
            f"right (95 % interval {low:.1%} to {high:.1%}), and to answer "
            f"{class_names[commonest]} each time would be right for {chance:.1%}"
        )
    else:
        return None
    if len(answers) > 1 and right > chance:
        return f"{fact}. More {part} images would tell."
    return f"{fact}. {_cause(recipe, steps, class_counts)}"


def _cause(recipe: TrainingConfig, steps: int, class_counts: Sequence[int]) -> str:
    usual = TrainingConfig().learning_rate
    rate = recipe.learning_rate
    if not usual / FAR < rate < usual * FAR:
        return (
            f"The likely cause is the learning rate, {rate:g} where {usual:g} is usual."
        )
    if steps < FEW_STEPS:
        return f"The likely cause is how short it was, {steps} steps: add epochs."
    filled = [count for count in class_counts if count]
    if filled and max(filled) >= UNEVEN * min(filled):
        return (
            f"The likely cause is that one class has {max(filled)} training images and "
            f"another {min(filled)}: the setting balance shows rare classes as often."
        )
    return (
        "Look whether labels go with their images, and try another learning rate or "
        "another seed."
    )
