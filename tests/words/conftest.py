"""What the page says of hard images: read once, judged by many."""

import json
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.words.reading import Page, attacked, read, visits_of

WEIGHTS = Path(__file__).parents[2] / "weights"
NETWORKS = sorted(path.stem for path in WEIGHTS.glob("*.safetensors"))

# Each kind of routing, of score and of answer.
SOME = ("capsnet-mnist", "cnn-mnist", "efficient-overlapping", "matrix-toys")


@pytest.fixture(scope="session")
def models(explorer: str) -> dict[str, dict]:
    """What the explorer tells of each network, by id."""
    with urlopen(explorer.rstrip("/") + "/api/models") as answer:
        return {model["id"]: model for model in json.load(answer)["models"]}


def rival(models: dict[str, dict], network: str) -> dict:
    """Return the CNN of the same images: what misleads it is quickly found."""
    return models[f"cnn-{network.split('-')[1]}"]


def hard_pages(network: str, explorer: str, models, rounds: int = 1) -> list[Page]:
    """Read each hard image so often."""
    classes = models[network]["classes"]
    more = attacked(explorer, rival(models, network))
    return read(explorer, visits_of(network, classes, rounds=rounds, more=more))


@pytest.fixture(scope="session", params=SOME)
def pages(request: pytest.FixtureRequest, explorer: str, models) -> list[Page]:
    """What the page says of each hard image, read by some networks."""
    return hard_pages(request.param, explorer, models)


@pytest.fixture(scope="session", params=NETWORKS)
def all_pages(request: pytest.FixtureRequest, explorer: str, models) -> list[Page]:
    """The same for every network, image, number of iterations and class in focus."""
    rounds = 3 * models[request.param]["classes"]
    return hard_pages(request.param, explorer, models, rounds)
