"""Operators that ONNX lacks: which it is, and in which part of a module it runs."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


class LacksOperator(ValueError):
    """A network cannot be exported.

    Attributes:
        operator: that ONNX lacks, such as `digamma (in head)`.
    """

    def __init__(self, title: str, operator: str) -> None:
        super().__init__(
            f"a site cannot have {title}: ONNX has no operator {operator}, and "
            "networks run as ONNX graphs there; explore() shows it"
        )
        self.operator = operator


_OPERATOR = re.compile(r"No ONNX function found for <OpOverload\(op='\w+\.(\w+)'")
# Of operators that are converted for some shapes alone, such as attention's.
_OF_SHAPES = re.compile(
    r"Error when translating node .*target=torch\.ops\.\w+\.(\w+)\."
)


def operator_lacking(
    error: BaseException, module: nn.Module, run: Callable[[], Any]
) -> str:
    """Return the operator that an export failed for, such as `digamma (in head)`.

    Args:
        error: of `torch.onnx.export`.
        module: that was exported, or that takes part.
        run: runs it once.

    Returns:
        "" where it failed for another reason.
    """
    said = "\n".join(str(cause) for cause in _causes(error))
    missing = _OPERATOR.search(said)
    match = missing or _OF_SHAPES.search(said)
    if match is None:
        return ""
    name = match[1]
    part = _Finder(module, name).part_of(run)
    named = name if missing else f"{name} of such shapes"
    return f"{named} (in {part})" if part else named


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


class _Finder(TorchDispatchMode):
    """Finds the part of a module in which an operator first runs."""

    def __init__(self, module: nn.Module, operator: str) -> None:
        super().__init__()
        self._module = module
        self._operator = operator
        self._names = {part: name for name, part in module.named_modules()}
        self._within: list[nn.Module] = []
        self._part = ""

    def part_of(self, run: Callable[[], Any]) -> str:
        """Return the part's name; "" if it is the module itself, or none."""
        with torch.no_grad(), ExitStack() as hooks, self, _Called(self.note):
            for part in self._module.modules():
                enter = part.register_forward_pre_hook(self._enter)
                leave = part.register_forward_hook(self._leave, always_call=True)
                hooks.callback(enter.remove)
                hooks.callback(leave.remove)
            run()
        return self._part

    def _enter(self, part: nn.Module, _arguments: Any) -> None:
        self._within.append(part)

    def _leave(self, _part: nn.Module, _arguments: Any, _returned: Any) -> None:
        self._within.pop()

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self.note(operation._schema.name.partition("::")[2].rstrip("_"))
        return operation(*args, **(kwargs or {}))

    def note(self, name: str) -> None:
        """Note that an operator runs."""
        if name == self._operator and self._within and not self._part:
            self._part = self._names[self._within[-1]]


class _Called(TorchFunctionMode):
    """Notes functions as they are called: some are others once they are carried out."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__()
        self._note = note

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self._note(getattr(function, "__name__", ""))
        return function(*args, **(kwargs or {}))
