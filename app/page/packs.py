"""Bundles modules: the page's into a few packs, since each request takes time.

The start's pack has what the page starts with. Each `import()` has a pack of what it
alone needs, and one more pack has what several of them need.

A module becomes a function that is called once, after the functions of its imports. It
returns an object with the module's exports as properties. A pack is itself an ES
module. Packs are made when the explorer starts, without a build step. They have no
comments, but every name and line of code as it is written; with `?debug` in its
address, the page loads the modules themselves.

Where nothing has an address, all modules are joined into one classic script instead.

Maintained bundlers such as esbuild and Rollup are native programs or need Node.js,
while the explorer runs on Python alone. Bundlers written in Python join scripts, not ES
modules. Of minifiers, rjsmin takes spaces out of a template within a template, which
are text, and minify brings Go's runtime into the server.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from capsnet_explorer.app.page.modules import (
    COMMENT,
    imports_of,
    later_modules,
    needed_modules,
    path_from,
    with_later_imports,
)

_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\.[^"]+)";$', re.MULTILINE)
_RENAMED = re.compile(r"(\w+) as (\w+)")
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE
)
_OTHER = re.compile(
    rf"""{COMMENT}|(import(?<=^import)\s|export(?<=^export)\s|"""
    r"""import(?<!\wimport)(?:\.meta|\((?!\)|"\.[^"]+"\)|address\))))""",  # a whole one
    re.MULTILINE | re.DOTALL,
)
# Lines that are comments alone, a third of what would be sent. No text of several lines
# has any that looks like one: tested.
COMMENT_LINES = re.compile(
    r"^[ \t]*(?:/\*[^*]*(?:\*(?!/)[^*]*)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE
)
SHARED = "shared.js"  # the pack of what several `import()` need


def packs_of(scripts: Mapping[str, bytes], start: str) -> dict[str, bytes]:
    """Bundle the modules that a page starts with, and those of each `import()`.

    Args:
        scripts: sources of ES modules by path. They use named or namespace imports, and
            export at the declaration. The target of an `import()` is a literal.
        start: path of the start module. Targets of `import()` are in its folder or
            below.

    Returns:
        Sources of packs by path, to be served from one folder. `start` and each target
        of an `import()` have a pack with the module's own path, relative to the folder
        of `start`, and the module's exports. A pack imports from that of `start`, and
        from `SHARED`, which is there if several need a module, alone.

    Raises:
        KeyError: an imported module does not exist.
        ValueError: modules import each other in a circle; an import or export has
            another form, which the message quotes; or a pack would be outside the
            folder.
    """
    shared = posixpath.join(posixpath.dirname(start), SHARED)
    homes = _homes(scripts, start, shared)
    common = [shared] if shared in homes.values() else []
    entries = [start, *common, *later_modules(scripts, start)]
    packing = _packing(scripts, homes, _addresses(entries, start))
    return {
        address: packing.pack(entry, [start, *common]).encode()
        for entry, address in packing.addresses.items()
    }


def joined(scripts: Mapping[str, bytes], start: str) -> bytes:
    """Join a module and all that it imports, now and later, into one classic script.

    What an `import()` alone needs is evaluated when that is first called.

    Args:
        scripts: sources of ES modules by path, as `packs_of` takes them.
        start: path of the start module.

    Raises:
        KeyError, ValueError: as `packs_of`.
    """
    packing = _packing(scripts, _homes(scripts, start, start), {})
    return "\n".join(
        [
            '"use strict";\n(() => {',
            "const $once = (evaluate, made) => () =>",
            "  (made ??= Promise.resolve().then(evaluate));",
            "const $later = {",
            *map(packing.later, later_modules(scripts, start)),
            "};",
            *packing.values_of(start),
            "})();\n",
        ]
    ).encode()


def _packing(
    scripts: Mapping[str, bytes], homes: Mapping[str, str], addresses: Mapping[str, str]
) -> "_Packing":
    imports = {path: imports_of(scripts, path) for path in homes}
    names = {path: f"${index}" for index, path in enumerate(_in_order(imports))}
    return _Packing(scripts, imports, names, homes, addresses)


def _homes(scripts: Mapping[str, bytes], start: str, shared: str) -> dict[str, str]:
    """Return the entry in whose pack each module is, by the module's path.

    What a shared module imports is shared as well, or the start's: the shared pack
    imports from the start's alone, and that imports nothing.
    """
    later = later_modules(scripts, start)
    users = Counter(path for needed in later.values() for path in needed)
    homes = dict.fromkeys(needed_modules(scripts, start), start)
    for entry, needed in later.items():
        homes |= {path: shared if users[path] > 1 else entry for path in needed}
    return homes


def _addresses(entries: Iterable[str], start: str) -> dict[str, str]:
    """Return the path of each entry's pack, by the entry's.

    Raises:
        ValueError: a pack would be outside the folder.
    """
    folder = posixpath.dirname(start) or "."
    addresses = {path: posixpath.relpath(path, folder) for path in entries}
    for path, address in addresses.items():
        if address.startswith("../"):
            raise ValueError(f"{path}: its pack cannot be called {address}")
    return addresses


def _in_order(imports: Mapping[str, Iterable[str]]) -> Iterable[str]:
    """Return the paths of modules, each after the paths of its imports."""
    try:
        return tuple(TopologicalSorter(imports).static_order())
    except CycleError as error:
        circle = " imports ".join(reversed(error.args[1]))
        raise ValueError(f"modules must not import in a circle: {circle}") from None


@dataclass(frozen=True, slots=True)
class _Packing:
    """The facts about every module from which packs are written.

    Attributes:
        scripts: sources by path.
        imports: the paths that a module imports, by its path.
        names: a module's variable within packs, by path, in order of evaluation.
        homes: the entry in whose pack a module is, by the module's path.
        addresses: path of the pack of each entry; none where all are joined.
    """

    scripts: Mapping[str, bytes]
    imports: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    homes: Mapping[str, str]
    addresses: Mapping[str, str]

    def pack(self, entry: str, common: Sequence[str]) -> str:
        """Return the source of an entry's pack.

        Args:
            entry: its path.
            common: the entries whose packs others import from, this one included.
        """
        paths = self._own(entry)
        needed = {entry, *(path for user in paths for path in self.imports[user])}
        lines = []
        for other in common:
            others = {path for path in needed if self.homes.get(path) == other}
            if other != entry and others:
                source = self._target(entry, other)
                lines.append(f'import {{ {self._named(others)} }} from "{source}";')
        lines += self.values_of(entry)
        if entry in common:
            lines.append(f"export {{ {self._named(paths)} }};")
        if entry in self.names:
            exported = ", ".join(_EXPORT.findall(self.scripts[entry].decode()))
            lines.append(f"export const {{ {exported} }} = {self.names[entry]};")
        return "\n".join([*lines, ""])

    def later(self, entry: str) -> str:
        """Return a property that evaluates an entry's own modules when it is called."""
        values = "\n".join(self.values_of(entry))
        return f'"{entry}": $once(() => {{\n{values}\nreturn {self.names[entry]};\n}}),'

    def values_of(self, entry: str) -> list[str]:
        """Return the declarations of the modules in an entry's pack."""
        return [*map(self._as_value, self._own(entry))]

    def _own(self, entry: str) -> list[str]:
        return [path for path in self.names if self.homes[path] == entry]

    def _named(self, paths: Collection[str]) -> str:
        """Return the variables of modules, as imports and exports list them."""
        return ", ".join(name for path, name in self.names.items() if path in paths)

    def _as_value(self, path: str) -> str:
        """Return a declaration that binds a module's variable to its exports."""
        source = COMMENT_LINES.sub("", self.scripts[path].decode())
        exported = ", ".join(_EXPORT.findall(source))

        def bound(match: re.Match[str]) -> str:
            wanted = _RENAMED.sub(r"\1: \2", match[1].removeprefix("* as "))
            return f"const {wanted} = {self.names[path_from(path, match[2])]};"

        def loading(target: str) -> str:
            entry = path_from(path, target)
            if not self.addresses:
                return f'$later["{entry}"]()'
            return f'import("{self._target(self.homes[path], entry)}")'

        body = _EXPORT.sub("", _IMPORT.sub(bound, source))
        body = with_later_imports(body, loading)
        for other in _OTHER.finditer(body):
            if other[1]:
                line = body[other.start() :].partition("\n")[0]
                raise ValueError(f"{path}: cannot be packed with the line `{line}`")
        return (
            f"// {path}\nconst {self.names[path]} = (() => {{\n"
            f"{body}return {{ {exported} }};\n}})();"
        )

    def _target(self, entry: str, other: str) -> str:
        """Return the relative path by which one entry's pack imports another's."""
        folder = posixpath.dirname(self.addresses[entry]) or "."
        target = posixpath.relpath(self.addresses[other], folder)
        return target if target.startswith("../") else f"./{target}"
