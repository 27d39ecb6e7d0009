"""Folders of runs and sets, in which other processes write and delete."""

import os

from capsnet_explorer.app.engines.training.folder import size_of


def test_the_size_is_that_of_all_files(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one").write_bytes(b"1234")
    (tmp_path / "two").write_bytes(b"12")
    assert size_of(tmp_path) == 6
    assert size_of(tmp_path / "gone") == 0


def test_what_vanishes_while_it_is_counted_counts_nothing(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one").write_bytes(b"1234")
    (tmp_path / "two").write_bytes(b"12")
    scan = os.scandir

    def scan_too_late(path):
        if os.fspath(path).endswith("inner"):
            (tmp_path / "inner" / "one").unlink(missing_ok=True)
            (tmp_path / "inner").rmdir()
        return scan(path)

    monkeypatch.setattr(os, "scandir", scan_too_late)
    assert size_of(tmp_path) == 2
