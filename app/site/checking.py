"""Runs exported graphs beside the network itself.

Both run on one thread: of small passes, several would wait for each other.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import numpy as np
from safetensors.numpy import load

from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import (
    ExportableEngine,
    GradientThrough,
    Question,
    pictured,
)
from capsnet_explorer.app.engines.torch import single_thread
from capsnet_explorer.perturbations.attack import Loss

ROUNDED = 0.1  # the same, where weights are rounded: routing may tip another way
FAR = 1e-3  # of a tensor's largest number, or of 1; ten iterations multiply rounding
LEAST_SLOPE = 1e-6  # of gradients: where a loss is saturated, all is rounding
IMAGES = 2  # beside a blank one
POSES = 5  # beside a zero vector
WEIGHTS = "weights/"  # begins the names of inputs: `model/exporting/feeding.py`
INPUT = "input"  # a tensor of every trace, which no network computes


@single_thread()
def checked(
    engine: ExportableEngine, exported: Mapping[str, bytes], far: float = FAR
) -> float:
    """Compare every tensor that graphs compute with the engine's own.

    Args:
        engine: of the network.
        exported: its files.
        far: how large a difference may be.

    Returns:
        The largest difference, as a share of the tensor's largest number, or of 1.

    Raises:
        ValueError: it is too large; the message names the tensor.
        ImportError: onnxruntime is missing.
    """
    with TemporaryDirectory() as folder:
        for name, body in exported.items():
            (Path(folder) / name).write_bytes(body)

        def opened(graph: str) -> Any:
            return _opened(Path(folder) / f"{engine.info.id}.{graph}.onnx")

        trained = load(exported[f"{engine.info.id}.safetensors"])
        reading = opened("reading")
        cases = _cases(engine, reading, _requests(engine.info, reading))
        worst = _reading_checked(engine, reading, cases, far)
        # It computes as the other does: the usual request is enough.
        reading, usual = opened("reading.fed"), cases[: IMAGES + 1]
        worst = max(worst, _reading_checked(engine, reading, usual, far, trained))
        if engine.info.can.reconstruct:
            worst = max(worst, _drawing_checked(engine, opened("drawing"), far))
            drawing = opened("drawing.fed")
            worst = max(worst, _drawing_checked(engine, drawing, far, trained))
    return worst


def _opened(graph: Path | bytes) -> Any:
    """Return a graph that one thread runs."""
    import onnxruntime as ort  # servers need not have it

    settings = ort.SessionOptions()
    settings.log_severity_level = 3
    settings.intra_op_num_threads = 1
    return ort.InferenceSession(graph, settings)


@single_thread()
def checked_with(
    engine: ExportableEngine, graph: bytes, weights: bytes, far: float = FAR
) -> float:
    """Compare what a graph reads with other weights with their own network.

    Args:
        engine: of the network that has these weights.
        graph: that takes weights as inputs.
        weights: a safetensors file.
        far: how large a difference may be.

    Returns:
        The largest difference, as `checked` has it.

    Raises:
        ValueError: it is too large; the message names the tensor.
    """
    reading = _opened(graph)
    return _reading_checked(
        engine, reading, _cases(engine, reading, [{}]), far, load(weights)
    )


Weights = Mapping[str, np.ndarray]
Request = Mapping[str, Any]
Case = tuple[Request, np.ndarray, Mapping[str, np.ndarray]]  # an image, its trace


def _cases(
    engine: ExportableEngine, reading: Any, requests: Sequence[Request]
) -> list[Case]:
    """Ask a network for all that a graph reads of a few images, under each request."""
    names = tuple(name for name in _outputs(reading) if not name.startswith(WEIGHTS))
    cases = [(request, image) for request in requests for image in _images(engine.info)]
    traces = engine.trace_many(
        [Question(image, engine.options(request), names) for request, image in cases]
    )
    return [(*what, trace.tensors) for what, trace in zip(cases, traces, strict=True)]


def _reading_checked(
    engine: ExportableEngine,
    reading: Any,
    cases: Sequence[Case],
    far: float,
    trained: Weights | None = None,
) -> float:
    """Compare traces, and what is derived from the weights of `own`."""
    outputs = _outputs(reading)
    names = [name for name in outputs if name.startswith(WEIGHTS)]
    values = engine.weights([name.removeprefix(WEIGHTS) for name in names])
    derived = {f"{WEIGHTS}{name}": value for name, value in values.items()}
    worst = 0.0
    weights = _fed(reading, trained)
    for request, image, tensors in cases:
        feeds = _feeds(engine.info, reading, image, request) | weights
        wanted = {**tensors, **derived}
        for name, got in zip(outputs, reading.run(outputs, feeds), strict=True):
            where = f"{engine.info.id}: {name} with {_said(request)}"
            worst = max(worst, _difference(got, wanted[name], where, far))
    return worst


def _outputs(graph: Any) -> list[str]:
    return [output.name for output in graph.get_outputs()]


def _images(info: ModelInfo) -> list[np.ndarray]:
    numbers = np.random.default_rng(0)
    images = [np.zeros(info.input_shape, np.float32)]
    for _ in range(IMAGES):
        image = numbers.random(info.input_shape, np.float32)
        images.append(image * (numbers.random(info.input_shape) < 0.3))  # mostly ground
    return images


def _fed(graph: Any, trained: Weights | None) -> dict[str, np.ndarray]:
    """Return the weights that a graph takes as inputs."""
    names = [
        value.name for value in graph.get_inputs() if value.name.startswith(WEIGHTS)
    ]
    return {
        name: trained[name.removeprefix(WEIGHTS)].astype(np.float32)
        for name in names
        if trained is not None
    }


def _drawing_checked(
    engine: ExportableEngine, drawing: Any, far: float, trained: Weights | None = None
) -> float:
    """Compare what is decoded from a few poses, a zero vector among them."""
    info = engine.info
    size = info.details["pose_dim"] or 0
    poses = np.random.default_rng(0).normal(0, 0.3, (POSES, size)).astype(np.float32)
    poses = np.concatenate([np.zeros((1, size), np.float32), poses])
    wanted = pictured(engine.reconstruct(1, poses))
    feeds = {"poses": poses, "label": np.array(1), **_fed(drawing, trained)}
    (got,) = drawing.run(["images"], feeds)
    where = f"{info.id}: what is decoded"
    return _difference(pictured(np.asarray(got)), wanted, where, far)


@single_thread()
def gradient_checked(
    engine: ExportableEngine,
    graphs: Mapping[str, bytes],
    stored: bytes,
    far: float = FAR,
) -> None:
    """Compare the gradients that graphs compute with the engine's, of every loss.

    Args:
        engine: of the network.
        graphs: with its weights, and with weights as inputs, by name.
        stored: the weight file.
        far: how large a difference may be, as a share of the largest number.

    Raises:
        ValueError: it is larger.
    """
    images = _images(engine.info)
    labels = [place % engine.info.classes for place in range(len(images))]
    wanted: dict[tuple[int, bool], np.ndarray] = {
        (place, through == "full"): engine.gradient(
            np.stack(images), labels, of=loss, through=through
        ).gradient
        for place, loss in enumerate(get_args(Loss))
        for through in get_args(GradientThrough)
    }
    trained = load(stored)
    with TemporaryDirectory() as folder:
        (Path(folder) / f"{engine.info.id}.safetensors").write_bytes(stored)
        for name, body in graphs.items():
            file = Path(folder) / name
            file.write_bytes(body)
            gradient = _opened(file)
            weights = _fed(gradient, trained)
            for (loss, every), slopes in wanted.items():
                chosen = {"loss": np.array(loss), "every": np.array(every)} | weights
                for image, label, slope in zip(images, labels, slopes, strict=True):
                    feeds = {"image": image, "label": np.array(label), **chosen}
                    (got,) = gradient.run(["gradient"], feeds)
                    scale = max(float(np.abs(slope).max()), LEAST_SLOPE)
                    if not np.abs(got - slope).max() <= far * scale:
                        raise ValueError(
                            "its graph computes another gradient than PyTorch"
                        )


def _requests(info: ModelInfo, reading: Any) -> list[dict[str, Any]]:
    """Return what to ask: as usual, with surgery, and other iterations."""
    shapes = {feed.name: feed.shape for feed in reading.get_inputs()}
    requests: list[dict[str, Any]] = [{}]
    if "silenced" in shapes:
        requests.append({"silence": [*range(shapes["silenced"][0])]})
    if not info.can.route:
        return [*requests, {"silence": [0, 2]}] if "silenced" in shapes else requests
    surgery = {
        "silence": [0, 2],
        "pin": [{"capsule": 1, "digit": info.classes - 1, "coupling": 0.9}],
    }
    most = info.details.get("max_routing_iterations") or 1
    counts = sorted({1, 2, most}) if most > 1 else []
    return [
        *(*requests, surgery, {"routing": "uniform"}),
        *({"iterations": count} for count in counts),
    ]


def _said(request: Mapping[str, Any]) -> str:
    """Return a request in a few words."""
    silent = request.get("silence", ())
    if len(silent) > 2:
        return f"all {len(silent)} silenced"
    return str(request) if request else "the usual options"


def _feeds(
    info: ModelInfo, reading: Any, image: np.ndarray, request: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Return a graph's inputs, as `static/js/site/worker/networks.js` makes them."""
    feeds: dict[str, np.ndarray] = {"image": image}
    shapes = {feed.name: feed.shape for feed in reading.get_inputs()}
    if "silenced" in shapes:
        feeds["silenced"] = np.zeros(shapes["silenced"], bool)
        feeds["silenced"][request.get("silence", [])] = True
    if "held" in shapes:
        held = np.full(shapes["held"], np.nan, np.float32)
        for pin in request.get("pin", []):
            held[pin["capsule"], pin["digit"]] = pin["coupling"]
        uniform = np.array(request.get("routing") == "uniform")
        feeds |= {"uniform": uniform, "held": held}
    if "iterations" in shapes:
        usual = info.details["routing_iterations"]
        feeds["iterations"] = np.array(request.get("iterations", usual))
    return feeds


def _difference(got: Any, wanted: np.ndarray, where: str, far: float = FAR) -> float:
    """Return how far two tensors are apart; of iterations, those that both have."""
    if got.ndim == wanted.ndim and got.ndim and len(got) > len(wanted):
        got = got[: len(wanted)]
    got = got.reshape(wanted.shape)
    scale = max(float(np.abs(wanted).max(initial=0)), 1.0)
    apart = float(np.abs(got - wanted).max(initial=0)) / scale
    if not apart <= far:
        raise ValueError(
            f"{where} must be what PyTorch computes to {far:.0e}, got {apart:.1e}"
        )
    return apart
