"""What lies between two described layers: batch norm, an activation, pooling."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.described.running.watching import Recording

Activation = Callable[[Tensor], Tensor]

ACTIVATIONS: dict[str, Activation] = {
    "ReLU": torch.relu,
    "none": lambda values: values,
    "leaky ReLU": F.leaky_relu,
    "leaky ReLU of slope 0.1": lambda values: F.leaky_relu(values, 0.1),
    "leaky ReLU of slope 0.2": lambda values: F.leaky_relu(values, 0.2),
    "ELU": F.elu,
    "SELU": F.selu,
    "GELU": F.gelu,
    "SiLU": F.silu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": F.softplus,
}


@dataclass(frozen=True)
class Step:
    """What is done with a layer's values before the next layer reads them.

    Attributes:
        norm: batch norm, or another part of the module that reads the values first.
        activation: one of `ACTIVATIONS`, or the name of a part of the module's.
        part: the part of the module that is that activation, if it is none of these.
        is_shown: whether a part of the module is the activation, so that no other fits.
    """

    norm: nn.Module | None = None
    activation: str = "none"
    part: nn.Module | None = None
    is_shown: bool = field(default=False, compare=False)

    @property
    def changes_nothing(self) -> bool:
        """Whether the next layer reads the values as they are."""
        return self.activation == "none" and not self.parts

    @property
    def words(self) -> str:
        """Such as `batch norm, ReLU`."""
        norm = "" if self.norm is None else _NAMES.get(type(self.norm), "a layer")
        name = self.activation
        return ", ".join(word for word in (norm, name) if word not in ("", "none")) or (
            "none"
        )

    @property
    def parts(self) -> tuple[nn.Module, ...]:
        """The parts of the module that take part."""
        return tuple(part for part in (self.norm, self.part) if part is not None)

    def before(self, values: Tensor, recording: Recording) -> Tensor:
        """Return the values as the activation reads them."""
        return values if self.norm is None else recording.outputs[self.norm]

    def after(self, values: Tensor, recording: Recording) -> Tensor:
        """Return what the next layer reads, of what `before` returned."""
        if self.part is not None:
            return recording.outputs[self.part]
        return ACTIVATIONS[self.activation](values)


_NAMES: Mapping[type, str] = {
    nn.BatchNorm2d: "batch norm",
    nn.BatchNorm1d: "batch norm",
    nn.GroupNorm: "group norm",
    nn.LayerNorm: "layer norm",
}


def steps_after(
    values: Tensor, recording: Recording, described: set[nn.Module]
) -> Iterator[Step]:
    """Yield what may be done with a layer's values, parts of the module first."""
    for part in _reading(values, recording, described):
        yield _by(None, part)
        for after in _reading(recording.outputs[part], recording, described):
            yield _by(part, after)
        yield from (Step(part, name) for name in ACTIVATIONS)
    yield from (Step(activation=name) for name in ACTIVATIONS)


def _by(norm: nn.Module | None, part: nn.Module) -> Step:
    """Return the step that ends with a part of the module."""
    if isinstance(part, nn.ReLU):
        return Step(norm, "ReLU", is_shown=True)
    return Step(norm, type(part).__name__, part, is_shown=True)


def chain_after(
    values: Tensor, recording: Recording, described: set[nn.Module]
) -> tuple[nn.Module, ...]:
    """Return the parts that read a layer's values one after the other."""
    chain: list[nn.Module] = []
    while (part := next(_reading(values, recording, described), None)) is not None:
        if part in chain:
            break
        chain.append(part)
        values = recording.outputs[part]
    return tuple(chain)


def part_words(parts: tuple[nn.Module, ...]) -> str:
    """Return what parts are called, such as `batch norm, ReLU`."""
    return ", ".join(_NAMES.get(type(part), type(part).__name__) for part in parts)


def _reading(
    values: Tensor, recording: Recording, described: set[nn.Module]
) -> Iterator[nn.Module]:
    """Yield the innermost parts that read exactly these values, and change them."""
    for part, read in recording.inputs.items():
        if part in described or any(part.children()) or part not in recording.outputs:
            continue
        output = recording.outputs[part]
        same = read.shape == values.shape == output.shape
        # Dropout, for one, changes nothing in evaluation mode.
        if same and torch.equal(read, values) and not torch.equal(read, output):
            yield part


POOLS = {
    "max": lambda values, size: F.max_pool2d(values, size),
    "average": lambda values, size: F.avg_pool2d(values, size),
}
