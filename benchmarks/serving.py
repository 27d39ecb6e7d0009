"""What the page asks for, over HTTP on this machine: binary against JSON."""

import http.client
import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image
from waitress.server import create_server

from app import create_app
from app.intake import read_digit
from app.samples import load_samples
from app.torch_engine import load_engines
from benchmarks.timing import Comparison, compare

BINARY = "application/x-safetensors"
PAD = 280  # pixels; the page's drawing area


def compare_serving(weights: Path, rounds: int) -> list[Comparison]:
    """Compare a trace, a slider's step and a stroke's reading."""
    engines = load_engines(weights)
    id, engine = next(iter(engines.items()))
    image = load_samples()[0].image
    names = [tensor.name for tensor in engine.info.tensors if not tensor.on_request]
    pose = engine.trace(image, 3, ["digits.capsules"]).tensors["digits.capsules"][:1]
    trace_body = json.dumps({"image": image.tolist()})
    edit_body = json.dumps({"digit": 0, "poses": pose.tolist()})
    drawing = _drawing(image)
    with _server(create_app(engines)) as ask:
        trace = f"/api/models/{id}/trace"
        reconstruct = f"/api/models/{id}/reconstruct"
        return [
            compare(
                "trace, every tensor but the votes: safetensors against JSON",
                lambda: ask(trace, trace_body, BINARY),
                lambda: ask(trace, trace_body, "application/json"),
                rounds=rounds,
            ),
            compare(
                "trace over HTTP; plain is the same in process, without it",
                lambda: ask(trace, trace_body, BINARY),
                lambda: engine.trace(image, 3, names),
                rounds=rounds,
            ),
            compare(
                "slider's step over HTTP: safetensors against JSON",
                lambda: ask(reconstruct, edit_body, BINARY),
                lambda: ask(reconstruct, edit_body, "application/json"),
                rounds=4 * rounds,
            ),
            compare(
                "reading a drawing: as PGM against as PNG",
                lambda: read_digit(drawing["PPM"], ink="light"),
                lambda: read_digit(drawing["PNG"], ink="light"),
                rounds=rounds,
            ),
        ]


def _drawing(image: np.ndarray) -> dict[str, bytes]:
    large = Image.fromarray((255 * image).astype(np.uint8)).resize((PAD, PAD))
    encoded = {}
    for kind in ("PPM", "PNG"):
        stream = io.BytesIO()
        large.save(stream, kind)
        encoded[kind] = stream.getvalue()
    return encoded


@contextmanager
def _server(app) -> Iterator[Callable[[str, str, str], bytes]]:
    server = create_server(app, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port)

    def ask(path: str, body: str, accept: str) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": accept}
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != http.client.OK:
            raise RuntimeError(f"{path} answered {answer.status}: {content[:200]!r}")
        return content

    try:
        yield ask
    finally:
        connection.close()
        server.close()
