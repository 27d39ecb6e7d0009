"""A file is replaced whole or not at all."""

import pytest

from model.files import replace_file


def everything_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_content_is_written_and_nothing_else_stays(tmp_path):
    replace_file(tmp_path / "new" / "weights", b"first")
    replace_file(tmp_path / "new" / "weights", b"second")
    assert everything_in(tmp_path / "new") == {"weights": b"second"}


@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
def test_the_old_file_stays_whole_when_writing_fails(tmp_path, monkeypatch, failing):
    path = tmp_path / "weights"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(failing, fail)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert everything_in(tmp_path) == {"weights": b"old"}
