"""Files that are read back: whatever is in them, they are read or named as damaged."""

import contextlib
import os
import random

import pytest
from pydantic import BaseModel

from capsnet_explorer.storage import reading
from capsnet_explorer.storage.reading import Unreadable, read_back, read_object


class Note(BaseModel, strict=True):
    words: str
    count: int


WHOLE = b'{"words": "here", "count": 3}'


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "own" / "note.json"
    file.parent.mkdir()
    file.write_bytes(WHOLE)
    return file


def test_what_was_written_is_read(file):
    assert read_back(file, Note) == Note(words="here", count=3)
    assert read_object(file) == {"words": "here", "count": 3}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is not JSON"),
        (b"{", "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"null", "it must be an object"),
        (b"[]", "it must be an object"),
        (b'"x"', "it must be an object"),
        (b"{}", "it lacks words"),
        (b'{"words": 1, "count": 3}', "words is not what the explorer writes"),
        (b'{"words": "x", "count": "3"}', "count is not what the explorer writes"),
    ],
)
def test_what_is_wrong_is_said_without_the_folder(file, content, words):
    file.write_bytes(content)
    with pytest.raises(Unreadable) as caught:
        read_back(file, Note)
    assert str(caught.value) == f"note.json cannot be read: {words}"


def test_what_is_no_file_is_said(file, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(reading, "MOST", 10)
        with pytest.raises(Unreadable, match="more than 10 bytes"):
            read_back(file, Note)
    file.unlink()
    with pytest.raises(Unreadable, match="No such file"):
        read_object(file)
    file.mkdir()
    with pytest.raises(Unreadable, match="it is no file"):
        read_object(file)
    file.rmdir()
    os.mkfifo(file)
    with pytest.raises(Unreadable, match="it is no file"):
        read_object(file)


def test_any_damage_is_read_or_named(file):
    chosen = random.Random(7)
    for _ in range(2000):
        content = bytearray(WHOLE)
        for _ in range(chosen.randrange(1, 4)):
            index = chosen.randrange(len(content))
            match chosen.randrange(3):
                case 0:
                    content[index] ^= 1 << chosen.randrange(8)
                case 1:
                    del content[index + 1 :]
                case _:
                    content[index:index] = chosen.randbytes(2)
        file.write_bytes(content)
        with contextlib.suppress(Unreadable):
            read_back(file, Note)
        with contextlib.suppress(Unreadable):
            assert isinstance(read_object(file), dict)
