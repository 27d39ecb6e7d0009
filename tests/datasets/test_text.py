"""Texts in encodings that they do not name: each is read as it was written."""

import pytest

from capsnet_explorer.datasets.text import (
    IN_ARCHIVES,
    IN_TEXTS,
    code_page_of,
    encoding_of,
    text_of,
    wide_encoding,
)

WORDS = [
    ("cp437", ["\xe9t\xe9", "Gr\xf6\xdfe"]),
    ("cp850", ["S\xe3o Paulo", "ma\xe7\xe3"]),
    ("cp1252", ["\xe9t\xe9", "Gr\xf6\xdfe", "L’\xe9t\xe9"]),
    ("cp852", ["Łódź", "Krak\xf3w"]),
    ("cp1250", ["Łódź", "Krak\xf3w"]),
    ("cp932", ["猫", "犬"]),
    ("cp932", ["ソ表", "りんご", "バナナ"]),  # some of whose bytes are backslashes
    ("cp866", ["кошка", "Собака"]),
    ("cp1251", ["кот", "П\u0451с"]),
    ("gbk", ["苹果", "香蕉"]),
    ("gbk", ["汽车", "飞机", "鸟"]),
]


@pytest.mark.parametrize(("page", "words"), WORDS)
def test_the_letters_of_words_tell_their_code_page(page, words):
    encoded = [word.encode(page) for word in words]
    for pages in (IN_ARCHIVES, IN_TEXTS):
        if page in pages:
            read = code_page_of([*encoded, b"plain 7"], pages)
            assert [word.decode(read or "ascii") for word in encoded] == words


def test_bytes_that_are_no_words_have_no_code_page():
    assert code_page_of([b"\xff\xfe\x81"], IN_ARCHIVES) is None
    assert code_page_of([b"plain"], IN_ARCHIVES) == IN_ARCHIVES[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_is_read_whatever_its_encoding(encoding):
    text = "label\nGr\xf6\xdfe\nna\xefve"
    assert text_of(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_texts_are_known_without_their_mark(encoding):
    assert wide_encoding("7,0".encode(encoding)[:4]) == encoding
    assert wide_encoding(b"7,0\n") is None
    assert wide_encoding(bytes(4)) is None


def test_a_word_far_down_tells_the_encoding():
    lines = [b"0,0\n"] * 100_000 + ["gr\xfcn,0\n".encode("cp1252")]
    assert encoding_of(lines) == "cp1252"
    assert encoding_of(lines[:-1]) == "utf-8-sig"
