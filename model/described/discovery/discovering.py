"""A module and images in, the description out that `describe` confirms."""

import copy
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.answers import checked_images, checked_normalize
from capsnet_explorer.model.described.describing import Checked, checked_description
from capsnet_explorer.model.described.discovery.answering import call_of, scores_in
from capsnet_explorer.model.described.discovery.applied import Applied
from capsnet_explorer.model.described.discovery.observing import Softmaxes, observe
from capsnet_explorer.model.described.discovery.proposing import (
    MOST_LAYERS,
    Proposals,
)
from capsnet_explorer.model.described.discovery.writing import (
    Description,
    Line,
    Setting,
)
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import Classes, Dense
from capsnet_explorer.model.described.network import Description as Read
from capsnet_explorer.model.described.running.limiting import within
from capsnet_explorer.model.described.running.progress import Progress
from capsnet_explorer.model.described.running.watching import (
    all_tensors,
    borrowed,
    place_of,
    watch,
)

# Seconds that this thread computes, after which no further proposal is begun: what
# other programs do meanwhile changes nothing of what is found.
LIMIT = 60.0
FEW = 2  # images that a proposal is tried on first
LEAST = 5.0  # seconds that a proposal has, however late it is
CLASSES = Line(Classes(), "ce.Classes()")


@dataclass(frozen=True)
class Discovered:
    """A description that was found, and that `describe` has confirmed.

    Attributes:
        checked: what `describe` makes its network of.
        code: the description as Python.
        notes: sentences of what could not be told.
    """

    checked: Checked
    code: str
    notes: tuple[str, ...]


def discover(
    module: nn.Module,
    images: Any,
    *,
    scores: Any = None,
    call: Any = None,
    classes: int | None = None,
    normalize: Any = None,
    tolerance: float = 1e-4,
    progress: Progress | None = None,
    limit: float = LIMIT,
) -> Discovered:
    """Find a description of a module that `describe` confirms.

    Args:
        module: any module that computes classes of images.
        images: a few real inputs, (n, channels, rows, columns), as it reads them.
        scores: as of `describe`, as all below; None finds it.
        call: None finds it.
        classes: None counts them.
        normalize: None hands images over as they are.
        tolerance: the largest difference of scores that counts as none.
        progress: is told what is being done.
        limit: seconds of work after which no further proposal is begun.

    Raises:
        ValueError: module, images or settings cannot be used.
    """
    images = checked_images(images)
    plain, preparation = _plain(module)
    norm = checked_normalize(normalize, images)
    with borrowed(plain), torch.no_grad():
        few = Read(plain, (), None, norm).read(images[:FEW])
        how = Setting(call, "call") if call is not None else call_of(plain, few)
        watch(plain, few, (), how.function)  # raises what its user can mend
        observation = observe(plain, few, how.function)
        picks = (
            [Setting(scores, "scores")]
            if scores is not None
            else scores_in(observation.output, few, classes)
        )
    search = _Search(
        Proposals(plain, observation, len(few)),
        lambda description, some: checked_description(
            plain,
            description.layers,
            some,
            scores=description.scores.function,
            call=how.function,
            classes=classes,
            normalize=normalize,
            tolerance=tolerance,
        ),
        images,
        [Description(scores=pick, call=how) for pick in picks or [Setting()]],
        progress or Progress(""),
        time.thread_time() + limit,
    )
    description, checked = search.run()
    notes = tuple(dict.fromkeys(search.notes))
    if isinstance(plain, torch.jit.ScriptModule):
        notes = (_SCRIPTED, *notes)
    return Discovered(checked, description.code(preparation, notes), notes)


_SCRIPTED = (
    "its parts are not shown: a scripted module runs them without Python; give the "
    "module that it was scripted from"
)


