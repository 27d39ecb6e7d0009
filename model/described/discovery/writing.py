"""A description as Python: the lines that a user copies, keeps and corrects."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torch import nn

from capsnet_explorer.model.described.layers import Layer


@dataclass(frozen=True, eq=False)
class Line:
    """A layer of a description, and the Python that makes it.

    Attributes:
        note: what a reader should know of it; "" for nothing.
    """

    layer: Layer
    code: str
    note: str = ""


@dataclass(frozen=True, eq=False)
class Setting:
    """A function that `describe` is given, and the Python of it.

    Attributes:
        function: None leaves the setting out.
        code: "" of None.
        note: what a reader should know of it; "" for nothing.
    """

    function: Callable[..., Any] | None = None
    code: str = ""
    note: str = ""


@dataclass(frozen=True)
class Description:
    """Layers and settings that `describe` takes.

    Attributes:
        lines: from the image up.
        scores: picks the scores from the answer.
        call: runs the module.
    """

    lines: tuple[Line, ...] = ()
    scores: Setting = Setting()
    call: Setting = Setting()

    @property
    def layers(self) -> list[Layer]:
        """The layers, from the image up."""
        return [line.layer for line in self.lines]

    def code(self, preparation: Sequence[str], notes: Sequence[str]) -> str:
        """Return the whole as Python."""
        settings = [
            _noted(f"    {name}={setting.code},", setting.note)
            for name, setting in (("scores", self.scores), ("call", self.call))
            if setting.code
        ]
        return "\n".join(
            [
                "# Found from the module and its images, and confirmed by describe:",
                *preparation,
                "mine = ce.describe(",
                "    net,",
                "    [",
                *(_noted(f"        {x.code},", x.note) for x in self.lines),
                *(f"        # {note}" for note in notes),
                "    ],",
                "    images,",
                *settings,
                ")",
            ]
        )


def _noted(code: str, note: str) -> str:
    return f"{code}  # {note}" if note else code


def python_of(module: nn.Module) -> dict[nn.Module, str]:
    """Return, for each part of a module, the Python that reaches it from `net`."""
    reached: dict[nn.Module, str] = {}
    for name, part in module.named_modules():
        code, parent = "net", module
        for step in name.split(".") if name else ():
            if isinstance(parent, nn.Sequential | nn.ModuleList):
                code += f"[{step}]"
            elif isinstance(parent, nn.ModuleDict):
                code += f"[{written(step)}]"
            else:
                is_plain = step.isidentifier()
                code = (
                    f"{code}.{step}"
                    if is_plain
                    else f"getattr({code}, {written(step)})"
                )
            parent = parent._modules[step] or parent
        reached[part] = code
    return reached


def written(value: object) -> str:
    """Return a text or a number as Python writes it, in double quotes."""
    return json.dumps(value) if isinstance(value, str) else repr(value)
