"""Whatever a text of the project names is there: files, links, commands, options."""

import importlib.util
import re
import subprocess
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from capsnet_explorer import cli, server
from capsnet_explorer.model.architectures import ARCHITECTURES
from capsnet_explorer.options import parser_of
from tests.test_architecture import ROOMS

ROOT = Path(__file__).parent.parent
CODE = (".py", ".js", ".ts", ".css", ".toml")
ENDINGS = r"py|js|ts|md|html|css|json|jsonl|toml|sh|png|webp|txt"
# Where the developers' documents begin a path, besides the root.
STARTS = ("static/js", "tests", "app", "model", "capsnet_explorer")
OF_DEVELOPERS = ("ARCHITECTURE.md", "CONTRIBUTING.md")
# A path in code that begins with a folder of the root.
IN_CODE = re.compile(
    r"(?<![\w/.@-])(?:docs|tests|static/js|static/css|templates|model|app|benchmarks"
    rf"|capsnet_explorer)/[\w./-]*\w\.(?:{ENDINGS})\b(?![/*])"
)
PATH = re.compile(rf"(?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:{ENDINGS})")
RUN = re.compile(r"python (?:-m ([\w.]+)|run_visualization\.py)\b(.*)")
OPTION = re.compile(r"(?<!\S)--[a-z][a-z0-9-]+")
ADDRESSES = ("href", "src")
ENTRY_POINTS = {f"capsnet_explorer.{group}" for group in ("architectures", "networks")}
MODULE = re.compile(r"capsnet_explorer(?:\.[a-z_]+)+")


def tracked(*endings: str) -> list[Path]:
    """Return the files of the project that end so."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("needs the git checkout", allow_module_level=True)
    paths = (ROOT / name for name in listed.stdout.splitlines())
    return [path for path in paths if path.suffix in endings and path.is_file()]


def documents() -> list[Path]:
    """Return all Markdown but the changelog, which names what is gone."""
    return [path for path in tracked(".md") if path.name != "CHANGELOG.md"]


@cache
def parsed(path: Path) -> tuple[list[str], list[str], list[str]]:
    """Return a document's pieces of code, the lines of its blocks, and its links."""
    spans, lines, links = [], [], []
    for token in MarkdownIt().enable("table").parse(path.read_text(encoding="utf-8")):
        if token.type == "fence":
            lines += token.content.splitlines()
        for child in token.children or ():
            if child.type == "code_inline":
                spans.append(child.content)
            links += [
                str(child.attrs[key]) for key in ("href", "src") if key in child.attrs
            ]
    return spans, lines, links


def slug(heading: str) -> str:
    """Return the anchor that a heading gets."""
    words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return words.replace(" ", "-")


@cache
def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    tokens = MarkdownIt().parse(path.read_text(encoding="utf-8"))
    return {
        slug("".join(child.content for child in text.children or ()))
        for opening, text in pairwise(tokens)
        if opening.type == "heading_open"
    }


def is_ours(name: str, of: Path) -> bool:
    """Tell whether a piece of code is a path of the project, not of its user's data."""
    if PATH.fullmatch(name) is None:
        return False
    first = name.partition("/")[0]
    if of.name in OF_DEVELOPERS:
        return True
    return "/" in name and first not in ("data", "runs") and (ROOT / first).exists()


def leads_somewhere(name: str, of: Path) -> bool:
    """Tell whether a path that a document names is there.

    Words in capitals stand for names: `lab/NAME/experiment.js` must be there for most
    folders of `lab`. A file without a folder may lie anywhere.
    """
    pattern = re.sub(r"\b[A-Z]{2,}\b", "*", name).rstrip("/")
    if "/" not in name:
        return any(path.name == name for path in tracked(Path(name).suffix))
    before, _, after = pattern.partition("*/")
    for folder in (of.parent, ROOT, *(ROOT / start for start in STARTS)):
        there = list(folder.glob(pattern))
        rooms = [room for room in (folder / before).glob("*") if room.is_dir()]
        if there and (not after or not before or 2 * len(there) > len(rooms)):
            return True
    return False


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_every_path_that_a_document_names_is_there(document):
    spans, _, _ = parsed(document)
    named = [name for name in spans if is_ours(name, document)]
    assert [name for name in named if not leads_somewhere(name, document)] == []


@pytest.mark.parametrize(
    "document", [*documents(), ROOT / "CHANGELOG.md"], ids=lambda path: path.name
)
def test_every_link_leads_to_a_file_and_a_heading(document):
    if document.is_relative_to(ROOT / "app" / "content"):
        return  # its links are the page's, which tests of the guide follow
    _, _, links = parsed(document)
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (document.parent / name).resolve() if name else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_path_that_code_names_is_there():
    gone = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in tracked(*CODE)
        for name in IN_CODE.findall(path.read_text(encoding="utf-8"))
        if not any((folder / name).exists() for folder in (ROOT, ROOT / "tests"))
        and not leads_somewhere(name, path)
    ]
    assert gone == []


@cache
def options_of(command: str) -> set[str]:
    """Return the options of a command, or, where it is empty, of the server."""
    if not command:
        parsers = [server._parser()]
    else:
        chosen = [("--architecture", name) for name in ARCHITECTURES]
        run = cli.function(command)
        parsers = [parser_of(run, command, options) for options in ((), *chosen)]
    return {
        name
        for parser in parsers
        for action in parser._actions
        for name in action.option_strings
    }


@cache
def every_option() -> set[str]:
    """Return the options of all commands, and of programs beside them."""
    programs = (path.read_text(encoding="utf-8") for path in tracked(".py"))
    added = (re.findall(r'add_argument\(\s*"(--[\w-]+)"', text) for text in programs)
    return set[str]().union(*map(options_of, ("", *cli.COMMANDS)), *added)


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_every_command_that_a_document_names_can_be_run(document):
    """Options that stand alone are those of any command."""
    spans, lines, _ = parsed(document)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for text in chain(spans, lines):
        for target in re.findall(r"^(?:[A-Z]+=\S+ )?make ([a-z][a-z-]+)", text):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), text
        if text.startswith("--"):
            assert {*OPTION.findall(text)} <= every_option(), text
        if run := RUN.search(text):
            module, rest = run.groups()
            named = set(OPTION.findall(rest.partition("#")[0]))
            if module in (None, "capsnet_explorer"):
                command = re.match(r"\s+([a-z]+)", rest)
                name = command[1] if command else ""
                assert not name or name in cli.COMMANDS, text
                assert named <= options_of(name), text
            elif module.startswith(("tests", "benchmarks", "capsnet_explorer")):
                assert importlib.util.find_spec(module), text


def test_every_module_that_a_document_names_is_there():
    for document in documents():
        for name in MODULE.findall(document.read_text(encoding="utf-8")):
            module, _, attribute = name.rpartition(".")
            is_module = importlib.util.find_spec(module) is not None and (
                importlib.util.find_spec(name) is not None
            )
            within = getattr(importlib.import_module(module), attribute, None)
            is_there = is_module or within is not None or name in ENTRY_POINTS
            assert is_there, f"{document.name}: {name}"


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_is_there(package):
    for room in ROOMS[package]:
        path = ROOT / package / room
        assert path.is_dir() or path.with_suffix(".py").exists(), room
