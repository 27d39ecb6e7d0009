"""Reads numbered Markdown files of a folder: chapters, and worksheets."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

Made = TypeVar("Made")

NAME = re.compile(r"(\d+)-([a-z0-9]+(?:-[a-z0-9]+)*)\.md")


def read_numbered(
    folder: Path,
    kind: str,
    digits: int,
    parse: Callable[[str, int, str], Made],
    besides: str = "",
) -> tuple[Made, ...]:
    """Return what the files of `folder` hold, in order.

    Args:
        folder: its Markdown files are called by number and name.
        kind: what each file is, for messages: `chapter`.
        digits: of the number.
        parse: makes it of a file's text, number and name.
        besides: the name of a file that is none of them.

    Raises:
        ValueError: a file is none of that kind; the message names it.
    """
    pages = []
    for path in sorted(set(folder.glob("*.md")) - {folder / besides}):
        match = NAME.fullmatch(path.name)
        if match is None or len(match[1]) != digits:
            form = "N" * digits
            raise ValueError(f"a {kind} must be called {form}-name.md, got {path.name}")
        try:
            pages.append(parse(path.read_text("utf-8"), int(match[1]), match[2]))
        except ValueError as error:
            raise ValueError(f"{kind} {path.name}: {_reason(error)}") from error
    return tuple(pages)


def _reason(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first, *_ = error.errors()
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
