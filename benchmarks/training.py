"""A training step: ours against eager float32 with formed votes."""

import torch
from torch import Tensor

from benchmarks.timing import Comparison, compare
from model.capsnet import CapsNet
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import Batch, DigitImages
from model.device import has_fast_bfloat16
from model.loss import margin_loss, reconstruction_loss
from model.routing import squash
from model.training import RunFolder, Trainer

BATCH = 128
RATE = 0.001


def compare_training(folder: RunFolder, rounds: int) -> list[Comparison]:
    """Compare steps of batch 128 on random images.

    Args:
        folder: where a trainer may keep its files; nothing is written.
        rounds: steps of each.
    """
    cpu = torch.device("cpu")
    generator = torch.Generator().manual_seed(0)
    batch = Batch(
        torch.rand(BATCH, 28, 28, generator=generator),
        torch.randint(0, 10, (BATCH,), generator=generator),
    )
    digits = DigitImages((255 * batch.images).to(torch.uint8), batch.labels)

    def ours(bfloat16: bool) -> Trainer:
        return Trainer(
            digits,
            folder,
            device=cpu,
            bfloat16=bfloat16,
            training=TrainingConfig(),
            sizes=CapsNetConfig(),
            loss=LossConfig(),
        )

    plain = PlainStep()
    full = ours(False)
    rows = [
        compare(
            f"training step, {BATCH} images, float32",
            lambda: full.step(batch, RATE),
            lambda: plain.run(batch),
            rounds=rounds,
        )
    ]
    if has_fast_bfloat16(cpu):
        half = ours(True)
        rows.append(
            compare(
                f"training step, {BATCH} images, bfloat16 products",
                lambda: half.step(batch, RATE),
                lambda: plain.run(batch),
                rounds=rounds,
            )
        )
    return rows


class PlainStep:
    """The network as most write it: every vote formed, every iteration tracked."""

    def __init__(self) -> None:
        self.network = CapsNet()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=RATE)
        self.loss = LossConfig()

    def run(self, batch: Batch) -> None:
        """Take one step."""
        network = self.network
        maps = network.conv1(batch.images[:, None]).relu()
        primary = squash(network.primary(maps)).flatten(1, 3)
        votes = torch.einsum("ijdp,bip->bijd", network.digits.transforms, primary)
        capsules = self._route(votes)
        lengths = capsules.norm(dim=2)
        reconstruction = network.decoder(capsules, batch.labels)
        loss = margin_loss(lengths, batch.labels, self.loss) + reconstruction_loss(
            reconstruction, batch.images, self.loss
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
