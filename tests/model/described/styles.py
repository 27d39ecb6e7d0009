"""CapsNets as people write them: each rebuilt from what is known of a public one.

Their weights are random, and their votes long enough for routing to matter.
"""

import torch
import torch.nn.functional as F
from torch import nn

SIDE = 16  # pixels of an image
CLASSES = 10


def images(count=4, *, channels=1, seed=7):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand((count, channels, SIDE, SIDE), generator=generator)


def shrunk(vectors, axis=-1):
    """Squash as most write it: the length by a norm, a small number beside it."""
    length = vectors.norm(dim=axis, keepdim=True)
    return length**2 / (1 + length**2) * vectors / (length + 1e-8)


def by_agreement(votes, count, *, shrink=shrunk, softmax=None, gain=1.0, bias=0.0):
    """Route votes (batch, in, out, size) by agreement."""
    softmax = softmax or (lambda logits: logits.softmax(dim=2))
    logits = torch.zeros(votes.shape[:3], dtype=votes.dtype)
    for step in range(count):
        v = shrink(torch.einsum("bij,bijd->bjd", softmax(logits), votes) + bias)
        if step < count - 1:
            logits = logits + gain * torch.einsum("bijd,bjd->bij", votes, v)
    return v


class Base(nn.Module):
    """Conv1 of 5×5 and a primary convolution of 5×5 with stride 2: 4×4 places."""

    types, size, out_size = 4, 8, 6
    iterations = 3
    gain = 1.0  # of the agreement that is added; another makes the twin
    padding = 0
    strength = 0.6

    def __init__(self, seed=1):
        super().__init__()
        torch.manual_seed(seed)
        self.conv1 = nn.Conv2d(1, 12, 5, padding=self.padding)
        self.build_primary()
        with torch.no_grad():
            self.count = self.capsules(self.conv1(torch.zeros(1, 1, SIDE, SIDE))).shape[
                1
            ]
        self.build_routing()

    def build_primary(self):
        self.primary = nn.Conv2d(12, self.types * self.size, 5, stride=2)
        with torch.no_grad():
            self.primary.weight.mul_(4)

    def build_routing(self):
        shape = (self.count, CLASSES, self.out_size, self.size)
        self.W = nn.Parameter(self.strength * torch.randn(shape))

    def forward(self, x):
        x = F.relu(self.conv1(x))
        return self.routed(self.capsules(x))


class Paper(Base):
    """Permuted capsules, routing by einsum: the paper's network, written plainly."""

    def capsules(self, x):
        return self.shrink(self.cut(self.maps(x)))

    def maps(self, x):
        return self.primary(x)

    def cut(self, maps):
        places = maps.unflatten(1, (self.types, self.size)).flatten(3).mT
        return places.reshape(len(maps), -1, self.size)

    def shrink(self, vectors):
        return shrunk(vectors)

    def votes(self, u):
        return torch.einsum("ijdp,bip->bijd", self.W, u)

    def routed(self, u):
        settings = {"shrink": self.shrink, "gain": self.gain}
        return self.answer(by_agreement(self.votes(u), self.iterations, **settings))

    def answer(self, v):
        return v.norm(dim=-1)


class Padded(Paper):
    """The same with padding, a batch norm and a leaky ReLU after Conv1."""

    padding = 2

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(12)
        with torch.no_grad():
            self.norm.running_mean.normal_()
            self.norm.running_var.uniform_(0.5, 2)
            self.norm.weight.normal_(1, 0.3)

    def forward(self, x):
        x = F.leaky_relu(self.norm(self.conv1(x)))
        return {"lengths": self.routed(self.capsules(x))}


class Viewed(Base):
    """Capsules cut by `view`; W as (out, in, out size, in size); a decoder beside."""

    def build_routing(self):
        self.weight = nn.Parameter(
            self.strength * torch.randn(CLASSES, self.count, self.out_size, self.size)
        )
        self.decoder = nn.Sequential(
            nn.Linear(CLASSES * self.out_size, 32),
            nn.ReLU(inplace=True),
            nn.Linear(32, SIDE * SIDE),
            nn.Sigmoid(),
        )

    def capsules(self, x):
        return shrunk(self.primary(x).view(len(x), -1, self.size))

    def forward(self, x, y=None):
        x = self.conv1(x).relu_()
        hat = (self.weight @ self.capsules(x)[:, None, :, :, None]).squeeze(-1)
        b = torch.zeros(len(x), CLASSES, self.count)
        for i in range(self.iterations):
            c = F.softmax(b, dim=1)
            out = shrunk(torch.sum(c[..., None] * hat, dim=-2, keepdim=True))
            if i < self.iterations - 1:
                b = b + self.gain * torch.sum(out * hat, dim=-1)
        out = out.squeeze(-2)
        length = out.norm(dim=-1)
        kept = self.mask(length) if y is None else F.one_hot(y, CLASSES)
        return length, self.draw(out * kept[:, :, None])

    def draw(self, capsules):
        return self.decoder(capsules.flatten(1)).view(-1, 1, SIDE, SIDE)

    def mask(self, length):
        return F.one_hot(length.argmax(dim=1), CLASSES)


