"""What the page says of an image, read in Node from an explorer that runs."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.node import answer_of
from tests.words.hard import Image, hard_images, known_images

WALK = Path(__file__).with_name("walk.js")
SCRIPT = f"""
import {{ walk }} from {json.dumps(WALK.as_uri())};
const answer = walk;
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """A state of the page.

    Attributes:
        model: its id.
        name: of the image.
        image: (channels, rows, columns), 0 to 1.
        iterations: of routing, where the network has any.
        focus: the class in focus; None follows the answer.
    """

    model: str
    name: str
    image: Image
    iterations: int = 3
    focus: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What the page says there.

    Attributes:
        visit: the state.
        said: all strings, by view; `overview` and `header` are two of them.
        scores: of each class, as the page has them.
        head: what the Overview begins with.
    """

    visit: Visit
    said: dict[str, list[str]]
    scores: list[float]
    head: str

    @property
    def strings(self) -> Iterable[tuple[str, str]]:
        """Each string once for each view, with the view."""
        for view, all_said in self.said.items():
            for each in dict.fromkeys(all_said):
                yield view, each


def read(address: str, visits: Sequence[Visit]) -> list[Page]:
    """Open the page in each of these states."""
    asked = [
        {
            "model": each.model,
            "image": each.image.tolist(),
            "iterations": each.iterations,
            "focus": each.focus,
        }
        for each in visits
    ]
    found = answer_of(SCRIPT, {"address": address, "visits": asked})
    return [
        Page(visit, each["said"], each["scores"], each["head"])
        for visit, each in zip(visits, found, strict=True)
    ]


def visits_of(model: str, classes: int, *, rounds: int = 1) -> list[Visit]:
    """Return states in which each image, number of iterations and focus occurs."""
    images = hard_images(*known_images(model))
    found = []
    for at in range(rounds):
        for i, (name, image) in enumerate(images.items()):
            turn = i + at
            focus = None if turn % 3 == 0 else turn % classes
            found.append(Visit(model, name, image, (1, 3, 5)[turn % 3], focus))
    return found
