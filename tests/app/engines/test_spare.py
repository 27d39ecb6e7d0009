"""A process that has imported what training needs runs what any other would."""

import signal

import pytest

from capsnet_explorer.app.engines.training.process import OUTPUT, Spare, launched
from tests.patience import PATIENCE_S

ARGUMENTS = ["--architecture", "none"]  # which says so, and ends


@pytest.fixture
def spare():
    found = Spare()
    yield found
    found.close()


def said(folder, process):
    code = process.wait(PATIENCE_S)
    return code, (folder / OUTPUT).read_text()


def test_it_says_what_a_new_process_says_and_is_used_once(spare, tmp_path):
    folders = [tmp_path / name for name in ("new", "spared", "next")]
    for folder in folders:
        folder.mkdir()
    spare.warm()
    ready = spare._process
    spare.warm()
    assert spare._process is ready
    processes = [
        launched(folders[0], ARGUMENTS),
        *(spare.launched(folder, ARGUMENTS) for folder in folders[1:]),
    ]
    assert processes[1] is ready
    assert processes[2] is not ready
    told = [said(*each) for each in zip(folders, processes, strict=True)]
    code, words = told[0]
    assert code != 0
    assert "none" in words
    assert told == [told[0]] * 3


def test_one_that_was_killed_is_replaced(spare, tmp_path):
    spare.warm()
    spare._process.send_signal(signal.SIGKILL)
    spare._process.wait(PATIENCE_S)
    process = spare.launched(tmp_path, ARGUMENTS)
    code, words = said(tmp_path, process)
    assert code > 0
    assert "none" in words


def test_it_ends_with_whoever_started_it(spare):
    spare.warm()
    process = spare._process
    process.stdin.close()
    assert process.wait(PATIENCE_S) == 0
    spare.warm()
    process = spare._process
    spare.close()
    assert process.poll() == -signal.SIGKILL
