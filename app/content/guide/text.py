"""The Markdown of the guide: a few marks only, so that page and article show the same.

A paragraph is a list of runs. The page's policy forbids scripts to make markup from
text, so the API sends these runs in place of HTML.
"""

from collections.abc import Iterator
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["text", "strong", "em", "code", "link"]

_KINDS: dict[str, Kind] = {
    "strong_open": "strong",
    "em_open": "em",
    "link_open": "link",
}
_PARSER = MarkdownIt("zero").enable(
    ["emphasis", "backticks", "link", "heading", "escape", "entity"]
)


class Run(BaseModel):
    """A piece of a paragraph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    text: str
    to: str | None = Field(
        default=None,
        description="Where a link leads: a state of the page, after its #.",
    )


Paragraph = tuple[Run, ...]


def parse_paragraph(text: str) -> Paragraph:
    """Read one paragraph, without headings.

    Raises:
        ValueError: it holds something else, or a link that leads out of the page.
    """
    tokens = _PARSER.parse(text)
    if [token.type for token in tokens] != [
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]:
        raise ValueError(f"text must be one paragraph, got {text!r}")
    return tuple(_runs(tokens[1].children or []))


def split_sections(body: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the sections of a chapter: each heading of level 2, and its paragraphs.

    The text before the first heading has the heading "".

    Raises:
        ValueError: a heading has another level.
    """
    sections: list[tuple[str, list[str]]] = [("", [])]
    for block in filter(None, (part.strip() for part in body.split("\n\n"))):
        text = " ".join(line.strip() for line in block.splitlines())
        if text.startswith("#"):
            mark, _, title = text.partition(" ")
            if mark != "##" or not title:
                raise ValueError(
                    f"headings must be of level 2, `## Title`, got {text!r}"
                )
            sections.append((title, []))
        else:
            sections[-1][1].append(text)
    return [(title, tuple(paragraphs)) for title, paragraphs in sections]


def plain(paragraph: Paragraph) -> str:
    """Return a paragraph without its marks."""
    return "".join(run.text for run in paragraph)


def _runs(tokens: list[Token]) -> Iterator[Run]:
    kind: Kind = "text"
    to = None
    for token in tokens:
        if token.type in _KINDS:
            kind = _KINDS[token.type]
            if kind == "link":
                to = _target(token)
        elif token.type.endswith("_close"):
            kind, to = "text", None
        elif token.type == "code_inline":
            yield Run(kind="code", text=token.content)
        elif token.content:
            yield Run(kind=kind, text=token.content, to=to)


def _target(token: Token) -> str:
    address = str(token.attrGet("href"))
    if not address.startswith("#"):
        raise ValueError(f"links must lead to a state of the page, #…, got {address!r}")
    return address[1:]
