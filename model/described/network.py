"""A described module as the explorer runs it: one pass, with every layer's values."""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.described.capsules.between import POOLS
from capsnet_explorer.model.described.capsules.making import Arrangement, values_of
from capsnet_explorer.model.described.drawing import Drawing
from capsnet_explorer.model.described.layers import (
    APART,
    Capsules,
    Convolution,
    Couplings,
    Dense,
    Layer,
    Pooling,
    Routing,
    Values,
)
from capsnet_explorer.model.described.routing.em import (
    Em,
    below_of,
    costs_in,
    em_steps,
    votes_of,
)
from capsnet_explorer.model.described.routing.matrices import (
    matrices,
    vote_matrices,
)
from capsnet_explorer.model.described.routing.ways import Way, active_in, posed
from capsnet_explorer.model.described.routing.windows import Active
from capsnet_explorer.model.described.running.watching import (
    Call,
    Recording,
    borrowed,
    place_of,
    watch,
)
from capsnet_explorer.model.described.search.guesses import Choices
from capsnet_explorer.model.layers.attention import AttentionStep
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
        steps: every iteration; of attention, the one.
        grid: types, rows and columns of the capsules below; their number alone, where
            they stand at no place.
        prior: logits to begin with, of capsules in the same order; None begins with 0.
    """

    votes: Votes
    steps: tuple[RoutingStep, ...] | tuple[AttentionStep, ...]
    grid: tuple[int, ...]
    prior: Tensor | None


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one pass computed. Batch first, on the CPU.

    Attributes:
        values: by the names of tensors, such as `conv1.pre`.
        routed: by the ids of layers.
        scores: (batch, classes).
        poses: (batch, classes, numbers), None without capsules of the classes.
        reconstruction: (batch, channels, rows, columns), None without a decoder.
        answer: what the module itself returned.
        batch: number of images for which it did.
        proof: what a part of it shows of the capsules; None where the answer does.
    """

    values: Mapping[str, Tensor]
    routed: Mapping[str, Routed]
    scores: Tensor
    poses: Tensor | None
    reconstruction: Tensor | None
    answer: Any = None
    batch: int = 0
    proof: Tensor | None = None

    @property
    def capsules(self) -> Tensor:
        """The capsules that the last routing makes: (batch, capsules, numbers)."""
        *_, last = self.routed.values()
        return last.steps[-1].capsules.cpu()


@dataclass(frozen=True)
class Description:
    """What a user says of a module.

    Attributes:
        module: the user's own; it is never copied or changed.
        layers: from the image up.
        call: runs the module on images; None calls it with them alone.
        normalize: mean and standard deviation, for images in [0, 1]; None hands images
            over as they are.
        asks_twice: whether a single image is handed over twice, as the module fails for
            one.
    """

    module: nn.Module
    layers: tuple[Layer, ...]
    call: Call | None = None
    normalize: tuple[Tensor, Tensor] | None = None
    asks_twice: bool = False

    def read(self, images: Tensor) -> Tensor:
        """Return images as the module reads them, where it computes."""
        device, kind = place_of(self.module)
        images = images.to(device, kind)
        if self.normalize is None:
            return images
        mean, deviation = (statistic.to(device, kind) for statistic in self.normalize)
        return (images - mean) / deviation

    def watch(self, read: Tensor, parts: Iterable[nn.Module]) -> Recording:
        """Run the module, and keep what some of its parts read and return."""
        is_twice = self.asks_twice and len(read) < 2
        record = watch(
            self.module,
            torch.cat([read, read]) if is_twice else read,
            parts,
            self.call,
            are_softmaxes_kept=self.layer(Couplings) is not None,
        )
        return record.first() if is_twice else record

    def record(self, images: Tensor, several: Iterable[Choices]) -> Recording:
        """Run the module, and keep what its layers need, and all of several choices.

        Args:
            images: (batch, channels, rows, columns), as its owner gives them.
            several: what was found, or is tried.
        """
        parts = {part for layer in self.layers for part in layer.modules}
        for choices in several:
            for choice in choices.values():
                parts |= {*getattr(choice, "parts", ())}
        return self.watch(self.read(images), parts)

    def layer(self, kind: type[Layer]) -> Any:
        """Return the last layer of a kind, if there is one."""
        layers = [layer for layer in self.layers if isinstance(layer, kind)]
        return layers[-1] if layers else None


