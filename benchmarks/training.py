"""A training step: ours against eager float32 with PyTorch's defaults."""

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor

from benchmarks.timing import Comparison, compare
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import CapsNetConfig, LossConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.batches import Batch
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.device import keep_large_buffers
from capsnet_explorer.model.layers.squash import squash
from capsnet_explorer.model.margin_loss import margin_losses, reconstruction_loss
from capsnet_explorer.model.presence import multi_hot
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.loop import Trainer

BATCH = 128
RATE = 0.001

Step = Callable[[], object]


def compare_training(rounds: int) -> list[Comparison]:
    """Compare steps on batches of 128 random images.

    Each implementation runs in its own process, because the allocator's setting applies
    to a whole process.

    Args:
        rounds: number of steps of each.
    """
    with in_process(our_step) as ours, in_process(plain_step) as plain:
        name = f"training step, {BATCH} images"
        return [compare(name, ours, plain, rounds=rounds)]


def our_step() -> Step:
    """Prepare the step that the training command uses on a CPU."""
    keep_large_buffers()
    batch = _batch()
    digits = LabelledImages((255 * batch.images).to(torch.uint8), batch.labels)
    device = torch.device("cpu")
    trainer = Trainer(
        ARCHITECTURE,
        digits,
        RunFolder(Path(tempfile.gettempdir())),  # a single step writes nothing
        computing=Computing(device, winograd=True),
        training=TrainingConfig(),
        sizes=CapsNetConfig(),
        loss=LossConfig(),
    )
    return lambda: trainer.step(batch, RATE)


def plain_step() -> Step:
    """Prepare a plain training step."""
    batch = _batch()
    plain = PlainStep()
    return lambda: plain.run(batch)


def _batch() -> Batch:
    generator = torch.Generator().manual_seed(0)
    return Batch(
        torch.rand(BATCH, 1, 28, 28, generator=generator),
        torch.randint(0, 10, (BATCH,), generator=generator),
    )


@contextmanager
def in_process(prepare: Callable[[], Step]) -> Iterator[Step]:
    """Yield a function that runs one step in another process and waits for it."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, _prepare, (prepare,)) as process:
        yield lambda: process.submit(_step).result()


_PREPARED: list[Step] = []  # in the other process


def _prepare(prepare: Callable[[], Step]) -> None:
    _PREPARED.append(prepare())


def _step() -> None:
    _PREPARED[0]()


class PlainStep:
    """The plain network: materialises all votes and tracks every iteration."""

    def __init__(self) -> None:
        self.network = CapsNet()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=RATE)
        self.loss = LossConfig()

    def run(self, batch: Batch) -> None:
        """Take one step."""
        network = self.network
        maps = network.conv1(batch.images).relu()
        primary = squash(network.primary(maps)).flatten(1, 3)
        votes = torch.einsum("ijdp,bip->bijd", network.digits.transforms, primary)
        capsules = self._route(votes)
        lengths = capsules.norm(dim=2)
        reconstruction = network.decoder(capsules, batch.labels)
        present = multi_hot(batch.labels, network.config.classes)
        margin = margin_losses(lengths, present, self.loss).mean()
        loss = margin + reconstruction_loss(
            reconstruction, batch.images, self.loss.reconstruction_weight
        )
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def _route(self, votes: Tensor) -> Tensor:
        logits = torch.zeros_like(votes[..., 0])
        iterations = self.network.config.routing_iterations
        capsules = votes[:, 0]
        for iteration in range(iterations):
            couplings = logits.softmax(dim=2)
            capsules = squash((couplings[..., None] * votes).sum(dim=1))
            if iteration < iterations - 1:
                logits = logits + (votes * capsules[:, None]).sum(dim=-1)
        return capsules
