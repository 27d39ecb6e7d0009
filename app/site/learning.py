"""What a site needs so that a network learns symbols in the visitor's browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.torch import pupils
from capsnet_explorer.app.site.checking import checked
from capsnet_explorer.app.site.recording import recorded_alone

FED = ".fed.onnx"  # ends the names of graphs that take their weights as inputs
PAGE = (
    "Here, a small network learns symbols of your own. To learn from data sets and "
    "pictures needs the explorer on your own machine."
)


def learning_files() -> dict[str, bytes]:
    """Return the files by path: graphs, and what the API says of such networks.

    `networks/symbols.*` are the graphs, which have room for the most classes, and
    `symbols.json` tells how they are fed. `api/models/symbols-N.json` and
    `networks/symbols-N.json` are what a site has of each network, of one of N classes.
    """
    with TemporaryDirectory() as folder:
        return dict(_files(Path(folder)))


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    engines, named = pupils(folder)
    for name, body in named.items():
        yield f"networks/{name}", body
    *_, widest = engines.values()
    exported = widest.exported()
    checked(widest, exported)
    for name, body in exported.items():
        if name.endswith(FED):
            yield f"networks/{name.replace(widest.info.id, 'symbols')}", body
    client = create_app(engines, data_folder=folder).test_client()
    for id, engine in engines.items():
        weights = (folder / f"{id}.safetensors").read_bytes()
        answer, places = recorded_alone(client, engine.info, weights)
        model = json.loads(answer)
        model["can"]["gradient"] = False
        model["flat"] = "what it learnt here comes without a graph of its gradient"
        yield f"api/models/{id}.json", _compact(model)
        yield f"networks/{id}.json", _compact({"tensors": [], "placed": places})
    recipes = client.get("/api/recipes").get_json()
    architecture = widest.info.architecture
    changes = {
        "datasets": [],
        "architectures": [
            entry for entry in recipes["architectures"] if entry["name"] == architecture
        ],
        "default": architecture,
        "reason": PAGE,
        "symbols": json.loads(named["symbols.json"])["images"],
    }
    yield "api/recipes.json", _compact(recipes | changes)
    yield "api/runs.json", _compact({"runs": [], "refused": []})
    yield "api/sets.json", _compact({"sets": []})


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
