"""How a described decoder is used: in what shape it wants capsules."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.described.errors import without_ours
from capsnet_explorer.model.described.layers import Decoder
from capsnet_explorer.model.described.running.watching import all_tensors
from capsnet_explorer.model.described.search.guesses import TELLING, largest, scale

SEEN = 1e-6  # difference of two pictures in 0..1 that counts
NUDGE = 1.02  # times a capsule, which hardly ever makes another the longest

Shape = tuple[int, int, int]

Arguments = tuple[Tensor | None, ...]


def _one_hot(capsules: Tensor, labels: Tensor) -> Tensor:
    return F.one_hot(labels, capsules.shape[1]).to(capsules)


# What decoders are called with, of masked capsules (batch, classes, size) and labels.
READINGS: dict[str, Callable[[Tensor, Tensor], Arguments]] = {
    "all, in a row": lambda capsules, _labels: (capsules.flatten(1),),
    "all": lambda capsules, _labels: (capsules,),
    "the chosen one": lambda capsules, labels: (
        capsules[torch.arange(len(labels), device=labels.device), labels],
    ),
    "all, with a further axis": lambda capsules, _labels: (capsules[..., None],),
    "all, and which one": lambda capsules, labels: (
        capsules,
        _one_hot(capsules, labels),
    ),
    "all, with a further axis, and which one": lambda capsules, labels: (
        capsules[..., None],
        _one_hot(capsules, labels),
    ),
    "all, and the label": lambda capsules, labels: (capsules, labels),
    "all, and no label": lambda capsules, _labels: (capsules, None),
    "all, with a further axis, and no label": lambda capsules, _labels: (
        capsules[..., None],
        None,
    ),
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
        drawn = self.module(*READINGS[self.reads](masked, labels))
        return picture_of([*all_tensors(drawn)], self.shape)


@dataclass(frozen=True)
class Drawn:
    """How a decoder is used, as far as that can be told.

    Attributes:
        drawing: the decoder; None without one.
        difference: of its pictures and the module's own; None without such.
        alike: by how much its pictures of different classes differ, where that is too
            little to tell what it draws from; None elsewhere.
    """

    drawing: Drawing | None
    difference: float | None
    alike: float | None = None


def drawing_of(
    layer: Decoder,
    poses: Tensor,
    shape: Shape,
    returned: list[Tensor],
    tolerance: float,
    noise: float,
) -> Drawn:
    """Find out what a decoder reads.

    Args:
        layer: its description.
        poses: (batch, classes, size), as the module has them.
        shape: channels, rows and columns of an image.
        returned: what it returned while the module answered; none if that cannot be
            known.
        tolerance: the largest difference that counts as none, for pictures in 0..1.
        noise: the difference that rounding alone makes.

    Raises:
        Different: it draws no image from a masked capsule, whichever way it gets it, or
            in every way another one than in the module's answer.
    """
    labels = torch.linalg.vector_norm(poses, dim=-1).argmax(dim=1)
    problem: Exception | None = None
    drawn: list[tuple[Drawing, float]] = []
    original = picture_of(returned, shape) if returned else None
    ways = [(reads, True) for reads in READINGS]
    ways += [(reads, False) for reads in READINGS if reads.startswith("all")]
    for reads, masks in ways if original is not None else ways[: len(READINGS)]:
        drawing = Drawing(layer.module, reads, shape, masks)
        try:
            picture = drawing.draw_answer(poses, labels)
        except Exception as error:
            problem = problem or error
            continue
        if not picture.isfinite().all():
            problem = ValueError("it draws numbers that are not finite")
        elif original is None:
            return Drawn(drawing, None)
        else:
            drawn.append((drawing, largest(picture, original)))
    if original is not None and drawn:
        least = min(off for _, off in drawn)
        near = max(TELLING * least, noise)
        drawing, off = next(pair for pair in drawn if pair[1] <= near)
        limit = tolerance * max(1.0, scale(original))
        if off <= limit:
            others = (labels + 1) % poses.shape[1]
            apart = largest(drawing.draw(poses, labels), drawing.draw(poses, others))
            least = TELLING * max(off, noise)
            can_tell = least < apart
            if can_tell:  # pictures of different classes may be nearly alike
                limit = min(limit, max(apart / TELLING, least))
            _require_alone(layer, drawing, poses, labels, limit)
            if not drawing.masks:
                _require_several(layer, drawing, poses, max(least, SEEN))
            return Drawn(drawing, off, None if can_tell else apart)
        raise layer.differs(
            "from the capsules of the answer, masked or not, the decoder draws other "
            f"pictures than while your module answered, by {off:.2g}; if it masks by a "
            "label that call gives, let call give none, or leave the decoder out",
            difference=off,
        )
    reason = str(problem).splitlines()[0] if problem else ""
    raise layer.differs(
        f"the decoder draws no image of {'×'.join(map(str, shape))} from "
        f"capsules of shape {tuple(poses.shape[1:])}, all but one masked to zero "
        f"({reason}); name the part that reads them, or leave it out"
    ) from (without_ours(problem) if problem else None)


def _require_alone(
    layer: Decoder, drawing: Drawing, poses: Tensor, labels: Tensor, limit: float
) -> None:
    """Refuse a decoder whose pictures depend on the other images of a batch."""
    together = drawing.draw_answer(poses, labels)
    pairs = zip(poses.split(1), labels.split(1), strict=True)
    alone = torch.cat([drawing.draw_answer(*pair) for pair in pairs])
    # In another order, others of the batch may be the longest.
    turned = drawing.draw_answer(poses.flip(0), labels.flip(0)).flip(0)
    off = max(largest(alone, together), largest(turned, together))
    if off > limit:
        raise layer.differs(
            "what the decoder draws for an image depends on the others of "
            f"its batch, by {off:.2g}; is its mask a softmax over the batch? Leave it "
            "out, or name the part that reads masked capsules",
            difference=off,
        )


def _require_several(
    layer: Decoder, drawing: Drawing, poses: Tensor, limit: float
) -> None:
    """Refuse a decoder that masks itself, all but a capsule that is not the longest."""
    every = torch.ones_like(poses[..., 0])
    original = drawing.draw(poses, every)
    moved = torch.zeros(poses.shape[:2], dtype=torch.bool)
    for chosen in range(poses.shape[1]):
        nudged = poses.clone()
        nudged[:, chosen] *= NUDGE
        apart = drawing.draw(nudged, every) - original
        moved[:, chosen] = apart.flatten(1).abs().amax(dim=1) > limit
    if (moved.sum(dim=1) == 1).all():
        raise layer.differs(
            "the decoder draws from one capsule of each image, but not "
            "from the longest, as the page would; leave it out"
        )


def picture_of(returned: list[Tensor], shape: Shape) -> Tensor:
    """Return the picture among what a decoder returned: (batch, *shape).

    Raises:
        ValueError: there is none of that size.
    """
    for tensor in returned:
        # Not len(each), which is a fixed number in whatever is exported.
        if (
            tensor.ndim
            and tensor.shape[0]
            and tensor.shape[1:].numel() == math.prod(shape)
        ):
            return tensor.reshape(-1, *shape)
    sizes = ", ".join(str(tuple(tensor.shape[1:])) for tensor in returned)
    raise ValueError(f"it draws {sizes or 'nothing'}")
