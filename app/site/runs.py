"""A training run that a site shows again: what happened in it, and its moments."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.app.engines.torch import load_engine
from capsnet_explorer.app.engines.training.facts import ENDED
from capsnet_explorer.app.engines.training.folder import REQUEST, WATCHED
from capsnet_explorer.app.site.checking import checked, checked_with, gradient_checked
from capsnet_explorer.app.site.recording import fields_of, recorded_alone

MOST_MOMENTS = 30  # of a run
FED = ".fed.onnx"  # ends the names of graphs that take their weights as inputs
RUNS, RECIPES, SETS = "api/runs.json", "api/recipes.json", "api/sets.json"
PAGE = (
    "Here, a run is shown that was recorded. To train a network needs the explorer on "
    "your own machine."
)


def run_files(
    folder: str | os.PathLike[str], before: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return what a site needs to show a run: its events, its moments and one graph.

    Args:
        folder: of a run that was started from the page, and that has ended.
        before: the site's files, of which lists of runs and recipes go on.

    Returns:
        Files by path. A moment has its weights, `networks/RUN@STEP.safetensors`, and
        what the API says of it; `networks/RUN.reading.fed.onnx` reads with all of them,
        and `networks/RUN.gradient.fed.onnx` is what attacks on them follow.

    Raises:
        ValueError: it is no such run, or a moment's graph computes something else.
    """
    source = Path(folder)
    if not (source / REQUEST).is_file() or not (source / WATCHED).is_dir():
        raise ValueError(
            f"--run needs the folder of a run that was started from the page, with "
            f"{REQUEST} and {WATCHED}/ in it, got {folder}"
        )
    with TemporaryDirectory() as temporary:
        copy = Path(temporary)
        id = hashlib.sha256((source / REQUEST).read_bytes()).hexdigest()[:8]
        (copy / "runs" / id).mkdir(parents=True)
        shutil.copyfile(source / REQUEST, copy / "runs" / id / REQUEST)
        shutil.copytree(source / WATCHED, copy / "runs" / id / WATCHED)
        return dict(_files(copy, id, before))


def moments_of(steps: Sequence[int], most: int) -> list[int]:
    """Return at most so many of some steps, the first and the last among them."""
    count = min(len(steps), most)
    last = len(steps) - 1
    return [steps[round(last * at / max(1, count - 1))] for at in range(count)]


def _files(
    place: Path, id: str, before: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes]]:
    runs = Runs(place / "runs", place, place / "kept")
    facts = runs.facts(id)
    if facts.state not in ENDED or not facts.snapshots:
        raise ValueError(
            f"--run needs a run that has ended and has kept moments, got one that is "
            f"{facts.state}, with {len(facts.snapshots)} moments"
        )
    steps = moments_of(facts.snapshots, MOST_MOMENTS)
    files = {step: runs.weights(id, step) for step in steps}
    name = f"{id}@{steps[-1]}"
    engine: Any = load_engine(name, files[steps[-1]])
    exported = engine.exported()
    checked(engine, exported)
    stored = exported[f"{name}.safetensors"]
    gradient = _fed(engine.exported_gradient(stored))
    gradient_checked(engine, gradient, stored)
    graphs = {
        graph.removeprefix(name): body
        for graph, body in (_fed(exported) | gradient).items()
    }
    yield from fields_of(engine.info).items()
    for graph, body in graphs.items():
        yield f"networks/{id}{graph}", body
    client = create_app({name: engine}, data_folder=place, runs=runs).test_client()
    places: dict[str, Any] = {}  # the same for all: files have one layout
    for step, file in files.items():
        body = file.read_bytes()
        moment: Any = load_engine(f"{id}@{step}", file)
        checked_with(moment, graphs[f".reading{FED}"], body)
        answer, places = recorded_alone(client, moment.info, body)
        yield f"networks/{id}@{step}.safetensors", body
        yield f"api/models/{id}@{step}.json", _compact(json.loads(answer))
    yield f"networks/{id}.json", _compact({"tensors": [], "placed": places})
    events = [json.loads(line) for _, kind, line in runs.follow(id, 0) if kind]
    for event in events:
        if event["event"] == "snapshot" and event["step"] not in steps:
            event["bytes"] = 0  # it was tested, and is not here
    yield f"api/runs/{id}/events.json", _compact(events)
    run = client.get(f"/api/runs/{id}").get_json()
    run |= {"snapshots": steps, "is_recorded": True}
    yield f"api/runs/{id}.json", _compact(run)
    yield from _lists(client.get("/api/recipes").get_json(), run, before)


def _fed(graphs: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: body for name, body in graphs.items() if name.endswith(FED)}


def _lists(
    recipes: dict[str, Any], run: dict[str, Any], before: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes]]:
    """Yield what goes on from the lists of the site: runs, recipes, sets."""
    listed = json.loads(before.get(RUNS, b'{"runs": [], "refused": []}'))
    yield RUNS, _compact(listed | {"runs": [*listed["runs"], run]})
    menu = {"allowed": False, "reason": PAGE, "default": run["architecture"]}
    menu |= {"datasets": [], "architectures": []} | json.loads(
        before.get(RECIPES, b"{}")
    )
    known = {entry["name"] for entry in menu["architectures"]}
    menu["architectures"] += [
        entry
        for entry in recipes["architectures"]
        if entry["name"] == run["architecture"] and entry["name"] not in known
    ]
    yield RECIPES, _compact(recipes | menu)
    yield SETS, before.get(SETS, _compact({"sets": []}))


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
