"""A user's module, borrowed: watched while it answers, and given back as it was."""

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map_only

from capsnet_explorer.model.described.errors import without_ours

Call = Callable[[Any, Tensor], Any]


@dataclass
class Recording:
    """What the parts of a module read and returned while it answered.

    Attributes:
        output: the module's answer, whatever it is.
        inputs: the first tensor that each part was called with.
        outputs: the tensor that each part returned, or the first of several.
        calls: how often each part ran.
        returned: the tensors of each part that returned several.
        whole: what each of these returned, in its own lists and dictionaries.
        softmaxes: that each part computed, itself or in its own parts, and the module.
        batch: number of images that it answered.
        kept: number of images of which values are kept.
    """

    output: Any = None
    inputs: dict[nn.Module, Tensor] = field(default_factory=dict)
    outputs: dict[nn.Module, Tensor] = field(default_factory=dict)
    calls: dict[nn.Module, int] = field(default_factory=dict)
    returned: dict[nn.Module, list[Tensor]] = field(default_factory=dict)
    whole: dict[nn.Module, Any] = field(default_factory=dict)
    softmaxes: dict[nn.Module, list[Tensor]] = field(default_factory=dict)
    batch: int = 0
    kept: int = 0

    def first(self) -> "Recording":
        """Return what parts read and returned of the first of two images alone."""

        def first_of_two(tensor: Tensor) -> Tensor:
            return tensor[:1] if tensor.ndim and len(tensor) == 2 else tensor

        return replace(self.mapped(first_of_two), kept=1)

    def in_precision(self, kind: torch.dtype) -> "Recording":
        """Return the same with numbers of another precision."""

        def converted(tensor: Tensor) -> Tensor:
            return tensor.to(kind) if tensor.is_floating_point() else tensor

        return self.mapped(converted)

    def mapped(self, change: Callable[[Tensor], Tensor]) -> "Recording":
        """Return the same with all that parts read and returned changed.

        The answer stays, whatever it is made of.
        """
        names = ("inputs", "outputs", "returned", "whole", "softmaxes")
        # One by one: to what walks through them, modules are no keys.
        return replace(
            self,
            **{
                name: {
                    part: tree_map_only(Tensor, change, value)
                    for part, value in getattr(self, name).items()
                }
                for name in names
            },
        )


class _Softmaxes(TorchFunctionMode):
    """Keeps what each softmax makes, by the parts that run meanwhile."""

    def __init__(self, within: Iterable[nn.Module], recording: Recording) -> None:
        super().__init__()
        self._within, self._recording = within, recording

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        if getattr(function, "__name__", "") == "softmax":
            for part in dict.fromkeys(self._within):
                self._recording.softmaxes.setdefault(part, []).append(result)
        return result


def watch(
    module: nn.Module,
    images: Tensor,
    parts: Iterable[nn.Module],
    call: Call | None,
    *,
    are_softmaxes_kept: bool = False,
) -> Recording:
    """Run a module once, and keep what some of its parts read and return.

    Args:
        module: in the mode it is to run in.
        images: (batch, channels, rows, columns), on its device.
        parts: of the module; what one does in place does not change what is kept.
        call: runs the module; None calls it with the images alone.
        are_softmaxes_kept: whether to keep what each softmax makes.

    Raises:
        ValueError: it raises an error, whose own traceback is kept.
    """
    recording = Recording(batch=len(images), kept=len(images))
    within: list[nn.Module] = [module]

    def enter(part: nn.Module, arguments: Any, named: Any) -> None:
        within.append(part)
        first = next(all_tensors([*arguments, *named.values()]), None)
        if first is not None:
            recording.inputs.setdefault(part, first.clone())

    def leave(part: nn.Module, _arguments: Any, returned: Any) -> None:
        within.pop()
        recording.calls[part] = recording.calls.get(part, 0) + 1
        kept = tree_map_only(Tensor, torch.clone, returned)
        every = [*all_tensors(kept)]
        if every:
            recording.outputs.setdefault(part, every[0])
        if len(every) > 1:
            recording.returned.setdefault(part, every)
            recording.whole.setdefault(part, kept)

    with ExitStack() as hooks:
        for part in dict.fromkeys(parts):
            if isinstance(part, torch.jit.ScriptModule):
                continue  # it runs without Python, and calls no hook
            hooks.callback(
                part.register_forward_pre_hook(enter, with_kwargs=True).remove
            )
            hooks.callback(part.register_forward_hook(leave).remove)
            hooks.enter_context(_called_by_forward(part, within, enter, leave))
        if are_softmaxes_kept:
            hooks.enter_context(_Softmaxes(within, recording))
        try:
            recording.output = module(images) if call is None else call(module, images)
        except Exception as error:
            message = _raised(error, module, images, within, call)
            raise ValueError(message) from without_ours(error)
    return recording


