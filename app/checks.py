"""Whether a well-formed request fits the model it asks."""

from collections.abc import Sequence

from app.engine import Array, ModelInfo, Pin, Surgery
from app.errors import InvalidRequest, short
from app.payloads import PinRequest, TraceRequest


def check_image(info: ModelInfo, image: Array) -> None:
    """Refuse an image of another size than the model's.

    Args:
        info: the model asked.
        image: (rows, columns).

    Raises:
        InvalidRequest: the size differs; names the first row when all rows do.
    """
    rows, columns = info.input_shape
    if image.shape[0] != rows:
        message = f"image must have {rows} rows, got {image.shape[0]}"
        raise InvalidRequest(message, field="image")
    if image.shape[1] != columns:
        message = f"image.0 must have {columns} numbers, got {image.shape[1]}"
        raise InvalidRequest(message, field="image.0")


def iterations_of(info: ModelInfo, asked: int | None) -> int:
    """Return the routing iterations to run: those asked for, or the model's own.

    Raises:
        InvalidRequest: more than the model's `max_routing_iterations`.
    """
    if asked is None:
        return info.routing_iterations
    if asked > info.max_routing_iterations:
        raise InvalidRequest(
            f"iterations must be at most {info.max_routing_iterations}, got {asked}",
            field="iterations",
        )
    return asked


def tensors_of(info: ModelInfo, asked: Sequence[str] | None) -> tuple[str, ...]:
    """Return the tensors to answer with, each once, in the order asked for.

    Raises:
        InvalidRequest: a name that is not one of the model's tensors.
    """
    if asked is None:
        return tuple(tensor.name for tensor in info.tensors if not tensor.on_request)
    known = {tensor.name for tensor in info.tensors}
    for place, name in enumerate(asked):
        if name not in known:
            field = f"tensors.{place}"
            message = f"{field} must be a tensor of {info.id}, got {short(name)}"
            raise InvalidRequest(message, field=field)
    return tuple(dict.fromkeys(asked))


def surgery_of(info: ModelInfo, asked: TraceRequest) -> Surgery:
    """Return the interventions in routing that a request asks for.

    Raises:
        InvalidRequest: a capsule or digit that the model has not, a capsule named
            twice, or a pin where there is one digit only.
    """
    silenced: set[int] = set()
    for place, capsule in enumerate(asked.silence):
        _check_capsule(info, capsule, silenced, field=f"silence.{place}")
    pinned: set[int] = set()
    for place, pin in enumerate(asked.pin):
        _check_capsule(info, pin.capsule, pinned, field=f"pin.{place}.capsule")
        _check_pinned_digit(info, pin, field=f"pin.{place}.digit")
    return Surgery(
        silenced=frozenset(silenced),
        routing=asked.routing,
        pins=frozenset(Pin(pin.capsule, pin.digit, pin.coupling) for pin in asked.pin),
    )


def _check_capsule(info: ModelInfo, capsule: int, seen: set[int], field: str) -> None:
    last = info.primary_capsules - 1
    if capsule > last:
        message = f"{field} must be a capsule 0..{last}, got {short(capsule)}"
        raise InvalidRequest(message, field=field)
    if capsule in seen:
        message = f"{field} must be another capsule than before it, got {capsule} again"
        raise InvalidRequest(message, field=field)
    seen.add(capsule)


def _check_pinned_digit(info: ModelInfo, pin: PinRequest, field: str) -> None:
    last = info.classes - 1
    if pin.digit > last:
        message = f"{field} must be a digit 0..{last}, got {short(pin.digit)}"
        raise InvalidRequest(message, field=field)
    if last == 0:
        message = f"{field} must have another digit to share with, got the only one"
        raise InvalidRequest(message, field=field)


def check_edit(info: ModelInfo, digit: int, poses: Array) -> None:
    """Refuse a capsule edit that the model's decoder cannot take.

    Args:
        info: the model asked.
        digit: the class kept.
        poses: (count, numbers).

    Raises:
        InvalidRequest: no such class, or poses of another length.
    """
    if digit >= info.classes:
        message = f"digit must be at most {info.classes - 1}, got {digit}"
        raise InvalidRequest(message, field="digit")
    if poses.shape[1] != info.pose_dim:
        message = f"poses.0 must have {info.pose_dim} numbers, got {poses.shape[1]}"
        raise InvalidRequest(message, field="poses.0")
