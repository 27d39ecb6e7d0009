"""The modules that a page needs at its start and later, found by their imports."""

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

# Static imports start a line; `import()` need not.
_IMPORT = re.compile(
    r"""^(?:import|export)\s(?:[^"';]*\sfrom\s)?["'](\.[^"']+)["']""", re.MULTILINE
)
# Matches comments too, to skip them: they may contain types like `import("…").Name`.
# Each way begins with a character and looks back from there: the search passes over all
# others, in an eighth of the time.
COMMENT = r"/(?<!\w/)\*.*?\*/|/(?<!:/)/[^\n]*"  # neither "image/*" nor "https://"
_LATER_IMPORT = re.compile(
    rf"""{COMMENT}|import(?<!\wimport)\(\s*["'](\.[^"']+)["'],?\s*\)""", re.DOTALL
)


def needed_modules(scripts: Mapping[str, bytes], start: str) -> tuple[str, ...]:
    """Return `start` and its direct and indirect imports, each once.

    Modules loaded later by `import()` are not among them.

    Args:
        scripts: sources by path.
        start: path of the first module.

    Raises:
        KeyError: an imported module does not exist.
    """
    modules = {start: None}  # a dict keeps the order, and its look-up is fast
    waiting = [start]
    for name in waiting:  # grows during the iteration
        new = [path for path in imports_of(scripts, name) if path not in modules]
        modules |= dict.fromkeys(new)
        waiting += new
    return tuple(modules)


def later_modules(
    scripts: Mapping[str, bytes], start: str
) -> dict[str, tuple[str, ...]]:
    """Return the modules that each `import()` needs in addition to those of `start`.

    Considers every reachable `import()`: in `start`, in its imports, and in modules
    that are themselves loaded later.

    Returns:
        By the path of the loaded module: its own path and those of its direct and
        indirect imports, without the modules that `start` needs.

    Raises:
        KeyError: an imported module does not exist.
    """
    at_first = needed_modules(scripts, start)
    later: dict[str, tuple[str, ...]] = {}
    reached = dict.fromkeys(at_first)
    waiting = list(at_first)
    for path in waiting:  # grows during the iteration
        for target in later_imports_of(scripts, path):
            if target in later:
                continue
            needed = needed_modules(scripts, target)
            later[target] = tuple(module for module in needed if module not in at_first)
            waiting += (module for module in needed if module not in reached)
            reached |= dict.fromkeys(needed)
    return later


def imports_of(scripts: Mapping[str, bytes], name: str) -> tuple[str, ...]:
    """Return the paths that a module imports statically, each once, in order.

    Raises:
        KeyError: the module, or one that it imports, does not exist.
    """
    return _targets(_IMPORT, scripts, name)


def later_imports_of(scripts: Mapping[str, bytes], name: str) -> tuple[str, ...]:
    """Return the paths that a module loads by `import()`, each once, in order.

    Raises:
        KeyError: the module, or one that it imports, does not exist.
    """
    return _targets(_LATER_IMPORT, scripts, name)


def _targets(
    pattern: re.Pattern[str], scripts: Mapping[str, bytes], name: str
) -> tuple[str, ...]:
    targets = _find_paths(pattern, name, scripts[name])
    for target in targets:
        if target not in scripts:
            raise KeyError(f"{name} imports {target}, which is not there")
    return targets


@lru_cache(maxsize=4096)
def _find_paths(pattern: re.Pattern[str], name: str, source: bytes) -> tuple[str, ...]:
    """Return the paths that a pattern finds: packing asks again and again."""
    targets = filter(None, pattern.findall(source.decode()))
    return tuple(dict.fromkeys(path_from(name, target) for target in targets))


def with_later_imports(source: str, loading: Callable[[str], str]) -> str:
    """Return a module's source with each `import()` replaced, given its target."""

    def changed(match: re.Match[str]) -> str:
        return loading(match[1]) if match[1] else match[0]

    return _LATER_IMPORT.sub(changed, source)


def path_from(importer: str, target: str) -> str:
    """Resolve a path relative to the module that imports it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), target))
