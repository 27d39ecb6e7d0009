"""`python -m model figures --guide`: draws the article's figures and their words."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.figures.guide import capsnet, others
from capsnet_explorer.model.figures.guide.figure import Draw, Figure, Material
from capsnet_explorer.model.files import replace_file
from capsnet_explorer.model.weights import load_weights, weight_files

FOLDER = Path("static/guide")
WORDS = "figures.json"

BY_ARCHITECTURE: dict[str, dict[str, Draw]] = {
    "capsnet": capsnet.FIGURES,
    "cnn": others.CNN,
    "matrix": others.MATRIX,
}


def draw_guide(source: Path, *, data: Path, output: Path) -> Iterator[Path]:
    """Draw every figure that the networks have numbers for, and write their words.

    Of each architecture the first network that reads MNIST is drawn. `figures.json`
    holds for each figure its words and size, and for each architecture the SHA-256 of
    the weights.

    Args:
        source: a weight file, or a folder of some.
        data: the data folder, for test images that are misread.
        output: the folder of the figures.

    Yields:
        The path of each file once it is written.

    Raises:
        ValueError: there is no weight file, or one cannot be used.
        DataError: the data set is missing or damaged.
    """

    @cache
    def test() -> LabelledImages:
        return load_part(DATASETS["mnist"], data, train=False)

    materials: dict[str, Material] = {}
    for path in weight_files(source):
        trained = load_weights(path)
        name = trained.card.get("architecture", "capsnet")
        if trained.card.get("dataset") == "mnist" and name in BY_ARCHITECTURE:
            materials.setdefault(name, Material(trained, test))
    if not materials:
        raise ValueError(f"{source} holds no network that reads MNIST")
    output.mkdir(parents=True, exist_ok=True)
    words = {}
    for name, figure in _figures(materials):
        path = output / f"{name}.svg"
        replace_file(path, figure.drawing.written().encode())
        words[name] = {
            "alt": figure.alt,
            "width": figure.drawing.width,
            "height": figure.drawing.height,
        }
        yield path
    known = {
        "weights": {
            name: material.card["sha256"] for name, material in materials.items()
        },
        "figures": words,
    }
    text = json.dumps(known, indent=2, ensure_ascii=False) + "\n"
    replace_file(output / WORDS, text.encode())
    yield output / WORDS


def _figures(materials: dict[str, Material]) -> Iterator[tuple[str, Figure]]:
    for architecture, material in materials.items():
        for name, draw in BY_ARCHITECTURE[architecture].items():
            if (figure := draw(material)) is not None:
                yield name, figure
    if (figure := others.turned(materials)) is not None:
        yield "turned", figure
