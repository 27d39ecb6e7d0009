"""What no file that runs may do, however handy it would be."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from capsnet_explorer.pictures.reading.decoder_process import COMMAND

ROOT = Path(__file__).parent.parent

# A file read with these can run any code.
UNPICKLERS = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve", "yaml"}
UNPICKLING = {"torch.load", "numpy.load", "np.load", "eval", "exec", "compile"}

# Reads pickles by a class of its own, which finds nothing that could be called.
READERS = {"capsnet_explorer/datasets/batches.py": {"pickle"}}

# The clock on the wall can be set back; durations and deadlines must not follow it.
WALL_CLOCKS = {
    "time.time",
    "time.time_ns",
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "datetime.datetime.now",
}

# They would run the program that a name or a value spells.
SHELLS = {"os.system", "os.popen", "subprocess.run", "subprocess.Popen"}
# What starts programs: this project's own.
STARTERS = {
    "capsnet_explorer/pictures/reading/decoder_process.py",
    "app/engines/training/process.py",
    "app/engines/sets.py",
    "app/engines/downloads.py",
}
# When a run began, or a set of images came, for people.
DATED = {
    "app/engines/training/requests.py": {"datetime.now"},
    "app/engines/sets.py": {"datetime.now"},
}

FILES = [
    path
    for place in (
        "run_visualization.py",
        "app/**/*.py",
        "capsnet_explorer/datasets/**/*.py",
        "capsnet_explorer/perturbations/**/*.py",
        "capsnet_explorer/pictures/**/*.py",
        "capsnet_explorer/storage/**/*.py",
        "model/**/*.py",
    )
    for path in sorted(ROOT.glob(place))
]


def modules(tree: ast.Module) -> Iterator[str]:
    """Yield the first part of each module that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def names(tree: ast.Module) -> Iterator[str]:
    """Yield every name that a file uses or imports, with dots: `time.time`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            yield dotted(node)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def dotted(node: ast.expr) -> str:
    """Return a name with its dots; what is no name before them is left out."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


# What tells a reader to refuse pickles that execute.
TOLD = {"np.load": ("allow_pickle", "False"), "torch.load": ("weights_only", "True")}


@pytest.fixture(scope="module")
def code():
    """What each file holds, by its path: its tree, and all names in it."""
    trees = {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in FILES
    }
    return {path: (tree, set(names(tree))) for path, tree in trees.items()}


def test_nothing_read_can_run_code(code):
    for path, (tree, calls) in code.items():
        assert set(modules(tree)) & UNPICKLERS == READERS.get(path, set()), path
        # These readers execute nothing where they are told so, and always are.
        assert not calls & (UNPICKLING - TOLD.keys()), path
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and dotted(node.func) in TOLD:
                arguments = {
                    argument.arg: ast.unparse(argument.value)
                    for argument in node.keywords
                }
                name, value = TOLD[dotted(node.func)]
                assert arguments.get(name) == value, path


def test_nothing_is_timed_by_the_clock_on_the_wall(code):
    for path, (_, calls) in code.items():
        assert calls & WALL_CLOCKS == DATED.get(path, set()), path


def test_no_other_program_is_run(code):
    for path, (_, calls) in code.items():
        allowed = {"subprocess.Popen"} if path in STARTERS else set()
        assert calls & SHELLS == allowed, path


def test_the_program_that_decodes_pictures_is_always_the_same():
    assert (sys.executable, "-m", "capsnet_explorer.pictures.decoding") == COMMAND


def test_nothing_turns_debugging_on(code):
    for path, (tree, _) in code.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword):
                assert node.arg not in {"debug", "use_debugger", "use_reloader"}, path
            elif isinstance(node, ast.Assign):
                targets = [dotted(target) for target in node.targets]
                assert not any(name.endswith(".debug") for name in targets), path


def test_all_that_runs_is_looked_at(code):
    expected = {
        "run_visualization.py",
        "app/engines/torch.py",
        "app/api/routes/models.py",
    }
    assert expected <= code.keys()
