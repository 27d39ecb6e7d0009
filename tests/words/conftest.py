"""What the page says of hard images: read once, judged by many."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.browser.server import EXPLORER, running
from tests.words.reading import Page, attacked, read, visits_of

WEIGHTS = Path(__file__).parents[2] / "weights"
NETWORKS = sorted(path.stem for path in WEIGHTS.glob("*.safetensors"))

# Each kind of routing, of score and of answer.
SOME = ("capsnet-mnist", "cnn-mnist", "efficient-overlapping", "matrix-toys")


@pytest.fixture(scope="session")
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an explorer that runs; workers share one."""
    shared = getattr(request.config, "workerinput", {}).get(EXPLORER)
    if shared is not None:
        yield shared
        return
    with running() as found:
        yield found


@pytest.fixture(scope="session")
def models(address: str) -> dict[str, dict]:
    """What the explorer tells of each network, by id."""
    with urlopen(address.rstrip("/") + "/api/models") as answer:
        return {each["id"]: each for each in json.load(answer)["models"]}


def rival(models: dict[str, dict], network: str) -> dict:
    """Return the CNN of the same images: what misleads it is quickly found."""
    return models[f"cnn-{network.split('-')[1]}"]


@pytest.fixture(scope="session", params=SOME)
def pages(request: pytest.FixtureRequest, address: str, models) -> list[Page]:
    """What the page says of each hard image, read by some networks."""
    network = request.param
    classes, more = (
        models[network]["classes"],
        attacked(address, rival(models, network)),
    )
    return read(address, visits_of(network, classes, more=more))


@pytest.fixture(scope="session", params=NETWORKS)
def all_pages(request: pytest.FixtureRequest, address: str, models) -> list[Page]:
    """The same for every network, image, number of iterations and class in focus."""
    network = request.param
    classes, more = (
        models[network]["classes"],
        attacked(address, rival(models, network)),
    )
    return read(address, visits_of(network, classes, rounds=3 * classes, more=more))
