"""In which encoding texts are that do not say so: names in archives, tables, lists.

Code pages are told apart by their letters: read in the wrong one, a word has letters of
several scripts, signs, or capitals where none belong.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

# As programs write names in archives, and as they write texts; the likeliest first.
IN_ARCHIVES = ("cp437", "cp850", "cp1252", "cp932", "cp852", "cp866", "gbk")
IN_TEXTS = ("cp1252", "cp932", "cp1251", "cp1250", "gbk")
USUAL = "cp1252"  # where letters do not tell

MOST_ACCENTS = 3  # letters of a word for each that has none, as in Łódź

_LATIN, _CYRILLIC = ("LATIN",), ("CYRILLIC",)
_KANJI = ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC")
_SCRIPTS = {"cp1251": _CYRILLIC, "cp866": _CYRILLIC, "cp932": _KANJI, "gbk": _KANJI}
# First bytes of the characters that are in daily use.
_COMMON = {"cp932": range(0x81, 0x99), "gbk": range(0xB0, 0xD8)}
_MARKS = "’–"
_WORDS = re.compile(r"[^\W\d_]+")
_CELLS = re.compile(rb'[^,;\t"\r\n]+')


def code_page_of(words: Collection[bytes], pages: Sequence[str]) -> str | None:
    """Return the first of some code pages in which all words may be written, if any.

    Args:
        words: of one origin; those of ASCII alone say nothing.
        pages: Python's names of code pages, of `IN_ARCHIVES` or `IN_TEXTS`.
    """
    for page in pages:
        try:
            texts = [word.decode(page) for word in words if not word.isascii()]
        except UnicodeDecodeError:
            continue
        if all(_is_likely(text, page) for text in texts):
            return page
    return None


def _is_likely(text: str, page: str) -> bool:
    script = _SCRIPTS.get(page, _LATIN)
    others = [sign for sign in text if not sign.isascii() and sign not in _MARKS]
    if not all(unicodedata.name(sign, "").startswith(script) for sign in others):
        return False
    if page in _COMMON:
        return all(sign.encode(page)[0] in _COMMON[page] for sign in others)
    return all(_is_word(word, script) for word in _WORDS.findall(text))


def _is_word(word: str, script: Sequence[str]) -> bool:
    foreign = sum(not sign.isascii() for sign in word)
    plain = len(word) - foreign
    if not foreign:
        return True
    if any(before.islower() and sign.isupper() for before, sign in pairwise(word)):
        return False
    if script == _CYRILLIC:
        return not plain
    return len(word) == 1 or foreign <= MOST_ACCENTS * plain


def wide_encoding(start: bytes) -> str | None:
    """Return the encoding of a text in UTF-16, given its first bytes; else None."""
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if len(start) >= 4 and start[1] == start[3] == 0 != start[0]:
        return "utf-16-le"
    if len(start) >= 4 and start[0] == start[2] == 0 != start[1]:
        return "utf-16-be"
    return None


def encoding_of(lines: Iterable[bytes], most: int = 200) -> str:
    """Return the encoding of a text that may be in UTF-8 or in a code page.

    Args:
        lines: of the text, from its beginning; not all need be read.
        most: words with other letters than ASCII's that are looked at.
    """
    words: set[bytes] = set()
    for line in lines:
        if not line.isascii():
            words |= {word for word in _CELLS.findall(line) if not word.isascii()}
        if len(words) >= most:
            break
    try:
        for word in words:
            word.decode("utf-8")
    except UnicodeDecodeError:
        return code_page_of(words, IN_TEXTS) or USUAL
    return "utf-8-sig"


def some_of(names: Collection[str], most: int = 3) -> str:
    """Return the first names, those of a set sorted, and how many more there are."""
    listed = sorted(names) if isinstance(names, set) else list(names)
    more = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {more} more" if more > 0 else "")


def counted(count: int, noun: str) -> str:
    """Return a number and what it counts: 1 line, 2 lines."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def text_of(content: bytes) -> str:
    """Return a text in any usual encoding."""
    encoding = wide_encoding(content[:4]) or encoding_of(content.splitlines())
    return content.decode(encoding, "replace")
