"""A training step of matrix capsules: ours against votes in expanded form."""

import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from benchmarks.timing import Comparison, compare
from benchmarks.training import Step, in_process
from model.computing import Computing
from model.data.batches import Batch
from model.data.images import DigitImages
from model.device import keep_large_buffers
from model.matrix.architecture import ARCHITECTURE
from model.matrix.config import POSE, SETTINGS
from model.matrix.network import MatrixNetwork
from model.matrix.routing import (
    EPSILON,
    Layer,
    RoutingStep,
    Settings,
    softmax_over_parents,
)
from model.training.folder import RunFolder
from model.training.loop import Trainer
from model.training.processes import Alone

RATE = 0.001


def compare_matrix_training(rounds: int) -> list[Comparison]:
    """Compare steps on batches of 16 random images, on one thread.

    Args:
        rounds: number of steps of each.
    """
    ways = {"votes as moments": readable_step, "compiled loops": compiled_step}
    comparisons = []
    for what, prepare in ways.items():
        with in_process(prepare) as ours, in_process(expanded_step) as plain:
            name = f"training step of matrix capsules, 16 images, one thread: {what}"
            comparisons.append(compare(name, ours, plain, rounds=rounds))
    return comparisons


def compiled_step() -> Step:
    """Prepare the step of the training command, with Numba's loops."""
    return _step_of(compiled=True)[1]


def readable_step() -> Step:
    """Prepare the same with the readable loop, as where Numba is missing."""
    return _step_of(compiled=False)[1]


def expanded_step() -> Step:
    """Prepare the same with every difference V - μ stored."""
    network, step = _step_of(compiled=False)
    for layer in network.routed_layers:
        layer.compiled = expanded_routing
    return step


def _step_of(*, compiled: bool) -> tuple[MatrixNetwork, Step]:
    keep_large_buffers()
    torch.set_num_threads(1)
    recipe = SETTINGS.presets["quick"]
    generator = torch.Generator().manual_seed(0)
    batch = Batch(
        torch.rand(recipe.batch_size, 28, 28, generator=generator),
        torch.randint(0, 10, (recipe.batch_size,), generator=generator),
    )
    device = torch.device("cpu")
    trainer = Trainer(
        ARCHITECTURE,
        DigitImages((255 * batch.images).to(torch.uint8), batch.labels),
        RunFolder(Path(tempfile.gettempdir())),  # a single step writes nothing
        team=Alone(device),
        computing=Computing(device),
        training=recipe,
        sizes=SETTINGS.sizes(),
        loss=SETTINGS.loss(),
    )
    network = trainer.network
    if not isinstance(network, MatrixNetwork):
        raise TypeError("the architecture must build a MatrixNetwork")
    if not compiled:
        for layer in network.routed_layers:
            layer.compiled = None
    return network, lambda: trainer.step(batch, RATE)


def expanded_routing(
    poses: Tensor,
    activations: Tensor,
    transforms: Tensor,
    added: Tensor | None,
    layer: Layer,
    settings: Settings,
    iterations: int,
) -> tuple[RoutingStep, ...]:
    """Route as most public implementations do: votes and differences in full."""
    matrices = layer.to_slots(poses.flatten(1).unflatten(1, poses.shape[1:]))
    votes = torch.einsum(
        "bpsik,stkj->bptsij",
        matrices.unflatten(3, (4, 4)),
        transforms.unflatten(2, (4, 4)),
    ).flatten(4)
    votes = votes if added is None else votes + added
    present = layer.to_slots(activations)[:, :, None, :, None]
    even = layer.even.expand(*votes.shape[:4])
    even_mass = (even[..., None] * present).sum(dim=3) + EPSILON
    assignments, steps = even, []
    for iteration in range(iterations):
        weights = assignments[..., None] * present
        mass = weights.sum(dim=3)
        means = (weights * votes).sum(dim=3) / (mass + EPSILON)
        squared = (votes - means[:, :, :, None]).square()
        variances = (weights * squared).sum(dim=3) / (mass + EPSILON)
        variances = variances + settings.variance_floor
        logs = variances.log()
        each = POSE * settings.beta_u + logs.sum(dim=3) / 2
        costs = (mass / even_mass)[..., 0] * each
        scale = settings.inverse_temperature_at(iteration)
        logits = scale * (settings.beta_a - costs)
        steps.append(RoutingStep(assignments, means, variances, costs, logits))
        away = squared / variances[:, :, :, None] + logs[:, :, :, None]
        joint = F.logsigmoid(logits)[..., None] - away.sum(dim=4) / 2
        assignments = softmax_over_parents(joint, layer)
    return tuple(steps)
