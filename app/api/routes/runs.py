"""Training runs: start, watch, steer, keep and throw away."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from flask import Response, current_app, request
from flask_openapi.models.response import Response as Described

from capsnet_explorer import ROOT
from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.api.describe import (
    answers,
    api_blueprint,
    errors,
    refusals,
)
from capsnet_explorer.app.api.training import (
    EventsQuery,
    KeepRequest,
    RecipeRequest,
    RunChange,
    RunPath,
)
from capsnet_explorer.app.engines.recipes import (
    download_hosts,
    is_ready,
    trainable,
)
from capsnet_explorer.app.engines.runs import EXTENSION, Runs
from capsnet_explorer.app.engines.training.facts import ENDED, RunFacts
from capsnet_explorer.app.errors import Forbidden, UnknownThing, short
from capsnet_explorer.app.http.proxies import is_forwarded
from capsnet_explorer.checks import present
from capsnet_explorer.datasets.catalogue import DATASETS

EVENTS = "text/event-stream"
EVENT = {
    "type": "object",
    "description": "Each of the events.",
    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
}
RETRY_MS = 1000  # until a client asks on after a stream has ended
OFF = (
    "training is off on this server, because others can reach it: its operator can "
    "allow it with --allow-training (or CAPSNET_ALLOW_TRAINING=1)"
)

# How networks that were trained on drawn digits read real ones, by architecture:
# measured once, see docs/measuring.md.
DRAWN = ROOT / "weights" / "measured" / "drawn.json"

api = api_blueprint("training", "Training runs, and the networks that they make.")


@api.get(
    "/recipes",
    responses=answers(
        "`allowed`, `reason`, `at_once`, `default`, `datasets`, `architectures`."
    ),
)
def get_recipes() -> dict[str, Any]:
    """List what can be trained here: architectures, presets, and every setting.

    `allowed` says whether this server trains at all. A data set that can be downloaded
    says how large that is, and from where. One that the project draws says how well
    networks that were trained on it read real digits.
    """
    runs: Runs | None = current_app.extensions[EXTENSION]
    data = None if runs is None else runs.data
    reason = _refusal(runs)
    architectures = trainable()
    return {
        "allowed": reason is None,
        "reason": reason,
        "at_once": 0 if runs is None else runs.at_once,
        "default": architectures[0].name,
        "datasets": [
            {
                "name": dataset.name,
                "title": dataset.title_in(data or Path()),
                "ready": data is not None and is_ready(dataset.name, data),
                "download_bytes": dataset.archive_bytes,
                "hosts": download_hosts(dataset),
                "real": json.loads(DRAWN.read_bytes()) if dataset.is_written else {},
            }
            for dataset in DATASETS.values()
        ],
        "architectures": [architecture.model_dump() for architecture in architectures],
    }


@api.post(
    "/runs", responses=answers("`id`.", 403, 404, 409, 413, 415, 422, 503, status=202)
)
def start_run(body: RecipeRequest) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Start a training run, or let it wait for its turn.

    The run is a process of its own, at a low priority: `python -m capsnet_explorer
    train` with these settings. The same recipe and seed begin with the same weights,
    and on one machine and number of threads end with the same. 403: training is off on
    this server. 404: the data set or the snapshot in `start` is not there. 409: that
    snapshot is damaged. 503: too many runs wait, or the disk is full.
    """
    id = allowed_runs().start(body.choices())
    # Relative to this route's address: a proxy may serve it below any path.
    return {"id": id}, 202, {"Location": f"runs/{id}"}


@api.get("/runs", responses=answers("`runs`, and `refused`: each `id` and `reason`."))
def get_runs() -> dict[str, Any]:
    """List the training runs, the newest first, and those that cannot be read."""
    runs: Runs | None = current_app.extensions[EXTENSION]
    if runs is None:
        return {"runs": [], "refused": []}
    return {
        "runs": [run.model_dump() for run in runs.all()],
        "refused": refusals(runs.refused),
    }


@api.get("/runs/<id>", responses={200: RunFacts, **errors(404, 409, 422)})
def get_run(path: RunPath) -> dict[str, Any]:
    """Return what a training run has done so far. 409: its files cannot be read."""
    return _runs_with(path.id).facts(path.id).model_dump()


@api.patch(
    "/runs/<id>",
    responses={200: RunFacts, **errors(403, 404, 409, 413, 415, 422, 503)},
)
def change_run(path: RunPath, body: RunChange) -> dict[str, Any]:
    """Change a run's learning rate, or let it pause, go on or stop.

    The run obeys before its next step, so the answer may still have the old state; an
    event tells when it has. A run that pauses gives its place to others; to go on, it
    waits for a place. One that stopped or was killed goes on where it stood, if
    `can_go_on` says so. 409: the run has ended. 503: too many runs wait, or the disk is
    full.
    """
    runs = allowed_runs()
    runs.change(path.id, **body.choices())
    return runs.facts(path.id).model_dump()