class Described(Network):
    """A described module, with what was found about it."""

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
        self.grids: dict[str, tuple[int, ...]] = {}  # of the capsules that vote
        # In a tuple: registered, the user's module would follow this one's changes.
        self._own = (description.module,)
        self._lock = threading.RLock()

    @property
    def module(self) -> nn.Module:
        """The user's module."""
        return self._own[0]

    @property
    def has_class_capsules(self) -> bool:
        """Whether the last routing makes a capsule for each class."""
        return self.config.routed_capsules > 0

    @property
    def are_short(self) -> bool:
        """Whether squash keeps each capsule of the classes shorter than 1."""
        last = self.description.layer(Routing)
        if last is None:
            return False
        way: Way = self.choices[last.id, "way"]
        if way.form in APART:
            return False
        return way.squash == "capsule" and way.curve.name not in ("none", "own")

    @property
    def parameter_count(self) -> int:
        """Count the trained parameters, including a decoder's."""
        parts = [part for layer in self.description.layers for part in layer.modules]
        every = {x for part in (self.module, *parts) for x in part.parameters()}
        return sum(parameter.numel() for parameter in every)

    def state_dict(self, *args: Any, **named: Any) -> dict[str, Any]:
        """Return the weights of the user's module, by its own names."""
        return self.module.state_dict(*args, **named)

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
        recording: Recording | None = None,
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
            recording: of a pass of the module over these images; None runs it.
        """
        self.require_size(images)
        choices = {**self.choices, **(changed or {})}
        described = self.description
        with self._lock, borrowed(self.module):
            if recording is None:
                recording = described.record(images, [choices])
            passing = Pass(described, choices, recording)
            for layer in described.layers:
                options = {}
                if layer is described.layer(Routing):
                    options = {"iterations": iterations, "surgery": surgery}
                passing.fill(layer, shared=shared, through_all=through_all, **options)
            for layer in described.layers:
                if layer.id in passing.routed and isinstance(layer, Routing):
                    self.grids[layer.below] = passing.routed[layer.id].grid
            scores = passing.scores(len(images), of_capsules=self.has_class_capsules)
            reconstruction = None
            poses = passing.poses if self.has_class_capsules else None
            if self.drawing is not None and poses is not None:
                reconstruction = (
                    self.drawing.draw_answer(poses, scores.argmax(1))
                    if keep is None
                    else self.drawing.draw(poses, keep)
                )
        return Trace(
            {name: tensor.cpu() for name, tensor in passing.values.items()},
            passing.routed,
            scores.cpu(),
            None if poses is None else poses.cpu(),
            None if reconstruction is None else reconstruction.cpu(),
            recording.output,
            recording.batch,
            passing.proof,
        )

    def decode(self, label: int, poses: Tensor) -> Tensor:
        """Decode poses of one class, all others masked to zero."""
        if self.drawing is None:
            raise NotImplementedError(f"{type(self).__name__} has no decoder")
        device, kind = place_of(self.module)
        capsules = torch.zeros(
            (len(poses), self.config.classes, poses.shape[1]), device=device, dtype=kind
        )
        capsules[:, label] = poses.to(device, kind)
        labels = torch.full((len(poses),), label, device=device)
        with self._lock, borrowed(self.drawing.module):
            return self.drawing.draw(capsules, labels).float().cpu()


MOST_KEPT = 3  # votes of passes: each may have some 10 MB


@dataclass
class Pass:
    """Fills in the values of one pass, layer by layer.

    Attributes:
        description: what the user says.
        choices: what was found, or is tried.
        recording: what the module's parts read and returned.
        values: by the names of tensors.
        routed: by the ids of layers.
        poses: of the classes; None without routing.
        kept: votes of other passes, by all that they depend on; None keeps none.
        voting: capsules that EM and self-routing make in windows, by the ids of layers.
    """

    description: Description
    choices: Choices
    recording: Recording
    values: dict[str, Tensor] = field(default_factory=dict)
    routed: dict[str, Routed] = field(default_factory=dict)
    poses: Tensor | None = None
    kept: dict[Any, Votes] | None = None
    voting: dict[str, Active] = field(default_factory=dict)

    def fill(self, layer: Layer, **options: Any) -> None:
        """Compute the values of a layer, of those of the layers below."""
        match layer:
            case Convolution() | Dense():
                self._fill_step(layer)
            case Values():
                self._fill_values(layer)
            case Couplings():
                kept = layer.select(
                    self.recording.softmaxes.get(layer.module, []), self.recording.kept
                )
                self.values[f"{layer.id}.out"] = _as_floats(kept)
            case Pooling():
                pool = POOLS[self.choices.get((layer.id, "pool"), "max")]
                below = self.values[f"{layer.below}.out"]
                self.values[f"{layer.id}.out"] = pool(below, layer.size)
            case Capsules():
                self._fill_capsules(layer)
            case Routing():
                self._fill_routing(layer, **options)

    @property
    def proof(self) -> Tensor | None:
        """What a part of the module shows of its capsules; None without such."""
        proof = self.choices.get(("", "proof"))
        return (
            None if proof is None else proof.of_recording(self.recording).float().cpu()
        )

    def scores(self, batch: int, *, of_capsules: bool) -> Tensor:
        """Return the scores: what the module answers, or its probabilities."""
        answers, dense = self.choices["", "answers"], self.description.layer(Dense)
        if self.poses is not None and of_capsules:
            lengths = torch.linalg.vector_norm(self.poses, dim=-1)
            self.values["lengths"] = lengths
            if answers in SCORES_OF_LENGTHS:
                return SCORES_OF_LENGTHS[answers](lengths)
        elif dense is not None and answers != "as they are":
            logits = self.values["logits"] = self.values[f"{dense.id}.out"]
            return logits.softmax(dim=1)
        pick, recording = self.choices["", "scores"], self.recording
        scores = pick(recording.output, recording.batch)[:batch]
        # Capsules have lengths, whatever made them.
        return scores.norm(dim=-1) if scores.ndim == 3 else scores

    def _fill_values(self, layer: Values) -> None:
        arrangement: Arrangement | None = self.choices.get((layer.id, "made"))
        tensor = 0 if arrangement is None else arrangement.tensor
        values = [_as_floats(x) for x in values_of(layer, self.recording, tensor)]
        self.values[f"{layer.id}.out"] = values[0]
        if arrangement is None:
            return
        capsules = arrangement.listed(values)
        if len(values) > 1:
            self.values[f"{layer.id}.out"] = capsules
        self.values[f"{layer.id}.capsules"] = capsules
        self.values[f"{layer.id}.lengths"] = torch.linalg.vector_norm(capsules, dim=-1)

    def _fill_step(self, layer: Convolution | Dense) -> None:
        step = self.choices.get((layer.id, "step"))
        values = self.recording.outputs[layer.module]
        if step is None:
            before = after = values
        else:
            before = step.before(values, self.recording)
            after = step.after(before, self.recording)
        self.values[f"{layer.id}.pre"] = before.float()
        self.values[f"{layer.id}.out"] = after.float()

    def _fill_capsules(self, layer: Capsules) -> None:
        cut = self.choices[layer.id, "cut"]
        maps = cut.maps_of(layer.convolutions, self.recording)
        before = cut.grid(_as_floats(maps), layer.size)
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
        if way.em is not None:
            self._fill_em(layer, way, way.em)
            return
        cut = self.choices.get((layer.below, "cut"))
        below = self.values[f"{layer.below}.capsules"]
        if way.window is not None:
            self._fill_windows(
                layer, way, below.flatten(1, -2), is_sorted=cut is not None
            )
            return
        grid = tuple(below.shape[1:-1])
        listed = below.flatten(1, -2)
        transforms = way.layout.of(matrices(layer).to(listed.dtype))
        prior = None if way.prior is None else way.prior.values.to(listed)
        if cut is not None:
            transforms = cut.sorted(transforms, grid)
            prior = None if prior is None else cut.sorted(prior, grid)
        if surgery is not None:
            listed = surgery.to(listed.device).silence(listed)
            surgery = surgery.to(listed.device)
        votes = self._votes(layer, listed, transforms)
        if way.form == "self":
            self._fill_alone(layer, way, votes, grid, prior)
            return
        if way.form == "attention":
            size = listed.shape[2]
            step = way.attend(votes.formed, size, prior=prior, surgery=surgery)
            self._keep_routing(layer, Routed(votes, (step,), grid, prior))
            return
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
        self._keep_routing(layer, Routed(votes, steps, grid, prior))

    def _fill_windows(
        self, layer: Routing, way: Way, below: Tensor, *, is_sorted: bool
    ) -> None:
        """Route the capsules of each window, and list what all of them make."""
        window: Any = way.window.sorted() if is_sorted and way.window else way.window
        if way.form == "self":
            self._fill_alone_in_windows(layer, way, window, below)
            return
        listed = window.gathered(below)
        transforms = way.layout.of(matrices(layer).to(listed.dtype))
        votes = self._votes(layer, listed, transforms)
        steps: tuple[Any, ...] = (
            (way.attend(votes.formed, listed.shape[2]),)
            if way.form == "attention"
            else tuple(way.steps(votes, way.iterations))
        )
        self.routed[layer.id] = Routed(votes, steps, (window.slot_count,), None)
        self._place_couplings(layer, window, steps[-1].couplings)
        self._keep_capsules(layer, window.listed(steps[-1].capsules))

    def _place_couplings(self, layer: Routing, window: Any, couplings: Tensor) -> None:
        placed = couplings.unflatten(0, (-1, *window.places))
        self.values[f"{layer.id}.couplings"] = placed

    def _fill_em(self, layer: Routing, way: Way, em: Em) -> None:
        below = self.voting.get(layer.below)
        if below is None:
            poses, activations = (
                self.values[f"{layer.below}.out"],
                self._shown_activations(layer),
            )
            below = below_of(layer, poses, activations)
        below = below if way.window is None else below.in_windows(way.window)
        votes = votes_of(em, matrices(layer).detach(), below)
        costs = costs_in(self.description.module, votes.shape[2])
        *_, last = em_steps(em, votes, below, costs, way.iterations)
        capsules = Active(last.means, last.activations)
        if way.window is not None:
            self._fill_active(layer, way.window, last.couplings, capsules)
            return
        self.values[f"{layer.id}.couplings"] = last.couplings
        self.values[f"{layer.id}.capsules"] = capsules.poses
        self.values["activations"] = capsules.activations

    def _fill_active(
        self, layer: Routing, window: Any, couplings: Tensor, capsules: Active
    ) -> None:
        """Keep what windows make, in one list."""
        listed = self.voting[layer.id] = capsules.in_list(window)
        self._place_couplings(layer, window, couplings)
        self.values[f"{layer.id}.poses"] = listed.poses
        self.values[f"{layer.id}.capsules"] = listed.poses
        self.values[f"{layer.id}.activations"] = listed.activations

    def _shown_activations(self, layer: Routing) -> Tensor | None:
        """Return the activations that a part shows; None where the layer names none."""
        named = layer.activations
        return None if named is None else self.values[f"{named}.out"]

    def _activations(
        self, layer: Routing, capsules: Tensor, window: Any = None
    ) -> Tensor:
        """Return the activations of the capsules that self-routing reads."""
        if (below := self.voting.get(layer.below)) is not None:
            return below.activations
        arrangement = self.choices.get((layer.below, "made"))
        grids = [] if arrangement is None else arrangement.grids
        if window is not None:
            grids = [(window.grid, window.below)]
        return active_in(layer, capsules, self._shown_activations(layer), grids)

    def _fill_alone_in_windows(
        self, layer: Routing, way: Way, window: Any, below: Tensor
    ) -> None:
        read = Active(below, self._activations(layer, below, window)).in_windows(window)
        formed = [
            Votes(read.poses, layout.of(weights.to(below.dtype))).formed
            for layout, weights in (
                (way.layout, matrices(layer)),
                (way.votes, vote_matrices(layer)),
            )
        ]
        couplings, activations = way.alone(formed[0], read.activations)
        poses = posed(couplings, read.activations, formed[1])
        self._fill_active(layer, window, couplings, Active(poses, activations))

    def _fill_alone(
        self,
        layer: Routing,
        way: Way,
        votes: Votes,
        grid: tuple[int, ...],
        prior: Tensor | None,
    ) -> None:
        active = self._activations(layer, votes.primary)
        couplings, activations = way.alone(votes.formed, active, prior)
        self.values[f"{layer.id}.couplings"] = couplings.unflatten(1, grid)
        self.values[f"{layer.id}.capsules"] = activations
        self.values["activations"] = activations

    def _votes(self, layer: Routing, listed: Tensor, transforms: Tensor) -> Votes:
        if self.kept is None:
            return Votes(listed, transforms)
        below = [
            (id, choice)
            for (id, what), choice in self.choices.items()
            if what in ("cut", "made", "way") and id != layer.id
        ]
        key = (layer.id, self.choices[layer.id, "way"].layout, *below)
        if key not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            self.kept[key] = Votes(listed, transforms)
        return self.kept[key]

    def _keep_routing(self, layer: Routing, routed: Routed) -> None:
        self.routed[layer.id] = routed
        capsules = routed.steps[-1].capsules
        self._keep_capsules(layer, capsules)
        if layer is self.description.layer(Routing):
            self.poses = capsules

    def _keep_capsules(self, layer: Routing, capsules: Tensor) -> None:
        self.values[f"{layer.id}.poses"] = capsules
        self.values[f"{layer.id}.capsules"] = capsules
        lengths = torch.linalg.vector_norm(capsules, dim=-1)
        self.values[f"{layer.id}.lengths"] = lengths


def _as_floats(tensor: Tensor) -> Tensor:
    """Return numbers in single precision, or in double where they have it."""
    return tensor if tensor.dtype == torch.float64 else tensor.float()


SCORES_OF_LENGTHS: dict[str, Callable[[Tensor], Tensor]] = {
    "lengths": lambda lengths: lengths,
    "capsules": lambda lengths: lengths,
    "softmax of lengths": lambda lengths: lengths.softmax(dim=1),
    "log softmax of lengths": lambda lengths: lengths.softmax(dim=1),
    "squared lengths": lambda lengths: lengths.square(),
    "lengths over their sum": lambda lengths: (
        lengths / lengths.sum(dim=1, keepdim=True)
    ),
}
