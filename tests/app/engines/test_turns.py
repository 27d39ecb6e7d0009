"""Turns: one thread at a time, nobody held up for long, nobody while one only waits."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from capsnet_explorer.app.engines.turns import Turns, letting_others_go_on
from tests.patience import PATIENCE_S


@pytest.fixture
def turns():
    return Turns(patience_s=PATIENCE_S)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_threads_go_on_one_after_the_other(turns, pool):
    inside, most = [], []

    def work(number):
        with turns.turn():
            inside.append(number)
            most.append(len(inside))
            threading.Event().wait(0.001)  # lets the others run, if anything does
            inside.remove(number)

    list(pool.map(work, range(40), timeout=PATIENCE_S))
    assert most == [1] * 40


def test_others_go_on_while_one_waits_which_then_goes_on_alone(turns, pool):
    order = []
    answered, waits = threading.Event(), threading.Event()

    def asks():
        with turns.turn():
            with letting_others_go_on():
                waits.set()
                assert answered.wait(PATIENCE_S)
            order.append("answered")

    asking = pool.submit(asks)
    assert waits.wait(PATIENCE_S)
    with turns.turn():
        answered.set()
        order.append("another")
    asking.result(PATIENCE_S)
    assert order == ["another", "answered"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_turn_is_given_back_whatever_happens(turns, pool, fails):
    def work():
        with turns.turn(), letting_others_go_on():
            if fails:
                raise ArithmeticError

    assert isinstance(pool.submit(work).exception(PATIENCE_S), ArithmeticError) is fails
    with turns.turn():
        pass


def test_who_has_waited_for_long_goes_on_and_gives_back_nothing_that_is_not_theirs(
    pool,
):
    hurried = Turns(patience_s=0.01)
    entered = []

    def enter():
        with hurried.turn(), letting_others_go_on():
            entered.append(threading.current_thread())

    with hurried.turn():
        pool.submit(enter).result(PATIENCE_S)
        assert len(entered) == 1
        assert hurried._free.locked()
    assert not hurried._free.locked()
