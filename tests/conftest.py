"""How several workers share the tests, and one explorer."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browser.server import EXPLORER, running

# NumPy reads it when it is first imported. Its products are small here, and threads
# that wait for their part of one keep the other workers' cores busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_open = ExitStack()
_told: dict[str, str] = {}


BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the tests that take longest: no worker ends with one alone.

    A test in a browser that fails is run once more; the summary names it.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that failed once, whatever became of them: each is a defect."""
    again = terminalreporter.stats.get("rerun", [])
    if again:
        terminalreporter.section("failed once, and run again: defects to mend")
        for report in again:
            terminalreporter.line(report.nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    """Tell each worker of pytest-xdist where the explorer is that they share."""
    if not _told:
        _told[EXPLORER] = _open.enter_context(running())
    node.workerinput.update(_told)


@pytest.fixture(scope="session")
def explorer(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an explorer started as a user starts it; workers share one."""
    shared = getattr(request.config, "workerinput", {}).get(EXPLORER)
    if shared is not None:
        yield shared
        return
    with running() as address:
        yield address


def pytest_sessionfinish() -> None:
    _open.close()
