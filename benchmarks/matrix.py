"""Matrix capsules, forward and in training: ours against votes in expanded form."""

import copy
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from benchmarks.timing import Comparison, compare, threads_set_to
from benchmarks.training import Step, in_process
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.batches import Batch
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.device import keep_large_buffers
from capsnet_explorer.model.layers.em import (
    EPSILON,
    RoutingStep,
    softmax_over_parents,
)
from capsnet_explorer.model.matrix.architecture import ARCHITECTURE
from capsnet_explorer.model.matrix.config import POSE, SETTINGS
from capsnet_explorer.model.matrix.layers import MatrixCapsules
from capsnet_explorer.model.matrix.network import MatrixNetwork
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.loop import Trainer
from capsnet_explorer.model.weights import load_weights

RATE = 0.001
IN_A_ROW = 20  # passes, as where one person draws


def compare_matrix_training(rounds: int) -> list[Comparison]:
    """Compare steps on batches of 16 random images, on one thread.

    Args:
        rounds: number of steps of each.
    """
    with in_process(usual_step) as ours, in_process(expanded_step) as plain:
        name = "training step of matrix capsules, 16 images, one thread"
        return [compare(name, ours, plain, rounds=rounds)]


def compare_matrix_passes(weights: Path, rounds: int) -> list[Comparison]:
    """Compare forward passes of one image, every iteration kept, on one thread.

    Args:
        weights: a folder of weight files, or one; networks of other kinds are left out.
        rounds: of each comparison.
    """
    files = sorted(weights.glob("*.safetensors")) if weights.is_dir() else [weights]
    networks = ((path.stem, load_weights(path)) for path in files)
    with threads_set_to(1):
        return [
            compare(
                f"forward pass of one image on one thread, as served, {name}",
                _served_pass(trained.network),
                _expanded_pass(trained.network),
                rounds=4 * rounds,
                in_a_row=IN_A_ROW,
            )
            for name, trained in networks
            if isinstance(trained.network, MatrixNetwork)
        ]


def _served_pass(network: MatrixNetwork) -> Callable[[], object]:
    serving = ARCHITECTURE.serving(network)
    options = [ARCHITECTURE.options(network.config, {})]
    image = torch.rand(1, *network.config.image_shape)
    return torch.inference_mode()(lambda: serving.run(image, options))


def _expanded_pass(network: MatrixNetwork) -> Callable[[], object]:
    plain = copy.deepcopy(network)
    route_expanded(plain)
    image = torch.rand(1, *network.config.image_shape)
    return torch.inference_mode()(lambda: plain(image))


def usual_step() -> Step:
    """Prepare the step of the training command."""
    return _network_and_step()[1]


def expanded_step() -> Step:
    """Prepare the same with every difference V - μ stored."""
    network, step = _network_and_step()
    route_expanded(network)
    return step


def _network_and_step() -> tuple[MatrixNetwork, Step]:
    keep_large_buffers()
    torch.set_num_threads(1)
    recipe = SETTINGS.presets["quick"]
    generator = torch.Generator().manual_seed(0)
    batch = Batch(
        torch.rand(recipe.batch_size, 1, 28, 28, generator=generator),
        torch.randint(0, 10, (recipe.batch_size,), generator=generator),
    )
    device = torch.device("cpu")
    trainer = Trainer(
        ARCHITECTURE,
        LabelledImages((255 * batch.images).to(torch.uint8), batch.labels),
        RunFolder(Path(tempfile.gettempdir())),  # a single step writes nothing
        computing=Computing(device),
        training=recipe,
        sizes=SETTINGS.sizes(),
        loss=SETTINGS.loss(),
    )
    network = trainer.network
    if not isinstance(network, MatrixNetwork):
        raise TypeError("the architecture must build a MatrixNetwork")
    return network, lambda: trainer.step(batch, RATE)


def route_expanded(network: MatrixNetwork) -> None:
    """Have every layer route by `expanded_routing`."""
    for layer in network.routed_layers:
        layer.faster = partial(expanded_routing, layer)


def expanded_routing(
    capsules: MatrixCapsules, poses: Tensor, activations: Tensor, iterations: int
) -> tuple[RoutingStep, ...]:
    """Route as most public implementations do: votes and differences in full."""
    layer, settings, added = capsules.layer, capsules.settings, capsules.added
    matrices = layer.to_slots(poses.flatten(1).unflatten(1, poses.shape[1:]))
    votes = torch.einsum(
        "bpsik,stkj->bptsij",
        matrices.unflatten(3, (4, 4)),
        capsules.slot_transforms,
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
        unit_costs = POSE * settings.beta_u + logs.sum(dim=3) / 2
        costs = (mass / even_mass)[..., 0] * unit_costs
        scale = settings.inverse_temperature_at(iteration)
        logits = scale * (settings.beta_a - costs)
        steps.append(RoutingStep(assignments, means, variances, costs, logits))
        away = squared / variances[:, :, :, None] + logs[:, :, :, None]
        joint = F.logsigmoid(logits)[..., None] - away.sum(dim=4) / 2
        assignments = softmax_over_parents(joint, layer)
    return tuple(steps)
