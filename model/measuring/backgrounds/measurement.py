"""All figures on backgrounds, for the card."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from capsnet_explorer.dataset_files.outlines import Outline
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.backgrounds.answers import answer_figures
from capsnet_explorer.model.measuring.backgrounds.evidence import evidence_figures
from capsnet_explorer.model.measuring.backgrounds.scenes import Scenes
from capsnet_explorer.model.weights import Trained


def background_figures(
    trained: Trained,
    test: LabelledImages,
    outlines: Mapping[str, Sequence[Outline]],
) -> dict[str, Any]:
    """Return what backgrounds do to a network, for the card.

    Args:
        trained: names classes of CIFAR-10.
        test: its test images.
        outlines: by class name.

    Returns:
        `backgrounds`: the number of `images` and the `date`, and the entries of
        `answer_figures` and `evidence_figures`.

    Raises:
        ValueError: an outlined image is not there, or a figure is defined for none.
    """
    scenes = Scenes.found(test, trained.class_names, outlines)
    found = {
        "images": len(scenes.labels),
        "date": date.today().isoformat(),
        **answer_figures(trained, scenes),
        **evidence_figures(trained, scenes),
    }
    return {"backgrounds": found}
