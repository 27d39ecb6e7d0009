"""Bundles the page's modules into a few packs, since each request takes time.

A module becomes a function that is called once, after the functions of its imports. It
returns an object with the module's exports as properties. A pack is itself an ES
module. Packs are made when the explorer starts, without a build step.

Maintained bundlers such as esbuild and Rollup are native programs or need Node.js,
while the explorer runs on Python alone. Bundlers written in Python join scripts, not ES
modules.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from capsnet_explorer.app.page.division import pack_of_each
from capsnet_explorer.app.page.modules import (
    COMMENT,
    imports_of,
    later_modules,
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
    r"""import(?<!\wimport)(?:\.meta|\((?!\)|"\.[^"]+"\))))""",
    re.MULTILINE | re.DOTALL,
)


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
        of `start`, and the module's exports. `app.page.division` decides which further
        packs they share.

    Raises:
        KeyError: an imported module does not exist.
        ValueError: modules import each other in a circle; an import or export has
            another form, which the message quotes; or a pack would be outside the
            folder or have the name of a shared pack.
    """
    homes = pack_of_each(scripts, start)
    imports = {path: imports_of(scripts, path) for path in homes}
    later = later_modules(scripts, start)
    addresses = _addresses([start, *later], set(homes.values()), start)
    packing = _Packing(
        scripts,
        imports,
        names={path: f"${place}" for place, path in enumerate(_in_order(imports))},
        homes={path: addresses[home] for path, home in homes.items()},
        later={path: addresses[path] for path in later},
    )
    entries = {address: path for path, address in packing.later.items()}
    return {
        address: packing.pack(address, entries.get(address)).encode()
        for address in addresses.values()
    }


def _addresses(entries: Iterable[str], packs: Set[str], start: str) -> dict[str, str]:
    """Return the path of each pack, by the path of its module or a shared pack's name.

    Raises:
        ValueError: a pack would be outside the folder, or two would have the same path.
    """
    folder = posixpath.dirname(start) or "."
    addresses = {path: posixpath.relpath(path, folder) for path in entries}
    shared = {pack: pack for pack in sorted(packs - addresses.keys())}
    for path, address in addresses.items():
        if address.startswith("../") or address in shared:
            raise ValueError(f"{path}: its pack cannot be called {address}")
    return addresses | shared


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
        homes: path of a module's pack, by the module's path.
        later: path of its own pack, for each target of an `import()`.
    """

    scripts: Mapping[str, bytes]
    imports: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    homes: Mapping[str, str]
    later: Mapping[str, str]

    def pack(self, pack: str, entry: str | None) -> str:
        """Return the source of a pack; it also has the exports of `entry`, if given."""
        own = [path for path in self.names if self.homes[path] == pack]
        needed = {path for user in own for path in self.imports[user]}
        needed |= {entry} if entry else set()
        lines = [
            *self._imports_from_packs(needed.difference(own), pack),
            *map(self._as_value, own),
        ]
        if own:
            names = ", ".join(self.names[path] for path in own)
            lines.append(f"export {{ {names} }};")
        if entry:
            exported = ", ".join(_EXPORT.findall(self.scripts[entry].decode()))
            lines.append(f"export const {{ {exported} }} = {self.names[entry]};")
        return "\n".join([*lines, ""])

    def _imports_from_packs(self, needed: Set[str], pack: str) -> list[str]:
        """Return the lines that import modules, as values, from their packs."""
        values = defaultdict(list)
        for path, name in self.names.items():
            if path in needed:
                values[self.homes[path]].append(name)
        return [
            f'import {{ {", ".join(these)} }} from "{_target(pack, home)}";'
            for home, these in values.items()
        ]

    def _as_value(self, path: str) -> str:
        """Return a declaration that binds a module's variable to its exports."""
        source = self.scripts[path].decode()
        exported = ", ".join(_EXPORT.findall(source))

        def bound(found: re.Match[str]) -> str:
            wanted = _RENAMED.sub(r"\1: \2", found[1].removeprefix("* as "))
            return f"const {wanted} = {self.names[path_from(path, found[2])]};"

        def pack_of(target: str) -> str:
            return _target(self.homes[path], self.later[path_from(path, target)])

        body = _EXPORT.sub("", _IMPORT.sub(bound, source))
        body = with_later_imports(body, pack_of)
        for other in _OTHER.finditer(body):
            if other[1]:
                line = body[other.start() :].partition("\n")[0]
                raise ValueError(f"{path}: cannot be packed with the line `{line}`")
        return (
            f"// {path}\nconst {self.names[path]} = (() => {{\n"
            f"{body}return {{ {exported} }};\n}})();"
        )


def _target(pack: str, other: str) -> str:
    """Return the relative path by which one pack imports another."""
    target = posixpath.relpath(other, posixpath.dirname(pack) or ".")
    return target if target.startswith("../") else f"./{target}"
