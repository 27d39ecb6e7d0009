"""What the explorer's API says, to hold the page to it."""

import json
import urllib.request
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

Tensors = dict[str, NDArray[np.floating[Any]]]


def samples_of(base_url: str) -> list[dict[str, Any]]:
    """Return the samples: `id`, `label`, `image` and what else is told of each."""
    with urllib.request.urlopen(f"{base_url}/api/samples") as answer:
        return json.load(answer)["samples"]


def image_of(base_url: str, label: int) -> list[list[float]]:
    """Return the first sample of a label; the page starts with that of a 4."""
    samples = samples_of(base_url)
    return next(sample["image"] for sample in samples if sample["label"] == label)


def trace(
    base_url: str,
    image: list[list[float]],
    tensors: Sequence[str],
    *,
    iterations: int | None = 3,
    model: str | None = None,
    **surgery: object,
) -> Tensors:
    """Ask for a trace as the page asks for it: the same numbers, in half precision.

    Args:
        base_url: the explorer's address.
        image: (rows, columns) of ink in 0..1.
        tensors: names of what to answer with.
        iterations: of routing; None for a network that does not route.
        model: its id; the default one when None.
        surgery: what is changed in routing.
    """
    model = model or _default_model(base_url)
    body = {"image": image, "tensors": list(tensors)} | surgery
    if iterations is not None:
        body["iterations"] = iterations
    request = urllib.request.Request(
        f"{base_url}/api/models/{model}/trace",
        data=json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "Accept": "application/x-safetensors",
        },
    )
    with urllib.request.urlopen(request) as answer:
        return load(answer.read())


def _default_model(base_url: str) -> str:
    with urllib.request.urlopen(f"{base_url}/api/models") as answer:
        return json.load(answer)["models"][0]["id"]
