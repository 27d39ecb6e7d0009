"""Styles of published capsule networks, each written here from what papers say of it.

Each is `styles.Paper` with a part of it in another way.
"""

import torch
import torch.nn.functional as F
from torch import nn

from tests.model.described.styles import CLASSES, Paper, by_agreement, shrunk


class Seven(Paper):
    iterations = 7


class Weak(Paper):
    """Weights so small that routing moves the lengths by some millionths."""

    strength = 0.02


class Cooled(Paper):
    def routed(self, u):
        def softmax(logits):
            return (logits / 4).softmax(dim=2)

        return by_agreement(self.votes(u), 3, softmax=softmax).norm(dim=-1)


class Replaced(Paper):
    """Agreement takes the place of the logits, in place of being added."""

    def routed(self, u):
        votes = self.votes(u)
        logits = torch.zeros(votes.shape[:3])
        for _ in range(4):
            v = shrunk(torch.einsum("bij,bijd->bjd", logits.softmax(dim=2), votes))
            logits = torch.einsum("bijd,bjd->bij", votes, v)
        return v.norm(dim=-1)


def inside(vectors, small=1e-5):
    square = (vectors**2).sum(dim=-1, keepdim=True)
    return square / (1 + square) * vectors / (square + small).sqrt()


class Untrained(Paper):
    """Weights as PyTorch begins with them, and the small number under the root."""

    strength = 0.01

    def build_primary(self):
        self.primary = nn.Conv2d(12, self.types * self.size, 5, stride=2)

    def shrink(self, vectors):
        return inside(vectors)


class Biased(Paper):
    """A bias on each class's weighted sum, in each iteration."""

    times = 1

    def build_routing(self):
        super().build_routing()
        self.bias = nn.Parameter(0.3 * torch.randn(1, 1, CLASSES, self.out_size, 1))

    def routed(self, u):
        bias = self.times * self.bias.view(CLASSES, -1)
        return self.answer(by_agreement(self.votes(u), 3, bias=bias))


class BiasedLast(Biased):
    biased = 2  # the iteration that it is added in

    def routed(self, u):
        votes = self.votes(u)
        logits = torch.zeros(votes.shape[:3])
        for step in range(3):
            s = torch.einsum("bij,bijd->bjd", logits.softmax(dim=2), votes)
            v = shrunk(s + self.bias.view(CLASSES, -1) if step == self.biased else s)
            logits = logits + torch.einsum("bijd,bjd->bij", votes, v)
        return v.norm(dim=-1)


class Inside(Paper):
    small = 1e-5

    def shrink(self, vectors):
        return inside(vectors, self.small)


class Exponential(Paper):
    rate = 1

    def shrink(self, vectors):
        length = vectors.norm(dim=-1, keepdim=True)
        return (1 - torch.exp(-self.rate * length)) * vectors / (length + 1e-7)


class Simple(Paper):
    added = 1

    def shrink(self, vectors):
        return vectors / (self.added + vectors.norm(dim=-1, keepdim=True))


class Half(Paper):
    half = 0.5

    def shrink(self, vectors):
        length = vectors.norm(dim=-1, keepdim=True)
        return length**2 / (self.half + length**2) * vectors / (length + 1e-8)


class Unsquashed(Paper):
    """Primary capsules as the convolution makes them; classes are squashed."""

    strength = 0.3
    shorten = staticmethod(lambda maps: maps)

    def capsules(self, x):
        return self.cut(self.shorten(self.primary(x)))


class Own(Paper):
    """A squash of one's own."""

    power = 2

    def shrink(self, vectors):
        return own_squash(vectors, self.power)


def own_squash(vectors, power=2):
    length = vectors.norm(dim=-1, keepdim=True)
    return torch.tanh(length) ** power * vectors / (length + 1e-6)


