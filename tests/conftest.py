"""How several workers share the tests, and one explorer."""

from contextlib import ExitStack

import pytest

from tests.browser.server import EXPLORER, running

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
