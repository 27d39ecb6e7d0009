"""How several workers share the tests, and one explorer."""

import os
from contextlib import ExitStack

import pytest

from tests.browser.server import EXPLORER, running

# NumPy reads it when it is first imported. Its products are small here, and threads
# that wait for their part of one keep the other workers' cores busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_open = ExitStack()
_told: dict[str, str] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the tests that take longest: no worker ends with one alone."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    """Tell each worker of pytest-xdist where the explorer is that they share."""
    if not _told:
        _told[EXPLORER] = _open.enter_context(running())
    node.workerinput.update(_told)


def pytest_sessionfinish() -> None:
    _open.close()