class Primary(nn.Module):
    """Primary capsules of a convolution with batch norm, or of a linear layer."""

    def __init__(self, style, size, count):
        super().__init__()
        self.style, self.size = style, size
        self.conv = nn.Conv2d(12, count, 5, stride=2)
        with torch.no_grad():
            self.conv.weight.mul_(4)
        self.norm = nn.BatchNorm2d(count)
        with torch.no_grad():
            self.norm.running_mean.normal_()
            self.norm.running_var.uniform_(0.5, 2)
        self.linear = nn.Linear(count, count)

    def forward(self, x):
        maps = self.conv(x)
        if self.style == "norm":
            maps = self.norm(maps)
        places = maps.flatten(2).mT
        if self.style == "linear":
            places = places + self.linear(places)
        return shrunk(places.reshape(len(x), -1, self.size))


class Normed(Paper):
    """Batch norm between the primary convolution and squash."""

    style = "norm"
    reads = 1.0  # times what its part returns

    def build_primary(self):
        self.part = Primary(self.style, self.size, self.types * self.size)

    def capsules(self, x):
        return self.reads * self.part(x)


class Linear(Normed):
    style = "linear"


class Depthwise(Paper):
    """Primary capsules of a convolution that reads each map by itself."""

    def build_primary(self):
        self.primary = nn.Conv2d(12, 24, 5, stride=2, groups=12)
        self.types = 3
        with torch.no_grad():
            self.primary.weight.mul_(4)


class Rectified(Paper):
    """What is negative becomes 0 before squash."""

    def maps(self, x):
        return self.primary(x).relu()


class NormedBare(Paper):
    """The same, where no part returns the capsules."""

    def build_primary(self):
        super().build_primary()
        self.norm = nn.BatchNorm2d(self.types * self.size)
        with torch.no_grad():
            self.norm.running_mean.normal_()
            self.norm.running_var.uniform_(0.5, 2)
            self.norm.bias.normal_()

    def maps(self, x):
        return self.norm(self.primary(x))

    def cut(self, maps):
        return self.between(super().cut(maps))

    def between(self, capsules):
        return capsules


class PlacesPrior(Paper):
    """Capsules listed place by place, and a learned prior, hardly routed at all."""

    strength = 0.05

    def capsules(self, x):
        return shrunk(self.primary(x).permute(0, 2, 3, 1).reshape(len(x), -1, 8))

    def build_routing(self):
        super().build_routing()
        self.prior = nn.Parameter(torch.randn(self.count, CLASSES))

    def routed(self, u):
        votes = self.votes(u)

        def softmax(logits):
            return (logits + self.prior).softmax(dim=1)

        return by_agreement(votes, 3, softmax=softmax, gain=self.gain).norm(dim=-1)


class Three(Paper):
    """W as (in, in size, out · out size), as one product makes all votes."""

    def build_routing(self):
        shape = (self.count, self.size, CLASSES * self.out_size)
        self.W = nn.Parameter(self.strength * torch.randn(shape))

    def votes(self, u):
        votes = torch.einsum("bip,ipn->bin", u, self.W)
        return votes.view(*votes.shape[:2], CLASSES, -1)


class SharedW(Paper):
    """One W for all places of a type."""

    def build_routing(self):
        shape = (self.types, CLASSES, self.out_size, self.size)
        self.W = nn.Parameter(self.strength * torch.randn(shape))

    def votes(self, u):
        types = u.view(len(u), self.types, -1, self.size)
        return torch.einsum("tjdp,btip->btijd", self.W, types).flatten(1, 2)


class Attention(Paper):
    """Self-attention routing of Mazzia, Salvetti & Chiaberge (2021)."""

    strength = 1.0

    def build_routing(self):
        super().build_routing()
        self.prior = nn.Parameter(0.1 * torch.randn(self.count, CLASSES))

    def shares(self, votes):
        scores = torch.einsum("bijd,bkjd->bikj", votes, votes)
        return (scores.sum(dim=2) / self.size**0.5).softmax(dim=2)

    def routed(self, u):
        votes = self.votes(u)
        weights = self.shares(votes) + self.prior
        s = torch.einsum("bij,bijd->bjd", weights, votes)
        return self.squashed(s).norm(dim=-1)

    def squashed(self, vectors):
        length = vectors.norm(dim=-1, keepdim=True)
        return (1 - 1 / (torch.exp(length) + 1e-20)) * vectors / (length + 1e-20)


