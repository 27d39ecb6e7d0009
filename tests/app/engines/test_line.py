"""The line of batches: what is taken is finished, and what cannot be is refused."""

from contextlib import ExitStack
from types import SimpleNamespace

import numpy as np
import pytest

from capsnet_explorer.app.engines import line as lines
from capsnet_explorer.app.engines.line import SAFE, Line
from capsnet_explorer.app.engines.protocol import AttackQuestion
from capsnet_explorer.app.errors import ClientGone, Overloaded
from capsnet_explorer.perturbations.attack import Attack, Slope

MOST_S = 45.0


@pytest.fixture
def clock(monkeypatch):
    """The monotonic clock, which a test sets."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(lines, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def here():
    return False


def computed(line, batch, clock, pace, passes=2.0):
    """Compute a part of a batch at so many seconds a pass."""
    with line.turn(batch, passes, here):
        clock.now += pace * passes


def test_twenty_of_the_largest_are_finished_or_refused_at_once(clock):
    line, began = Line(0.1), clock.now
    taken, refused, ends = [], [], []
    with ExitStack() as stack:
        taken.append(stack.enter_context(line.joined("net", 100, MOST_S)))
        for _ in range(lines.TRIED + 1):
            computed(line, taken[0], clock, 0.1)
        for _ in range(19):
            try:
                taken.append(stack.enter_context(line.joined("net", 100, MOST_S)))
            except Overloaded as error:
                refused.append(str(error))
        assert clock.now - began < 1.1  # no refusal had to wait
        for batch in list(taken):
            while batch.remaining > 0:
                computed(line, batch, clock, 0.1)
            ends.append(clock.now - began)
            line._batches.remove(batch)
        line._batches += taken  # which the stack takes out
    assert ends == pytest.approx([10, 20, 30])
    assert max(ends) <= SAFE * MOST_S
    assert len(refused) == 17
    assert "it would take 39 s" in refused[0]


def test_what_is_too_large_for_the_server_is_refused_while_its_pace_is_known(clock):
    line = Line(0.1)
    with line.joined("net", 10, MOST_S) as batch:
        for _ in range(lines.TRIED + 1):
            computed(line, batch, clock, 1.0, passes=0.5)
    with (
        pytest.raises(Overloaded, match="it would take 50 s"),
        line.joined("net", 50, MOST_S),
    ):
        raise AssertionError
    clock.now += lines.KNOWN_S + 1
    with line.joined("net", 50, MOST_S):
        pass


def test_the_first_is_refused_as_soon_as_it_shows_that_it_takes_too_long(clock):
    line, began = Line(0.1), clock.now
    with line.joined("net", 100, MOST_S) as batch:
        for _ in range(lines.TRIED):
            computed(line, batch, clock, 1.0)
        with pytest.raises(Overloaded, match="it would take 90 s"):
            computed(line, batch, clock, 1.0)
    assert clock.now - began == 10


def test_short_batches_go_first_where_nobody_comes_too_late_for_it(clock):
    line = Line(0.1)
    with line.joined("net", 300, MOST_S) as large:
        for _ in range(lines.TRIED + 1):
            computed(line, large, clock, 0.1)
        with line.joined("net", 10, MOST_S) as short:
            assert line._batches == [short, large]
            computed(line, short, clock, 0.1, passes=10)
        assert line._batches == [large]
        clock.now += 4  # somebody draws
        with pytest.raises(Overloaded), line.joined("net", 15, MOST_S):
            raise AssertionError


def test_a_client_that_leaves_gives_its_turn_to_the_next(clock):
    line = Line(0.1)
    with line.joined("net", 10, MOST_S):
        with (
            pytest.raises(ClientGone),
            line.joined("net", 10, 0.0) as second,
            line.turn(second, 1.0, lambda: True),
        ):
            raise AssertionError
        assert len(line._batches) == 1


@pytest.mark.parametrize("method", ["noise", "fgsm", "bim", "pgd", "square"])
@pytest.mark.parametrize("epsilons", [(0.1,), (0.0, 0.1, 0.3)])
def test_an_attack_says_how_much_it_computes(method, epsilons):
    counts = {"gradients": 0, "traces": 0}

    def gradient(images, labels, *, of, through):
        counts["gradients"] += len(images)
        return Slope(np.zeros(len(images)), np.ones_like(images))

    def trace_many(questions):
        counts["traces"] += len(questions)
        return []

    question = AttackQuestion(
        image=np.full((1, 4, 4), 0.5, np.float32),
        label=0,
        target=None,
        epsilons=epsilons,
        attack=Attack(method, steps=5),
        of="gap",
        through="full",
        options={},
        names=(),
    )
    question.answer(gradient, trace_many)
    gradients, traces = question.sizes
    assert traces == counts["traces"]
    assert counts["gradients"] <= gradients <= 1.5 * counts["gradients"] + 1
