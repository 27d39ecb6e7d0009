"""The arrows of the layout, checked: which files must not import which."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import capsnet_explorer
from capsnet_explorer.model.architectures import ARCHITECTURES

ROOT = Path(__file__).parent.parent
FACADE = ROOT / "capsnet_explorer"

DOOR = ROOT / "app" / "engines" / "torch.py"  # where web meets network …
RECIPES = ROOT / "app" / "engines" / "recipes.py"  # … where it learns its settings …
FACTS = ROOT / "app" / "engines" / "facts.py"  # … and what its layers are called

PYTHON = [
    ("model/**/*.py", {"app", "flask", "flask_openapi", "run_visualization"}),
    ("app/**/*.py", {"model", "torch", "run_visualization"}),
    ("capsnet_explorer/datasets/**/*.py", {"app", "model", "flask", "torch"}),
    ("capsnet_explorer/perturbations/*.py", {"app", "model", "flask", "torch"}),
    ("capsnet_explorer/pictures/**/*.py", {"app", "model", "flask", "torch"}),
    ("capsnet_explorer/storage/*.py", {"app", "model", "flask", "torch"}),
    ("capsnet_explorer/pictures/decoding/*.py", {"numpy"}),
    ("capsnet_explorer/storage/*.py", {"numpy"}),
    ("model/recipe.py", {"torch"}),
    ("model/settings.py", {"torch"}),
    ("model/architectures.py", {"torch"}),
    ("model/options.py", {"torch"}),
    ("model/layers/description.py", {"torch"}),
    ("model/*/config.py", {"torch"}),
]

# The rooms of each package: a file imports from its own room and from those before it.
ROOMS = {
    "model": [
        *(
            "printed",
            "device",
            "setting",
            "recipe",
            "settings",
            "presence",
            "computing",
            "data",
        ),
        *("margin_loss", "batch_norm", "decoder", "pose_decoder", "layers"),
        *("architecture", "surgery", "legibility", "portraits", "answer", "doubts"),
        *(
            "capsnet",
            "cnn",
            "matrix",
            "efficient",
            "architectures",
            "weights",
            "measured",
        ),
        *("slopes", "measuring", "inputs", "reading", "described"),
        "training",
        "exporting",
        *("options", "commands"),
    ],
    "app": [
        *("errors", "engines", "http"),
        *("content", "page", "api", "", "warming", "site"),
    ],
}

SCRIPTS = ROOT / "static" / "js"
UI = ["draw", "ui", "paint", "lib", "geometry"]

# What each room of scripts may import from, besides itself.
SCRIPT_ROOMS = {
    "lib": [],
    "geometry": ["lib"],
    "toys": ["lib"],
    "paint": ["lib", "geometry"],
    "ui": ["paint", "lib", "geometry"],
    "draw": ["ui", "paint", "lib", "geometry"],
    "core": ["lib"],
    "overview": ["core", *UI],
    "page": ["core", *UI],
    "bench": ["core", "compare", "input", "overview", "toys", *UI],
    "compare": ["core", *UI],
    "guide": ["core", *UI],
    "input": ["core", "toys", *UI],
    "lab": ["core", "toys", *UI],
    "atlas": ["core", *UI],
    "train": ["core", *UI],
    "kinds": ["core", *UI],
    "site": ["ui", "lib"],
}

# The kinds of layers, and whose pieces each shows its own with.
KINDS = {
    "convolution": [],
    "pooling": ["convolution"],
    "dense": ["convolution", "routing"],
    "capsules": ["convolution"],
    "classes": ["dense", "decoder"],
    "decoder": [],
    "routing": ["capsules", "convolution"],
}


@pytest.mark.parametrize(("pattern", "forbidden"), PYTHON)
def test_python_imports(pattern, forbidden):
    for path in matching(pattern):
        roots = {name.split(".")[0] for name in python_imports(path)}
        assert not roots & forbidden, path


WEB = ("app", "flask", "flask_openapi", "run_visualization")


def test_the_model_reaches_the_server_in_no_way():
    """Neither in a function, nor by the facade, nor by a module named in a string."""
    for path in matching("model/**/*.py"):
        assert not (way := way_to_the_web(path)), " → ".join(way)


@pytest.mark.parametrize(
    "code",
    [
        "def explore():\n    from capsnet_explorer.app import create_app",
        "from capsnet_explorer.exploring import Explorer",
        "def explore():\n    from capsnet_explorer import describe",
        "import capsnet_explorer as ce\nce.describe",
        "from capsnet_explorer import cli",
        "from capsnet_explorer.server import main",
        "from importlib import import_module\nimport_module('capsnet_explorer.app')",
        "import capsnet_explorer.app.engines.torch",
        "import flask.json",
    ],
)
def test_a_way_to_the_server_is_seen(code, tmp_path):
    path = tmp_path / "new.py"
    path.write_text(code)
    assert way_to_the_web(path)


def test_what_does_not_lead_to_the_server_is_no_way(tmp_path):
    path = tmp_path / "new.py"
    path.write_text("from capsnet_explorer import ROOT, load\nimport flasks, apps")
    assert not way_to_the_web(path)


@pytest.mark.parametrize("door", [DOOR, RECIPES, FACTS])
def test_a_door_imports_no_web_framework(door):
    roots = {name.split(".")[0] for name in python_imports(door)}
    assert "model" in roots
    assert not roots & {"flask", "flask_openapi"}


def test_the_door_to_settings_leads_to_no_network():
    imports = {name for name in python_imports(RECIPES) if name.startswith("model")}
    roots = {".".join(name.split(".")[:2]) for name in imports}
    assert roots == {
        *("model.architectures", "model.options"),
        *("model.setting", "model.settings"),
    }


def test_the_door_to_facts_leads_to_descriptions_of_layers_alone():
    imports = {name for name in python_imports(FACTS) if name.startswith("model")}
    assert {".".join(name.split(".")[:3]) for name in imports} == {
        "model.layers.description"
    }


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_has_its_place_in_the_order(package):
    assert {room_of(name) for name in modules_of(package)} <= {*ROOMS[package], ""}


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_are_imported_from_the_bottom_up(package):
    order = ROOMS[package]
    for name, targets in modules_of(package).items():
        for target in targets:
            if room_of(name) and room_of(target):
                assert order.index(room_of(target)) <= order.index(room_of(name)), (
                    f"{name} imports {target}"
                )


@pytest.mark.parametrize("package", ROOMS)
def test_files_do_not_import_each_other_in_a_circle(package):
    sorted_modules = TopologicalSorter(modules_of(package)).static_order()
    assert set(sorted_modules) == modules_of(package).keys()


@pytest.mark.parametrize("room", ["datasets", "pictures", "storage", "perturbations"])
def test_what_all_packages_stand_on_has_no_circle_either(room):
    """Imports inside functions count, too."""
    names = {name for name in project_modules() if name.split(".")[0] == room}
    graph = {
        name: {
            target
            for target in python_imports(project_modules()[name])
            if target in names and not f"{name}.".startswith(f"{target}.")
        }
        for name in names
    }
    TopologicalSorter(graph).prepare()


def test_networks_share_layers_and_nothing_of_each_other():
    """What one needs of another lies in `model/layers/`."""
    networks = {name.split(".")[-1] for name in ARCHITECTURES.values()}
    for name, targets in modules_of("model").items():
        for target in targets:
            if (network := room_of(target)) in networks:
                assert room_of(name) == network, f"{name} imports {target}"


@pytest.mark.parametrize("room", SCRIPT_ROOMS)
def test_a_room_of_scripts_imports_only_what_it_stands_on(room):
    for path in matching(f"static/js/{room}/**/*.js"):
        for target in imported_scripts(path):
            other = target.relative_to(SCRIPTS).parts[0]
            assert other in {room, *SCRIPT_ROOMS[room]}, f"{path} imports {target}"


def test_every_script_has_a_room():
    rooms = {path.relative_to(SCRIPTS).parts[0] for path in SCRIPTS.glob("**/*.js")}
    assert rooms == {"main.js", *SCRIPT_ROOMS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_layer_knows_only_those_it_stands_on(kind):
    folder = SCRIPTS / "kinds" / kind
    for path in matching(f"static/js/kinds/{kind}/**/*.js"):
        for target in imported_scripts(path):
            if target.is_relative_to(folder.parent) and target.parent != folder.parent:
                other = target.relative_to(folder.parent).parts[0]
                assert other in {kind, *KINDS[kind]}, f"{path} imports {target}"


def test_scripts_do_not_import_each_other_in_a_circle():
    """What two files both need lies below both, also where one loads the other late."""
    scripts = matching("static/js/**/*.js")
    graph = {
        path: {target for target in imported_scripts(path) if target in scripts}
        for path in scripts
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = [path.relative_to(SCRIPTS).as_posix() for path in error.args[1]]
        pytest.fail(" ← ".join(circle))


def test_one_script_brings_the_kinds_of_layers():
    kinds = SCRIPTS / "kinds"
    bringing = {
        (path.relative_to(SCRIPTS).as_posix(), target.relative_to(SCRIPTS).as_posix())
        for path in matching("static/js/**/*.js")
        if not path.is_relative_to(kinds)
        for target in imported_scripts(path)
        if target.is_relative_to(kinds)
    }
    assert bringing == {("main.js", "kinds/described.js")}


def test_shared_scripts_name_no_layer():
    """Networks know their layers and tensors, in Python; `scores` is everybody's."""
    named = re.compile(r"""["'`](?:conv\d|pool\d|caps\d|primary|digits)\b""")
    for room in (
        "core",
        "bench",
        "page",
        "input",
        "lab",
        "atlas",
        "train",
        "draw",
        "ui",
        "paint",
        "geometry",
        "lib",
        "kinds",
    ):
        for path in matching(f"static/js/{room}/**/*.js"):
            layer = named.search(without_comments(path.read_text(encoding="utf-8")))
            assert not layer, f"{path} names {layer}"


