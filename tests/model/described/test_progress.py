"""What takes a while says what it is doing."""

import sys
import threading

import pytest

from capsnet_explorer.model.described.running.progress import Progress


def test_what_takes_a_while_is_told_once_for_each_thing(capsys):
    written = threading.Event()

    class Watched:
        def write(self, text):
            sys.__stderr__.flush()
            lines.append(text)
            written.set()

        def flush(self):
            pass

    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", Watched())
        with Progress("one thing", after=0.01) as progress:
            assert written.wait(30)
            written.clear()
            progress.doing = "another"
            assert written.wait(30)
    printed = [line for line in lines if line.strip()]
    assert printed[:2] == ["describe: one thing …", "describe: another …"]


def test_what_takes_no_time_says_nothing(capsys):
    with Progress("a thing"):
        pass
    assert capsys.readouterr().err == ""
