"""A described module as the explorer runs it: one pass, with every layer's values."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.described.drawing import Drawing
from capsnet_explorer.model.described.hypotheses import Choices
from capsnet_explorer.model.described.layers import (
    Capsules,
    Convolution,
    Dense,
    Layer,
    Pooling,
    Routing,
    Values,
)
from capsnet_explorer.model.described.routing import matrices
from capsnet_explorer.model.described.search import POOLS
from capsnet_explorer.model.described.watching import (
    Call,
    Seen,
    borrowed,
    place_of,
    watched,
)
from capsnet_explorer.model.layers.dynamic import RoutingStep, Votes
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.settings import ImageSizes


@dataclass(frozen=True, slots=True)
class Sizes(ImageSizes):
    """The sizes of a described network.

    Attributes:
        routed_capsules: number of capsules that route to the classes; 0 without any.
        routing_iterations: those of that routing; 0 without any.
    """

    routed_capsules: int = 0
    routing_iterations: int = 0


@dataclass(frozen=True, slots=True)
class Routed:
    """One routing of a pass.

    Attributes:
        votes: û_j|i, of capsules listed by types, rows and columns.
        steps: every iteration.
        grid: types, rows and columns of the capsules below; their number alone, where
            they stand at no place.
    """

    votes: Votes
    steps: tuple[RoutingStep, ...]
    grid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one pass computed. Batch first, on the CPU.

    Attributes:
        values: by the names of tensors, such as `conv1.pre`.
        routed: by the ids of layers.
        scores: (batch, classes).
        poses: (batch, classes, numbers), None without capsules.
        reconstruction: (batch, channels, rows, columns), None without a decoder.
        answer: what the module itself returned.
    """

    values: Mapping[str, Tensor]
    routed: Mapping[str, Routed]
    scores: Tensor
    poses: Tensor | None
    reconstruction: Tensor | None
    answer: Any = None


@dataclass(frozen=True)
class Description:
    """What a user says of a module.

    Attributes:
        module: the user's own; it is never copied or changed.
        layers: from the image up.
        call: runs the module on images; None calls it with them alone.
        normalize: mean and standard deviation, for images in [0, 1]; None hands images
            over as they are.
    """

    module: nn.Module
    layers: tuple[Layer, ...]
    call: Call | None = None
    normalize: tuple[Tensor, Tensor] | None = None

    def read(self, images: Tensor) -> Tensor:
        """Return images as the module reads them, where it computes."""
        device, kind = place_of(self.module)
        images = images.to(device, kind)
        if self.normalize is None:
            return images
        mean, deviation = (each.to(device, kind) for each in self.normalize)
        return (images - mean) / deviation

    def layer(self, kind: type[Layer]) -> Any:
        """Return the last layer of a kind, if there is one."""
        found = [each for each in self.layers if isinstance(each, kind)]
        return found[-1] if found else None


class Described(Network):
    """A described module, with what was found about it.

    Args:
        description: what its owner says.
        choices: what was found.
        config: its sizes.
        drawing: how its decoder is used; None without one.
    """

    def __init__(
        self,
        description: Description,
        choices: Choices,
        config: Sizes,
        drawing: Drawing | None = None,
    ) -> None:
        super().__init__()
        self.config: Sizes = config
        self.description = description
        self.choices = choices
        self.drawing = drawing
        # In a tuple: registered, the user's module would follow this one's changes.
        self._own = (description.module,)
        self._lock = threading.RLock()

    @property
    def own(self) -> nn.Module:
        """The user's module."""
        return self._own[0]

    @property
    def parameter_count(self) -> int:
        """Count the trained parameters, including a decoder's."""
        every = {id(each): each for each in self.own.parameters()}
        for layer in self.description.layers:
            for part in layer.modules:
                every |= {id(each): each for each in part.parameters()}
        return sum(each.numel() for each in every.values())

    def state_dict(self, *args: Any, **named: Any) -> dict[str, Any]:
        """Return the weights of the user's module, by its own names."""
        return self.own.state_dict(*args, **named)

    def forward(
        self,
        images: Tensor,
        *,
        keep: Tensor | None = None,
        iterations: int | None = None,
        surgery: Surgery | None = None,
        through_all: bool = True,
        shared: str = "no",
        changed: Choices | None = None,
    ) -> Trace:
        """Run the module, and recompute what follows of its parts' values.

        Args:
            images: (batch, channels, rows, columns), as its owner gives them.
            keep: the class to draw, as `Network.forward` has it.
            iterations: of the last routing; None takes the module's own.
            surgery: interventions in the last routing.
            through_all: whether gradients flow through every iteration of routing.
            shared: whether the images of the batch share logits, as the module's own
                may; `no` answers each image as if it were alone.
            changed: settings in place of what was found.
        """
        self.require_size(images)
        choices = {**self.choices, **(changed or {})}
        described = self.description
        parts = {part for layer in described.layers for part in layer.modules}
        for choice in choices.values():
            parts |= {*getattr(choice, "parts", ())}
        with self._lock, borrowed(self.own):
            read = described.read(images)
            seen = watched(self.own, read, parts, described.call)
            passing = _Pass(described, choices, seen)
            for layer in described.layers:
                asked = {}
                if layer is described.layer(Routing):
                    asked = {"iterations": iterations, "surgery": surgery}
                passing.fill(layer, shared=shared, through_all=through_all, **asked)
            scores = passing.scores(seen)
            reconstruction = None
            if self.drawing is not None and passing.poses is not None:
                reconstruction = (
                    self.drawing.draw_answer(passing.poses, scores.argmax(1))
                    if keep is None
                    else self.drawing.draw(passing.poses, keep)
                )
        return Trace(
            {name: tensor.cpu() for name, tensor in passing.values.items()},
            passing.routed,
            scores.cpu(),
            None if passing.poses is None else passing.poses.cpu(),
            None if reconstruction is None else reconstruction.cpu(),
            seen.output,
        )

    def decode(self, label: int, poses: Tensor) -> Tensor:
        """Decode poses of one class, all others masked to zero."""
        if self.drawing is None:
            raise NotImplementedError(f"{type(self).__name__} has no decoder")
        device, kind = place_of(self.own)
        capsules = torch.zeros(
            (len(poses), self.config.classes, poses.shape[1]), device=device, dtype=kind
        )
        capsules[:, label] = poses.to(device, kind)
        labels = torch.full((len(poses),), label, device=device)
        with self._lock, borrowed(self.drawing.module):
            return self.drawing.draw(capsules, labels).float().cpu()