def test_shared_scripts_name_no_network():
    """The server says what there is, and what it is called."""
    names = "|".join(re.escape(name) for name in ARCHITECTURES)
    named = re.compile(rf"""["'`](?:{names})["'`]|Conv1\b(?! *[’'])""")
    for path in matching("static/js/**/*.js"):
        script = without_comments(path.read_text(encoding="utf-8"))
        # `matrix` is a form of capsules, too.
        networks = [
            network for network in named.findall(script) if "matrix" not in network
        ]
        assert not networks, f"{path} names {networks}"


def test_views_do_not_ask_the_server():
    api = SCRIPTS / "core" / "api.js"
    asking = {
        path.relative_to(SCRIPTS).as_posix()
        for path in matching("static/js/**/*.js")
        if api in imported_scripts(path)
    }
    assert asking == {"main.js", "core/live.js", "bench/intake.js"}


def test_one_script_only_asks_the_server():
    asking = {
        path.relative_to(ROOT).as_posix()
        for path in matching("static/js/**/*.js")
        if re.search(r"\bfetch\(", without_comments(path.read_text(encoding="utf-8")))
    }
    assert asking == {
        "static/js/core/transport.js",
        # A site without a server has files, which stay on the device, too.
        "static/js/site/files.js",
        "static/js/site/keeping.js",
        "static/js/site/offline.js",
        "static/js/site/start.js",
    }