def _plain(module: Any) -> tuple[nn.Module, list[str]]:
    """Return a module without what wraps it, and the Python that unwraps it."""
    lines = []
    while isinstance(module, nn.Module):
        if isinstance(module, nn.DataParallel | nn.parallel.DistributedDataParallel):
            name = "module"
        elif hasattr(module, "_orig_mod"):  # what torch.compile returns
            name = "_orig_mod"
        else:
            break
        module = getattr(module, name)
        lines.append(f"net = net.{name}")
    if not isinstance(module, nn.Module):
        return module, lines  # which `describe` refuses
    if place_of(module)[1].itemsize < torch.float32.itemsize:
        module = copy.deepcopy(module).float()
        lines += [
            "import copy",
            "# Half precision rounds by more than what is compared here.",
            "net = copy.deepcopy(net).float()",
        ]
    return module, lines


@dataclass
class _Search:
    """Proposals, judged one after the other until one reproduces the module.

    Attributes:
        notes: sentences of what could not be told.
    """

    proposals: Proposals
    judge: Callable[[Description, Tensor], Checked]
    images: Tensor
    ways: list[Description]
    progress: Progress
    deadline: float
    notes: list[str] = field(default_factory=list)
    _replaced: dict[str, Line | None] = field(default_factory=dict)

    def run(self) -> tuple[Description, Checked]:
        """Return the best description, and what `describe` says of it."""
        self.progress.doing = "comparing the layers from the image up"
        few = self.images[:FEW]
        base = self._lines_below()
        if base:
            base, *_ = self._compare(base, few)
        routed = self._find_routing()
        return self._show_values(base) if routed is None else self._add_decoder(*routed)

    def _lines_below(self) -> tuple[Line, ...]:
        """Return the lines of all layers that the capsules, or the answer, read."""
        routings = self.proposals.routings
        observation = self.proposals.observation
        tops = (
            observation.nodes[routings[0].number].reads
            if routings
            else frozenset().union(
                *map(observation.sources_of, all_tensors(observation.output))
            )
        )
        return self.proposals.lines_of(self.proposals.chain(tops)[:MOST_LAYERS])

    def _compare(
        self, lines: tuple[Line, ...], images: Tensor
    ) -> tuple[tuple[Line, ...], Description, Checked]:
        """Return lines, those that differ replaced by what can be shown of them."""
        while True:
            description = replace(self.ways[0], lines=(*lines, CLASSES))
            try:
                return lines, description, self.judge(description, images)
            except Different as different:
                if not lines:
                    raise
                lines = self._replace_line(lines, different)

    def _replace_line(
        self, lines: tuple[Line, ...], different: Different
    ) -> tuple[Line, ...]:
        """Replace the line that differs, or leave it out, and note why."""
        if different.layer not in [line.layer.id for line in lines]:
            # The last linear layer does not answer, so that none leads to the answer.
            kept = [line for line in lines if not isinstance(line.layer, Dense)]
            return tuple(kept) if len(kept) < len(lines) else lines[:-1]
        wrong = next(line for line in lines if line.layer.id == different.layer)
        values = self.proposals.replaced(wrong)
        self._replaced[wrong.layer.id] = values
        what = "left out" if values is None else "shown by its values alone"
        self.notes.append(f"{what}: {_reason(different)}")
        return self._mend(lines)

    def _mend(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Return lines with those replaced that are known to differ.

        What reads a layer that is left out cannot be compared either, and goes with it.
        """
        kept: list[Line] = []
        for line in lines:
            replacement = self._replaced.get(line.layer.id, line)
            ids = {earlier.layer.id for earlier in kept}
            if replacement is not None and (
                replacement.layer.reads is None or replacement.layer.reads in ids
            ):
                kept.append(replacement)
        return tuple(kept)

    # Routing.

    def _find_routing(self) -> tuple[Description, Checked] | None:
        """Return the first proposal with routing that reproduces the module."""
        tried: list[Different] = []
        proposed = [*self._propose()]
        if self.proposals.routings and not proposed:
            code = self.proposals.routings[-1].code.removeprefix("lambda: ")
            self.notes.append(f"no part shows the capsules that {code} is applied to")
        for index, (way, lines) in enumerate(proposed):
            if time.thread_time() > self.deadline:
                remaining = len(proposed) - index
                self.notes.append(
                    f"{remaining} further proposals were not tried in the time"
                )
                break
            self.progress.doing = f"trying description {index + 1} of {len(proposed)}"
            description = replace(way, lines=self._mend(lines))
            seconds = (self.deadline - time.thread_time()) / 2
            try:
                with within(max(seconds, LEAST)):
                    return description, self.judge(description, self.images)
            except Different as different:
                tried.append(different)
            except ValueError as error:
                self.notes.append(_reason(error))
        if tried:
            self.notes.append(_refusal(min(tried, key=lambda error: error.difference)))
        return None

    def _propose(self) -> Iterator[tuple[Description, tuple[Line, ...]]]:
        proposals = self.proposals
        for way in self.ways:
            for applied in reversed(proposals.deciding):
                active = proposals.active(applied)
                both = [active, self._stack_lines(applied)]
                if not proposals.is_rather_active(applied):
                    both.reverse()
                for lines in chain(*both):
                    yield way, self._add_couplings(lines)

    def _stack_lines(self, applied: Applied) -> Iterator[tuple[Line, ...]]:
        """Yield the lines of routing whose capsules have lengths."""
        for stack in self.proposals.stacks(applied):
            reads = [applied.reads(grid) for grid in stack.grids]
            if any(window is None for windows in reads for window, _ in windows):
                for lines in self.proposals.routed(applied, stack):
                    yield *stack.lines, *lines

    def _add_couplings(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Return lines with the softmaxes of all W that none of them is of."""
        transforms = [getattr(line.layer, "transforms", None) for line in lines]
        couplings = []
        for softmaxes in self._softmaxes():
            applied = [
                x for x in self.proposals.routings if x.nodes & softmaxes.sources
            ]
            if applied and applied[-1].transforms not in transforms:
                couplings.append(self.proposals.couplings(softmaxes))
        return (*lines[:-1], *couplings, lines[-1], CLASSES)

    def _add_decoder(
        self, description: Description, checked: Checked
    ) -> tuple[Description, Checked]:
        """Add the decoder, if one is recomputed."""
        refused = []
        for line in self.proposals.decoders():
            self.progress.doing = f"comparing what {line.code} draws"
            both = replace(description, lines=(*description.lines, line))
            try:
                return both, self.judge(both, self.images)
            except ValueError as error:
                refused.append(f"{line.code}, left out: {_reason(error)}")
        self.notes += refused[:1]
        return description, checked

    # What is shown by its values.

    def _show_values(self, base: tuple[Line, ...]) -> tuple[Description, Checked]:
        """Describe what is recomputed below, and show parts by their values."""
        self.progress.doing = "comparing what can be shown by its values"
        couplings = [
            self.proposals.couplings(softmaxes) for softmaxes in self._softmaxes()
        ]
        lines = (*base, *self.proposals.remaining_parts(base), *couplings)
        _, description, checked = self._compare(lines, self.images)
        return description, checked

    def _softmaxes(self) -> list[Softmaxes]:
        """Return the softmaxes that may be couplings of a routing."""
        return [
            softmaxes
            for softmaxes in self.proposals.observation.couplings
            if len(softmaxes.shape) > 2 and min(sorted(softmaxes.shape)[-2:]) > 1
        ]


def _refusal(nearest: Different) -> str:
    if math.isfinite(nearest.difference):
        return (
            f"{nearest.layer} is not recomputed: nothing that was tried gives what the "
            f"module answers; the nearest is off by {nearest.difference:.2g}"
        )
    return f"routing is not recomputed: {_reason(nearest)}"


def _reason(error: ValueError) -> str:
    """Return what is wrong, without what a person would do about it."""
    words = str(error).splitlines()[0]
    for advice in ("; describe", "; say", "; leave it", ". Tried were", ": off by"):
        words = words.partition(advice)[0]
    return words
