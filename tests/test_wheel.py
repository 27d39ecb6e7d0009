"""What an installed explorer consists of, without building it."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LEFT_OUT = {"weights/README.md"}  # for readers of the repository


@pytest.fixture(scope="module")
def setup():
    spec = importlib.util.spec_from_file_location("explorer_setup", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tracked(setup):
    """Return the files of the folders that run, as git knows them."""
    folders = [setup.NAME, *setup.CODE, "static", "templates", "weights"]
    found = subprocess.run(
        ["git", "ls-files", "-z", *folders, "docs/claims.md"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    if found.returncode:
        pytest.skip("needs the git checkout")
    return {Path(name) for name in found.stdout.split("\0") if name}


def test_one_name_is_installed(setup):
    assert {name.split(".")[0] for name in setup.packages()} == {"capsnet_explorer"}


def test_every_file_that_runs_is_installed(setup):
    data = setup.package_data()
    installed = set()
    for name, folder in setup.packages().items():
        place = ROOT / folder
        for pattern in ("*.py", *data.get(name, ())):
            installed |= {path.relative_to(ROOT) for path in place.glob(pattern)}
    assert {path.as_posix() for path in tracked(setup) - installed} == LEFT_OUT