def test_no_address_begins_at_the_root_of_the_host():
    """The explorer may stand below a path, which only relative addresses keep."""
    rooted = re.compile(r"""["'`(=]/(?:api|static|guide|claims)\b""")
    for pattern in ("static/js/**/*.js", "static/css/**/*.css", "templates/**/*.html"):
        for path in matching(pattern):
            text = path.read_text(encoding="utf-8")
            address = rooted.search(without_comments(text))
            assert not address, f"{path} says {address}"


def test_a_server_with_a_fake_engine_does_not_load_torch():
    """In a process of its own: this one has loaded everything already."""
    code = (
        "sys.path[:0] = ['tests/app', '.']\n"
        "from pathlib import Path\nfrom conftest import FakeEngine\n"
        "from capsnet_explorer.app import create_app\n"
        "app = create_app({'fake': FakeEngine('fake')}, data_folder=Path('no'))\n"
        "for route in ('samples', 'models'):\n"
        "    assert app.test_client().get(f'/api/{route}').status_code == 200"
    )
    answer = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(answer.stdout.split())
    assert "capsnet_explorer.app" in loaded
    assert "torch" not in loaded


def matching(pattern: str) -> list[Path]:
    doors = (DOOR, RECIPES, FACTS)
    paths = sorted(path for path in ROOT.glob(pattern) if path not in doors)
    assert paths, f"no file matches {pattern}: fix the rule"
    return paths


