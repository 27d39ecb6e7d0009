"""The options of a pass: iterations and surgery, or, without routing, silent maps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import OptionsError
from capsnet_explorer.model.layers.surgery import Surgery

MAX_ITERATIONS = 10

Routing = Literal["agreement", "uniform"]
ROUTINGS: tuple[Routing, ...] = get_args(Routing)


@dataclass(frozen=True, slots=True)
class Pin:
    """One coupling held at a fixed value.

    Attributes:
        capsule: number i of the capsule below.
        digit: number j of the class capsule.
        coupling: the value of c_ij in every iteration, in [0, 1].
    """

    capsule: int
    digit: int
    coupling: float


@dataclass(frozen=True, slots=True)
class SilenceOptions:
    """The options for one image of a network that does not route.

    Attributes:
        silenced: maps that are 0 wherever they are read.
    """

    silenced: frozenset[int] = frozenset()

    @property
    def in_response(self) -> Mapping[str, object]:
        """Repeat nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class RoutingOptions:
    """The options for routing one image.

    Attributes:
        iterations: of routing, at least 1.
        silenced: capsules below the classes that do not vote.
        routing: `uniform` keeps the initial couplings and ignores agreement.
        pins: couplings held fixed, at most one for each capsule below. Its other
            couplings share the remainder in proportion to their softmax.
    """

    iterations: int
    silenced: frozenset[int] = frozenset()
    routing: Routing = "agreement"
    pins: frozenset[Pin] = frozenset()

    @property
    def in_response(self) -> Mapping[str, object]:
        """Repeat the iterations."""
        return {"iterations": self.iterations}

    @property
    def has_surgery(self) -> bool:
        """Whether anything in routing is changed."""
        return bool(self.silenced or self.pins or self.routing != "agreement")


def max_iterations(config: Any) -> int:
    """Return the most iterations that a trace may ask for."""
    return max(MAX_ITERATIONS, config.routing_iterations)


def checked_options(config: Any, query: Mapping[str, Any]) -> RoutingOptions:
    """Check a request's routing options.

    Args:
        config: the network's sizes, with `routed_capsules`, `classes` and
            `routing_iterations`.
        query: any of `iterations` (at least 1), `silence` (capsule numbers), `routing`,
            and `pin` (mappings with `capsule`, `digit`, and `coupling` in [0, 1]).
            Types have been checked.

    Raises:
        OptionsError: a value that is out of its range, a capsule named twice, or a pin
            in a network with only one digit.
    """
    iterations = query.get("iterations", config.routing_iterations)
    if iterations < 1:
        raise OptionsError(
            f"iterations must be at least 1, got {iterations}", field="iterations"
        )
    if iterations > (most := max_iterations(config)):
        raise OptionsError(
            f"iterations must be at most {most}, got {iterations}", field="iterations"
        )
    silenced = checked_silence(query, config.routed_capsules, "capsule")
    routing = query.get("routing", "agreement")
    if routing not in ROUTINGS:
        raise OptionsError(
            f"routing must be {' or '.join(ROUTINGS)}, got {routing}", field="routing"
        )
    pinned: set[int] = set()
    pins = [Pin(**pin) for pin in query.get("pin", ())]
    for index, pin in enumerate(pins):
        field = f"pin.{index}.capsule"
        _check_part(pin.capsule, config.routed_capsules, "capsule", pinned, field)
        _check_pinned_digit(config, pin.digit, field=f"pin.{index}.digit")
        if not 0 <= pin.coupling <= 1:
            message = f"pin.{index}.coupling must be in 0..1, got {pin.coupling}"
            raise OptionsError(message, field=f"pin.{index}.coupling")
    return RoutingOptions(
        iterations=iterations,
        silenced=silenced,
        routing=routing,
        pins=frozenset(pins),
    )


def checked_silence(query: Mapping[str, Any], count: int, part: str) -> frozenset[int]:
    """Return the numbers in `silence`.

    Args:
        query: a request's options; their types have been checked.
        count: number of parts, such as capsules, that can be silenced.
        part: what one is called.

    Raises:
        OptionsError: a number that is out of range, or named twice.
    """
    silenced: set[int] = set()
    for index, number in enumerate(query.get("silence", ())):
        _check_part(number, count, part, silenced, f"silence.{index}")
    return frozenset(silenced)


def _check_part(
    number: int, count: int, part: str, known: set[int], field: str
) -> None:
    if not 0 <= number < count:
        message = f"{field} must be a {part} 0..{count - 1}, got {number}"
        raise OptionsError(message, field=field)
    if number in known:
        message = f"{field} must not repeat a {part}, got {number} again"
        raise OptionsError(message, field=field)
    known.add(number)


def _check_pinned_digit(config: Any, digit: int, field: str) -> None:
    last = config.classes - 1
    if not 0 <= digit <= last:
        message = f"{field} must be a digit 0..{last}, got {digit}"
        raise OptionsError(message, field=field)
    if last == 0:
        message = f"{field} needs a second digit to share with, got the only one"
        raise OptionsError(message, field=field)


def silence_on(options: Sequence[SilenceOptions], count: int) -> Tensor | None:
    """Return what is silent in a batch, (batch, count) bool; None if nothing is."""
    if not any(option.silenced for option in options):
        return None
    silenced = torch.zeros(len(options), count, dtype=torch.bool)
    for index, option in enumerate(options):
        silenced[index, list(option.silenced)] = True
    return silenced


def surgery_on(options: Sequence[RoutingOptions], config: Any) -> Surgery | None:
    """Combine the surgery of a batch; None if none of its images has any."""
    if not any(option.has_surgery for option in options):
        return None
    batch, capsules = len(options), config.routed_capsules
    silenced = torch.zeros(batch, capsules, dtype=torch.bool)
    uniform = torch.zeros(batch, dtype=torch.bool)
    held = torch.full((batch, capsules, config.classes), torch.nan)
    for index, option in enumerate(options):
        silenced[index, list(option.silenced)] = True
        uniform[index] = option.routing == "uniform"
        if pins := option.pins:
            rows = [pin.capsule for pin in pins]
            columns = [pin.digit for pin in pins]
            held[index, rows, columns] = torch.tensor([pin.coupling for pin in pins])
    return Surgery(silenced, uniform, held)
