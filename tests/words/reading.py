"""What the page says of an image, read in Node from an explorer that runs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from tests.node import answer_of
from tests.words.hard import Image, hard_images, known_images

# What `known_images` show first.
SHOWN = ("4", "car", "automobile")
EMPTY: Mapping[str, Image] = MappingProxyType({})

# Images of which a changed network is looked at, too.
OPERATED = ("a sample", "blank", "one pixel")

TURNED = {"settings": {"turn": 40}}  # of the Lab's pose

WALK = Path(__file__).with_name("walk.js")
SCRIPT = f"""
import {{ walk }} from {json.dumps(WALK.as_uri())};
const answer = walk;
"""


@dataclass(frozen=True, slots=True)
class Room:
    """What lies beside a network's views.

    Attributes:
        key: what its strings are called; no two of a visit have the same.
        name: `lab`, `compare`, `atlas` or `train`.
        options: how it is opened, as `rooms.js` has it.
    """

    key: str
    name: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Visit:
    """A state of the page.

    Attributes:
        model: its id.
        name: of the image.
        image: (channels, rows, columns), 0 to 1.
        iterations: of routing, where the network has any.
        focus: the class in focus; None follows the answer.
        silenced: numbers of the capsules, or maps, that are silenced.
        routing: what takes its place, as the API names it.
        rooms: what is opened beside the views.
        views: ids of those that are opened; None for all.
        label: of the image, where it has any.
    """

    model: str
    name: str
    image: Image
    iterations: int = 3
    focus: int | None = None
    silenced: tuple[int, ...] = ()
    routing: str = "agreement"
    rooms: tuple[Room, ...] = ()
    views: tuple[str, ...] | None = None
    label: int | None = None

    @property
    def is_intact(self) -> bool:
        """Whether nothing of the network is changed."""
        return not self.silenced and self.routing == "agreement"


@dataclass(frozen=True, slots=True)
class Page:
    """What the page says there.

    Attributes:
        visit: the state.
        texts: all strings, by view; `overview` and `header` are two of them.
        verdicts: what networks read in the Lab, by the room's key and the model's id.
        cards: all that their cards say there, likewise.
        scores: of each class, as the page has them.
        head: what the Overview begins with.
    """

    visit: Visit
    texts: dict[str, list[str]]
    verdicts: dict[str, dict[str, str]]
    cards: dict[str, dict[str, str]]
    scores: list[float]
    head: str

    @property
    def strings(self) -> Iterable[tuple[str, str]]:
        """Each string once for each view, with the view."""
        for view, texts in self.texts.items():
            for text in dict.fromkeys(texts):
                yield view, text


def read(address: str, visits: Sequence[Visit]) -> list[Page]:
    """Open the page in each of these states."""
    states = [
        {
            "model": visit.model,
            "image": visit.image.tolist(),
            "iterations": visit.iterations,
            "focus": visit.focus,
            "surgery": {
                "silenced": visit.silenced,
                "routing": visit.routing,
                "pins": [],
            },
            "rooms": [asdict(room) for room in visit.rooms],
            "views": visit.views,
            "source": {"kind": "link"}
            if visit.label is None
            else {"kind": "sample", "id": "made", "label": visit.label, "title": ""},
        }
        for visit in visits
    ]
    answers = answer_of(SCRIPT, {"address": address, "visits": states})
    return [
        Page(visit=visit, **answer)
        for visit, answer in zip(visits, answers, strict=True)
    ]


def attacked(address: str, model: Mapping[str, Any]) -> dict[str, Image]:
    """Return a hard image: one that is changed so that this network misreads it."""
    image, _ = known_images(model["id"])
    names = model["class_names"]
    label = next(names.index(name) for name in SHOWN if name in names)
    wish = {"image": image.tolist(), "label": label, "method": "fgsm"}
    request = Request(
        f"{address.rstrip('/')}/api/models/{model['id']}/attack",
        json.dumps({**wish, "epsilons": [0.1]}).encode(),
        {"Content-Type": "application/json"},
    )
    with urlopen(request) as answer:
        [changed] = json.load(answer)["images"]
    return {"attacked": np.asarray(changed, dtype=float).reshape(image.shape)}


def visits_of(
    model: str, classes: int, *, rounds: int = 1, more: Mapping[str, Image] = EMPTY
) -> list[Visit]:
    """Return states in which each image, number of iterations and focus occurs.

    Of some images also with parts silenced, and with routing switched off.

    Args:
        model: its id.
        classes: that it knows.
        rounds: how often each image, with another number of iterations and focus.
        more: images by name, beside those that are hard for every network.
    """
    images = {**hard_images(*known_images(model)), **more}
    visits = []
    for at in range(rounds):
        for i, (name, image) in enumerate(images.items()):
            turn = i + at
            focus = None if turn % 3 == 0 else turn % classes
            visits.append(Visit(model, name, image, (1, 3, 5)[turn % 3], focus))
    operated = [
        replace(visit, focus=None) for visit in visits if visit.name in OPERATED
    ]
    visits += [replace(visit, silenced=(0, 1, 2)) for visit in operated]
    if not model.startswith("cnn"):
        visits += [replace(visit, routing="uniform") for visit in operated]
    return visits


def rooms_of(kept: Image, classes: int) -> tuple[Room, ...]:
    """Return all that lies beside views; each state of it that has words of its own.

    Args:
        kept: the image that is kept to be compared with.
        classes: of the network.
    """
    last = {"kind": "label", "classes": [classes - 1]}
    few = {"kind": "cell", "label": 0, "read": classes - 1}
    none = {"kind": "label", "classes": [classes]}
    return (
        Room("pose", "lab", {"experiment": "pose", "slice": TURNED}),
        Room("parts", "lab", {"experiment": "parts"}),
        Room("parts at rest", "lab", {"experiment": "parts", "slice": {"parts": ""}}),
        Room("attack", "lab", {"experiment": "attack", "slice": {"eps": 0.1}}),
        Room("attack between", "lab", {"experiment": "attack", "slice": {"eps": 0.27}}),
        Room("no attack", "lab", {"experiment": "attack", "slice": {"eps": 0}}),
        Room("compare", "compare", {"kept": kept.tolist()}),
        Room("atlas", "atlas", {"point": 247}),
        Room("atlas, a label", "atlas", {"selection": last, "point": 7}),
        Room("atlas, few", "atlas", {"selection": few}),
        Room("atlas, none", "atlas", {"selection": none}),
        Room("atlas, misread", "atlas", {"selection": {"kind": "misread"}}),
        Room("atlas, unsure", "atlas", {"selection": {"kind": "unsure"}}),
        Room("train", "train"),
    )


def beside(model: str, classes: int, *, names: Iterable[str] = ()) -> list[Visit]:
    """Return visits of what lies beside a network's views, each image in turn.

    Args:
        model: its id.
        classes: how many it has.
        names: of hard images; all where none is named.
    """
    images = hard_images(*known_images(model))
    rooms = rooms_of(images["a sample"], classes)
    experiments = {"toys": "sides", "overlapping": "crossing"}
    experiment = next(
        (
            experiment_name
            for key, experiment_name in experiments.items()
            if key in model
        ),
        None,
    )
    if experiment is not None:
        rooms += (Room(experiment, "lab", {"experiment": experiment}),)
    return [
        Visit(
            model,
            name,
            images[name],
            rooms=rooms,
            views=(),
            label=at % classes if at % 2 else None,
        )
        for at, name in enumerate(names or images)
    ]
