"""Which pack each module goes into."""

import pytest

from capsnet_explorer.app.page.division import LARGE, pack_of_each


def scripts_of(graph: str, large: str = "") -> dict[str, bytes]:
    """Return modules by a line each: `a: b c, d` imports b and c, and d later on."""
    scripts = {}
    for line in graph.replace(";", "\n").split("\n"):
        name, _, targets = line.strip().partition(":")
        now, _, later = targets.partition(",")
        lines = [f'import {{ x }} from "./{target}";\n' for target in now.split()]
        lines += [f'import("./{target}");\n' for target in later.split()]
        lines += [" " * LARGE] if name in large.split() else []
        scripts[name] = "".join(lines).encode()
    return scripts


# What it is about: the graph, and the pack of each module that is of interest.
CASES = {
    "what two need that have only the start in common": (
        "main:, one two; one: b; two: b; b: c; c:",
        "b=shared.js c=shared.js",
    ),
    "what two need that are both reached through a third": (
        "main:, one; one:, two three; two: b; three: b; b:",
        "b=one",
    ),
    "what one needs as well as that which it leads to": (
        "main:, one; one: b, two; two: b c; b:; c:",
        "b=one c=two",
    ),
    "what is reached in two ways": (
        "main:, one two; one:, three; two: b, three; three: b; b:",
        "b=shared.js three=three",
    ),
    "imports that lead back": (
        "main:, one; one: b, two; two: c, one main; b:; c:",
        "one=one two=two b=one c=two main=main",
    ),
}


@pytest.mark.parametrize(("graph", "expected"), CASES.values(), ids=CASES)
def test_a_module_goes_where_all_that_need_it_find_it(graph, expected):
    packs = pack_of_each(scripts_of(graph), "main")
    assert packs["main"] == "main"
    for path, _, pack in (each.partition("=") for each in expected.split()):
        assert packs[path] == pack


def test_each_large_part_is_shared_by_its_users_alone():
    graph = """main:, one two three four
        one: big small
        two: big small
        three: small other
        four: other
        big:
        small:
        other:"""
    packs = pack_of_each(scripts_of(graph, large="big other"), "main")
    assert packs["big"] == "shared-1.js"
    assert packs["other"] == "shared-2.js"
    assert packs["small"] == "shared.js"


def test_a_large_part_that_a_small_shared_one_needs_goes_with_it():
    graph = """main:, one two three
        one: small
        two: small
        three: big
        small: big
        big: base
        base:"""
    packs = pack_of_each(scripts_of(graph, large="big"), "main")
    assert {packs[name] for name in ("small", "big", "base")} == {"shared.js"}
