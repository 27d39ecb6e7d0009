"""What is promised of capsules and what was measured: `docs/claims.md` as served.

Each verdict is a sentence of that file. Tests hold them to the networks' cards.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from markdown_it import MarkdownIt

from capsnet_explorer import ROOT

FILE = ROOT / "docs" / "claims.md"

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
_ROW = re.compile(r"^\| \[(?P<promise>.+)\]\(#(?P<anchor>.+)\) \| (?P<verdict>.+) \|$")
_VERDICT = "**Verdict:** "
_TO_A_FILE = re.compile(r"\[([^\]]+)\]\((?!#)[^)]+\)")


Outcome = Literal["kept", "kept by half", "not shown", "broken"]


class Claim(NamedTuple):
    """A section of the document, in a line.

    Attributes:
        promise: what capsules are said to do, after "capsules"; empty where nothing is
            promised.
        verdict: what was found, as it goes on from there.
    """

    promise: str
    verdict: str

    @property
    def outcome(self) -> Outcome:
        """Whether the promise is kept, by all networks and without an "only"."""
        parts = [part.strip() for part in self.verdict.split(";")]
        fails = any(part.startswith("does not hold") for part in parts)
        is_open = any(part.startswith("is not shown") for part in parts)
        holds = [part for part in parts if part.startswith("holds")]
        if not holds:
            return "not shown" if is_open and not fails else "broken"
        is_bounded = any(part.startswith("holds only") for part in holds)
        return "kept by half" if fails or is_open or is_bounded else "kept"


@cache
def load_claims() -> Mapping[str, Claim]:
    """Return the verdicts by the ids of their sections.

    A section has its verdict in the table at the top, or else in a paragraph.
    """
    text = FILE.read_text(encoding="utf-8")
    claims: dict[str, Claim] = {}
    anchor = ""
    for block in text.split("\n\n"):
        if block.startswith("#"):
            anchor = _anchor(block.lstrip("# "))
        elif block.startswith(_VERDICT):
            verdict = " ".join(block.removeprefix(_VERDICT).split())
            claims.setdefault(anchor, Claim("", verdict[:1].upper() + verdict[1:]))
        for row in map(_ROW.match, block.splitlines()):
            if row is not None:
                claims[row["anchor"]] = Claim(row["promise"], f"{row['verdict']}.")
    return claims


@cache
def claims_page() -> str:
    """Return the document as HTML; links to other files of the project are text."""
    text = FILE.read_text(encoding="utf-8")
    tokens = _PARSER.parse(_TO_A_FILE.sub(r"\1", text))
    title = ""
    for token, content in pairwise(tokens):
        if token.type == "heading_open":
            title = content.content
            token.attrSet("id", _anchor(title))
        elif token.type == "table_open":  # as wide as it is, keys can scroll it
            token.attrSet("tabindex", "0")
            token.attrSet("aria-label", title)
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return html.replace("<th></th>", "<td></td>")  # the corner heads nothing


def _anchor(title: str) -> str:
    """Return the id of a heading, as code hosts make it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