class SideBySide(Base):
    """Eight convolutions; softmax over the capsules; answers by softmax of lengths."""

    strength = 2.0

    def build_primary(self):
        self.convolutions = nn.ModuleList(
            nn.Conv2d(12, self.types, 5, stride=2) for _ in range(self.size)
        )

    def build_routing(self):
        self.route_weights = nn.Parameter(
            self.strength * torch.randn(CLASSES, self.count, self.size, self.out_size)
        )

    def capsules(self, x):
        maps = [conv(x).view(len(x), -1, 1) for conv in self.convolutions]
        return shrunk(torch.cat(maps, dim=-1))

    def routed(self, u):
        priors = u[None, :, :, None, :] @ self.route_weights[:, None]
        logits = torch.zeros_like(priors)
        for step in range(self.iterations):
            shares = logits.softmax(dim=2)
            out = shrunk((shares * priors).sum(dim=2, keepdim=True))
            if step < self.iterations - 1:
                logits = logits + self.gain * (priors * out).sum(-1, keepdim=True)
        lengths = out.squeeze(2).squeeze(2).transpose(0, 1).norm(dim=-1)
        return lengths.softmax(dim=-1)


class LearnedPrior(Paper):
    """A learned prior on the logits, one softmax more than iterations: four of them."""

    def build_routing(self):
        super().build_routing()
        self.b = nn.Parameter(torch.randn(self.count, CLASSES))

    def routed(self, u):
        def softmax(logits):
            return (logits + self.b).softmax(dim=2)

        return by_agreement(self.votes(u), 4, softmax=softmax, gain=self.gain)


class Shared(Base):
    """View, wrong axis, squash of each number, and logits shared across the batch."""

    strength = 3.0
    together = staticmethod(torch.mean)

    def build_primary(self):
        self.units = nn.ModuleList(
            nn.Conv2d(12, self.types, 5, stride=2) for _ in range(self.size)
        )

    def build_routing(self):
        shape = (1, self.count, CLASSES, self.out_size, self.size)
        self.W = nn.Parameter(self.strength * torch.randn(shape))

    def capsules(self, x):
        u = torch.stack([unit(x) for unit in self.units], dim=1)
        return shrunk(u.view(len(x), -1, self.size))

    def routed(self, u):
        batch = len(u)
        u = torch.stack([u] * CLASSES, dim=2).unsqueeze(4)
        hat = torch.cat([self.W] * batch) @ u
        b = torch.zeros(1, self.count, CLASSES, 1)
        for _ in range(self.iterations):
            c = torch.cat([b.softmax(dim=1)] * batch).unsqueeze(4)
            s = (c * hat).sum(dim=1, keepdim=True)
            v = shrunk(s)  # over an axis of length 1
            agreement = hat.transpose(3, 4) @ torch.cat([v] * self.count, dim=1)
            heard = self.together(agreement.squeeze(4), dim=0, keepdim=True)
            b = b + self.gain * heard
        return v.squeeze(1)


class Summed(Shared):
    together = staticmethod(torch.sum)


class SquashedAcross(Paper):
    """Squash over the capsules, not over the numbers of each."""

    def build_primary(self):
        self.units = nn.ModuleList(
            nn.Conv2d(12, self.types, 5, stride=2) for _ in range(self.size)
        )

    def capsules(self, x):
        u = torch.stack([unit(x) for unit in self.units], dim=1)
        return shrunk(u.view(len(x), self.size, -1), axis=2).transpose(1, 2)


class Twice(Paper):
    """Capsules routed to others, and these to the classes; nothing shows the others."""

    types = 1
    middle = 6

    def build_routing(self):
        shape = (self.count, self.middle, self.size, self.size)
        self.W1 = nn.Parameter(self.strength * torch.randn(shape))
        shape = (self.middle, CLASSES, 16, self.size)
        self.W2 = nn.Parameter(self.strength * torch.randn(shape))

    def routed(self, u):
        return self.once(self.W2, self.once(self.W1, u)).norm(dim=-1)

    def once(self, weights, u):
        votes = torch.einsum("ijdp,bip->bijd", weights, u)
        return by_agreement(votes, self.iterations, gain=self.gain)
