"""Sets of images of one's own: add, look at, change, delete."""

import io
from contextlib import suppress
from typing import Any, BinaryIO, cast

from flask import Response, current_app, request

from capsnet_explorer.app.api.describe import (
    BINARY,
    answers,
    api_blueprint,
    errors,
    tensors,
)
from capsnet_explorer.app.api.routes.runs import allowed_runs
from capsnet_explorer.app.api.training import (
    NewSetQuery,
    PieceQuery,
    SetChange,
    SetPath,
)
from capsnet_explorer.app.api.wire import named_tensors
from capsnet_explorer.app.engines.own_set import SetFacts
from capsnet_explorer.app.engines.runs import EXTENSION, Runs
from capsnet_explorer.app.engines.sets import MOST_AT_ONCE, MOST_UPLOAD
from capsnet_explorer.app.errors import InvalidRequest, UnknownThing
from capsnet_explorer.storage.sizes import size_words

FORM = "multipart/form-data"
ROOM_FOR_FORM = 1 << 16  # bytes of a form beside its file

api = api_blueprint("sets", "Sets of images of one's own, to train on.")

UPLOAD_BODY = {
    "description": (
        "The file, either as the field `file` of a form or as the body itself: a zip "
        "file of folders with pictures, one folder for each class; a CSV file with "
        f"labels; or NumPy's arrays. At most {size_words(MOST_AT_ONCE)} at once, and "
        f"{size_words(MOST_UPLOAD)} in pieces."
    ),
    "content": {
        FORM: {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {"file": {"type": "string", "format": "binary"}},
            }
        },
        "application/octet-stream": BINARY,
        "application/zip": BINARY,
        "text/csv": BINARY,
    },
}


@api.post(
    "/sets",
    request_body=UPLOAD_BODY,
    responses=answers("`id`.", 403, 413, 422, 503, status=202),
)
def add_set(query: NewSetQuery) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Add a set of images, which is then read by a process of its own.

    With `size`, this only makes a place for a file of that many bytes, which comes in
    pieces (`PUT /api/sets/<id>/file`). 403: training is off on this server. 413: the
    file is too large. 503: there are too many sets, or the disk is full.
    """
    sets = allowed_runs().sets
    if query.size is not None:
        id = sets.begin(query.name or "pictures", query.size)
    else:
        name, content, size = _upload(query.name)
        id = sets.begin(name, size)
        try:
            sets.add(id, 0, content)
        except BaseException:  # also where the client has gone
            with suppress(UnknownThing):
                sets.remove(id)
            raise
    return {"id": id}, 202, {"Location": f"sets/{id}"}


def _upload(name: str | None) -> tuple[str, BinaryIO, int]:
    """Return the name, the content and the size of what came with this request."""
    if request.mimetype == FORM:
        file = request.files.get("file")
        if file is None:
            raise InvalidRequest(
                "the form must have a field file, got none", field="file"
            )
        size = file.stream.seek(0, io.SEEK_END)
        file.stream.seek(0)
        return name or file.filename or "pictures", cast(BinaryIO, file.stream), size
    size = request.content_length or 0
    if not size:
        raise InvalidRequest("the body must be a file, got nothing", field="file")
    return name or "pictures", cast(BinaryIO, request.stream), size


@api.put(
    "/sets/<id>/file",
    request_body={"content": {"application/octet-stream": BINARY}},
    responses={200: SetFacts, **errors(403, 404, 409, 413, 422, 503)},
)
def add_piece(path: SetPath, query: PieceQuery) -> dict[str, Any]:
    """Add the next piece of a file; with the last one, reading begins.

    409: the piece does not begin where the last one ended; `received` says where.
    """
    sets = allowed_runs().sets
    sets.add(path.id, query.offset, cast(BinaryIO, request.stream))
    return sets.facts(path.id).model_dump()


@api.get("/sets", responses=answers("`sets`."))
def get_sets() -> dict[str, Any]:
    """List the sets, the newest first."""
    runs: Runs | None = current_app.extensions[EXTENSION]
    sets = [] if runs is None else runs.sets.all()
    return {"sets": [dataset.model_dump() for dataset in sets]}


@api.get("/sets/<id>", responses={200: SetFacts, **errors(403, 404, 422)})
def get_set(path: SetPath) -> dict[str, Any]:
    """Return how far a set is, and what was understood of it."""
    return allowed_runs().sets.facts(path.id).model_dump()


@api.get(
    "/sets/<id>/samples",
    responses=tensors("`tensors`, `classes`.", 403, 404, 409, 422),
)
def get_set_samples(path: SetPath) -> Response:
    """Return up to ten training images of each class, as a network will see them.

    The tensor `images` is (images, channels, rows, columns), 0..255; `classes` has the
    class of each.
    """
    images, classes = allowed_runs().sets.samples(path.id)
    return named_tensors({"images": images}, {"classes": classes})


@api.patch(
    "/sets/<id>",
    responses={200: SetFacts, **errors(403, 404, 409, 413, 415, 422, 503)},
)
def change_set(path: SetPath, body: SetChange) -> dict[str, Any]:
    """Read a set of pictures again, in another form or without some classes.

    The set stays what it was until it is read. If it cannot be so, it stays, and
    `error` says why. Of a set that is `unclear`, `folders` answers its `question`.
    409: it is not ready, or not made of pictures, or the answer is missing. 503: the
    disk is full.
    """
    sets = allowed_runs().sets
    sets.change(path.id, body.choices())
    return sets.facts(path.id).model_dump()


@api.delete("/sets/<id>", responses={204: None, **errors(403, 404, 409, 422)})
def remove_set(path: SetPath) -> Response:
    """Delete a set, or cancel it while it comes or is read.

    Of a set that is read again, the change is cancelled: it stays what it was. 409: a
    run that has not ended needs it.
    """
    allowed_runs().remove_set(path.id)
    return Response(status=204)
