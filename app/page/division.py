"""The division of the page's modules among packs.

Each module belongs to exactly one pack and is evaluated once. A module needed by a
single `import()` goes into that import's pack. A module needed by several goes into the
pack of the last module on every path to them. For example, modules shared by the views
of one network go into that network's pack, and other networks do not load them.

If this last module is the start module, its pack would delay the page. Modules with the
same users then form a pack of their own if they are large. Small ones go into one
shared pack, since another request would take longer than loading them.
"""

from collections import defaultdict
from collections.abc import Mapping, Set

from capsnet_explorer.app.page.modules import (
    later_imports_of,
    later_modules,
    needed_modules,
)

SHARED = "shared.js"
LARGE = 20_000  # bytes of source, about 5 KB compressed


def pack_of_each(scripts: Mapping[str, bytes], start: str) -> dict[str, str]:
    """Return the pack of each module.

    A pack imports only from shared packs and from packs on every path to it. Packs
    never import each other in a circle.

    Args:
        scripts: sources by path.
        start: path of the page's start module.

    Returns:
        For every module that `start` or an `import()` needs, by path: the path of the
        module whose pack it is in, or the name of a shared pack, `shared.js`,
        `shared-1.js` and so on.

    Raises:
        KeyError: an imported module does not exist.
    """
    first = needed_modules(scripts, start)
    later = later_modules(scripts, start)
    ways = _ways(_importers(scripts, {**later, start: first}), start)
    packs = dict.fromkeys(first, start)
    same_users = defaultdict(list)
    for path in dict.fromkeys(path for needed in later.values() for path in needed):
        users = frozenset(entry for entry, needed in later.items() if path in needed)
        common = frozenset.intersection(*(ways[user] for user in users))
        last = max(common, key=lambda entry: len(ways[entry]))
        if last == start:
            same_users[users].append(path)
        else:
            packs[path] = last
    return packs | _shared(scripts, list(same_users.values()))


def _shared(scripts: Mapping[str, bytes], groups: list[list[str]]) -> dict[str, str]:
    """Return the shared pack of each module.

    The users of a module also use its imports, so a pack imports only from packs with
    more users. `shared.js` imports from none of them, since it contains everything that
    its modules import.
    """
    large = [
        group for group in groups if sum(len(scripts[path]) for path in group) >= LARGE
    ]
    packs = {
        path: SHARED.replace(".", f"-{place}.")
        for place, group in enumerate(large, 1)
        for path in group
    }
    everything = [path for group in groups for path in group]
    for path in [path for path in everything if path not in packs]:
        needed = set(needed_modules(scripts, path))
        packs |= {each: SHARED for each in everything if each in needed}
    return packs


def _importers(
    scripts: Mapping[str, bytes], needed_by: Mapping[str, tuple[str, ...]]
) -> dict[str, set[str]]:
    """Return, for each target of an `import()`, the entries that contain it."""
    importers = {entry: set() for entry in needed_by}
    for entry, needed in needed_by.items():
        for path in needed:
            for target in later_imports_of(scripts, path):
                importers[target].add(entry)
    return importers


def _ways(importers: Mapping[str, Set[str]], start: str) -> dict[str, frozenset[str]]:
    """Return the entries on every path from `start` to each entry, both included.

    These are the dominators of the import graph. An entry's dominators are itself and
    the common dominators of its importers; iteration finds the fixed point.
    """
    ways = dict.fromkeys(importers, frozenset(importers))
    ways[start] = frozenset({start})
    is_settled = False
    while not is_settled:
        is_settled = True
        for entry in importers.keys() - {start}:
            common = frozenset.intersection(*(ways[each] for each in importers[entry]))
            if common | {entry} != ways[entry]:
                ways[entry] = common | {entry}
                is_settled = False
    return ways
