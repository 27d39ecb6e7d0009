"""The arrows of the layout, checked: which files must not import which."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

DOOR = ROOT / "app" / "torch_engine.py"  # the one file where web meets network

PYTHON = [
    ("model/**/*.py", {"app", "flask", "flask_openapi", "run_visualization"}),
    ("app/**/*.py", {"model", "torch", "torchvision", "run_visualization"}),
    ("picture_files/*.py", {"app", "model", "flask", "numpy", "torch"}),
    ("model/config.py", {"torch"}),
    ("model/files.py", {"torch"}),
]

# Each file of model/ imports only files that stand before it here.
MODEL_ORDER = [
    "__init__",
    "config",
    "surgery",
    "routing",
    "files",
    "device",
    "torchvision_data",
    "datasets",
    "loss",
    "layers",
    "winograd",
    "computing",
    "augmentation",
    "flagged",
    "data",
    "loading",
    "capsnet",
    "pose_decoder",
    "packed_convolution",
    "packed",
    "tensors",
    "weights",
    "checkpoint",
    "evaluation",
    "robustness",
    "report",
    "card",
    "run_folder",
    "team",
    "training_log",
    "event_log",
    "schedule",
    "objective",
    "training",
    "stopping",
    "training_run",
    "pictures",
    "plots",
    "figures",
    "options",
    "__main__",
]
FOUNDATIONS = ["config", "surgery", "files", "device", "torchvision_data", "datasets"]

# What each script may import: a pattern that every target must match.
NOTHING = r"(?!)"
WITHIN_FOLDER = r"\./[\w-]+\.js"
JAVASCRIPT = [
    ("static/js/store.js", NOTHING),
    ("static/js/lib/**/*.js", WITHIN_FOLDER),
    ("static/js/geometry/**/*.js", WITHIN_FOLDER),
    ("static/js/paint/**/*.js", rf"{WITHIN_FOLDER}|\.\./(lib|geometry)/[\w-]+\.js"),
    (
        "static/js/parts/**/*.js",
        rf"{WITHIN_FOLDER}|\.\./(lib|geometry|paint)/[\w-]+\.js",
    ),
    ("static/js/views/**/*.js", r"(?!.*/(api|main)\.js$)\.{1,2}/[\w/.-]+\.js"),
    ("static/js/**/*.js", r"(?!.*/main\.js$)\.{1,2}/[\w/.-]+\.js"),
]


@pytest.mark.parametrize(("pattern", "forbidden"), PYTHON)
def test_python_imports(pattern, forbidden):
    for path in matching(pattern):
        found = {name.split(".")[0] for name in python_imports(path)}
        assert not found & forbidden, path


def test_torchvision_is_imported_in_one_file_only():
    importing = {
        path.name
        for pattern in ("app/**/*.py", "model/**/*.py")
        for path in ROOT.glob(pattern)
        if any(name.split(".")[0] == "torchvision" for name in python_imports(path))
    }
    assert importing == {"torchvision_data.py"}


def test_the_door_imports_no_web_framework():
    found = {name.split(".")[0] for name in python_imports(DOOR)}
    assert "model" in found
    assert not found & {"flask", "flask_openapi", "torchvision"}


def test_every_file_of_the_network_has_its_place_in_the_order():
    assert {path.stem for path in matching("model/*.py")} == set(MODEL_ORDER)


@pytest.mark.parametrize("name", MODEL_ORDER)
def test_the_network_is_imported_from_the_bottom_up(name):
    before = MODEL_ORDER[: MODEL_ORDER.index(name)]
    allowed = set() if name in FOUNDATIONS else {f"model.{each}" for each in before}
    found = {
        target
        for target in python_imports(ROOT / "model" / f"{name}.py")
        if target.split(".")[0] == "model"
    }
    assert found <= allowed


@pytest.mark.parametrize(("pattern", "allowed"), JAVASCRIPT)
def test_javascript_imports(pattern, allowed):
    for path in matching(pattern):
        for target in javascript_imports(path.read_text(encoding="utf-8")):
            assert re.fullmatch(allowed, target), f"{path} imports {target}"


def test_one_script_only_asks_the_server():
    asking = {
        path.relative_to(ROOT).as_posix()
        for path in matching("static/js/**/*.js")
        if re.search(r"\bfetch\(", without_comments(path.read_text(encoding="utf-8")))
    }
    assert asking == {"static/js/api.js"}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('import { a } from "./a.js";', ["./a.js"]),
        ("import './a.js'", ["./a.js"]),
        ('export * from "../b.js";', ["../b.js"]),
        ('const c = await import("./c.js");', ["./c.js"]),
        ('/** @import { A } from "../types.js" */', []),
        ('// import "./a.js"', []),
        ('style.set("--from", size("b")); Array.from("abc")', []),
        ('const types = "image/*";\nimport "./a.js"; /* all */', ["./a.js"]),
        (
            'import {\n  a,\n  b,\n} from "./a.js";\nimport "./d.js"',
            ["./a.js", "./d.js"],
        ),
    ],
)
def test_imports_are_found_in_scripts(script, expected):
    assert javascript_imports(script) == expected


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        (
            "from pathlib import Path\nfrom app import create_app\n"
            "create_app({'fake': object()}, data_folder=Path('nowhere'))",
            {"torch", "torchvision", "model"},
        ),
        ("import app.torch_engine", {"torchvision"}),
    ],
    ids=["the server with a fake engine", "the engine"],
)
def test_what_is_not_needed_is_not_loaded(code, unwanted):
    """In a process of its own: this one has loaded everything already."""
    answer = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.split(".")[0] for name in answer.stdout.split()}
    assert "app" in loaded
    assert not loaded & unwanted


def matching(pattern: str) -> list[Path]:
    paths = sorted(path for path in ROOT.glob(pattern) if path != DOOR)
    assert paths, f"no file matches {pattern}: fix the rule"
    return paths


def python_imports(path: Path) -> Iterator[str]:
    """Yield what a file imports, as full names; `from model import data` included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module
            if node.module == "model":
                yield from (f"model.{alias.name}" for alias in node.names)
            else:
                yield node.module


def javascript_imports(script: str) -> list[str]:
    # Neither the text "--from" nor Array.from.
    pattern = r"""(?<![-.\w"'])(?:from|import\s*\(?)\s*["']([^"'\s]+)["']"""
    return re.findall(pattern, without_comments(script))


def without_comments(script: str) -> str:
    # Not the star of "image/*".
    return re.sub(r"(?<!\w)/\*.*?\*/|(?<!:)//[^\n]*", "", script, flags=re.DOTALL)
