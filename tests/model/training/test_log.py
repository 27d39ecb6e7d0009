"""The log of a run: one line each so often, and none twice."""

import pytest

from capsnet_explorer.model.training.log import Log, LogRow
from tests.model.training.reports import rows_of


def row_of_step(step):
    return LogRow(0.5, step, 1.25, 100.0, 0.001, 0.3, 0.2, 0.1, 0.75)


@pytest.fixture
def log_path(tmp_path):
    """A log with lines of the steps 10, 20 and 30."""
    log = Log(tmp_path / "log.csv", keep_until=0)
    for step in (10, 20, 30):
        log.write(row_of_step(step))
    return log.path


@pytest.mark.parametrize("kept", [0, 20, 30])
def test_lines_past_the_step_resumed_from_are_dropped(log_path, kept):
    before = rows_of(log_path)
    log = Log(log_path, keep_until=kept)
    assert rows_of(log_path) == before[: kept // 10]
    log.write(row_of_step(40))
    assert [row["step"] for row in rows_of(log_path)][kept // 10 :] == ["40"]


@pytest.mark.parametrize("kept", [1, 5, 20])
def test_a_line_cut_short_by_a_crash_is_dropped(log_path, kept):
    *whole, last = log_path.read_text().splitlines(keepends=True)
    log_path.write_text("".join(whole) + last[:kept])
    Log(log_path, keep_until=30)
    assert [row["step"] for row in rows_of(log_path)] == ["10", "20"]