@contextmanager
def _called_by_forward(
    part: nn.Module, within: list[nn.Module], enter: Any, leave: Any
) -> Iterator[None]:
    """Watch a part that is called as `part.forward(...)`, which hooks do not see."""
    original = part.forward
    was_set = "forward" in vars(part)

    def forward(*arguments: Any, **named: Any) -> Any:
        if within and within[-1] is part:
            return original(*arguments, **named)
        enter(part, arguments, named)
        returned = original(*arguments, **named)
        leave(part, arguments, returned)
        return returned

    vars(part)["forward"] = forward
    try:
        yield
    finally:
        if was_set:
            vars(part)["forward"] = original
        else:
            vars(part).pop("forward", None)


@contextmanager
def borrowed(module: nn.Module) -> Iterator[None]:
    """Put a module into evaluation mode, and give it back as it was.

    Each part gets its own mode back, and the generators of random numbers go on as if
    nothing had run.
    """
    modes = [(part, part.training) for part in module.modules()]
    states = (torch.get_rng_state(), np.random.get_state(), random.getstate())
    on_gpu = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
    try:
        for part, _ in modes:
            part.training = False
        yield
    finally:
        for part, mode in modes:
            part.training = mode
        torch.set_rng_state(states[0])
        np.random.set_state(states[1])
        random.setstate(states[2])
        if on_gpu is not None:
            torch.cuda.set_rng_state_all(on_gpu)


@contextmanager
def precise(module: nn.Module, parts: Iterable[nn.Module] = ()) -> Iterator[None]:
    """Let a module compute in double precision meanwhile.

    Its parameters and buffers are put back afterwards: the same tensors, and the same
    memory.
    """
    owners = {owner for part in (module, *parts) for owner in part.modules()}
    numbers = {
        parameter: parameter.data
        for owner in owners
        for parameter in owner.parameters(recurse=False)
        if parameter.is_floating_point()
    }
    buffers = [
        (owner._buffers, name, buffer)
        for owner in owners
        for name, buffer in owner.named_buffers(recurse=False)
        if buffer.is_floating_point()
    ]
    kind = torch.get_default_dtype()
    try:
        for parameter in numbers:
            parameter.data = parameter.data.double()
        for held, name, buffer in buffers:
            held[name] = buffer.double()
        torch.set_default_dtype(torch.float64)
        yield
    finally:
        torch.set_default_dtype(kind)
        for parameter, data in numbers.items():
            parameter.data = data
        for held, name, buffer in buffers:
            held[name] = buffer


def all_tensors(value: Any) -> Iterator[Tensor]:
    """Yield the tensors of what a module returned, in lists, tuples, dictionaries."""
    if isinstance(value, Tensor):
        yield value
        return
    parts = value.values() if isinstance(value, dict) else value
    if not isinstance(parts, str) and isinstance(parts, Iterable):
        for part in parts:
            yield from all_tensors(part)


def place_of(module: nn.Module) -> tuple[torch.device, torch.dtype]:
    """Return where a module computes, and in which precision."""
    for tensor in (*module.parameters(), *module.buffers()):
        if tensor.is_floating_point():
            return tensor.device, tensor.dtype
    return torch.device("cpu"), torch.float32


def name_of(module: nn.Module, part: nn.Module) -> str:
    """Return how the module's own code names one of its parts."""
    named = next((name for name, other in module.named_modules() if other is part), "")
    return named or type(part).__name__


def _raised(
    error: Exception,
    module: nn.Module,
    images: Tensor,
    within: list[nn.Module],
    call: Call | None,
) -> str:
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    if isinstance(error, TypeError) and "missing" in first and call is None:
        return (
            f"your module wants more than images ({first}): say how to call it, such "
            "as call=lambda module, images: module(images, None)"
        )
    where = [part for part in within if part is not module]
    part = f", in {name_of(module, where[-1])}" if where else ""
    shape = tuple(images.shape[1:])
    return (
        f"your module raised {type(error).__name__}{part}, for images of shape "
        f"{shape}: {first}; images must be as it was trained on, and call says how to "
        "call it"
    )
