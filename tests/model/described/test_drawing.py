"""Decoders as people write them: found, refused, and drawn from as they draw."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import capsnet_explorer as ce
from tests.model.described import styles
from tests.model.described.published import Paper, by_agreement
from tests.model.described.styles import CLASSES, SIDE


def described(net):
    W = net.weight if isinstance(net, styles.Viewed) else net.W
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.primary, size=8, below="conv1"),
        ce.Routing("routing", W, below="primary"),
        ce.Classes(),
        ce.Decoder(net.decoder),
    ]
    return ce.describe(
        net.eval(), layers, styles.images(), scores=lambda answer: answer[0]
    )


def test_a_decoder_draws_the_capsule_of_the_best_class():
    net = styles.Viewed()
    mine = described(net)
    image = styles.images()[:1]
    with torch.no_grad():
        _, drawn = net(image)
    reading = mine.trace(image[0])
    np.testing.assert_allclose(reading["reconstruction"], drawn[0, 0], atol=1e-6)
    pose = reading["poses"][reading.prediction]
    np.testing.assert_allclose(
        mine.decode(reading.prediction, pose), drawn[0, 0], atol=1e-6
    )


class All(styles.Viewed):
    def mask(self, length):
        return torch.ones_like(length)


@pytest.mark.parametrize("style", [styles.Viewed, All])
def test_a_decoder_is_compared_with_what_it_drew_and_its_mask_is_found(style):
    report = described(style()).report
    entry = report["reconstruction"]
    assert entry.difference < 1e-6
    assert entry.found["masks"] is (style is styles.Viewed)
    assert ("from the capsules of all classes" in str(report)) == (style is All)


def test_a_decoder_that_draws_another_class_is_refused():
    class Another(styles.Viewed):
        def mask(self, length):
            return F.one_hot((length.argmax(dim=1) + 1) % 10, 10)

    with pytest.raises(ce.Different, match="draws other pictures") as refused:
        described(Another())
    assert refused.value.layer == "reconstruction"
    assert refused.value.difference > 1e-3


def test_a_decoder_that_drew_nothing_is_not_said_to_agree():
    class Silent(styles.Viewed):
        def draw(self, capsules):
            return None

    report = described(Silent()).report
    assert report["reconstruction"].difference is None
    assert report.rows[-1][-1] == "not compared"
    assert report.difference < 1e-5
    assert report.as_json()["layers"][-1]["difference"] is None


class Picture(nn.Module):
    def __init__(self, numbers):
        super().__init__()
        self.hidden = nn.Linear(numbers, 32)
        self.out = nn.Linear(32, SIDE * SIDE)
        with torch.no_grad():
            self.hidden.weight.mul_(4)

    def drawn(self, v):
        return torch.sigmoid(self.out(torch.relu(self.hidden(v.flatten(1)))))


class MasksItself(Picture):
    sign = 1

    def forward(self, v, target=None):
        lengths = self.sign * v.norm(dim=-1)
        mask = F.one_hot(lengths.argmax(dim=1), CLASSES).to(v)
        picture = self.drawn(v * mask[..., None])
        return picture.view(-1, 1, SIDE, SIDE), mask


class MasksShortest(MasksItself):
    sign = -1


class WantsTarget(Picture):
    def forward(self, v, target):
        return self.drawn(v * target[..., None, None])


class MasksOverBatch(Picture):
    """The mistake: the longest of the batch for each class, not of each image."""

    def forward(self, v):
        lengths = v.norm(dim=-1).softmax(dim=0)
        chosen = lengths.argmax(dim=0) % CLASSES
        mask = F.one_hot(chosen[: len(v)], CLASSES).to(v)
        return self.drawn(v * mask[..., None])


class MasksByBatch(Picture):
    """The mistake of a softmax over the batch, in a decoder that masks again."""

    def forward(self, v):
        chosen = v.norm(dim=-1).softmax(dim=0).argmax(dim=1)
        return self.drawn(v * F.one_hot(chosen, CLASSES).to(v)[..., None])


class Drawing(Paper):
    """A decoder, called in one of the ways that people call theirs."""

    draws: type[Picture]

    def build_routing(self):
        super().build_routing()
        self.decoder = self.draws(CLASSES * self.out_size)

    def forward(self, x):
        v = by_agreement(self.votes(self.capsules(F.relu(self.conv1(x)))), 3)
        lengths = v.norm(dim=-1)
        return lengths, self.draw(v, lengths)

    def draw(self, v, lengths):
        return self.decoder(v)


class ItsOwnMask(Drawing):
    draws = MasksItself


class Shortest(Drawing):
    draws = MasksShortest


class Target(Drawing):
    draws = WantsTarget
    best = staticmethod(torch.argmax)

    def draw(self, v, lengths):
        target = F.one_hot(self.best(lengths, dim=1), CLASSES).to(v)
        return self.decoder(v[..., None], target)


class AnotherTarget(Target):
    best = staticmethod(torch.argmin)


class OverBatch(Drawing):
    draws = MasksOverBatch


class ByBatch(Drawing):
    """Pictures of different classes differ by less than the tolerance."""

    draws = MasksByBatch
    strength = 0.02

    def draw(self, v, lengths):
        return self.decoder(v * F.one_hot(lengths.argmax(1), CLASSES).to(v)[..., None])


class Faint(OverBatch):
    """The same, not trained: its pictures are all alike."""

    strength = 0.01


@pytest.mark.parametrize(
    ("style", "reads"),
    [
        (ItsOwnMask, "all"),
        (Target, "all, with a further axis, and which one"),
    ],
)
def test_decoders_that_people_write_draw_as_they_do(style, reads):
    mine = described(style())
    entry = mine.report["reconstruction"]
    assert entry.found["reads"] == reads
    assert entry.found["masks"] is True
    assert entry.difference < 1e-6
    trace = mine.trace(styles.images()[0])
    net = mine.trained.network.module
    with torch.no_grad():
        _, drawn = net(styles.images()[:1])
    expected = drawn[0] if isinstance(drawn, tuple) else drawn
    picture = trace["reconstruction"].reshape(-1)
    assert abs(picture - expected.reshape(-1).numpy()).max() < 1e-5


@pytest.mark.parametrize(
    ("style", "message"),
    [(Shortest, "but not from the longest"), (AnotherTarget, "draws other pictures")],
)
def test_their_twins_that_draw_the_shortest_capsule_are_refused(style, message):
    with pytest.raises(ce.Different, match=message):
        described(style())


def test_a_decoder_that_masks_over_the_batch_is_refused():
    with pytest.raises(
        ce.Different, match="depends on the others of its batch"
    ) as refused:
        described(OverBatch())
    assert refused.value.layer == "reconstruction"


def test_how_far_pictures_differ_says_what_counts_as_another_of_them():
    with pytest.raises(ce.Different, match="depends on the others of its batch"):
        described(ByBatch())


def test_of_pictures_that_are_all_alike_nothing_is_told():
    report = described(Faint()).report
    assert "masks" not in report["reconstruction"].found
    assert "nothing can be told of what it draws from" in str(report)
