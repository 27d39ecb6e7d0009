"""A user's module, borrowed: watched while it answers, and given back as it was."""

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.errors import without_ours

Call = Callable[[Any, Tensor], Any]


@dataclass
class Seen:
    """What the parts of a module read and returned while it answered.

    Attributes:
        output: the module's answer, whatever it is.
        inputs: the first tensor that each part was called with.
        outputs: the tensor that each part returned, or the first of several.
        calls: how often each part ran.
    """

    output: Any = None
    inputs: dict[nn.Module, Tensor] = field(default_factory=dict)
    outputs: dict[nn.Module, Tensor] = field(default_factory=dict)
    calls: dict[nn.Module, int] = field(default_factory=dict)


def watched(
    module: nn.Module, images: Tensor, parts: Iterable[nn.Module], call: Call | None
) -> Seen:
    """Run a module once, and keep what some of its parts read and return.

    Args:
        module: in the mode it is to run in.
        images: (batch, channels, rows, columns), on its device.
        parts: of the module; what one does in place does not change what is kept.
        call: runs the module; None calls it with the images alone.

    Raises:
        ValueError: it raises an error, whose own traceback is kept.
    """
    seen = Seen()
    within: list[nn.Module] = []

    def enter(part: nn.Module, arguments: Any, named: Any) -> None:
        within.append(part)
        first = first_tensor([*arguments, *named.values()])
        if first is not None:
            seen.inputs.setdefault(part, first.clone())

    def leave(part: nn.Module, _arguments: Any, returned: Any) -> None:
        within.pop()
        seen.calls[part] = seen.calls.get(part, 0) + 1
        first = first_tensor(returned)
        if first is not None:
            seen.outputs.setdefault(part, first.clone())

    with ExitStack() as hooks:
        for part in dict.fromkeys(parts):
            hooks.callback(
                part.register_forward_pre_hook(enter, with_kwargs=True).remove
            )
            hooks.callback(part.register_forward_hook(leave).remove)
        try:
            seen.output = module(images) if call is None else call(module, images)
        except Exception as error:
            message = _raised(error, module, images, within, call)
            raise ValueError(message) from without_ours(error)
    return seen


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


def first_tensor(value: Any) -> Tensor | None:
    """Return a tensor, or the first one in a list, tuple or dictionary."""
    if isinstance(value, Tensor):
        return value
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        return None
    return next(
        (found for each in parts if (found := first_tensor(each)) is not None), None
    )


def place_of(module: nn.Module) -> tuple[torch.device, torch.dtype]:
    """Return where a module computes, and in which precision."""
    for tensor in (*module.parameters(), *module.buffers()):
        if tensor.is_floating_point():
            return tensor.device, tensor.dtype
    return torch.device("cpu"), torch.float32


def name_of(module: nn.Module, part: nn.Module) -> str:
    """Return how the module's own code names one of its parts."""
    named = next((name for name, each in module.named_modules() if each is part), "")
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
