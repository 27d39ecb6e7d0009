"""Which modules a page must have before it starts."""

import pytest

from capsnet_explorer.app.page.modules import (
    later_imports_of,
    later_modules,
    needed_modules,
)


def test_imports_are_followed_and_each_module_is_named_once():
    scripts = {
        "js/main.js": b'import { a } from "./a.js";\nimport "./lib/b.js";\n',
        "js/a.js": b'import { b } from "./lib/b.js";\n',
        "js/lib/b.js": b'export * from "../c.js";\n',
        "js/c.js": b'import { a } from "./a.js";\n',  # a circle
        "js/alone.js": b"",
    }
    modules = needed_modules(scripts, "js/main.js")
    assert modules[0] == "js/main.js"
    assert sorted(modules) == ["js/a.js", "js/c.js", "js/lib/b.js", "js/main.js"]


@pytest.mark.parametrize(
    "script",
    [
        b'const view = await import("./later.js");',
        b'/**\n * @import { A } from "./later.js"\n */',
        b'// import "./later.js"',
        b'export const from = "./later.js";',
    ],
)
def test_what_is_imported_later_or_not_at_all_is_not_needed(script):
    assert needed_modules({"a.js": script}, "a.js") == ("a.js",)


@pytest.mark.parametrize(
    "script",
    [
        b'import { a, b as c } from "./now.js";',
        b'import {\n  a,\n  b,\n} from "./now.js";',
        b"import * as now from './now.js';",
        b'import "./now.js";',
        b'export { a } from "./now.js";',
        b'/** First. */\nimport { a } from "./now.js";',
        b'const name = "it\'s";\nimport { a } from "./now.js";',
    ],
)
def test_every_way_to_import_is_seen(script):
    modules = needed_modules({"a.js": script, "now.js": b""}, "a.js")
    assert modules == ("a.js", "now.js")


def test_a_module_that_is_not_there_is_told():
    with pytest.raises(KeyError, match=r"js/gone\.js"):
        needed_modules({"js/a.js": b'import "./gone.js";'}, "js/a.js")


def test_what_is_imported_later_is_named_with_all_it_needs_on_top():
    scripts = {
        "js/main.js": b"""import "./a.js";
const one = () => import("./views/one.js");
const two = async () => { const { mount } = await import('./views/two.js'); };
""",
        "js/a.js": b"",
        "js/views/one.js": b'import "../a.js";\nimport "../b.js";\n',
        "js/views/two.js": b'import "./one.js";\n',
        "js/b.js": b"",
    }
    assert later_modules(scripts, "js/main.js") == {
        "js/views/one.js": ("js/views/one.js", "js/b.js"),
        "js/views/two.js": ("js/views/two.js", "js/views/one.js", "js/b.js"),
    }


def test_what_is_imported_later_is_found_wherever_the_page_can_come_to():
    scripts = {
        "main.js": b'import "./a.js";\n',
        "a.js": b'import("./one/index.js");\n',
        "one/index.js": b'import "./deep.js";\nimport("../main.js");\n',
        "one/deep.js": b'import("../two/index.js");\nimport("./index.js");\n',
        "two/index.js": b'import "../one/deep.js";\n',
        "alone.js": b'import("./never.js");\n',
    }
    assert later_modules(scripts, "main.js") == {
        "one/index.js": ("one/index.js", "one/deep.js"),
        "main.js": (),
        "two/index.js": ("two/index.js", "one/deep.js"),
    }


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('const a = import("./a.js"); /* all */ import("./b.js");', "a b"),
        ('const kinds = "image/*"; import("./a.js"); /* */', "a"),
        ('const site = "https://host"; import("./a.js");', "a"),
        ('/** @type {import("./b.js").B} */ (import("./a.js"))', "a"),
        ('/**\n * @param {import("./b.js").B} b\n */\nimport("./a.js");', "a"),
        ('// import("./b.js")\nimport("./a.js"); // or import("./b.js")', "a"),
        ("// what import() alone would do", ""),
    ],
)
def test_an_import_later_on_is_seen_outside_of_comments(script, expected):
    scripts = {"main.js": script.encode(), "a.js": b"", "b.js": b""}
    modules = later_imports_of(scripts, "main.js")
    assert modules == tuple(f"{name}.js" for name in expected.split())
