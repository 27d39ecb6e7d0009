"""Modules put together into a few files."""

import pytest

from app.packs import packs_of

SCRIPTS = {
    "js/main.js": b"""/** Begins. */
import { two } from "./lib/two.js";
const load = () => import("./views/plane.js");
const other = () => import("./views/solid.js");
load(two);
""",
    "js/lib/one.js": b"export const one = 1;\n",
    "js/lib/two.js": b"""import { one as unit } from "./one.js";
export function two() {
  return unit + unit;
}
""",
    "js/lib/area.js": b"""import { two } from "./two.js";
export class Area {}
export async function areaOf() {
  return two();
}
""",
    "js/views/plane.js": b"""import {
  Area,
  areaOf,
} from "../lib/area.js";
export const plane = [Area, areaOf];
""",
    "js/views/solid.js": b"""import * as area from "../lib/area.js";
import { one } from "../lib/one.js";
export const solid = [area.Area, one];
""",
}


def test_what_the_page_starts_with_is_in_one_file_each_after_what_it_needs():
    assert (
        packs_of(SCRIPTS, "js/main.js")["main.js"].decode()
        == """\
// js/lib/one.js
const $0 = (() => {
const one = 1;
return { one };
})();
// js/lib/two.js
const $1 = (() => {
const { one: unit } = $0;
function two() {
  return unit + unit;
}
return { two };
})();
// js/main.js
const $2 = (() => {
/** Begins. */
const { two } = $1;
const load = () => import("./plane.js");
const other = () => import("./solid.js");
load(two);
return {  };
})();
export { $0, $1, $2 };
"""
    )


def test_what_comes_later_has_a_file_of_its_own_and_one_for_what_is_shared():
    packs = packs_of(SCRIPTS, "js/main.js")
    assert sorted(packs) == ["main.js", "plane.js", "shared.js", "solid.js"]
    assert (
        packs["shared.js"].decode()
        == """\
import { $1 } from "./main.js";
// js/lib/area.js
const $3 = (() => {
const { two } = $1;
class Area {}
async function areaOf() {
  return two();
}
return { Area, areaOf };
})();
export { $3 };
"""
    )
    assert (
        packs["solid.js"].decode()
        == """\
import { $0 } from "./main.js";
import { $3 } from "./shared.js";
// js/views/solid.js
const $5 = (() => {
const area = $3;
const { one } = $0;
const solid = [area.Area, one];
return { solid };
})();
export { $5 };
export const { solid } = $5;
"""
    )


def test_an_import_over_several_lines_is_bound_too():
    plane = packs_of(SCRIPTS, "js/main.js")["plane.js"]
    assert b"const {\n  Area,\n  areaOf,\n} = $3;\n" in plane


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let count = 0;",
        "export const { a, b } = c;",
        'export { a } from "./a.js";',
        'export * from "./a.js";',
        'import "./a.js";',
        'import a from "./a.js";',
    ],
)
def test_a_line_of_another_kind_is_told(line):
    scripts = {"main.js": f"{line}\n".encode(), "a.js": b""}
    with pytest.raises(ValueError, match=r"main\.js: cannot be packed") as told:
        packs_of(scripts, "main.js")
    assert line in str(told.value)


def test_modules_that_import_each_other_are_told():
    scripts = {
        "main.js": b'import { a } from "./a.js";\n',
        "a.js": b'import { b } from "./main.js";\n',
    }
    with pytest.raises(ValueError, match="cycle"):
        packs_of(scripts, "main.js")


def test_a_module_that_is_not_there_is_told():
    with pytest.raises(KeyError, match=r"gone\.js"):
        packs_of({"main.js": b'import { a } from "./gone.js";\n'}, "main.js")
