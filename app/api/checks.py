"""Checks that a well-formed request suits the model that it names."""

from collections.abc import Iterable, Mapping, Sequence

from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import Array, Engine, Numbers
from capsnet_explorer.app.errors import InvalidRequest, UnknownThing, short


def check_image(info: ModelInfo, image: Numbers, *, field: str = "image") -> None:
    """Refuse an image whose size differs from the model's input.

    Args:
        info: the model.
        image: (channels, rows, columns).
        field: field of the request that contains the image.

    Raises:
        InvalidRequest: the size differs; wrong columns are reported for the first row.
    """
    channels, rows, columns = info.input_shape
    if image.shape[0] != channels:
        raise InvalidRequest(
            f"{field} must have {_size(info.input_shape)} numbers, "
            f"got {_size(image.shape)}",
            field=field,
        )
    if image.shape[1] != rows:
        message = f"{field} must have {rows} rows, got {image.shape[1]}"
        raise InvalidRequest(message, field=field)
    if image.shape[2] != columns:
        first_row = f"{field}.0" if channels == 1 else f"{field}.0.0"
        message = f"{first_row} must have {columns} numbers, got {image.shape[2]}"
        raise InvalidRequest(message, field=first_row)


def _size(shape: Sequence[int]) -> str:
    """Return a size in words: 28 rows of 28, or 3 channels of 20 rows of 24."""
    channels, rows, columns = shape
    channel = f"{rows} rows of {columns}"
    return channel if channels == 1 else f"{channels} channels of {channel}"


def check_size(infos: Iterable[ModelInfo], image: Numbers) -> None:
    """Refuse an image that no model takes.

    Args:
        infos: every model.
        image: (channels, rows, columns).

    Raises:
        InvalidRequest: its size differs from the input of all of them.
    """
    sizes = dict.fromkeys(info.input_shape for info in infos)
    if image.shape not in sizes:
        known = " or ".join(map(_size, sizes))
        raise InvalidRequest(
            f"image must have {known} numbers, as a model reads it, "
            f"got {_size(image.shape)}",
            field="image",
        )


def check_overlay(images: Sequence[Numbers], canvas: Sequence[int]) -> None:
    """Refuse images that are not grey, or larger than the canvas.

    Args:
        images: each (channels, rows, columns).
        canvas: rows and columns.

    Raises:
        InvalidRequest: names the image.
    """
    rows, columns = canvas
    for index, image in enumerate(images):
        if image.shape[0] != 1 or image.shape[1] > rows or image.shape[2] > columns:
            raise InvalidRequest(
                f"images.{index} must have at most {rows} rows of {columns} numbers, "
                f"got {_size(image.shape)}",
                field=f"images.{index}",
            )


def check_attack(info: ModelInfo, label: int, target: int | None) -> None:
    """Refuse an attack that a model cannot be put to.

    Args:
        info: the model.
        label: the class to keep an image from.
        target: the class to take it for, if any.

    Raises:
        InvalidRequest: the model has no gradient or no such class.
    """
    if not info.can.gradient:
        raise InvalidRequest(
            f"the model must be one that has a gradient, got {info.id}"
        )
    for field, digit in (("label", label), ("target", target)):
        if digit is not None and digit >= info.classes:
            message = f"{field} must be at most {info.classes - 1}, got {digit}"
            raise InvalidRequest(message, field=field)


def check_path(method: str, epsilons: int) -> None:
    """Refuse the path of an attack that has none, or several.

    Args:
        method: of the attack.
        epsilons: how many were asked for.

    Raises:
        InvalidRequest: the method takes no steps, or there is more than one ε.
    """
    if method not in ("bim", "pgd"):
        raise InvalidRequest(
            f"path must be false unless the method is bim or pgd, got {method}",
            field="path",
        )
    if epsilons > 1:
        raise InvalidRequest(
            f"epsilons must hold one number if path is true, got {epsilons}",
            field="epsilons",
        )


def tensors_of(
    info: ModelInfo, names: Sequence[str] | None, *, field: str = "tensors"
) -> tuple[str, ...]:
    """Return the names of the tensors to return, each once, in the requested order.

    Args:
        info: the model.
        names: names; None for all that are not on request.
        field: field of the request that contains them.

    Raises:
        InvalidRequest: a name is not one of the model's tensors.
    """
    if names is None:
        return tuple(tensor.name for tensor in info.tensors if not tensor.on_request)
    known = {tensor.name for tensor in info.tensors}
    for index, name in enumerate(names):
        if name not in known:
            where = f"{field}.{index}"
            message = f"{where} must be a tensor of {info.id}, got {short(name)}"
            raise InvalidRequest(message, field=where)
    return tuple(dict.fromkeys(names))


def weights_of(engine: Engine, names: Iterable[str]) -> Mapping[str, Numbers]:
    """Return trained weights by name.

    Raises:
        UnknownThing: the model has none of that name.
    """
    try:
        return engine.weights(tuple(names))
    except KeyError as error:
        (name,) = error.args
        raise UnknownThing(f"{engine.info.id} has no weights {short(name)}") from None


def check_edit(info: ModelInfo, label: int, poses: Array) -> None:
    """Refuse edited poses that the model cannot decode.

    Args:
        info: the model.
        label: the class of the poses.
        poses: (count, numbers).

    Raises:
        InvalidRequest: the model has no decoder or no such class, or its poses have
            another length.
    """
    if not info.can.reconstruct:
        raise InvalidRequest(
            f"the model must be one that can reconstruct, got {info.id}"
        )
    if label >= info.classes:
        message = f"digit must be at most {info.classes - 1}, got {label}"
        raise InvalidRequest(message, field="digit")
    needed = info.details["pose_dim"]
    if poses.shape[1] != needed:
        message = f"poses.0 must have {needed} numbers, got {poses.shape[1]}"
        raise InvalidRequest(message, field="poses.0")