def modules_of(package: str) -> dict[str, set[str]]:
    """Return what each module of a package imports from that package."""
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in (ROOT / package).rglob("*.py")
    }
    names = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    return {
        name: {
            target
            for target in python_imports(path)
            if target in names and not f"{name}.".startswith(f"{target}.")
        }
        for name, path in names.items()
    }


def room_of(module: str) -> str:
    """Return the room of a module such as `model.data.images`: `data`."""
    return module.split(".")[1] if "." in module else ""


def python_imports(path: Path) -> Iterator[str]:
    """Yield what a file imports, `from model import data` included.

    The project's own modules are named as they lie in its folder: `model.data`.
    """
    for name in imported_names(path):
        yield name.removeprefix("capsnet_explorer.")


@cache
def imported_names(path: Path) -> tuple[str, ...]:
    return tuple(_imported_names(path))


def _imported_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def way_to_the_web(path: Path) -> list[str]:
    """Return the modules by which a file reaches the server; none if it does not."""
    ways = [[path.name, name] for name in reached_from(path)]
    known = {way[-1] for way in ways}
    for way in ways:  # which grows meanwhile
        if way[-1].split(".")[0] in WEB:
            return way
        file = project_modules().get(way[-1])
        for name in sorted(reached_from(file) - known if file else ()):
            known.add(name)
            ways.append([*way, name])
    return []


@cache
def project_modules() -> dict[str, Path]:
    """Return each module's file, named as `python_imports` names modules."""
    code = [ROOT / "run_visualization.py", *(ROOT / "app").rglob("*.py")]
    code += [*(ROOT / "model").rglob("*.py")]
    links = {FACADE / "app", FACADE / "model"}
    files = {path.relative_to(ROOT): path for path in code} | {
        path.relative_to(FACADE): path
        for path in FACADE.rglob("*.py")
        if not links & {*path.parents}
    }
    return {
        ".".join(name.with_suffix("").parts).removesuffix(".__init__"): path
        for name, path in files.items()
    }


@cache
def reached_from(path: Path) -> frozenset[str]:
    """Return what a file imports, or names as a module, in each of its lines.

    A name of the facade is where it lies; the facade alone is all its names.
    """
    if path == FACADE / "__init__.py":
        return frozenset()  # what it imports depends on the name
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    strings = {
        node.value.partition(":")[0]
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = {
        name.removeprefix("capsnet_explorer.")
        for name in strings
        if "." in name  # `options` alone is a word
    }
    names = {*python_imports(path)} | named & project_modules().keys()
    names = {capsnet_explorer._NAMES.get(name, name) for name in names}
    if any(
        alias.name == "capsnet_explorer"
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    ):
        names |= {*capsnet_explorer._NAMES.values()}
    return frozenset(names)


@cache
def imported_scripts(path: Path) -> list[Path]:
    targets = javascript_imports(path.read_text(encoding="utf-8"))
    assert all(
        target.startswith("./") or target.startswith("../") for target in targets
    )
    return [(path.parent / target).resolve() for target in targets]


def javascript_imports(script: str) -> list[str]:
    # Neither the text "--from" nor Array.from.
    pattern = r"""(?<![-.\w"'])(?:from|import\s*\(?)\s*["']([^"'\s]+)["']"""
    return re.findall(pattern, without_comments(script))


def without_comments(script: str) -> str:
    # Not the star of "image/*".
    return re.sub(r"(?<!\w)/\*.*?\*/|(?<!:)//[^\n]*", "", script, flags=re.DOTALL)
