"""Forward passes and decoding in this process, as the server asks for them."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from benchmarks.browser.figures import Figure, median
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import TorchEngine
from capsnet_explorer.model.device import leave_a_core
from capsnet_explorer.model.weights import load_weights
from capsnet_explorer.sample_digits import load_samples

WARMING = 2  # runs before those that count


def passes(weights: Path, rounds: int) -> list[Figure]:
    """Time traces and decoded capsules, in a row, as while somebody draws.

    Args:
        weights: a weight file.
        rounds: how many traces are timed with each number of threads.
    """
    engine = TorchEngine("ours", load_weights(weights), weights)
    names = tuple(t.name for t in engine.info.tensors if not t.on_request)
    question = Question(load_samples()[0].image, engine.options({}), names)
    pose = (
        np.random.default_rng(0).normal(size=(1, engine.info.details["pose_dim"])) / 4
    )
    pose = pose.astype(np.float32)

    def trace() -> Figure:
        what = f"trace in process on {torch.get_num_threads()} of torch's threads"
        return _timed(what, lambda: engine.trace(question), rounds)

    usual = torch.get_num_threads()
    found = [trace()]
    decoded = "one edited capsule decoded in process"
    found.append(_timed(decoded, lambda: engine.reconstruct(3, pose), 10 * rounds))
    leave_a_core()
    try:
        return [*found, trace()]
    finally:
        torch.set_num_threads(usual)


def _timed(what: str, run: Callable[[], object], rounds: int) -> Figure:
    times = []
    for number in range(WARMING + rounds):
        began = time.perf_counter()
        run()
        if number >= WARMING:
            times.append(1000 * (time.perf_counter() - began))
    return Figure(what, "", median(times), "ms")
