"""Modules put together into a few files."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from capsnet_explorer.app.page.packs import COMMENT_LINES, joined, packs_of

ROOT = Path(__file__).parents[3]


# Each module notes that it is evaluated; main.js opens everything there is.
NESTED = {
    "js/main.js": b"""import { note } from "./lib/note.js";
import { networks } from "./networks/registry.js";
note("main");
async function openAll() {
  for (const { load } of networks) {
    for (const { loadView } of (await load()).views) {
      note((await loadView()).title);
      note((await loadView()).title);
    }
  }
  const again = await import("./lib/note.js");
  note(again.note === note);
  console.log(globalThis.noted.join());
}
openAll();
""",
    "js/lib/note.js": b"""globalThis.noted = [];
export const note = (text) => globalThis.noted.push(text);
""",
    "js/lib/maps.js": b"""import { note } from "./note.js";
note("maps");
export const maps = "maps";
""",
    "js/networks/registry.js": b"""export const networks = [
  { load: () => import("./caps/index.js") },
  { load: () => import("./cnn/index.js") },
];
""",
    "js/networks/caps/index.js": b"""import { note } from "../../lib/note.js";
note("caps");
export const views = [
  { loadView: () => import("./conv/index.js") },
  { loadView: () => import("./routing/index.js") },
];
""",
    "js/networks/caps/pose.js": b"""import { note } from "../../lib/note.js";
note("pose");
export const pose = "pose";
export class Turn {
  name = "turn";
}
""",
    "js/networks/caps/conv/index.js": b"""import { note } from "../../../lib/note.js";
import { maps as shown } from "../../../lib/maps.js";
import { pose } from "../pose.js";
note("caps-conv");
export const title = `caps conv ${shown} ${pose}`;
""",
    "js/networks/caps/routing/index.js": b"""// Leads back to another view.
import { note } from "../../../lib/note.js";
import * as poses from "../pose.js";
note("routing");
export const title = `routing ${poses.pose} ${new poses.Turn().name}`;
export const back = () => import(
  "../conv/index.js"
);
""",
    "js/networks/cnn/index.js": b"""import { note } from "../../lib/note.js";
note("cnn");
/** @type {import("../registry.js").Views} */
export const views = [{ loadView: () => import("./conv/index.js") }];
""",
    "js/networks/cnn/conv/index.js": b"""import { note } from "../../../lib/note.js";
import {
  maps,
} from "../../../lib/maps.js";
note("cnn-conv");
export const title = `cnn conv ${maps}`;
""",
}


def parts_of(pack: bytes) -> list[str]:
    """Return the paths of the modules in a pack."""
    return re.findall(r"^// (js/\S+)$", pack.decode(), re.MULTILINE)


def test_every_import_has_a_pack_under_its_own_path_wherever_it_stands():
    packs = packs_of(NESTED, "js/main.js")
    assert {path: parts_of(pack) for path, pack in packs.items()} == {
        "main.js": [
            *("js/lib/note.js", "js/networks/registry.js", "js/main.js"),
        ],
        # Two views need each.
        "shared.js": [
            "js/lib/maps.js",
            "js/networks/caps/pose.js",
        ],
        "lib/note.js": [],  # has the start's
        "networks/caps/index.js": ["js/networks/caps/index.js"],
        "networks/caps/conv/index.js": ["js/networks/caps/conv/index.js"],
        "networks/caps/routing/index.js": ["js/networks/caps/routing/index.js"],
        "networks/cnn/index.js": ["js/networks/cnn/index.js"],
        "networks/cnn/conv/index.js": ["js/networks/cnn/conv/index.js"],
    }


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_packs_do_as_the_modules_do_and_evaluate_each_once(tmp_path):
    (tmp_path / "package.json").write_text('{"type": "module"}')
    printed = {}
    for folder, files in {
        "modules": NESTED,
        "packs": packs_of(NESTED, "js/main.js"),
        "joined": {"main.js": joined(NESTED, "js/main.js")},
    }.items():
        for name, body in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
        main = next((tmp_path / folder).rglob("main.js"))
        answer = subprocess.run(
            ["node", main], check=True, capture_output=True, text=True
        )
        printed[folder] = answer.stdout.strip().split(",")
    titles = ["caps conv maps pose", "routing pose turn", "cnn conv maps"]
    once = ["main", "caps", "cnn", "maps", "pose", "caps-conv", "cnn-conv", "routing"]
    assert sorted(printed["modules"]) == sorted([*once, *titles, *titles, "true"])
    assert sorted(printed["packs"]) == sorted(printed["modules"])
    assert sorted(printed["joined"]) == sorted(printed["modules"])


# Prints a fingerprint of the packs of the page.
FINGERPRINT = """
import hashlib, pathlib
from capsnet_explorer.app.page.packs import COMMENT_LINES, packs_of
scripts = {path.relative_to("static").as_posix(): path.read_bytes()
           for path in sorted(pathlib.Path("static").rglob("*.js"))}
