"""How a described decoder is used: in what shape it wants capsules."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.described.errors import Different, without_ours
from capsnet_explorer.model.described.layers import Decoder

Shape = tuple[int, int, int]

# What decoders read, of masked capsules (batch, classes, size) and labels (batch,).
READINGS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "all, in a row": lambda capsules, _labels: capsules.flatten(1),
    "all": lambda capsules, _labels: capsules,
    "the chosen one": lambda capsules, labels: capsules[
        torch.arange(len(labels), device=labels.device), labels
    ],
}


@dataclass(frozen=True)
class Drawing:
    """A decoder, and what it reads.

    Attributes:
        module: the user's.
        reads: one of `READINGS`.
        shape: channels, rows and columns of an image.
    """

    module: nn.Module
    reads: str
    shape: Shape

    def draw(self, poses: Tensor, keep: Tensor) -> Tensor:
        """Return (batch, channels, rows, columns), of some classes of each image.

        Args:
            poses: (batch, classes, size).
            keep: (batch,) classes, (batch, classes), 1 for each to draw, or (batch,
                pictures, classes) for several pictures of each.
        """
        if keep.ndim == 3:
            pictures = keep.shape[1]
            apart = self.draw(poses.repeat_interleave(pictures, 0), keep.flatten(0, 1))
            return apart.unflatten(0, (-1, pictures))
        labels = keep if keep.ndim == 1 else keep.argmax(dim=1)
        mask = F.one_hot(keep, poses.shape[1]) if keep.ndim == 1 else keep
        masked = poses * mask[..., None].to(poses)
        return _image(self.module(READINGS[self.reads](masked, labels)), self.shape)


def drawing_of(layer: Decoder, poses: Tensor, shape: Shape) -> Drawing:
    """Find out what a decoder reads.

    Args:
        layer: its description.
        poses: (batch, classes, size), as the module has them.
        shape: channels, rows and columns of an image.

    Raises:
        Different: it draws no image from a masked capsule, whichever way it gets it.
    """
    labels = torch.linalg.vector_norm(poses, dim=-1).argmax(dim=1)
    problem: Exception | None = None
    for reads in READINGS:
        drawing = Drawing(layer.module, reads, shape)
        try:
            found = drawing.draw(poses, labels)
        except Exception as error:
            problem = problem or error
            continue
        if found.isfinite().all():
            return drawing
        problem = ValueError("it draws numbers that are not finite")
    said = str(problem).splitlines()[0] if problem else ""
    raise Different(
        f"{layer.id}: the decoder draws no image of {'×'.join(map(str, shape))} from "
        f"capsules of shape {tuple(poses.shape[1:])}, all but one masked to zero "
        f"({said}); name the part that reads them, or leave it out",
        layer=layer.id,
    ) from (without_ours(problem) if problem else None)


def _image(drawn: Tensor, shape: Shape) -> Tensor:
    if drawn[0].numel() != math.prod(shape):
        raise ValueError(f"it draws {tuple(drawn.shape[1:])}")
    return drawn.reshape(-1, *shape)
