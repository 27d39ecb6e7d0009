"""Runs what asks for data or for the site's packages as on a machine without: it skips.

    python -m pytest -p tests.bare

All else is tested without them at any time, since only who asks is given them.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

NOTHING = tempfile.TemporaryDirectory()
os.environ["CAPSNET_TESTS_DATA"] = NOTHING.name

from tests import needs  # noqa: E402  it reads where the data are

modules: dict[str, Any] = sys.modules  # None stands for what is missing
modules.update(dict.fromkeys(needs.PACKAGES))
needs.RUNTIME = Path(NOTHING.name) / needs.RUNTIME.name


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Keep the tests that ask, whatever they are marked with."""
    asks = ["needs" in vars(item)["fixturenames"] for item in items]
    others = [item for item, it_asks in zip(items, asks, strict=True) if not it_asks]
    items[:] = [item for item, it_asks in zip(items, asks, strict=True) if it_asks]
    config.hook.pytest_deselected(items=others)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where one runs all the same: what it asks for was not kept from it."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or reporter.stats.get("passed") or not reporter.stats:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
