"""What a network answers when the background changes, or the object is gone."""

from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.measuring.backgrounds.scenes import Scenes
from capsnet_explorer.model.measuring.shares import resampled_mean
from capsnet_explorer.model.weights import Trained

BATCH = 25


@torch.inference_mode()
def answer_figures(trained: Trained, scenes: Scenes) -> dict[str, Any]:
    """Return how often a network names the object's class, and the background's.

    Args:
        trained: the network.
        scenes: the pictures.

    Returns:
        `right`, the share of pictures read right, by what is changed, and `change`,
        that share less the one of the pictures as they are. `background_named`: how
        often an object before the background of another class takes that class's name.
    """

    def named(pictures: Tensor) -> Tensor:
        parts = pictures.split(BATCH)
        return torch.cat([trained.network(part).scores.argmax(1) for part in parts])

    is_right = {
        name: (named(pictures) == scenes.labels).double()
        for name, pictures in scenes.changed.items()
    }
    answers = [(named(pictures), behind) for pictures, behind in scenes.exchanged]
    is_object = [answer == scenes.labels for answer, _ in answers]
    is_background = [answer == behind for answer, behind in answers]
    is_right["other_background"] = torch.stack(is_object).double().mean(dim=0)
    follows = torch.stack(is_background).double().mean(dim=0)
    before = is_right["as_they_are"]
    return {
        "right": {name: resampled_mean(each) for name, each in is_right.items()},
        "change": {
            name: resampled_mean(each - before)
            for name, each in is_right.items()
            if each is not before
        },
        "background_named": {
            "share": resampled_mean(follows),
            "object_more_often": resampled_mean(is_right["other_background"] - follows),
        },
    }
