"""Where a network's evidence lies, on the object or around it, and what it decodes."""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.measuring.backgrounds.scenes import Scenes
from capsnet_explorer.model.measuring.shares import resampled, resampled_mean
from capsnet_explorer.model.weights import Trained

BATCH = 25

Entry = dict[str, Any]


def evidence_figures(trained: Trained, scenes: Scenes) -> Entry:
    """Return where evidence lies, and what reconstructions keep.

    `support` and `none` are there if capsules of a grid vote, `reconstruction` if there
    is a decoder.

    Returns:
        `gradient`: of the squared gradient of the evidence for the class named, see
        `located`. `support`: the same of the positive contributions to that class's
        capsule, each spread evenly over its capsule's window. `none`: see
        `_none_shares`, by how capsules count. `reconstruction`: see
        `reconstruction_figures`.
    """
    parts = [
        read_evidence(trained, *part)
        for part in zip(
            scenes.pictures.split(BATCH), scenes.is_object.split(BATCH), strict=True
        )
    ]
    each = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
    even = torch.ones_like(each["gradient"])
    found: Entry = {"gradient": located(scenes, each["gradient"], even)}
    if "support" in each:
        found["support"] = located(scenes, each["support"], each["even_support"])
    if "none" in each:
        ways = zip(("plain", "weighted"), each["none"].unbind(1), strict=True)
        found["none"] = {
            way: _compared(object=shares[:, 0], background=shares[:, 1])
            for way, shares in ways
        }
    if "squares" in each:
        found["reconstruction"] = reconstruction_figures(scenes, each["squares"])
    return found


def read_evidence(
    trained: Trained, pictures: Tensor, is_object: Tensor
) -> dict[str, Tensor]:
    """Return what `evidence_figures` is made of.

    Args:
        trained: the network.
        pictures: (batch, channels, rows, columns) in [0, 1].
        is_object: (batch, 1, rows, columns) bool.

    Returns:
        Maps (batch, 1, rows, columns) by name, as far as there are such: `gradient`,
        squared; `support`, and `even_support`, if each capsule gave as much; `squares`
        of the reconstruction's errors, in the mean over channels. And `none` (batch, 2,
        2), see `_none_shares`.
    """
    architecture, network = trained.architecture, trained.network
    pictures = pictures.clone().requires_grad_()
    trace = architecture.trace_with_gradient(network, pictures, through_all=True)
    classes = trace.scores.argmax(dim=1)
    evidence = architecture.evidence(trace).gather(1, classes[:, None]).sum()
    (gradient,) = torch.autograd.grad(evidence, pictures)
    found = {"gradient": gradient.square().sum(dim=1, keepdim=True)}
    with torch.no_grad():
        if trace.reconstruction is not None:
            squares = (trace.reconstruction - pictures).square()
            found["squares"] = squares.mean(dim=1, keepdim=True)
        voting = architecture.voting(network)
        if voting is None:
            return found
        voters, windows = voting
        size = (pictures.shape[2], pictures.shape[3])
        lengths = voters.capsules(trace).norm(dim=4).flatten(2)
        votes = voters.contributions(trace, classes, trace).relu()
        support = votes.view_as(lengths).sum(dim=1)
        found["support"] = windows.spread(support, size)
        found["even_support"] = windows.spread(torch.ones_like(support), size)
        if getattr(network.config, "has_none", False):
            rest = 1 - voters.couplings(trace).sum(dim=2)
            seen = windows.of(is_object)
            has_middle_on = seen[..., seen.shape[2] // 2]
            found["none"] = _none_shares(rest.view_as(lengths), lengths, has_middle_on)
    return found


def located(scenes: Scenes, amounts: Tensor, even: Tensor) -> Entry:
    """Return how much of some map lies on the objects.

    Networks attend to the middle of a picture, where most objects are. So `beyond` is
    the share on the object less that on the outlines of the other pictures.

    Args:
        scenes: the pictures.
        amounts: (images, 1, rows, columns), none negative; an image that has none at
            all does not count.
        even: same shape, the map of a network that attends to all parts alike.

    Returns:
        The shares `on_object` and, of the even map, `even`; their `difference`; the
        share on `other_outlines`, in their mean; and `beyond`.
    """
    covered = scenes.is_object.double()
    others = (covered.sum(dim=0) - covered) / (len(covered) - 1)
    on_object, elsewhere = share_on(covered, amounts), share_on(others, amounts)
    found = _compared(on_object=on_object, even=share_on(covered, even))
    return {
        **found,
        "other_outlines": resampled_mean(elsewhere),
        "beyond": resampled_mean(on_object - elsewhere),
    }


def _none_shares(rest: Tensor, lengths: Tensor, has_middle_on: Tensor) -> Tensor:
    """Return the share that none of the above takes of capsules, by where they look.

    Args:
        rest: (batch, types, places), what no class gets of a capsule.
        lengths: same shape, of the capsules.
        has_middle_on: (batch, places) bool, whether the middle of a place's window lies
            on the object.

    Returns:
        (batch, 2, 2): all capsules alike, and weighted by their lengths; on the object,
        and on the background. NaN if no window has its middle there.
    """
    shares = [
        share_on(rest, weights * is_there[:, None])
        for weights in (torch.ones_like(lengths), lengths)
        for is_there in (has_middle_on, ~has_middle_on)
    ]
    return torch.stack(shares, dim=1).unflatten(1, (2, 2))


def reconstruction_figures(scenes: Scenes, squares: Tensor) -> Entry:
    """Return what reconstructions keep of objects and of backgrounds.

    Args:
        scenes: the pictures.
        squares: (images, 1, rows, columns), of the errors.

    Returns:
        The mean squared `error`, and the share `explained` of the variance among the
        pictures, about their mean; of the pixels of the `object` and of the
        `background`, and the `difference`.
    """
    about_mean = (scenes.pictures - scenes.pictures.mean(dim=0)).square()
    variance = about_mean.mean(dim=1, keepdim=True)
    images = len(scenes.labels)
    errors: dict[str, Tensor] = {}
    explained = {}
    masks = {"object": scenes.is_object, "background": ~scenes.is_object}
    for place, mask in masks.items():
        error, whole, pixels = (
            (each * mask).double().sum(dim=(1, 2, 3))
            for each in (squares, variance, torch.ones_like(squares))
        )
        errors[place] = error / pixels
        explained[place] = partial(_explained, error, whole)
    return {
        "error": _compared(**errors),
        "explained": {
            **{name: resampled(each, images) for name, each in explained.items()},
            "difference": resampled(
                lambda counts: (
                    explained["object"](counts) - explained["background"](counts)
                ),
                images,
            ),
        },
    }


def _explained(error: Tensor, whole: Tensor, counts: Tensor) -> Tensor:
    return 1 - (counts @ error) / (counts @ whole)


def share_on(shares: Tensor, amounts: Tensor) -> Tensor:
    """Return the mean of shares, each counted by its amount: (batch,).

    NaN where all amounts are zero.
    """
    whole = amounts.double().flatten(1).sum(dim=1)
    return (amounts * shares).double().flatten(1).sum(dim=1) / whole


def _compared(**values: Tensor) -> Entry:
    """Return the means of two values (images,) and of the first less the second.

    Images count that have both.
    """
    first, second = values.values()
    difference = first - second
    is_known = ~difference.isnan()
    return {
        **{name: resampled_mean(each[is_known]) for name, each in values.items()},
        "difference": resampled_mean(difference),
    }