class AttentionThroughout(Attention):
    """Its squash for the capsules below, too, as in the paper of 2021."""

    def shrink(self, vectors):
        return self.squashed(vectors)


class AttentionSquashed(Attention):
    """The paper's shares, but the squash of Sabour, Frosst & Hinton (2017)."""

    def squashed(self, vectors):
        return shrunk(vectors)


class AttentionUnscaled(Attention):
    def shares(self, votes):
        return torch.einsum("bijd,bkjd->bikj", votes, votes).sum(dim=2).softmax(dim=2)


class Lengths(nn.Module):
    def forward(self, v):
        return v.norm(dim=-1)


class Headed(Paper):
    """A dense layer after the lengths, and a log-softmax."""

    def build_routing(self):
        super().build_routing()
        self.lengths = Lengths()
        self.head = nn.Linear(CLASSES, CLASSES)

    def answer(self, v):
        return F.log_softmax(self.head(self.lengths(v)), dim=1)


class Inverted(Paper):
    """Layer norm in place of squash, in each iteration; a dense layer reads it."""

    def build_routing(self):
        super().build_routing()
        self.norm = nn.LayerNorm(self.out_size)
        self.head = nn.Linear(self.out_size, 1)

    def routed(self, u):
        votes = torch.einsum("ijdp,bip->bijd", self.W, u)
        v = self.normed(0, votes.mean(dim=1))
        for step in (1, 2):
            shares = (votes * v[:, None]).sum(dim=-1).softmax(dim=2)
            v = self.normed(step, (shares[..., None] * votes).sum(dim=1))
        return self.head(v).squeeze(-1)

    def normed(self, step, sums):
        return self.norm(sums)


class InvertedApart(Inverted):
    """The same with a layer norm of its own for each iteration."""

    def build_routing(self):
        super().build_routing()
        self.norms = nn.ModuleList(nn.LayerNorm(self.out_size) for _ in range(3))

    def normed(self, step, sums):
        return self.norms[step](sums)


class Squash(nn.Module):
    def forward(self, sums):
        return shrunk(sums)


class SquashedApart(Paper):
    """Five iterations, each with a squash of its own, and a dense layer after them."""

    iterations = 5

    def build_routing(self):
        super().build_routing()
        self.squashes = nn.ModuleList(Squash() for _ in range(self.iterations))
        self.head = nn.Linear(CLASSES * self.out_size, CLASSES)

    def routed(self, u):
        votes = torch.einsum("ijdp,bip->bijd", self.W, u)
        logits = torch.zeros(votes.shape[:3])
        for squash in self.squashes:
            v = squash((logits.softmax(dim=2)[..., None] * votes).sum(dim=1))
            logits = logits + self.gain * (votes * v[:, None]).sum(dim=-1)
        return self.head(v.flatten(1))


class Mean(Headed):
    """One iteration before a head."""

    def routed(self, u):
        return self.answer(by_agreement(self.votes(u), 1))


class SharpenedHead(Headed):
    """A head that keeps the order of lengths."""

    def build_routing(self):
        super().build_routing()
        with torch.no_grad():
            self.head.weight.copy_(5 * torch.eye(CLASSES))
            self.head.bias.zero_()


class SharpenedWeak(Weak):
    """The softmax of five times the lengths, which all are alike."""

    def answer(self, v):
        return (5 * v.norm(dim=-1)).softmax(dim=1)


class Scaled(Paper):
    """Lengths times a number, for cross entropy."""

    number = 10.0

    def answer(self, v):
        return self.number * v.norm(dim=-1)


class Fewer(Paper):
    """Six capsules, and a dense layer that makes ten classes of them."""

    between = 6

    def build_routing(self):
        shape = (self.count, self.between, self.out_size, self.size)
        self.W = nn.Parameter(self.strength * torch.randn(shape))
        self.head = nn.Linear(self.between * self.out_size, CLASSES)

    def answer(self, v):
        return self.head(v.flatten(1))