@api.delete("/runs/<id>", responses={204: None, **errors(403, 404, 422)})
def remove_run(path: RunPath) -> Response:
    """Stop a run if it trains, and delete it with all its snapshots."""
    allowed_runs().remove(path.id)
    return Response(status=204)


@api.post(
    "/runs/<id>/keep",
    responses=answers("`model`.", 403, 404, 409, 413, 415, 422, 503, status=201),
)
def keep_snapshot(path: RunPath, body: KeepRequest) -> tuple[dict[str, Any], int]:
    """Copy a snapshot, with its card, to the models of this server.

    It is listed in `/api/models` at once, and outlasts its run. `DELETE
    /api/models/<id>` removes it. 409: there is a model of that name, the snapshot is
    damaged, or as many models are kept as may be. 503: the disk is full.
    """
    allowed_runs()
    catalogue = current_catalogue()
    snapshots = present(catalogue.snapshots, "the snapshots of a server with runs")
    taken = {*catalogue.engines, *catalogue.refused}
    snapshot = (path.id, body.step, body.name, body.title)
    catalogue.add(snapshots.keep(*snapshot, taken))
    return {"model": body.name}, 201


@api.get(
    "/runs/<id>/events",
    responses={
        200: Described.model_validate(
            {
                "description": "Server-sent events.",
                "content": {EVENTS: {"schema": EVENT}},
            }
        ),
        204: None,
        **errors(404, 409, 422),
    },
)
def get_events(path: RunPath, query: EventsQuery) -> Response:
    """Follow what happens in a run, as server-sent events from its beginning.

    An event's `id` is its number, from 1; its `data` is a JSON object with the keys
    `event`, `step`, `images` and `seconds`, and those of its kind:

    `state`: `state`; when training begins also `total` (steps) and `examples` (training
    images); at the end, `error` and `tested` of the whole test set, or a `message`.
    `progress`: `epoch`, `loss`, `class_loss`, `reconstruction_loss`, `accuracy`,
    `learning_rate`, `images_per_second` and `further`, the architecture's own figures:
    means over the last steps, a few times a second at most.
    `snapshot`: the model `<id>@<step>` can be used from now on. `bytes`; `error`, the
    share of the first `tested` test images that it misreads. Null where there was no
    time for a test.
    `rate`: somebody set `learning_rate`; null goes back to the schedule.

    A response ends after 25 seconds, and at once while many others are under way; the
    client then asks again with `Last-Event-ID`, as browsers do by themselves. 204: the
    run has ended, and there is nothing after that event.
    """
    runs = _runs_with(path.id)
    after = query.after
    if after is None:
        last = request.headers.get("Last-Event-ID", "")
        after = int(last) if last.isdecimal() and len(last) < 10 else 0
    facts = runs.facts(path.id)
    if facts.state in ENDED and after >= facts.events:
        return Response(status=204)
    is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(_write_events(runs, path.id, after, is_gone), mimetype=EVENTS)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # nginx would collect them
    return response


def _write_events(
    runs: Runs, id: str, after: int, is_gone: Callable[[], bool]
) -> Iterator[str]:
    """Write events as a browser's EventSource reads them."""
    yield f"retry: {RETRY_MS}\n\n"
    for number, kind, line in runs.follow(id, after):
        if kind:
            yield f"id: {number}\nevent: {kind}\ndata: {line}\n\n"
        elif is_gone():
            return


def allowed_runs() -> Runs:
    """Return the runs, which requests may change.

    Raises:
        Forbidden: training is off.
    """
    runs: Runs | None = current_app.extensions[EXTENSION]
    if (refusal := _refusal(runs)) is not None:
        raise Forbidden(refusal)
    return present(runs, "runs where nobody is refused")


def _refusal(runs: Runs | None) -> str | None:
    """Return why whoever asks may not train; None where they may.

    Who comes through a proxy is a stranger, whatever address the server listens on.
    """
    if runs is None or (is_forwarded() and not runs.is_for_others):
        return OFF
    return runs.refusal


def _runs_with(id: str) -> Runs:
    """Return the runs, to look one up."""
    runs: Runs | None = current_app.extensions[EXTENSION]
    if runs is None:
        raise UnknownThing(f"there is no run {short(id)}")
    return runs
