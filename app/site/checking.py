"""Runs exported graphs beside the network itself."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import ExportableEngine, Question, pictured

FAR = 1e-3  # of a tensor's largest number, or of 1; ten iterations multiply rounding
IMAGES = 3
INPUT = "input"  # a tensor of every trace, which no network computes


def checked(engine: ExportableEngine, exported: Mapping[str, bytes]) -> float:
    """Compare every tensor that graphs compute with the engine's own.

    Args:
        engine: of the network.
        exported: its files.

    Returns:
        The largest difference, as a share of the tensor's largest number, or of 1.

    Raises:
        ValueError: it is too large; the message names the tensor.
        ImportError: onnxruntime is missing.
    """
    import onnxruntime as ort  # servers need not have it

    info = engine.info
    numbers = np.random.default_rng(0)
    worst = 0.0
    with TemporaryDirectory() as folder:
        for name, body in exported.items():
            (Path(folder) / name).write_bytes(body)
        settings = ort.SessionOptions()
        settings.log_severity_level = 3
        reading, drawing = (
            ort.InferenceSession(path, settings) if path.exists() else None
            for path in (
                Path(folder) / f"{info.id}.{name}.onnx"
                for name in ("reading", "drawing")
            )
        )
        assert reading is not None
        names = [each.name for each in reading.get_outputs()]
        for asked in _requests(info):
            for _ in range(IMAGES):
                image = numbers.random(info.input_shape, np.float32)
                image *= numbers.random(info.input_shape) < 0.3  # mostly ground
                question = Question(image, engine.options(asked), tuple(names))
                wanted = engine.trace(question).tensors
                got = reading.run(names, _feeds(info, reading, image, asked))
                for name, values in zip(names, got, strict=True):
                    where = f"{info.id}: {name} with {asked or 'the usual options'}"
                    worst = max(worst, _difference(values, wanted[name], where))
        if drawing is not None:
            size = info.details["pose_dim"] or 0
            poses = numbers.normal(0, 0.3, (5, size)).astype(np.float32)
            wanted_images = pictured(engine.reconstruct(1, poses))
            feeds = {"poses": poses, "label": np.array(1)}
            (got_images,) = drawing.run(["images"], feeds)
            where = f"{info.id}: what is decoded"
            worst = max(
                worst,
                _difference(pictured(np.asarray(got_images)), wanted_images, where),
            )
    return worst


def _requests(info: ModelInfo) -> list[dict[str, Any]]:
    """Return what to ask: as usual, with surgery, and other iterations."""
    if not info.can.route:
        silent = {"silence": [0, 2]}
        return [{}, silent] if info.details.get("silenceable_maps") else [{}]
    surgery = {
        "silence": [0, 2],
        "pin": [{"capsule": 1, "digit": info.classes - 1, "coupling": 0.9}],
    }
    asked: list[dict[str, Any]] = [{}, surgery, {"routing": "uniform"}]
    most = info.details.get("max_routing_iterations") or 1
    return [*asked, *({"iterations": number} for number in {1, 2, most} if most > 1)]


def _feeds(
    info: ModelInfo, reading: Any, image: np.ndarray, asked: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Return a graph's inputs, as `static/js/site/worker/networks.js` makes them."""
    feeds: dict[str, np.ndarray] = {"image": image}
    shapes = {each.name: each.shape for each in reading.get_inputs()}
    if "silenced" in shapes:
        feeds["silenced"] = np.zeros(shapes["silenced"], bool)
        feeds["silenced"][asked.get("silence", [])] = True
    if "held" in shapes:
        held = np.full(shapes["held"], np.nan, np.float32)
        for pin in asked.get("pin", []):
            held[pin["capsule"], pin["digit"]] = pin["coupling"]
        uniform = np.array(asked.get("routing") == "uniform")
        feeds |= {"uniform": uniform, "held": held}
    if "iterations" in shapes:
        usual = info.details["routing_iterations"]
        feeds["iterations"] = np.array(asked.get("iterations", usual))
    return feeds


def _difference(got: Any, wanted: np.ndarray, where: str) -> float:
    """Return how far two tensors are apart; of iterations, those that both have."""
    if got.ndim == wanted.ndim and got.ndim and len(got) > len(wanted):
        got = got[: len(wanted)]
    got = got.reshape(wanted.shape)
    scale = max(float(np.abs(wanted).max(initial=0)), 1.0)
    apart = float(np.abs(got - wanted).max(initial=0)) / scale
    if not apart <= FAR:
        raise ValueError(
            f"{where} must be what PyTorch computes to {FAR:.0e}, got {apart:.1e}"
        )
    return apart
