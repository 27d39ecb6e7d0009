"""How a module is called, and which part of its answer the scores are."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.answers import scores_of
from capsnet_explorer.model.described.discovery.writing import Setting, written
from capsnet_explorer.model.described.running.watching import all_tensors

_LABELS = "torch.zeros(len(images), dtype=torch.long, device=images.device)"
MOST_NAMED = 3  # of the tensors that may be scores as well
_ALIKE = 1e-5  # relative difference of two answers that counts as none


def call_of(module: nn.Module, images: Tensor) -> Setting:
    """Return how to call a module that wants more than images.

    What further arguments need is tried: None first, then a label, which is only taken
    where the scores do not depend on it.

    Raises:
        ValueError: nothing that was tried runs it, or the scores follow the label.
    """
    needed = _further_arguments(module)
    if not needed:
        return Setting()
    names = ", ".join(needed)
    asks = (
        f"your module's forward wants more than images ({names}): say how to call it, "
        f"such as call=lambda module, images: module(images, {names})"
    )
    nothing = f"lambda module, images: module(images{', None' * len(needed)})"
    setting = Setting(
        lambda module, images: module(images, *[None] * len(needed)),
        nothing,
        f"{names}: None",
    )
    if _answer(setting, module, images) is not None:
        return setting
    if len(needed) > 1:
        raise ValueError(asks)

    def labelled(module: nn.Module, images: Tensor, label: int = 0) -> Any:
        return module(
            images,
            torch.full((len(images),), label, dtype=torch.long, device=images.device),
        )

    first = _answer(Setting(labelled), module, images)
    if first is None:
        raise ValueError(asks)
    other = _answer(Setting(lambda m, x: labelled(m, x, 1)), module, images)
    if other is None or not _some_scores_agree(first, other, images):
        raise ValueError(f"{asks}; the scores follow what {names} is")
    return Setting(
        labelled,
        f"lambda module, images: module(images, {_LABELS})",
        f"{names}: zeros, on which the scores do not depend",
    )


def _further_arguments(module: nn.Module) -> list[str]:
    """Return the names of the arguments that `forward` needs besides images."""
    try:
        parameters = [*inspect.signature(module.forward).parameters.values()]
    except (TypeError, ValueError):
        return []
    positional = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    )
    placed = [x for x in parameters if x.kind in positional]
    return [x.name for x in placed[1:] if x.default is x.empty]


def _answer(setting: Setting, module: nn.Module, images: Tensor) -> Any:
    """Return what a module answers if it is called so; None if it raises an error."""
    try:
        with torch.no_grad():
            return (
                None if setting.function is None else setting.function(module, images)
            )
    except Exception:
        return None  # this was a try: the message that asks comes later


def _some_scores_agree(answer: Any, changed: Any, images: Tensor) -> bool:
    """Tell whether the first scores of two answers are the same."""
    for first, second in zip(all_tensors(answer), all_tensors(changed), strict=False):
        if _can_be_scores(first, images):
            most = max(float(first.abs().max()), 1e-12)
            is_alike = first.shape == second.shape
            return is_alike and float((first - second).abs().max()) <= _ALIKE * most
    return False


def scores_in(answer: Any, images: Tensor, classes: int | None) -> list[Setting]:
    """Return the ways to pick scores from an answer, likeliest first.

    Where only one tensor can be scores, or all say the same, nothing need be picked.

    Args:
        answer: what the module returned.
        images: that it answered, (batch, channels, rows, columns).
        classes: how many there must be; None takes any number.
    """
    image = tuple(images.shape[1:])
    try:
        scores_of(answer, len(images), scores=None, classes=classes, image=image)
    except ValueError:
        pass
    else:
        return [Setting()]
    candidates = [
        (tensor, path)
        for tensor, path in paths(answer, "answer")
        if _can_be_scores(tensor, images, classes) and not _is_mask(tensor)
    ]
    # Lengths say what they are.
    candidates.sort(key=lambda candidate: candidate[0].ndim > 2)
    return [
        Setting(
            picking(path, "answer"), f"lambda answer: {path}", _or(path, candidates)
        )
        for _, path in candidates
    ]


def _or(path: str, candidates: list[tuple[Tensor, str]]) -> str:
    """Return what other tensors can be scores."""
    others = [other for _, other in candidates if other != path]
    more = len(others) - MOST_NAMED
    named = others[:MOST_NAMED] + [f"one of {more} others"] * (more > 0)
    return f"or {' or '.join(named)}" if named else ""


def picking(path: str, name: str) -> Callable[[Any], Tensor]:
    """Return what takes the tensor at a path of `paths` out of an answer."""
    return lambda answer: next(t for t, p in paths(answer, name) if p == path)


def _can_be_scores(tensor: Tensor, images: Tensor, classes: int | None = None) -> bool:
    try:
        scores_of(
            tensor,
            len(images),
            scores=lambda answer: answer,
            classes=classes,
            image=tuple(images.shape[1:]),
        )
    except ValueError:
        return False
    return True


def _is_mask(tensor: Tensor) -> bool:
    """Tell whether all numbers are 0 or 1, as those of a mask are."""
    return bool(((tensor == 0) | (tensor == 1)).all())


def paths(value: Any, path: str) -> Iterator[tuple[Tensor, str]]:
    """Yield the tensors of an answer with the Python that reaches each."""
    if isinstance(value, Tensor):
        yield value, path
    for part, step in _parts(value):
        yield from paths(part, path + step)


def _parts(value: Any) -> list[tuple[Any, str]]:
    """Return what an answer is made of, each with the Python that reaches it."""
    if isinstance(value, Tensor):
        return []
    if isinstance(value, Mapping):
        return [(part, f"[{written(key)}]") for key, part in value.items()]
    if isinstance(value, list | tuple):
        return [(part, f"[{index}]") for index, part in enumerate(value)]
    if is_dataclass(value):
        names = [field.name for field in fields(value)]
        return [(getattr(value, name), f".{name}") for name in names]
    attributes = vars(value) if hasattr(value, "__dict__") else {}
    kinds = Tensor | list | tuple | dict
    return [
        (part, f".{name}")
        for name, part in attributes.items()
        if isinstance(part, kinds) and not name.startswith("_")
    ]
