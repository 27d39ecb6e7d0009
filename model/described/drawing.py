"""How a described decoder is used: in what shape it wants capsules."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.described.errors import Different, without_ours
from capsnet_explorer.model.described.hypotheses import largest, scale
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
        masks: whether it is given the capsule of one class, and zeros for the others.
    """

    module: nn.Module
    reads: str
    shape: Shape
    masks: bool = True

    def draw_answer(self, poses: Tensor, labels: Tensor) -> Tensor:
        """Return what the module draws of an answer: (batch, channels, rows, columns).

        Args:
            poses: (batch, classes, size).
            labels: (batch,), the classes with the highest scores.
        """
        return self.draw(
            poses, labels if self.masks else torch.ones_like(poses[..., 0])
        )

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


def drawing_of(
    layer: Decoder, poses: Tensor, shape: Shape, own: Tensor | None, tolerance: float
) -> tuple[Drawing, float | None]:
    """Find out what a decoder reads.

    Args:
        layer: its description.
        poses: (batch, classes, size), as the module has them.
        shape: channels, rows and columns of an image.
        own: what it drew while the module answered; None if that cannot be known.
        tolerance: the largest difference that counts as none, for pictures in 0..1.

    Returns:
        The drawing, and by how much it differs from the module's own; None without one.

    Raises:
        Different: it draws no image from a masked capsule, whichever way it gets it, or
            in every way another one than in the module's answer.
    """
    labels = torch.linalg.vector_norm(poses, dim=-1).argmax(dim=1)
    problem: Exception | None = None
    drawn: list[tuple[Drawing, float]] = []
    ways = [(reads, True) for reads in READINGS]
    ways += [(reads, False) for reads in READINGS if reads.startswith("all")]
    for reads, masks in ways if own is not None else ways[: len(READINGS)]:
        drawing = Drawing(layer.module, reads, shape, masks)
        try:
            found = drawing.draw_answer(poses, labels)
        except Exception as error:
            problem = problem or error
            continue
        if not found.isfinite().all():
            problem = ValueError("it draws numbers that are not finite")
        elif own is None:
            return drawing, None
        else:
            drawn.append((drawing, largest(found, _image(own, shape))))
    if own is not None and drawn:
        drawing, off = min(drawn, key=lambda each: each[1])
        if off <= tolerance * max(1.0, scale(own)):
            return drawing, off
        raise Different(
            f"{layer.id}: from the capsules of the answer, masked or not, the decoder "
            "draws other pictures than while your module answered, by "
            f"{off:.2g}; if it masks by a label that call gives, let call give none, "
            "or leave the decoder out",
            layer=layer.id,
            difference=off,
        )
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
