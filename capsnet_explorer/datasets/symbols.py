"""A set of symbols of one's own: a few drawn examples of each, in one JSON file.

It has `format` and `version`, and `symbols`: each has a `name` and `examples`. Each of
these is an image of 28 x 28 bytes of ink, row by row, in URL-safe base64.
The last example of each symbol is for the test, all others are trained on.
"""

import base64
import binascii
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from capsnet_explorer.datasets.idx import BrokenFile, Bytes
from capsnet_explorer.storage.regular import require_file

FORMAT, VERSION = "capsnet-symbols", 1
SIDE = 28
FEWEST, MOST = 2, 10  # symbols
FEWEST_EXAMPLES, MOST_EXAMPLES = 2, 50  # of each: one to learn from, one to test with
LONGEST_NAME = 20  # characters
EACH_EPOCH = 2520  # training images; every number of symbols up to ten divides it


@dataclass(frozen=True, slots=True)
class Symbols:
    """A set of symbols.

    Attributes:
        names: one for each symbol.
        examples: of each symbol, (count, 1, rows, columns).
    """

    names: tuple[str, ...]
    examples: tuple[Bytes, ...]

    def text(self) -> str:
        """Return the set as its file has it."""
        symbols = [
            {
                "name": name,
                "examples": [
                    base64.urlsafe_b64encode(image.tobytes()).decode() for image in some
                ],
            }
            for name, some in zip(self.names, self.examples, strict=True)
        ]
        content = {"format": FORMAT, "version": VERSION, "symbols": symbols}
        return json.dumps(content, ensure_ascii=False)

    def part(self, *, train: bool) -> tuple[Bytes, Bytes]:
        """Return images and labels, for training or for the test.

        For training, every symbol has equally many: its examples, again and again. They
        differ once augmentation has changed each of them anew.
        """
        if not train:
            last = np.concatenate([some[-1:] for some in self.examples])
            return last, np.arange(len(self.names), dtype=np.uint8)
        count = EACH_EPOCH // len(self.names)
        repeated = [
            some[np.arange(count) % (len(some) - 1)]  # all but the last
            for some in self.examples
        ]
        labels = np.repeat(np.arange(len(self.names), dtype=np.uint8), count)
        return np.concatenate(repeated), labels


def read_symbols(file: Path) -> Symbols:
    """Read a set of symbols.

    Raises:
        OSError: the file cannot be read.
        BrokenFile: it is no set of symbols; the message says what is needed.
    """
    try:
        require_file(file)
        content = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        raise BrokenFile("a set of symbols must be a JSON file") from None
    return checked_symbols(content)


def checked_symbols(content: object) -> Symbols:
    """Check a set of symbols, as JSON gives it.

    Raises:
        BrokenFile: says what is needed and what came.
    """
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise BrokenFile(f'a set of symbols must have "format": "{FORMAT}"')
    if content.get("version") != VERSION:
        came = _short(content.get("version"))
        raise BrokenFile(f"the set's version must be {VERSION}, got {came}")
    symbols = content.get("symbols")
    if not isinstance(symbols, list) or not FEWEST <= len(symbols) <= MOST:
        raise BrokenFile(
            f"a set must have {FEWEST} to {MOST} symbols, got {_count(symbols)}"
        )
    names = tuple(_name(symbol, i + 1) for i, symbol in enumerate(symbols))
    for i, name in enumerate(names):
        if name in names[:i]:
            raise BrokenFile(f"each symbol must have a name of its own, got two {name}")
    pairs = zip(names, symbols, strict=True)
    return Symbols(names, tuple(_examples(name, symbol) for name, symbol in pairs))


def _name(symbol: Any, number: int) -> str:
    name = symbol.get("name") if isinstance(symbol, Mapping) else None
    if (
        not isinstance(name, str)
        or not 1 <= len(name) <= LONGEST_NAME
        or name != name.strip()
        or any(unicodedata.category(sign).startswith("C") for sign in name)
    ):
        raise BrokenFile(
            f"symbol {number} must have a name of 1 to {LONGEST_NAME} characters, "
            f"got {_short(name)}"
        )
    return name


def _examples(name: str, symbol: Mapping[str, Any]) -> Bytes:
    texts = symbol.get("examples")
    if not isinstance(texts, list) or not (
        FEWEST_EXAMPLES <= len(texts) <= MOST_EXAMPLES
    ):
        raise BrokenFile(
            f"{name} must have {FEWEST_EXAMPLES} to {MOST_EXAMPLES} examples, "
            f"got {_count(texts)}"
        )
    images = [
        _image(f"example {i + 1} of {name}", text) for i, text in enumerate(texts)
    ]
    return np.stack(images)


def _image(which: str, text: object) -> Bytes:
    size = SIDE * SIDE
    try:
        if not isinstance(text, str):
            raise ValueError
        padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
        content = base64.b64decode(padded, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise BrokenFile(f"{which} must be {size} bytes in base64") from None
    if len(content) != size:
        raise BrokenFile(f"{which} must be {size} bytes in base64, got {len(content)}")
    if not any(content):
        raise BrokenFile(f"{which} must show something, got an empty image")
    return np.frombuffer(content, np.uint8).reshape(1, SIDE, SIDE)


def _count(value: object) -> str:
    return str(len(value)) if isinstance(value, list) else _short(value)


def _short(value: object) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
