"""Layers that a pass suggests, likeliest first; what they are, `describe` decides."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.discovery.observing import (
    IMAGE,
    Node,
    Observed,
    PartOutput,
)
from capsnet_explorer.model.described.discovery.writing import (
    Line,
    python_of,
    written,
)
from capsnet_explorer.model.described.layers import (
    Capsules,
    Convolution,
    Decoder,
    Dense,
    Pooling,
    Routing,
    Values,
)

MOST_LAYERS = 16  # below the capsules: the page has room for so many
MOST_PARTS = 8  # that are shown by their values alone
USUAL_ITERATIONS = 5  # which `describe` finds out by itself
_TAKEN = {"classes", "reconstruction", "image", "scores"}


@dataclass(frozen=True, eq=False)
class Stack:
    """Layers up to some capsules, and the id of the last."""

    lines: tuple[Line, ...]
    top: str | None


class Proposals:
    """What may be said of a module.

    Args:
        module: that was observed.
        seen: the pass.
        images: how many it had.
    """

    def __init__(self, module: nn.Module, seen: Observed, images: int) -> None:
        self.module = module
        self.seen = seen
        self.images = images
        self.python = python_of(module)
        self._names = {part: name for name, part in module.named_modules()}
        self._ids: dict[Any, str] = {}

    # Matrices W.

    @property
    def routings(self) -> list[int]:
        """The numbers of the nodes that apply a W to capsules, from the image up."""
        return [
            number
            for number, node in enumerate(self.seen.nodes)
            if node.kind == "transforms"
        ]

    def transforms(self, number: int) -> tuple[Tensor, str]:
        """Return a node's W, and the Python that reaches it."""
        owner, _, name = self.seen.nodes[number].parameter.rpartition(".")
        part = self.module.get_submodule(owner)
        return getattr(part, name), f"{self.python[part]}.{name}"

    # Layers below capsules.

    def chain(self, tops: Iterable[int]) -> list[tuple[int, Node]]:
        """Return convolutions and pooling, and linear layers where nothing is routed.

        Args:
            tops: numbers of the nodes that are made of them, themselves included.
        """
        reached = self.seen.below(tops)
        kinds = {"convolution", "pooling", *([] if self.routings else ["linear"])}
        return [
            (number, node)
            for number, node in enumerate(self.seen.nodes)
            if number in reached and node.kind in kinds
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
        """Return the id of what a node reads, and add the part that joins several.

        Raises:
            LookupError: nothing that can be described makes what it reads.
        """
        node = self.seen.nodes[number]
        if len(node.reads) == 1 and (read := next(iter(node.reads))) in known:
            return known[read]
        if (joined := self.seen.part_before(number)) is None:
            raise LookupError
        line = self.values(joined)
        if line.layer.id not in [each.layer.id for each in lines]:
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

    def stacks(self, number: int) -> Iterator[Stack]:
        """Yield the ways to describe the capsules that a W reads, likeliest first."""
        node = self.seen.nodes[number]
        weights, _ = self.transforms(number)
        below = [self.seen.nodes[each] for each in node.reads]
        if all(each.kind == "transforms" for each in below) and len(below) == 1:
            yield from self._routed(next(iter(node.reads)))
            return
        lengths = {length for length in weights.shape if length > 1}
        if below and all(each.kind == "convolution" for each in below):
            yield from self._cut(node, below, lengths)
        for part in self._making(node, lengths):
            lines = self.lines_of(self.chain(part.sources)[-MOST_LAYERS:])
            values = self.values(part)
            yield Stack((*lines, values), values.layer.id)

    def _routed(self, number: int) -> Iterator[Stack]:
        """Yield stacks that end with an earlier routing."""
        for stack in self.stacks(number):
            line = self.routing(number, stack.top or "", "dynamic", 0)
            yield Stack((*stack.lines, line), line.layer.id)

    def _cut(self, node: Node, below: list[Node], lengths: set[int]) -> Iterator[Stack]:
        """Yield convolutions side by side whose maps are cut into capsules."""
        if len({each.reads for each in below}) > 1 or len(below[0].shape) != 4:
            return
        maps = sum(each.shape[1] for each in below)
        numbers = maps * math.prod(below[0].shape[2:])
        chain = self.chain(below[0].reads)
        lines = list(self.lines_of(chain[-MOST_LAYERS:]))
        known: dict[int, str | None] = {IMAGE: None}
        known |= {number: self._id_of(number, each) for number, each in chain}
        try:
            reads = self._below(min(node.reads), known, lines)
        except LookupError:
            return
        modules = [each.module for each in below if each.module is not None]
        codes = [self.python[each] for each in modules]
        id = self._named(tuple(modules), "primary" if len(modules) > 1 else "")
        given = codes[0] if len(codes) == 1 else f"[{', '.join(codes)}]"
        given = self._together(modules) or given
        for size in sorted(lengths):
            if maps % size or not {numbers // size, maps // size} & lengths:
                continue
            layer = Capsules(id, modules, size, reads)
            said = "" if reads is None else f", below={written(reads)}"
            code = f"ce.Capsules({written(id)}, {given}, size={size}{said})"
            yield Stack((*lines, Line(layer, code)), id)

    def _together(self, modules: list[nn.Module]) -> str:
        """Return the Python of a list that holds just these parts; "" without one."""
        for part in self.module.modules():
            if isinstance(part, nn.ModuleList) and [*part] == modules:
                return self.python[part]
        return ""

    def _making(self, node: Node, lengths: set[int]) -> Iterator[PartOutput]:
        """Yield parts whose output may be the capsules that a W reads, latest first."""
        reached = self.seen.below(node.reads)
        layers = {self.module, *(each.module for each in self.seen.nodes)}
        for part in reversed(self.seen.parts):
            if part.module in layers or not part.sources <= reached:
                continue
            if len(part.shape) < 3 or part.shape[0] != self.images:
                continue
            numbers = math.prod(part.shape[1:])
            sizes = {*part.shape[1:]} & lengths
            if sizes or any(
                numbers == one * other for one in lengths for other in lengths
            ):
                yield part

    # Routing.

    def forms(self, number: int) -> list[tuple[str, int]]:
        """Return the kinds of routing above a W, likeliest first, with iterations.

        Iterations are 0 where `describe` finds them out.
        """
        weights, _ = self.transforms(number)
        counts = [each.count for each in self.seen.couplings if number in each.sources]
        most = max(counts, default=0)
        dynamic = ("dynamic", most if most > USUAL_ITERATIONS else 0)
        if most != 1:
            return [dynamic]
        axes = sum(length > 1 for length in weights.shape)
        return [("self", 0), dynamic] if axes == 3 else [("attention", 0), dynamic]

    def routing(self, number: int, below: str, form: str, iterations: int) -> Line:
        """Return the line of a routing."""
        weights, code = self.transforms(number)
        owner = self.module.get_submodule(
            self.seen.nodes[number].parameter.rpartition(".")[0]
        )
        id = self._named((owner, number), "" if owner is not self.module else "routing")
        said = "" if form == "dynamic" else f", form={written(form)}"
        said += f", iterations={iterations}" if iterations else ""
        layer = Routing(
            id, lambda: weights, below, form=form, iterations=iterations or None
        )
        return Line(
            layer,
            f"ce.Routing({written(id)}, lambda: {code}, below={written(below)}{said})",
        )

    # Parts as they are.

    def replaced(self, line: Line) -> Line | None:
        """Return a line that shows a convolution's maps alone; None of other layers."""
        modules = line.layer.modules
        if not isinstance(line.layer, Convolution):
            return None
        return self._by_values(line.layer.id, modules[0])

    def values(self, part: PartOutput) -> Line:
        """Return the line that shows what a part returns."""
        return self._by_values(self._named((part.module,), ""), part.module)

    def _by_values(self, id: str, part: nn.Module) -> Line:
        code = self.python[part]
        return Line(Values(id, part), f"ce.Values({written(id)}, {code})")

    def shown(self, lines: Iterable[Line]) -> tuple[Line, ...]:
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
        ran = {part.module: part for part in self.seen.parts}
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
            and IMAGE in self.seen.below(output.sources)
            and output.shape[:1] == (self.images,)
            and len(output.shape) > 1
        )

    def decoders(self) -> list[Line]:
        """Return parts that may draw: of the image's size, made by several layers."""
        image = math.prod(self.seen.nodes[IMAGE].shape[1:])
        found = []
        for part in self.seen.parts:
            layers = [
                each
                for each in part.module.modules()
                if isinstance(each, nn.Linear | nn.modules.conv._ConvNd)
            ]
            is_picture = math.prod(part.shape[1:]) == image
            if part.module is not self.module and is_picture and len(layers) > 0:
                is_made = any(
                    self.seen.nodes[each].kind == "transforms"
                    for each in self.seen.below(part.sources)
                )
                if is_made:
                    code = self.python[part.module]
                    found.append(Line(Decoder(part.module), f"ce.Decoder({code})"))
        return found[::-1]

    # Ids.

    def _id_of(self, number: int, node: Node) -> str:
        if node.module is not None:
            return self._named((node.module,), "")
        read = min(node.reads)
        below = "" if read == IMAGE else self._id_of(read, self.seen.nodes[read])
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
