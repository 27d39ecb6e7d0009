"""Terms of the objective that keep a CapsNet legible while it is trained for long.

Margin and reconstruction loss do not care how a digit's length comes about. Trained
with them alone, a network ends with a few capsules that contribute nearly all of it,
many of them to an empty image too, with saturated primary capsules, dark Conv1 maps and
types that answer to anything. Each term counters one of these; `model.legibility` and
`model.portraits` measure them.
"""

import math

from torch import Tensor

from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.capsnet.network import CapsNet, Trace
from capsnet_explorer.model.capsnet.voters import contributions
from capsnet_explorer.model.legibility import effective_number

LIT = 0.05  # what a lit value of Conv1 has above an empty image's
LIT_SHARE = 0.04  # share of a map's values that should be lit
LONGEST_SHARE = 1 / 72  # of a type's capsules; portraits take 1000 of 72 000
SHORT = 1e-6  # lengths below count as this


def legible_loss(
    network: CapsNet, trace: Trace, present: Tensor, loss: LossConfig
) -> Tensor:
    """Return the weighted sum of the five terms: a scalar.

    A term of weight 0 is not computed. Where several classes are present, the voters
    are those of the longest.
    """
    total = trace.lengths.new_zeros(())
    if loss.voters_weight:
        absent = present == 0
        winners = trace.lengths.detach().masked_fill(absent, -1).argmax(dim=1)
        total = total + loss.voters_weight * voters_term(
            trace, winners, loss.voters, loss.voters_most
        )
    if loss.saturation_weight:
        total = total + loss.saturation_weight * saturation_term(trace.primary_pre)
    if loss.blank_weight:
        total = total + loss.blank_weight * saturation_term(empty_primary(network))
    if loss.dark_weight:
        total = total + loss.dark_weight * dark_term(trace.conv1_pre, network)
    if loss.anything_weight:
        total = total + loss.anything_weight * anything_term(
            trace.primary_pre, loss.anything
        )
    return total


def voters_term(
    trace: Trace, labels: Tensor, voters: float, most: float = 0.0
) -> Tensor:
    """Return how far the effective number of voters N is from its bounds, in logs.

    That is the mean of max(0, log K - log N), and of max(0, log N - log M) with an
    upper bound M.

    N counts the contributions to the true class, see `Legibility.voters`. Couplings and
    the digit capsule's direction count as constants: the term moves votes, and routing
    decides as before whom it hears. The upper bound is there because couplings get the
    softer the more capsules share in a digit.

    Args:
        trace: of a forward pass with gradients.
        labels: (batch,) int64, the true classes.
        voters: K.
        most: M; 0 sets no upper bound.
    """
    step = trace.steps[-1]
    shares = contributions(
        trace.votes, step.couplings.detach(), step.capsules.detach(), labels
    ).relu()
    number = effective_number(shares).clamp(min=1)  # 0 if nobody contributes
    missing = (math.log(voters) - number.log()).relu().mean()
    return missing + (number.log() - math.log(most)).relu().mean() if most else missing


def saturation_term(primary: Tensor) -> Tensor:
    """Return the mean of log(1 + ‖p‖²) over primary capsules (..., dim) before squash.

    The length after squash is ‖p‖²/(1+‖p‖²), so this is -log(1 - length): it grows
    without bound as capsules saturate, and is nearly constant for short ones.
    """
    return primary.square().sum(dim=-1).log1p().mean()


def empty_primary(network: CapsNet) -> Tensor:
    """Return the primary capsules of an empty image before squash: (types, dim).

    On an empty image each layer shows the same at every position, because neither
    convolution pads: Conv1 its biases, and PrimaryCaps the sums of its kernels over
    those. So no forward pass is needed.
    """
    maps = network.get_parameter("conv1.bias").relu()
    bias = network.get_parameter("primary.convolution.bias")
    channels = network.primary.convolution.weight.sum((2, 3)) @ maps + bias
    return channels.unflatten(0, (network.primary.types, network.primary.dim))


def dark_term(conv1_pre: Tensor, network: CapsNet) -> Tensor:
    """Return what Conv1's maps lack of being lit, relative to `LIT`: 0 or more.

    The brightest 4 % of each map's values should lie above those of an empty image by
    at least `LIT`: a ground that glows does not count.

    Args:
        conv1_pre: (batch, kernels, rows, columns), before ReLU.
        network: provides the biases, which are the values of an empty image.
    """
    values = conv1_pre.float().flatten(2)
    count = math.ceil(LIT_SHARE * values.shape[2])
    ground = network.get_parameter("conv1.bias").relu()[:, None]
    brightest = values.topk(count, dim=2, sorted=False).values - ground
    return (1 - brightest / LIT).relu().mean()


def anything_term(primary: Tensor, most: float) -> Tensor:
    """Return how far types answer to anything beyond `most`: summed logs.

    A type's ratio r is the mean length of its capsules, over images and places, to the
    mean of the longest of them, one in 72. By this ratio portraits tell which types
    answer to anything. The term is the sum of max(0, log r - log `most`).

    Args:
        primary: (batch, types, rows, columns, dim), before squash.
        most: in (0, 1].
    """
    squares = primary.float().square().sum(dim=-1).transpose(0, 1).flatten(1)
    lengths = (squares / (1 + squares)).clamp(min=SHORT)
    count = max(1, round(LONGEST_SHARE * lengths.shape[1]))
    longest = lengths.topk(count, dim=1, sorted=False).values.mean(dim=1)
    ratios = lengths.mean(dim=1) / longest
    return (ratios.log() - math.log(most)).relu().sum()
