"""Layers that a pass suggests, likeliest first; what they are, `describe` decides."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any

import torch
from torch import nn

from capsnet_explorer.model.described.discovery.answering import picking
from capsnet_explorer.model.described.discovery.applied import (
    Applied,
    Grid,
    Window,
    applied_in,
)
from capsnet_explorer.model.described.discovery.observing import (
    IMAGE,
    Node,
    Observation,
    PartOutput,
    Softmaxes,
)
from capsnet_explorer.model.described.discovery.writing import (
    Line,
    python_of,
    written,
)
from capsnet_explorer.model.described.layers import (
    Capsules,
    Convolution,
    Couplings,
    Decoder,
    Dense,
    Pooling,
    Routing,
    Values,
)

MOST_LAYERS = 16  # below the capsules: the page has room for so many
MOST_JOINED = 4  # parts of which some may be joined
MOST_PARTS = 8  # that are shown by their values alone
USUAL_ITERATIONS = 5  # which `describe` finds out by itself
LAYERS = (nn.Linear, nn.modules.conv._ConvNd)
_TAKEN = {"classes", "reconstruction", "image", "scores"}


@dataclass(frozen=True, eq=False)
class Stack:
    """Layers up to some capsules.

    Attributes:
        lines: the layers.
        top: id of the last.
        grids: how its capsules may stand.
        options: what a routing above says of its form.
    """

    lines: tuple[Line, ...]
    top: str
    grids: tuple[Grid, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


class Proposals:
    """What may be said of a module."""

    def __init__(
        self, module: nn.Module, observation: Observation, images: int
    ) -> None:
        self.module = module
        self.observation = observation
        self.images = images
        self.python = python_of(module)
        self._names = {part: name for name, part in module.named_modules()}
        self._ids: dict[Any, str] = {}
        # The W that are applied to capsules, from the image up.
        self.routings = applied_in(module, observation, self.python, self._together)

    # Layers below capsules.

    def chain(self, tops: Iterable[int]) -> list[tuple[int, Node]]:
        """Return convolutions and pooling, and linear layers where nothing is routed.

        Args:
            tops: numbers of the nodes that are made of them, themselves included.
        """
        reached = self.observation.below(tops)
        kinds = {"convolution", "pooling", *([] if self.routings else ["linear"])}
        return [
            (number, node)
            for number, node in enumerate(self.observation.nodes)
            if number in reached
            and node.kind in kinds
            and (node.module is None or self.observation.calls[node.module] < 2)
        ]

    def lines_of(self, chain: list[tuple[int, Node]]) -> tuple[Line, ...]:
        """Return lines for these nodes, and for parts that join several below one."""
        lines: list[Line] = []
        known: dict[int, str | None] = {IMAGE: None}
        for number, node in chain:
            id = self._id_of(number, node)
            try:
                line = self._line(id, node, self._below(number, known, lines))
            except LookupError:
                if node.module is None:
                    continue  # pooling of what no layer makes
                line = self._by_values(id, node.module)
            known[number] = id
            lines.append(line)
        return tuple(lines)

    def _below(
        self, number: int, known: Mapping[int, str | None], lines: list[Line]
    ) -> str | None:
        """Return the id of what a node reads, and add the part that joins several."""
        node = self.observation.nodes[number]
        if len(node.reads) == 1 and (read := next(iter(node.reads))) in known:
            return known[read]
        if (joined := self.observation.part_before(number)) is None:
            raise LookupError
        line = self.values(joined)
        if line.layer.id not in [line.layer.id for line in lines]:
            lines.append(line)
        return line.layer.id

    def _line(self, id: str, node: Node, below: str | None) -> Line:
        reads = "" if below is None else f", below={written(below)}"
        if node.module is None:
            if below is None:
                raise LookupError
            layer = Pooling(id, below, node.size)
            return Line(layer, f"ce.Pooling({written(id)}{reads}, size={node.size})")
        code = self.python[node.module]
        if node.kind == "linear":
            layer = Dense(id, node.module, below)
            reads = reads or ", below=None"
            return Line(layer, f"ce.Dense({written(id)}, {code}{reads})")
        layer = Convolution(id, node.module, below)
        return Line(layer, f"ce.Convolution({written(id)}, {code}{reads})")

    # Capsules that a W reads.

    def stacks(self, applied: Applied) -> Iterator[Stack]:
        """Yield the ways to describe the capsules that a W reads, likeliest first."""
        node = self.observation.nodes[applied.number]
        for below in self.routings:
            if below.nodes == node.reads:
                yield from self._above_routing(below)
        below = [self.observation.nodes[number] for number in node.reads]
        if below and all(layer.kind == "convolution" for layer in below):
            yield from self._above_convolutions(node, below, applied)
        for parts, grids in self._making(node, applied):
            sources = frozenset().union(*(part.sources for part in parts))
            lines = self.lines_of(self.chain(sources)[-MOST_LAYERS:])
            values = self.values(*parts)
            yield Stack((*lines, values), values.layer.id, grids)

    def _above_routing(self, applied: Applied) -> Iterator[Stack]:
        """Yield stacks that end with an earlier routing."""
        for stack in self.stacks(applied):
            above: dict[Window | None, list[Grid]] = {}
            for grid in stack.grids:
                for window, capsules in applied.reads(grid):
                    above.setdefault(window, []).extend(capsules)
            is_once = self._times(applied) == 1
            options = {"form": "attention"} if is_once else {}
            for window, grids in above.items():
                line = self.routing(applied, stack.top, window, **options)
                yield Stack((*stack.lines, line), line.layer.id, tuple(grids))

    def _above_convolutions(
        self, node: Node, below: list[Node], applied: Applied
    ) -> Iterator[Stack]:
        """Yield convolutions side by side whose maps are cut into capsules."""
        if len({layer.reads for layer in below}) > 1 or len(below[0].shape) != 4:
            return
        maps = sum(layer.shape[1] for layer in below)
        rows, columns = below[0].shape[2:]
        chain = self.chain(below[0].reads)
        lines = list(self.lines_of(chain[-MOST_LAYERS:]))
        known: dict[int, str | None] = {IMAGE: None}
        known |= {number: self._id_of(number, layer) for number, layer in chain}
        try:
            reads = self._below(min(node.reads), known, lines)
        except LookupError:
            return
        modules = [layer.module for layer in below if layer.module is not None]
        codes = [self.python[module] for module in modules]
        id = self._named(tuple(modules), "primary" if len(modules) > 1 else "")
        parts = codes[0] if len(codes) == 1 else f"[{', '.join(codes)}]"
        if (listed := self._together(modules)) is not None:
            parts = self.python[listed]
        for size in sorted({*applied.shape}):
            grid = Grid(maps // size, rows, columns, size)
            if maps % size or not applied.reads(grid):
                continue
            layer = Capsules(id, modules, size, reads)
            reads_code = "" if reads is None else f", below={written(reads)}"
            code = f"ce.Capsules({written(id)}, {parts}, size={size}{reads_code})"
            yield Stack((*lines, Line(layer, code)), id, (grid,))

    def _together(self, modules: list[nn.Module]) -> nn.Module | None:
        """Return the list that holds just these parts; None without one."""
        for part in self.module.modules():
            if isinstance(part, nn.ModuleList) and [*part] == modules:
                return part
        return None

    def _making(
        self, node: Node, applied: Applied
    ) -> Iterator[tuple[tuple[PartOutput, ...], tuple[Grid, ...]]]:
        """Yield parts whose output may be the capsules that a W reads, latest first.

        Then those that may be joined.
        """
        layers = {self.module, *(node.module for node in self.observation.nodes)}
        parts = [
            part
            for part in self._parts_below(node)
            if part.module not in layers and len(part.shape) > 1
        ]
        modules: set[nn.Module] = set()
        for part in parts:
            grids = _grids((part.shape,), applied, {*applied.shape})
            if grids and part.module not in modules:
                modules.add(part.module)
                yield (part,), grids
        first = self.observation.first_outputs.values()
        beside = [part for part in parts if part in first][:MOST_JOINED]
        for count in range(2, len(beside) + 1):
            for several in combinations(reversed(beside), count):
                if any(
                    part.storage == other.storage
                    for part, other in combinations(several, 2)
                ):
                    continue
                if grids := _grids(
                    tuple(part.shape for part in several), applied, {*applied.shape}
                ):
                    yield several, grids

    def _parts_below(self, node: Node) -> list[PartOutput]:
        """Return what parts returned of each image, of which a node is made."""
        reached = self.observation.below(node.reads)
        return [
            part
            for part in reversed(self.observation.parts)
            if part.sources <= reached and part.shape[:1] == (self.images,)
        ]

    # Routing.

    def routed(self, applied: Applied, stack: Stack) -> Iterator[tuple[Line, ...]]:
        """Yield the lines of each kind of routing above a stack, likeliest first."""
        most = self._times(applied)
        if most == 1 and len(applied.shape) == 3:
            yield (self.routing(applied, stack.top, form="self"),)
        elif most == 1:
            yield (self.routing(applied, stack.top, form="attention"),)
        elif not most:  # the first couplings follow from no votes
            yield (self.routing(applied, stack.top, iterations=1),)
        # Up to five iterations, `describe` finds out how many there are.
        options: Any = {"iterations": most} if most > USUAL_ITERATIONS else {}
        yield (self.routing(applied, stack.top, **options),)

    def _times(self, applied: Applied) -> int:
        """Return how many softmaxes follow from what a W makes."""
        couplings = self.observation.couplings
        counts = [
            softmaxes.count
            for softmaxes in couplings
            if applied.nodes & softmaxes.sources
        ]
        return max(counts, default=0)

    def active(self, applied: Applied) -> Iterator[tuple[Line, ...]]:
        """Yield the lines of EM routing and self-routing, of capsules with activations.

        A part returns these, or an earlier routing makes them in windows.
        """
        for form in self._active_forms(applied):
            for stack in self._active_stacks(applied, form):
                yield *stack.lines, self.routing(applied, stack.top, **stack.options)

    def is_rather_active(self, applied: Applied) -> bool:
        """Tell whether couplings of a W are rather those of EM or self-routing."""
        *_, rows, columns = applied.shape
        return bool(self._active_forms(applied)) and (
            len(applied.shape) == 3 or rows == columns
        )

    def _active_forms(self, applied: Applied) -> list[str]:
        if len(applied.shape) == 3:
            return ["self"] if self._times(applied) == 1 else []
        return ["em"] if len(applied.shape) == 4 else []

    def _active_stacks(self, applied: Applied, form: str) -> Iterator[Stack]:
        node = self.observation.nodes[applied.number]
        earlier = [
            below
            for below in reversed(self.routings)
            if below.nodes < node.reads and form in self._active_forms(below)
        ]
        for below in earlier[:1]:
            for stack in self._active_windows(below, form):
                yield stack
                for parts in self._with_poses(applied, form, above=below):
                    yield replace(parts, lines=(*stack.lines, *parts.lines))
        for stack in self.stacks(applied) if form == "self" else ():
            if isinstance(stack.lines[-1].layer, Capsules):
                for part in self._active(applied, {x.count for x in stack.grids}):
                    line = self._values_line(part)
                    options = {"form": form, "activations": line.layer.id}
                    yield replace(stack, lines=(*stack.lines, line), options=options)
        yield from self._with_poses(applied, form)

    def _active_windows(self, applied: Applied, form: str) -> Iterator[Stack]:
        """Yield stacks that end with such a routing in windows."""
        making, more = applied, {}
        if form == "self":
            making = next(
                filter(self._makes_votes_beside(applied), self.routings), None
            )
            more = {"votes": making}
        if making is None:
            return
        for stack in self._active_stacks(applied, form):
            above: dict[Window, list[Grid]] = {}
            for grid in stack.grids:
                windows = {window for window, _ in applied.reads(grid)}
                for window, capsules in making.reads(grid):
                    if window is not None and window in windows:
                        above.setdefault(window, []).extend(capsules)
            for window, grids in above.items():
                line = self.routing(applied, stack.top, window, **stack.options, **more)
                lines, options = (*stack.lines, line), {"form": form}
                yield Stack(lines, line.layer.id, tuple(grids), options)

    def _makes_votes_beside(self, applied: Applied) -> Callable[[Applied], bool]:
        """Return what tells whether a W makes votes that couplings of another weigh."""
        reads = self.observation.nodes[applied.number].reads

        def makes(other: Applied) -> bool:
            is_alike = self.observation.nodes[other.number].reads == reads
            return other is not applied and is_alike and not self._times(other)

        return makes

    @property
    def deciding(self) -> list[Applied]:
        """The W that make couplings, or whose capsules have none, from the image up."""
        alone = [x for x in self.routings if "self" in self._active_forms(x)]
        beside = [self._makes_votes_beside(routing) for routing in alone]
        return [x for x in self.routings if not any(makes(x) for makes in beside)]

    def _with_poses(
        self, applied: Applied, form: str, above: Applied | None = None
    ) -> Iterator[Stack]:
        """Yield parts that return capsules and activations; above a routing, if any."""
        node = self.observation.nodes[applied.number]
        for poses in self._parts_below(node):
            if above is not None and not above.nodes <= poses.sources:
                continue
            numbers = math.prod(poses.shape[1:])
            counts = {numbers // size for size in applied.sizes if numbers % size == 0}
            grids = _grids((poses.shape,), applied, applied.sizes)
            alike = {n for n in counts if any(n % axis == 0 for axis in applied.shape)}
            alike |= {grid.count for grid in grids}
            if len(poses.shape) < 3 or not alike:
                continue
            below = ()
            if above is None:
                below = self.lines_of(self.chain(poses.sources)[-MOST_LAYERS:])
            line = self._values_line(poses)
            for active in self._active(applied, alike):
                other = self._values_line(active)
                options = {"form": form, "activations": other.layer.id}
                ids = (line.layer.id, other.layer.id)
                kept = [
                    below_line for below_line in below if below_line.layer.id not in ids
                ]
                yield Stack((*kept, line, other), line.layer.id, grids, options)
            if form == "em" and len(poses.shape) == 4 and poses.shape[3] % 17 == 0:
                types, places = poses.shape[3] // 17, poses.shape[1:3]
                grid = Grid(types, *places, 16)
                yield Stack((*below, line), line.layer.id, (grid,), {"form": form})

    def _active(self, applied: Applied, counts: set[int]) -> Iterator[PartOutput]:
        """Yield what may be activations of so many capsules: numbers from 0 to 1.

        Or what a sigmoid makes such numbers of, in the code of another part.
        """
        sigmoids = self.observation.sigmoids
        for part in reversed(self.observation.parts):
            is_of_each = part.shape[:1] == (self.images,)
            is_share = part.is_share or part.storage in sigmoids
            # Activations stand beside the capsules, and make no votes.
            is_before = not applied.nodes & self.observation.below(part.sources)
            is_as_many = math.prod(part.shape[1:]) in counts
            if is_of_each and is_share and is_before and is_as_many:
                yield part

    def routing(
        self, applied: Applied, below: str, window: Window | None = None, **options: Any
    ) -> Line:
        """Return the line of a routing."""
        owner = applied.owner
        name = "routing" if owner is self.module else ""
        id = self._named((owner, applied.number), name)
        votes: Applied | None = options.pop("votes", None)
        if window is not None:
            usual = {"kernel": None, "stride": 1, "padding": 0}
            window_options = dict(zip(usual, window, strict=True))
            options |= {key: n for key, n in window_options.items() if n != usual[key]}
        votes_of = None if votes is None else votes.transforms
        layer = Routing(id, applied.transforms, below, **options, votes=votes_of)
        code = f"{written(id)}, {applied.code}, below={written(below)}"
        for key, value in options.items():
            code += f", {key}={written(value)}"
        code += "" if votes is None else f", votes={votes.code}"
        return Line(layer, f"ce.Routing({code})")

    # Parts as they are.

    def replaced(self, line: Line) -> Line | None:
        """Return a line that shows a convolution's maps alone; None of other layers."""
        modules = line.layer.modules
        if not isinstance(line.layer, Convolution):
            return None
        return self._by_values(line.layer.id, modules[0])

    def values(self, *parts: PartOutput) -> Line:
        """Return the line that shows what a part returns, or what several make."""
        modules = tuple(part.module for part in parts)
        name = "capsules" if len(modules) > 1 else ""
        return self._by_values(self._named(modules, name), *modules)

    def _values_line(self, part: PartOutput) -> Line:
        """Return the line that shows one of the tensors that a part returns."""
        is_made = part.storage in self.observation.sigmoids and not part.is_share
        if part in self.observation.first_outputs.values() and not is_made:
            return self.values(part)
        path = f"{part.path}.sigmoid()" if is_made else part.path
        id, pick = self._named((part.module, path), ""), picking(part.path, "returned")
        chosen = (lambda returned: pick(returned).sigmoid()) if is_made else pick
        layer = Values(id, part.module, pick=chosen)
        code = f"{written(id)}, {self.python[part.module]}"
        return Line(layer, f"ce.Values({code}, pick=lambda returned: {path})")

    def _by_values(self, id: str, *parts: nn.Module) -> Line:
        codes = ", ".join(self.python[part] for part in parts)
        if len(parts) == 1:
            return Line(Values(id, parts[0]), f"ce.Values({written(id)}, {codes})")
        return Line(Values(id, [*parts]), f"ce.Values({written(id)}, [{codes}])")

    def remaining_parts(self, lines: Iterable[Line]) -> tuple[Line, ...]:
        """Return the outermost parts of which lines show nothing yet."""
        described = {part for line in lines for part in line.layer.modules}
        parts = self._outermost()
        return tuple(
            line for line in parts if not described & {*line.layer.modules[0].modules()}
        )

    def _outermost(self) -> tuple[Line, ...]:
        """Return the outermost parts of the module that a picture can show."""
        if isinstance(self.module, torch.jit.ScriptModule):
            return ()  # no hook sees its parts
        ran = self.observation.first_outputs
        waiting, lines = [*self.module.children()], []
        while waiting and len(lines) < MOST_PARTS:
            part = waiting.pop(0)
            output = ran.get(part)
            if output is not None and self._can_be_shown(output):
                lines.append(self.values(output))
            elif part not in ran:
                waiting = [*part.children(), *waiting]
        return tuple(lines)

    def _can_be_shown(self, output: PartOutput) -> bool:
        """Tell whether a part makes something of its own of each image."""
        part = output.module
        is_step = type(part).__module__.startswith("torch.nn") and not any(
            weights.ndim > 1 for weights in part.parameters()
        )
        return (
            not is_step
            and IMAGE in self.observation.below(output.sources)
            and output.shape[:1] == (self.images,)
            and len(output.shape) > 1
        )

    def couplings(self, softmaxes: Softmaxes) -> Line:
        """Return the line that shows softmaxes as they were seen."""
        part = self.module.get_submodule(softmaxes.part)
        counted = softmaxes.shape[0] // self.images
        shape = (*([counted] if counted > 1 else []), *softmaxes.shape[1:])
        id = self._named((part, softmaxes), f"{self._names[part]}.couplings")
        times = {1: "once", 2: "twice"}.get(softmaxes.count, f"{softmaxes.count} times")
        code = f"ce.Couplings({written(id)}, {self.python[part]}, shape={shape})"
        note = f"{times}; seen, not recomputed"
        return Line(Couplings(id, part, shape), code, note)

    def decoders(self) -> list[Line]:
        """Return parts that may draw: of the image's size, made by several layers."""
        image = math.prod(self.observation.nodes[IMAGE].shape[1:])
        pictures = [
            part
            for part in reversed(self.observation.parts)
            if part.module is not self.module
            and math.prod(part.shape[1:]) == image
            and any(isinstance(x, LAYERS) for x in part.module.modules())
        ]
        decoders = []
        for part in pictures:
            below = self.observation.below(part.sources)
            if any(applied.nodes & below for applied in self.routings):
                code = self.python[part.module]
                decoders.append(Line(Decoder(part.module), f"ce.Decoder({code})"))
        return decoders

    # Ids.

    def _id_of(self, number: int, node: Node) -> str:
        if node.module is not None:
            return self._named((node.module,), "")
        read = min(node.reads)
        below = "" if read == IMAGE else self._id_of(read, self.observation.nodes[read])
        return self._named((number,), f"{below}-pool".strip("-"))

    def _named(self, key: tuple[Any, ...], name: str) -> str:
        """Return the id of a part, made of its name in the module."""
        if key not in self._ids:
            text = name or self._names.get(key[0], "")
            text = re.sub(r"[^A-Za-z0-9_-]+", "-", text.replace(".", "-")).strip("-")
            if not text[:1].isalpha() or text in _TAKEN:
                text = f"layer-{text}".rstrip("-")
            count, free = 2, text
            while free in self._ids.values():
                free, count = f"{text}-{count}", count + 1
            self._ids[key] = free
        return self._ids[key]


def _grids(
    shapes: tuple[tuple[int, ...], ...], applied: Applied, sizes: set[int]
) -> tuple[Grid, ...]:
    """Return how the values of parts may stand as capsules that a W reads."""
    numbers = sum(math.prod(shape[1:]) for shape in shapes)
    grids: list[Grid] = []
    for size in sorted(sizes):
        if numbers % size == 0:
            grids.append(Grid(numbers // size, 0, 0, size))
        for rows, columns in pairwise(shapes[0][1:]) if len(shapes) == 1 else ():
            if numbers % (rows * columns * size) == 0 and min(rows, columns) > 1:
                types = numbers // (rows * columns * size)
                grids.append(Grid(types, rows, columns, size))
    return tuple(grid for grid in grids if applied.reads(grid))
