"""A file is replaced whole or not at all."""

import os
import stat

import pytest

from capsnet_explorer.storage.writing import replace_file


def everything_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_content_is_written_and_nothing_else_stays(tmp_path):
    replace_file(tmp_path / "new" / "weights", b"first", makes_folder=True)
    replace_file(tmp_path / "new" / "weights", b"second", makes_folder=True)
    assert everything_in(tmp_path / "new") == {"weights": b"second"}


def full_disk(*_):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
def test_the_old_file_stays_whole_when_writing_fails(tmp_path, monkeypatch, failing):
    path = tmp_path / "weights"
    path.write_bytes(b"old")
    monkeypatch.setattr(failing, full_disk)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert everything_in(tmp_path) == {"weights": b"old"}


def test_an_error_names_the_file_that_was_to_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="No space left") as caught:
        replace_file(tmp_path / "weights", b"new")
    assert caught.value.errno == 28
    assert caught.value.filename == str(tmp_path / "weights")


def test_file_and_folder_are_flushed_to_the_disk(tmp_path, monkeypatch):
    flushed = []
    flush = os.fsync

    def watched(descriptor):
        flushed.append(stat.S_ISDIR(os.fstat(descriptor).st_mode))
        flush(descriptor)

    monkeypatch.setattr("os.fsync", watched)
    replace_file(tmp_path / "weights", b"new")
    assert flushed == [False, True]
