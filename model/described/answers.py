"""What a module is given and answers with: images in, the scores of its classes out."""

import math
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.errors import without_ours
from capsnet_explorer.model.described.running.watching import all_tensors

Scores = Callable[[Any], Tensor]


def checked_images(images: Any) -> Tensor:
    """Return images as a tensor (n, channels, rows, columns).

    Raises:
        ValueError: they are not such floating point numbers, or not finite.
    """
    tensor = torch.from_numpy(images) if isinstance(images, np.ndarray) else images
    if not isinstance(tensor, Tensor):
        raise ValueError(
            "images must be a tensor (n, channels, rows, columns), got a "
            f"{type(images).__name__}"
        )
    shape = tuple(tensor.shape)
    if tensor.ndim != 4 or 0 in shape:
        raise ValueError(
            "images must be (n, channels, rows, columns), with at least one image, "
            f"got {shape}"
        )
    if not tensor.is_floating_point():
        raise ValueError(
            "images must be floating point numbers, as the module reads them, got "
            f"{str(tensor.dtype).removeprefix('torch.')}; images.float() / 255 makes "
            "them of bytes"
        )
    if not tensor.isfinite().all():
        raise ValueError("images must be finite numbers, got some that are not")
    return tensor.detach().cpu().contiguous()


def checked_normalize(pair: Any, images: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return mean and standard deviation, each (channels, 1, 1).

    Args:
        pair: a pair of numbers, or of one number for each channel; None for none.
        images: to which they will apply.

    Raises:
        ValueError: they are no such pair, or images are not in [0, 1].
    """
    if pair is None:
        return None
    channels = images.shape[1]
    try:
        mean, deviation = (
            torch.as_tensor(statistic, dtype=torch.float32).reshape(-1, 1, 1)
            for statistic in pair
        )
    except (TypeError, ValueError) as error:
        raise ValueError(
            "normalize must be (mean, standard deviation), each a number or one for "
            f"each channel, got {pair!r}"
        ) from error
    lengths = {len(mean), len(deviation)}
    if not lengths <= {1, channels} or not (deviation > 0).all():
        raise ValueError(
            f"normalize must have one number or {channels} for mean and standard "
            f"deviation, which is above 0, got {pair!r}"
        )
    low, high = images.aminmax()
    if low < 0 or high > 1:
        raise ValueError(
            "with normalize, images must be in 0..1, before they are normalised, got "
            f"{low:.3g}..{high:.3g}"
        )
    return mean, deviation


def scores_of(
    output: Any,
    batch: int,
    *,
    scores: Scores | None,
    classes: int | None,
    image: tuple[int, ...],
    of_one: Collection[int] = (),
) -> Tensor:
    """Return the answer to compare: (batch, classes), or capsules with a third axis.

    Args:
        output: what the module returned.
        batch: number of images.
        scores: picks it; None takes the one tensor that can be scores.
        classes: how many there must be; None takes any number.
        image: channels, rows and columns of an image; what is as large is a picture.
        of_one: how many numbers the capsule of a single class may have; none where
            there are several classes.

    Raises:
        ValueError: there is no such tensor, or more than one.
    """
    if scores is not None:
        try:
            picked = scores(output)
        except Exception as error:
            raise ValueError(
                f"scores raised {type(error).__name__}: {error}; it gets what your "
                f"module returned, {_described(output)}, and picks the lengths"
            ) from without_ours(error)
        candidate = _as_scores(picked, batch, classes, image, of_one)
        if candidate is None:
            raise ValueError(
                f"scores must pick (n, {classes or 'classes'}) lengths, or capsules "
                f"with a third axis, got {_described(picked)}"
                + (", as large as the image" if _is_picture(picked, image) else "")
            )
        return candidate
    several = [
        candidate
        for tensor in all_tensors(output)
        if (candidate := _as_scores(tensor, batch, classes, image, of_one)) is not None
    ]
    if not several:
        maps = [tensor for tensor in all_tensors(output) if _is_map(tensor, batch)]
        if maps:
            raise ValueError(
                "your module answers with a number for each place, "
                f"{_described(maps)}, as networks do that segment or draw; the "
                "explorer shows networks that answer with a number for each class of "
                "an image: say by scores how the one follows from the other"
            )
        raise ValueError(
            f"your module's answer has no tensor (n, {classes or 'classes'}), got "
            f"{_described(output)}; say by scores which part of it the lengths are"
        )
    first = several[0]
    if all(_says_the_same(first, other) for other in several[1:]):
        # Lengths say what they are; capsules may be of any length.
        return next((candidate for candidate in several if candidate.ndim == 2), first)
    raise ValueError(
        f"your module's answer has {len(several)} tensors that can be scores, got "
        f"{_described(output)}; say which, such as scores=lambda answer: answer[0]"
    )


def _says_the_same(first: Tensor, second: Tensor) -> bool:
    """Return whether one is the other, or its lengths."""
    first, second = (
        torch.linalg.vector_norm(tensor, dim=-1) if tensor.ndim == 3 else tensor
        for tensor in (first, second)
    )
    if first.shape != second.shape:
        return False
    most = max(first.abs().max().item(), 1e-12)
    return bool((first - second).abs().max() <= 1e-4 * most)


def require_finite(
    answer: Tensor, outputs: dict[nn.Module, Tensor], names: dict
) -> None:
    """Refuse an answer that is not finite.

    Args:
        answer: (batch, ...).
        outputs: of the module's parts.
        names: of parts, by what people call them.

    Raises:
        ValueError: names the first layer whose values are not finite.
    """
    wrong = int((~answer.flatten(1).isfinite()).any(dim=1).sum())
    if not wrong:
        return
    first = next(
        (
            name
            for part, name in names.items()
            if part in outputs and not outputs[part].isfinite().all()
        ),
        None,
    )
    where = f", first in {first}" if first else ""
    raise ValueError(
        f"your module answers with numbers that are not finite for {wrong} of "
        f"{len(answer)} images{where}; its weights or these images are broken"
    )


def _as_scores(
    value: Any,
    batch: int,
    classes: int | None,
    image: tuple[int, ...],
    of_one: Collection[int],
) -> Tensor | None:
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return None
    if value.ndim < 2 or value.shape[0] != batch or _is_picture(value, image):
        return None
    lengths = [length for length in value.shape[1:] if length > 1] or [1]
    is_one = value.ndim > 2 and value.shape[1] == 1 and len(lengths) == 1
    if is_one and (classes == 1 or (classes is None and lengths[0] in of_one)):
        lengths = [1, *lengths]
    scores = value.reshape(batch, *lengths).detach()
    if scores.ndim not in (2, 3) or classes not in (None, scores.shape[1]):
        return None
    return scores if scores.dtype == torch.float64 else scores.float()


def _is_map(value: Tensor, batch: int) -> bool:
    """Return whether a tensor has rows and columns for each image."""
    return (
        value.is_floating_point()
        and value.ndim == 4
        and value.shape[0] == batch
        and min(value.shape[2:]) > 1
    )


def _is_picture(value: Any, image: tuple[int, ...]) -> bool:
    """Return whether a tensor has as many numbers for an image as that has."""
    if not isinstance(value, Tensor) or value.ndim < 2:
        return False
    numbers = math.prod(value.shape[1:])
    return (
        numbers >= math.prod(image[1:])
        and numbers % math.prod(image[1:]) == 0
        and (value.ndim > 3 or numbers in (math.prod(image), math.prod(image[1:])))
    )


def _described(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor {tuple(value.shape)}"
    if isinstance(value, list | tuple | dict):
        shapes = ", ".join(str(tuple(tensor.shape)) for tensor in all_tensors(value))
        return f"a {type(value).__name__} of tensors {shapes or 'none'}"
    return f"a {type(value).__name__}"
