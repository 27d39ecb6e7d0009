"""Which pack each module goes into."""

import pytest

from app.page.division import LARGE, pack_of_each


def scripts_of(graph: str, large: str = "") -> dict[str, bytes]:
    """Return modules by a line each: `a: b c, d` imports b and c, and d later on."""
    scripts = {}
    for line in graph.split("\n"):
        name, _, targets = line.strip().partition(":")
        now, _, later = targets.partition(",")
        lines = [f'import {{ x }} from "./{target}";\n' for target in now.split()]
        lines += [f'import("./{target}");\n' for target in later.split()]
        lines += [" " * LARGE] if name in large.split() else []
        scripts[name] = "".join(lines).encode()
    return scripts


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        pytest.param(
            "main: a, one\na:\none: a b\nb: c\nc: a",
            {"a": "main", "b": "one", "c": "one"},
            id="what one import needs",
        ),
        pytest.param(
            "main:, one two\none: b\ntwo: b\nb: c\nc:",
            {"b": "shared.js", "c": "shared.js"},
            id="what two need that have only the start in common",
        ),
        pytest.param(
            "main:, one\none:, two three\ntwo: b\nthree: b\nb:",
            {"b": "one"},
            id="what two need that are both reached through a third",
        ),
        pytest.param(
            "main:, one\none: b, two\ntwo: b c\nb:\nc:",
            {"b": "one", "c": "two"},
            id="what one needs as well as that which it leads to",
        ),
        pytest.param(
            "main:, one two\none:, three\ntwo: b, three\nthree: b\nb:",
            {"b": "shared.js", "three": "three"},
            id="what is reached in two ways",
        ),
        pytest.param(
            "main:, one two\none:\ntwo: one",
            {"one": "shared.js", "two": "two"},
            id="what is imported both now and later on",
        ),
        pytest.param(
            "main: a, a\na: b\nb:",
            {"a": "main", "b": "main"},
            id="what the start has already",
        ),
        pytest.param(
            "main:, one\none: b, two\ntwo: c, one main\nb:\nc:",
            {"one": "one", "two": "two", "b": "one", "c": "two", "main": "main"},
            id="imports that lead back",
        ),
        pytest.param(
            "main:, one four\none:, two\ntwo: b, one\nfour: b\nb:",
            {"one": "one", "two": "two", "b": "shared.js"},
            id="what is shared with one of two that lead to each other",
        ),
    ],
)
def test_a_module_goes_where_all_that_need_it_find_it(graph, expected):
    packs = pack_of_each(scripts_of(graph), "main")
    assert packs["main"] == "main"
    assert {path: packs[path] for path in expected} == expected


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
