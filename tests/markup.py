"""What is wrong with a page's HTML as the server sends it, before any script runs.

This is no validator. It looks for the errors that templates make: tags that do not
close, ids that are there twice, references that lead nowhere, images and sliders that
lack what HTML and ARIA require, headings that leave out a level, and headings, links
and buttons without words.
"""

from html.parser import HTMLParser

VOID = frozenset(("br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
NAMED = frozenset(("a", "button", "summary", *HEADINGS))
REFERENCES = ("aria-labelledby", "aria-describedby", "aria-controls", "for", "list")
REQUIRED = {"html": ("lang",), "img": ("src", "alt"), "[slider]": ("aria-valuenow",)}


def problems_of(page: str, *, is_scripted: bool = False) -> list[str]:
    """Return what is wrong with a page, each with its line.

    Args:
        page: all of it.
        is_scripted: scripts bring words, and elements that others refer to.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.errors + ([] if is_scripted else reader.missing())


class _Reader(HTMLParser):
    """Tells `errors`, which no script mends, from what scripts may bring."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[str] = []
        self._open: list[tuple[str, int]] = []
        self._ids: list[set[str]] = [set()]  # of the page, and of templates around here
        self._references: list[tuple[str, str, int]] = []
        self._level = 0
        self._nameless: dict[int, str] = {}  # by depth: open elements without words yet
        self._unnamed: list[str] = []

    def missing(self) -> list[str]:
        """Return what a page without scripts must have, and this one has not."""
        return self._unnamed + [
            f"line {line}: {name} leads to {to}, which is not there"
            for name, to, line in self._references
            if to not in self._ids[0]
        ]

    def close(self) -> None:
        super().close()
        for tag, line in self._open:
            self.errors.append(f"line {line}: <{tag}> is not closed")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if len(has) < len(attrs):
            self._tell(f"<{tag}> has an attribute twice")
        kinds = (tag, f"[{has.get('role')}]")
        needed = {name for kind in kinds for name in REQUIRED.get(kind, ())}
        for name in sorted(needed - has.keys()):
            self._tell(f"<{tag}> has no {name}")
        self._note_id(has.get("id"))
        self._note_references(has)
        if tag in HEADINGS:
            self._note_level(int(tag[1]))
        if has.get("alt"):
            self._nameless.clear()
        if tag in VOID:
            return
        self._open.append((tag, self.getpos()[0]))
        if tag == "template":
            self._ids.append(set())
        if tag in NAMED and not (has.get("aria-label") or has.get("aria-labelledby")):
            self._nameless[len(self._open)] = tag

    def _note_id(self, name: str | None) -> None:
        if not name:
            return
        if name in self._ids[-1]:
            self._tell(f"id {name} is there twice")
        self._ids[-1].add(name)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:  # a part of a drawing
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            around = (
                "<{}> of line {}".format(*self._open[-1]) if self._open else "nothing"
            )
            self._tell(f"</{tag}> closes {around}")
            return
        if self._nameless.pop(len(self._open), None):
            self._unnamed.append(f"line {self._open[-1][1]}: <{tag}> has no words")
        self._open.pop()
        if tag == "template":
            self._ids.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._nameless.clear()

    def _note_references(self, has: dict[str, str | None]) -> None:
        line = self.getpos()[0]
        for name in REFERENCES:
            for to in (has.get(name) or "").split():
                self._references.append((name, to, line))
        target = has.get("href") or ""
        if target.startswith("#"):
            self._references.append(("href", target[1:], line))

    def _note_level(self, level: int) -> None:
        if len(self._ids) == 1 and level > self._level + 1:  # of the page itself
            self._tell(f"<h{level}> comes after a heading of level {self._level}")
        self._level = level

    def _tell(self, problem: str) -> None:
        self.errors.append(f"line {self.getpos()[0]}: {problem}")
