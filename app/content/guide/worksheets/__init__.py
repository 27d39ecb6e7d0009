"""Worksheets for a class: tasks with links to states, and a solution to each.

A worksheet is `N-name.md` in this folder: a title, `# …`; a paragraph about it; then
for each task a heading, `## …`, paragraphs, and after `### Solution` the solution.
"""

import re
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from capsnet_explorer.app.content.guide.files import read_numbered
from capsnet_explorer.app.content.guide.text import Paragraph, parse_paragraph

FOLDER = Path(__file__).parent
SOLUTION = "### Solution"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exercise(_Part):
    """One task of a worksheet, and its solution."""

    title: str
    text: tuple[Paragraph, ...]
    solution: tuple[Paragraph, ...]


class Worksheet(_Part):
    """A worksheet.

    Attributes:
        number: from 1.
        title: above it.
        about: how long it takes and what it needs.
        exercises: in order.
    """

    number: int
    title: str
    about: tuple[Paragraph, ...]
    exercises: tuple[Exercise, ...]


@cache
def load_worksheets(folder: Path = FOLDER) -> tuple[Worksheet, ...]:
    """Return all worksheets in order.

    Raises:
        ValueError: a file is not a worksheet; the message names it.
    """
    return read_numbered(
        folder, "worksheet", 1, lambda text, number, _: parse_worksheet(text, number)
    )


def parse_worksheet(text: str, number: int) -> Worksheet:
    """Read one worksheet.

    Raises:
        ValueError: it has another form.
    """
    top, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    head, _, about = top.strip().partition("\n")
    if not head.startswith("# ") or not about.strip() or not parts:
        raise ValueError("needed are a title, what it is about, and tasks")
    return Worksheet(
        number=number,
        title=head[2:],
        about=_paragraphs(about),
        exercises=tuple(_exercise(part) for part in parts),
    )


def _exercise(part: str) -> Exercise:
    title, _, rest = part.partition("\n")
    task, mark, solution = rest.partition(SOLUTION)
    if not mark or not task.strip() or not solution.strip():
        raise ValueError(f"the task {title!r} must have text and a solution")
    return Exercise(
        title=title.strip(), text=_paragraphs(task), solution=_paragraphs(solution)
    )


def _paragraphs(text: str) -> tuple[Paragraph, ...]:
    blocks = filter(None, (block.strip() for block in text.split("\n\n")))
    return tuple(parse_paragraph(" ".join(block.split())) for block in blocks)
