"""One setting of a run or a network: declared once, where its dataclass has its field.

The command line's option, the check of a request, the page's form, the card and the
check on resuming a run all follow from it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Kind = Literal["choice", "integer", "number"]
Range = tuple[float, float]
_KINDS: dict[type, Kind] = {str: "choice", int: "integer", float: "number"}
_KEY = "setting"


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a setting.

    Attributes:
        default: its value unless said otherwise, and what it was in runs that were
            made before it existed: a number, a word of `choices`, or a tuple of
            numbers.
        help: one line for people, beginning in lower case.
        low: the least number that can work.
        high: the largest.
        most: the largest that a request may ask for: it keeps a run within a small
            machine's memory, and leaves room for mistakes that teach something.
        choices: the words that it can be.
        alone: its value where the command line gives the option without one.
        title: what the page calls it.
        is_first: whether the page shows it at once, and not behind a line.
        is_for_page: whether the page and requests offer it.
    """

    default: Any
    help: str = ""
    low: float = 0
    high: float = math.inf
    most: float = math.inf
    choices: Sequence[str] = ()
    alone: Any = None
    title: str = ""
    is_first: bool = False
    is_for_page: bool = True

    @property
    def count(self) -> int | None:
        """How many values it is a list of; None for a single one."""
        return len(self.default) if isinstance(self.default, tuple) else None

    @property
    def type(self) -> type:
        """The type of its value, or of each."""
        return type(self.default if self.count is None else self.default[0])

    @property
    def kind(self) -> Kind:
        """The same, for people."""
        return _KINDS[self.type]

    def checked(
        self,
        name: str,
        value: Any,
        *,
        is_asked: bool = False,
        told: Callable[[Any], str] = repr,
    ) -> Any:
        """Return a value as the setting's type.

        Args:
            name: of the setting, for the error.
            value: of any type.
            is_asked: whether a request asks for it.
            told: writes a value for the error.

        Raises:
            ValueError: says what is needed and what came.
        """
        within = self.low, min(self.most, self.high) if is_asked else self.high
        if self.count is None:
            return self._one(name, value, within, told)
        if not isinstance(value, list | tuple) or len(value) != self.count:
            raise ValueError(
                f"{name} must be a list of {self.count}, got {told(value)}"
            )
        return tuple(self._one(name, item, within, told) for item in value)

    def _one(
        self, name: str, value: Any, within: Range, told: Callable[[Any], str]
    ) -> Any:
        if self.type is str:
            if value not in self.choices:
                raise ValueError(
                    f"{name} must be one of {', '.join(self.choices)}, "
                    f"got {told(value)}"
                )
            return value
        is_whole = self.type is int
        if is_whole and isinstance(value, float) and value.is_integer():
            value = int(value)  # JSON does not tell 4.0 from 4
        if isinstance(value, bool) or not isinstance(
            value, int if is_whole else int | float
        ):
            kind = "a whole number" if is_whole else "a number"
            raise ValueError(f"{name} must be {kind}, got {told(value)}")
        low, high = within
        if not low <= value <= high or value == math.inf:
            limits = (
                f"at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
            )
            raise ValueError(f"{name} must be {limits}, got {told(value)}")
        return self.type(value)


def setting(default: Any, help: str, *limits: Any, **more: Any) -> Any:
    """Declare a field of a frozen dataclass to be a `Setting` with these attributes."""
    declared = Setting(default, help, *limits, **more)
    return field(default=default, metadata={_KEY: declared})


def settings_in(kind: type) -> dict[str, Setting]:
    """Return the settings of a dataclass, by name."""
    return {item.name: item.metadata[_KEY] for item in fields(kind) if item.metadata}


def check_fields(config: Any) -> None:
    """Refuse values that no such setting can have.

    A field that is no setting, such as the number of classes, must be a whole number
    from 1 if it is one by default.

    Raises:
        ValueError: names the field, what is needed and what came.
    """
    for item in fields(config):
        declared = item.metadata.get(_KEY) or Setting(item.default, low=1)
        if declared.type is not str or declared.choices:
            declared.checked(item.name, getattr(config, item.name))
