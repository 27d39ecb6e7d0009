"""The page's modules, put together into a few files: each costs a browser time.

A module becomes a function that is called once, after those of the modules it imports;
what it exports are the properties of what that function returns. A pack of them is
itself an ES module, and nothing has to be built before the explorer starts.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from graphlib import TopologicalSorter
from pathlib import PurePosixPath

from app.modules import imports_of, later_modules, needed_modules, path_from

SHARED = "shared"

_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\.[^"]+)";$', re.MULTILINE)
_RENAMED = re.compile(r"(\w+) as (\w+)")
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE
)
_LATER_IMPORT = re.compile(r'\bimport\("\.[^"]*?([\w-]+\.js)"\)')
_OTHER = re.compile(r"^(?:import|export)\s.*$", re.MULTILINE)


def packs_of(scripts: Mapping[str, bytes], start: str) -> dict[str, bytes]:
    """Put together what a page starts with, and what each `import()` in it needs.

    Args:
        scripts: sources of ES modules by path. They import names, or all as one, and
            export where they declare.
        start: path of the module that the page starts with.

    Returns:
        Sources by name, to be served side by side: that of `start` with all it needs;
        that of each module imported later, which exports what this module exports; and
        `shared.js`, with what several of these need.

    Raises:
        KeyError: a module that is imported is not there.
        ValueError: modules import each other in a circle, or a line that begins with
            `import` or `export` is of another kind; the message has it.
    """
    later = later_modules(scripts, start)
    pack_of = _divided(needed_modules(scripts, start), later)
    imports = {path: imports_of(scripts, path) for path in pack_of}
    in_order = TopologicalSorter(imports).static_order()
    names = {path: f"${place}" for place, path in enumerate(in_order)}
    packs = {}
    for pack in dict.fromkeys(pack_of.values()):
        own = [path for path in names if pack_of[path] == pack]
        needed = {path for user in own for path in imports[user]}.difference(own)
        lines = [
            *_imports_from_packs(needed, pack_of, names),
            *(_as_value(path, scripts[path].decode(), names) for path in own),
            f"export {{ {', '.join(names[path] for path in own)} }};",
        ]
        if pack in later:
            entry = later[pack][0]
            exported = ", ".join(_EXPORT.findall(scripts[entry].decode()))
            lines.append(f"export const {{ {exported} }} = {names[entry]};")
        packs[f"{pack}.js"] = "\n".join([*lines, ""]).encode()
    return packs


def _divided(
    first: tuple[str, ...], later: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Return the pack that each module goes into, by path."""
    uses = Counter(path for paths in later.values() for path in paths)
    pack_of = dict.fromkeys(first, PurePosixPath(first[0]).stem)
    for pack, (entry, *others) in later.items():
        pack_of[entry] = pack
        pack_of |= {path: pack if uses[path] == 1 else SHARED for path in others}
    return pack_of


def _imports_from_packs(
    needed: Set[str], pack_of: Mapping[str, str], names: Mapping[str, str]
) -> list[str]:
    """Return the lines that import modules, as values, from the packs they are in."""
    values = defaultdict(list)
    for path, name in names.items():
        if path in needed:
            values[pack_of[path]].append(name)
    return [
        f'import {{ {", ".join(these)} }} from "./{pack}.js";'
        for pack, these in values.items()
    ]


def _as_value(path: str, source: str, names: Mapping[str, str]) -> str:
    """Return a declaration of a module's name, to which what it exports is bound."""

    def bound(found: re.Match[str]) -> str:
        wanted = _RENAMED.sub(r"\1: \2", found[1].removeprefix("* as "))
        return f"const {wanted} = {names[path_from(path, found[2])]};"

    body = _IMPORT.sub(bound, source)
    body = _LATER_IMPORT.sub(r'import("./\1")', body)
    exported = ", ".join(_EXPORT.findall(body))
    body = _EXPORT.sub("", body)
    if other := _OTHER.search(body):
        raise ValueError(f"{path}: cannot be packed with the line `{other[0]}`")
    return (
        f"// {path}\nconst {names[path]} = (() => {{\n{body}"
        f"return {{ {exported} }};\n}})();"
    )
