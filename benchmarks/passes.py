"""Forward passes and decoding in this process: ours against plain eager PyTorch."""

import math
from pathlib import Path

import numpy as np
import torch

from benchmarks.plain import PlainNetwork
from benchmarks.threads import server_threads
from benchmarks.timing import Comparison, Limit, compare
from capsnet_explorer.app.content.samples import load_samples
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import TorchEngine
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.weights import load_weights

SIDE = 1024  # of the square matrices that measure how fast this machine multiplies
ITERATIONS = 3
TOGETHER = 8
IN_A_ROW = 20  # traces, as while somebody draws
SHEET = 16 * 11  # poses


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

    poses = np.random.default_rng(0).normal(size=(SHEET, network.config.digit_dim)) / 4
    poses = poses.astype(np.float32)
    capsules = torch.zeros(SHEET, engine.info.classes, network.config.digit_dim)
    capsules[:, 3] = torch.from_numpy(poses)
    keep = torch.full((SHEET,), 3)
    limit = _fastest_products(network.config)

    def compare_traces(what: str, in_a_row: int) -> Comparison:
        return compare(
            f"trace in process, every tensor but the votes{what}",
            lambda: engine.trace(question),
            lambda: plain.trace(image, ITERATIONS),
            rounds=rounds if in_a_row == 1 else 4 * rounds,
            in_a_row=in_a_row,
            limit=limit,
        )

    with server_threads() as threads:
        what = f", on {threads} of the processor's threads, as the server"
        on_the_servers_threads = compare_traces(what, in_a_row=1)
    return [
        compare_traces(": plain is eager PyTorch", in_a_row=1),
        compare_traces(f", {IN_A_ROW} of each in a row", in_a_row=IN_A_ROW),
        on_the_servers_threads,
        compare(
            f"{TOGETHER} traces in process: together against one by one",
            lambda: engine.trace_many([question] * TOGETHER),
            lambda: [engine.trace(question) for _ in range(TOGETHER)],
            rounds=max(1, rounds // 4),
        ),
        compare(
            "one edited capsule decoded in process: plain is eager PyTorch",
            lambda: engine.reconstruct(3, poses[:1]),
            lambda: plain.draw(capsules[:1], keep[:1]),
            rounds=10 * rounds,
        ),
        compare(
            f"{SHEET} edited capsules decoded in process: together against one by one",
            lambda: engine.reconstruct(3, poses),
            lambda: [engine.reconstruct(3, pose[None]) for pose in poses],
            rounds=max(1, rounds // 4),
        ),
    ]


def multiplications(config: CapsNetConfig) -> int:
    """Return the number of multiply-adds in a trace of one image, without routing.

    Assumes that every layer is computed as defined; ours needs fewer for PrimaryCaps.
    """
    kernel = config.kernel_size**2
    conv1 = math.prod(config.conv1_maps) * kernel
    numbers = config.primary_capsules * config.primary_dim
    primary = numbers * config.conv1_kernels * kernel
    votes = config.primary_capsules * config.classes * config.digit_dim
    first, second = config.decoder_hidden
    pixels = math.prod(config.image_shape)
    decoder = config.digit_dim * first + first * second + second * pixels
    return conv1 + primary + votes * config.primary_dim + decoder


def _fastest_products(config: CapsNetConfig) -> Limit:
    one, other = torch.rand(SIDE, SIDE), torch.rand(SIDE, SIDE)
    return Limit(lambda: one @ other, multiplications(config) / SIDE**3)


def _check_same(engine: TorchEngine, plain: PlainNetwork, question: Question) -> None:
    ours = engine.trace(question).tensors
    for name, expected in plain.trace(question.image, ITERATIONS).items():
        if not np.allclose(ours[name], expected, rtol=1e-3, atol=1e-4):
            raise RuntimeError(f"{name} differs from plain PyTorch's result")