@dataclass
class _Pass:
    """Fills in the values of one pass, layer by layer."""

    description: Description
    choices: Choices
    seen: Seen
    values: dict[str, Tensor] = field(default_factory=dict)
    routed: dict[str, Routed] = field(default_factory=dict)
    poses: Tensor | None = None

    def fill(self, layer: Layer, **asked: Any) -> None:
        match layer:
            case Convolution() | Dense():
                self._fill_step(layer)
            case Values():
                self.values[f"{layer.id}.out"] = self._float(layer.module)
            case Pooling():
                pool = POOLS[self.choices.get((layer.id, "pool"), "max")]
                below = self.values[f"{layer.below}.out"]
                self.values[f"{layer.id}.out"] = pool(below, layer.size)
            case Capsules():
                self._fill_capsules(layer)
            case Routing():
                self._fill_routing(layer, **asked)

    def scores(self, seen: Seen) -> Tensor:
        """Return the scores: what the module answers, or its probabilities."""
        answers = self.choices["", "answers"]
        if self.poses is None:
            dense = self.description.layer(Dense)
            if dense is None or answers == "as they are":
                batch = len(next(iter(seen.outputs.values())))
                return self.choices["", "scores"](seen.output, batch)
            logits = self.values[f"{dense.id}.out"]
            self.values["logits"] = logits
            return logits.softmax(dim=1)
        lengths = torch.linalg.vector_norm(self.poses, dim=-1)
        self.values["lengths"] = lengths
        if answers == "softmax of lengths":
            return lengths.softmax(dim=1)
        return lengths.square() if answers == "squared lengths" else lengths

    def _float(self, part: nn.Module) -> Tensor:
        tensor = self.seen.outputs[part]
        return tensor if tensor.dtype == torch.float64 else tensor.float()

    def _fill_step(self, layer: Convolution | Dense) -> None:
        step = self.choices.get((layer.id, "step"))
        values = self.seen.outputs[layer.module]
        if step is None:
            before = after = values
        else:
            before = step.before(values, self.seen)
            after = step.after(before, self.seen)
        self.values[f"{layer.id}.pre"] = before.float()
        self.values[f"{layer.id}.out"] = after.float()

    def _fill_capsules(self, layer: Capsules) -> None:
        cut = self.choices[layer.id, "cut"]
        maps = torch.cat([self._float(part) for part in layer.convolutions], dim=1)
        before = cut.grid(maps, layer.size)
        capsules = cut.squashed(before)
        if cut.order == "view":  # each of several places, and so at none
            before, capsules = before.flatten(1, 3), capsules.flatten(1, 3)
        self.values[f"{layer.id}.pre"] = before
        self.values[f"{layer.id}.capsules"] = capsules
        self.values[f"{layer.id}.lengths"] = torch.linalg.vector_norm(capsules, dim=-1)

    def _fill_routing(
        self,
        layer: Routing,
        *,
        shared: str,
        through_all: bool,
        iterations: int | None = None,
        surgery: Surgery | None = None,
    ) -> None:
        way = self.choices[layer.id, "way"]
        cut = self.choices.get((layer.below, "cut"))
        below = self.values[f"{layer.below}.capsules"]
        grid = tuple(below.shape[1:-1])
        listed = below.flatten(1, -2)
        transforms = matrices(layer).to(listed.dtype).permute(way.axes)
        prior = None if way.prior is None else way.prior.values.to(listed)
        if cut is not None:
            transforms = cut.sorted(transforms, grid)
            prior = None if prior is None else cut.sorted(prior, grid)
        if surgery is not None:
            listed = surgery.to(listed.device).silence(listed)
            surgery = surgery.to(listed.device)
        votes = Votes(listed, transforms)
        steps = tuple(
            way.steps(
                votes,
                iterations or way.iterations,
                surgery,
                prior=prior,
                shared=shared if way.shared != "no" else "no",
                through_all=through_all,
            )
        )
        self.routed[layer.id] = Routed(votes, steps, grid)
        capsules = steps[-1].capsules
        self.values[f"{layer.id}.poses"] = capsules
        self.values[f"{layer.id}.capsules"] = capsules
        lengths = torch.linalg.vector_norm(capsules, dim=-1)
        self.values[f"{layer.id}.lengths"] = lengths
        if layer is self.description.layer(Routing):
            self.poses = capsules
