"""Runs exported graphs beside the network itself."""

from collections.abc import Mapping
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
from capsnet_explorer.perturbations.attack import Loss

ROUNDED = 0.1  # the same, where weights are rounded: routing may tip another way
FAR = 1e-3  # of a tensor's largest number, or of 1; ten iterations multiply rounding
LEAST_SLOPE = 1e-6  # of gradients: where a loss is saturated, all is rounding
IMAGES = 2  # beside a blank one
POSES = 5  # beside a zero vector
WEIGHTS = "weights/"  # begins the names of inputs: `model/exporting/feeding.py`
INPUT = "input"  # a tensor of every trace, which no network computes


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
    import onnxruntime as ort  # servers need not have it

    settings = ort.SessionOptions()
    settings.log_severity_level = 3
    with TemporaryDirectory() as folder:
        for name, body in exported.items():
            (Path(folder) / name).write_bytes(body)

        def opened(graph: str) -> Any:
            file = Path(folder) / f"{engine.info.id}.{graph}.onnx"
            return ort.InferenceSession(file, settings)

        own = load(exported[f"{engine.info.id}.safetensors"])
        worst = _reading_checked(engine, opened("reading"), far)
        worst = max(worst, _reading_checked(engine, opened("reading.fed"), far, own))
        if engine.info.can.reconstruct:
            worst = max(worst, _drawing_checked(engine, opened("drawing"), far))
            drawing = opened("drawing.fed")
            worst = max(worst, _drawing_checked(engine, drawing, far, own))
    return worst


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
    import onnxruntime as ort

    settings = ort.SessionOptions()
    settings.log_severity_level = 3
    session = ort.InferenceSession(graph, settings)
    return _reading_checked(engine, session, far, load(weights))


Weights = Mapping[str, np.ndarray]


def _reading_checked(
    engine: ExportableEngine, reading: Any, far: float, own: Weights | None = None
) -> float:
    """Compare traces of a few images, a blank one among them, under each request.

    A graph that takes weights as inputs is asked the usual request alone: it computes
    as the other does, with the weights of `own`.
    """
    info = engine.info
    images = _images(info)
    outputs = [output.name for output in reading.get_outputs()]
    names = [name for name in outputs if not name.startswith(WEIGHTS)]
    derived = {
        f"{WEIGHTS}{name}": values
        for name, values in engine.weights(
            [name.removeprefix(WEIGHTS) for name in outputs if name not in names]
        ).items()
    }
    worst = 0.0
    weights = _fed(reading, own)
    for request in _requests(info, reading)[: None if own is None else 1]:
        options = engine.options(request)
        for image in images:
            question = Question(image, options, tuple(names))
            wanted = {**engine.trace(question).tensors, **derived}
            feeds = _feeds(info, reading, image, request) | weights
            got = reading.run(outputs, feeds)
            for name, values in zip(outputs, got, strict=True):
                where = f"{info.id}: {name} with {_said(request)}"
                worst = max(worst, _difference(values, wanted[name], where, far))
    return worst


def _images(info: ModelInfo) -> list[np.ndarray]:
    numbers = np.random.default_rng(0)
    images = [np.zeros(info.input_shape, np.float32)]
    for _ in range(IMAGES):
        image = numbers.random(info.input_shape, np.float32)
        images.append(image * (numbers.random(info.input_shape) < 0.3))  # mostly ground
    return images


def _fed(graph: Any, own: Weights | None) -> dict[str, np.ndarray]:
    """Return the weights that a graph takes as inputs."""
    names = [each.name for each in graph.get_inputs() if each.name.startswith(WEIGHTS)]
    return {
        name: own[name.removeprefix(WEIGHTS)].astype(np.float32)
        for name in names
        if own is not None
    }


def _drawing_checked(
    engine: ExportableEngine, drawing: Any, far: float, own: Weights | None = None
) -> float:
    """Compare what is decoded from a few poses, a zero vector among them."""
    info = engine.info
    size = info.details["pose_dim"] or 0
    poses = np.random.default_rng(0).normal(0, 0.3, (POSES, size)).astype(np.float32)
    poses = np.concatenate([np.zeros((1, size), np.float32), poses])
    wanted = pictured(engine.reconstruct(1, poses))
    feeds = {"poses": poses, "label": np.array(1), **_fed(drawing, own)}
    (got,) = drawing.run(["images"], feeds)
    where = f"{info.id}: what is decoded"
    return _difference(pictured(np.asarray(got)), wanted, where, far)


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
    import onnxruntime as ort

    own = load(stored)
    with TemporaryDirectory() as folder:
        (Path(folder) / f"{engine.info.id}.safetensors").write_bytes(stored)
        for name, body in graphs.items():
            file = Path(folder) / name
            file.write_bytes(body)
            _gradient_checked(engine, ort.InferenceSession(file), own, far)


def _gradient_checked(
    engine: ExportableEngine, gradient: Any, own: Weights, far: float
) -> None:
    info = engine.info
    weights = _fed(gradient, own)
    for label, image in enumerate(_images(info)):
        for place, loss in enumerate(get_args(Loss)):
            for through in get_args(GradientThrough):
                asked = {"label": label % info.classes, "loss": place}
                feeds = {name: np.array(number) for name, number in asked.items()}
                feeds |= {"image": image, "every": np.array(through == "full")}
                (got,) = gradient.run(["gradient"], feeds | weights)
                labels = [asked["label"]]
                slope = engine.gradient(image[None], labels, of=loss, through=through)
                wanted = slope.gradient[0]
                scale = max(float(np.abs(wanted).max()), LEAST_SLOPE)
                if not np.abs(got - wanted).max() <= far * scale:
                    raise ValueError("its graph computes another gradient than PyTorch")


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
