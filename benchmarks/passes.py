"""Forward passes and decoding in this process: ours against plain eager PyTorch."""

from pathlib import Path

import numpy as np
import torch

from benchmarks.plain import PlainNetwork
from benchmarks.timing import Comparison, compare, server_threads
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import TorchEngine
from capsnet_explorer.datasets.digits import load_samples
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.weights import load_weights

ITERATIONS = 3
IN_A_ROW = 20  # traces, as while somebody draws


def compare_passes(weights: Path, rounds: int) -> list[Comparison]:
    """Compare traces and decoded capsules.

    Raises:
        RuntimeError: the two implementations differ in their results.
    """
    trained = load_weights(weights)
    network = trained.network
    if not isinstance(network, CapsNet):
        raise ValueError(f"{weights} must be a CapsNet, got a {trained.card['title']}")
    engine, plain = TorchEngine("ours", trained, weights), PlainNetwork(network)
    names = tuple(t.name for t in engine.info.tensors if not t.on_request)
    image = load_samples()[0].image
    question = Question(image, engine.options({"iterations": ITERATIONS}), names)
    _check_same(engine, plain, question)

    pose = np.random.default_rng(0).normal(size=(1, network.config.digit_dim)) / 4
    pose = pose.astype(np.float32)
    capsules = torch.zeros(1, engine.info.classes, network.config.digit_dim)
    capsules[:, 3] = torch.from_numpy(pose)
    keep = torch.tensor([3])

    def compare_traces(what: str, in_a_row: int) -> Comparison:
        return compare(
            f"trace in process, every tensor but the votes{what}",
            lambda: engine.trace(question),
            lambda: plain.trace(image, ITERATIONS),
            rounds=rounds if in_a_row == 1 else 4 * rounds,
            in_a_row=in_a_row,
        )

    with server_threads() as threads:
        what = f", on {threads} of the processor's threads, as the server"
        on_the_servers_threads = compare_traces(what, in_a_row=1)
    return [
        compare_traces(": plain is eager PyTorch", in_a_row=1),
        compare_traces(f", {IN_A_ROW} of each in a row", in_a_row=IN_A_ROW),
        on_the_servers_threads,
        compare(
            "one edited capsule decoded in process: plain is eager PyTorch",
            lambda: engine.reconstruct(3, pose),
            lambda: plain.draw(capsules, keep),
            rounds=10 * rounds,
        ),
    ]


def _check_same(engine: TorchEngine, plain: PlainNetwork, question: Question) -> None:
    ours = engine.trace(question).tensors
    for name, expected in plain.trace(question.image, ITERATIONS).items():
        if not np.allclose(ours[name], expected, rtol=1e-3, atol=1e-4):
            raise RuntimeError(f"{name} differs from plain PyTorch's result")