print(hashlib.sha256(repr(packs_of(scripts, "js/main.js")).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def scripts():
    """Those of the page."""
    return {
        path.relative_to(ROOT / "static").as_posix(): path.read_bytes()
        for path in sorted((ROOT / "static").rglob("*.js"))
    }


@pytest.fixture(scope="module")
def packs(scripts):
    return packs_of(scripts, "js/main.js")


def test_packs_are_the_same_in_every_process(packs):
    """Sets have another order in each."""
    printed = subprocess.run(
        [sys.executable, "-c", FINGERPRINT],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "1"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert printed.strip() == hashlib.sha256(repr(packs).encode()).hexdigest()


def test_of_the_page_every_module_is_packed_once(scripts, packs):
    paths = [path for pack in packs.values() for path in parts_of(pack)]
    # theme.js is the one script that the page names itself; a site's own are its alone.
    of_sites = {path for path in scripts if path.startswith("js/site/")}
    assert sorted(paths) == sorted(scripts.keys() - {"js/page/theme.js"} - of_sites)


def test_what_is_left_out_is_a_comment_and_no_line_of_a_text(scripts):
    source = """/** One. */
/** @type {Two} */ (two).three(); // four
  /* Five,
   * six. */
const seven = "// eight"; // https://nine
  // ten
"""
    assert COMMENT_LINES.sub("", source) == (
        "/** @type {Two} */ (two).three(); // four\n"
        'const seven = "// eight"; // https://nine\n'
    )
    for path, body in scripts.items():
        quotes = 0
        for code in COMMENT_LINES.split(body.decode())[:-1]:
            quotes += code.count("`")
            assert quotes % 2 == 0, f"{path}: a comment in a text after {code[-80:]}"


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export const { a, b } = c;",
        'export { a } from "./a.js";',
        'import "./a.js";',
        "import(name);",
        'import("./a.js", options);',
        "import.meta.url;",
    ],
)
def test_a_line_of_another_kind_is_told(line):
    scripts = {"main.js": f"{line}\n".encode(), "a.js": b""}
    with pytest.raises(ValueError, match=r"main\.js: cannot be packed") as refusal:
        packs_of(scripts, "main.js")
    assert line in str(refusal.value)


def test_modules_that_import_each_other_are_told():
    scripts = {
        "main.js": b'const load = () => import("./a.js");\n',
        "a.js": b'import { b } from "./b.js";\n',
        "b.js": b'import { c } from "./c.js";\n',
        "c.js": b'import { a } from "./a.js";\n',
    }
    with pytest.raises(ValueError, match="circle") as refusal:
        packs_of(scripts, "main.js")
    circle = str(refusal.value).partition(": ")[2].split(" imports ")
    assert "".join(circle).replace(".js", "") in ("abca", "bcab", "cabc")


def test_a_pack_that_would_be_outside_of_the_folder_is_told():
    scripts = {"js/main.js": b'import("../b.js");\n', "b.js": b""}
    with pytest.raises(ValueError, match="cannot be called"):
        packs_of(scripts, "js/main.js")


@pytest.mark.parametrize(
    "line", ['import { a } from "./gone.js";', 'import("./gone.js");']
)
def test_a_module_that_is_not_there_is_told_with_the_one_that_imports_it(line):
    with pytest.raises(KeyError, match=r"main\.js imports gone\.js"):
        packs_of({"main.js": f"{line}\n".encode()}, "main.js")