class More(Fewer):
    """Fourteen of them."""

    between = 14


class LogSoftmax(Paper):
    heat = 1

    def answer(self, v):
        return F.log_softmax(self.heat * v.norm(dim=-1), dim=1)


class Squared(Paper):
    power = 2

    def answer(self, v):
        return v.norm(dim=-1) ** self.power


class OverSum(Squared):
    power = 1

    def answer(self, v):
        lengths = super().answer(v)
        return lengths / lengths.sum(dim=1, keepdim=True)


class Squeezing(Paper):
    """`squeeze` takes the axis of a single image away, too."""

    def routed(self, u):
        v = by_agreement(self.votes(u), 3, gain=self.gain)
        lengths = (v**2).sum(dim=-1, keepdim=True).sqrt().squeeze()
        return lengths / 1 if lengths.shape[1] == CLASSES else None


class Leaky(Paper):
    """A further class that takes what no class claims."""

    leak = 0.0  # its logit

    def routed(self, u):
        def softmax(logits):
            none = torch.full_like(logits[..., :1], self.leak)
            return torch.cat([none, logits], dim=2).softmax(dim=2)[..., 1:]

        return by_agreement(self.votes(u), 3, softmax=softmax).norm(dim=-1)


class Sigmoid(Paper):
    def routed(self, u):
        softmax = torch.sigmoid
        return by_agreement(self.votes(u) / 9, 3, softmax=softmax).norm(dim=-1)


class Cosine(Paper):
    def routed(self, u):
        votes = self.votes(u)
        logits = torch.zeros(votes.shape[:3])
        for _ in range(3):
            v = shrunk(torch.einsum("bij,bijd->bjd", logits.softmax(dim=2), votes))
            logits = logits + F.cosine_similarity(votes, v[:, None], dim=-1)
        return v.norm(dim=-1)


class SelfRouted(Paper):
    """Self-routing (Hahn, Pyeon & Kim 2019): couplings of the capsule alone."""

    heat = 1

    def build_routing(self):
        self.W = nn.Parameter(torch.randn(self.count, CLASSES, self.size))

    def active_of(self, u):
        return u.norm(dim=-1)

    def logits(self, u):
        return self.heat * torch.einsum("ijp,bip->bij", self.W, u)

    def routed(self, u):
        active = self.active_of(u)[..., None]
        weighted = self.logits(u).softmax(dim=2) * active
        return weighted.sum(dim=1) / active.sum(dim=1)


class SelfRoutedByPart(SelfRouted):
    """The same with a bias, where a part shows activations, and logarithms are told."""

    def build_routing(self):
        super().build_routing()
        self.bias = nn.Parameter(torch.randn(1, self.count, CLASSES))
        self.active = nn.Sigmoid()

    def active_of(self, u):
        return self.active(u.sum(dim=-1))

    def logits(self, u):
        return super().logits(u) + self.bias

    def routed(self, u):
        return super().routed(u).log()


class Middle(nn.Module):
    """Capsules that are routed to others."""

    def __init__(self, count, above, size, gain, iterations):
        super().__init__()
        self.W = nn.Parameter(0.6 * torch.randn(count, above, size, size))
        self.gain, self.iterations = gain, iterations

    def forward(self, u):
        votes = torch.einsum("ijdp,bip->bijd", self.W, u)
        return by_agreement(votes, self.iterations, gain=self.gain)


class Twice(Paper):
    """Two routings, of which a part shows the first: with two iterations."""

    types = 1
    inner = 1.0
    runs = 2

    def build_routing(self):
        self.middle = Middle(self.count, 6, self.size, self.inner, self.runs)
        shape = (6, CLASSES, self.out_size, self.size)
        self.W = nn.Parameter(self.strength * torch.randn(shape))

    def votes(self, u):
        return super().votes(self.middle(u))


class TwiceWeak(Twice):
    """The same, where the first routing hardly matters, and adds half."""

    inner = 0.5
    runs = 3

    def build_routing(self):
        super().build_routing()
        with torch.no_grad():
            self.middle.W.mul_(0.02)
