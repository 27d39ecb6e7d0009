"""Runs and sets of a server that trains, for tests that start real ones."""

from contextlib import closing

import pytest

from capsnet_explorer.app.engines.runs import Runs


@pytest.fixture(scope="module")
def runs(data, tmp_path_factory):
    """Runs that may train on a small data set, and on sets of their own."""
    folder = tmp_path_factory.mktemp("runs")
    with closing(Runs(folder / "runs", data, folder / "kept")) as runs:
        yield runs
