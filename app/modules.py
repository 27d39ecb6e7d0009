"""Which modules a page needs before it can start: read from their own imports."""

import posixpath
import re
from collections.abc import Mapping

# Imports stand at the beginning of a line, before anything else; `import()` does not.
_IMPORT = re.compile(
    rb"""^(?:import|export)\s(?:[^"';]*\sfrom\s)?["'](\.[^"']+)["']""", re.MULTILINE
)
_LATER_IMPORT = re.compile(rb"""\bimport\(["'](\.[^"']+)["']\)""")


def needed_modules(scripts: Mapping[str, bytes], start: str) -> tuple[str, ...]:
    """Return `start` and all that it imports, directly or not, each once.

    Modules that are imported when the page runs, by `import()`, are not among them.

    Args:
        scripts: sources by path.
        start: a path.

    Raises:
        KeyError: a module that is imported is not there.
    """
    found = [start]
    for name in found:  # grows while it is gone through
        found += (path for path in imports_of(scripts, name) if path not in found)
    return tuple(found)


def later_modules(
    scripts: Mapping[str, bytes], start: str
) -> dict[str, tuple[str, ...]]:
    """Return what each `import()` in `start` needs beyond what `start` needs itself.

    Returns:
        By the name of the module that is imported, without folder and ending: its path
        and those of all that it imports.

    Raises:
        KeyError: a module that is imported is not there.
    """
    at_first = set(needed_modules(scripts, start))
    later = {}
    for target in _LATER_IMPORT.findall(scripts[start]):
        path = path_from(start, target.decode())
        needed = needed_modules(scripts, path)
        name = posixpath.basename(path).removesuffix(".js")
        later[name] = tuple(each for each in needed if each not in at_first)
    return later


def imports_of(scripts: Mapping[str, bytes], name: str) -> tuple[str, ...]:
    """Return the paths that a module's own lines import, each once, in their order.

    Raises:
        KeyError: there is no such module.
    """
    targets = _IMPORT.findall(scripts[name])
    return tuple(dict.fromkeys(path_from(name, each.decode()) for each in targets))


def path_from(importer: str, target: str) -> str:
    """Return the path that a module means by one relative to itself."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), target))
