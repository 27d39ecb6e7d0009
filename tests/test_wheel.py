"""What an installed explorer consists of, and that it runs so."""

import importlib.util
import json
import os
import re
import shutil
import site
import subprocess
import sys
import threading
import urllib.request
import venv
from pathlib import Path

import pytest

from tests.archives import drawings, zipped
from tests.patience import PATIENCE_S, START_S

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
    folders = [*setup.CODE, "static", "templates", "weights"]
    listing = subprocess.run(
        ["git", "ls-files", "-z", *folders, "docs/claims.md"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    if listing.returncode:
        pytest.skip("needs the git checkout")
    return {Path(name) for name in listing.stdout.split("\0") if name}


def test_one_name_is_installed(setup):
    assert {name.split(".")[0] for name in setup.packages()} == {"capsnet_explorer"}


def test_every_file_that_runs_is_installed(setup):
    data = setup.package_data()
    installed = set()
    for name, folder in setup.packages().items():
        package = ROOT / folder
        for pattern in ("*.py", *data.get(name, ())):
            installed |= {path.relative_to(ROOT) for path in package.glob(pattern)}
    left_out = {
        path.as_posix()
        for path in tracked(setup) - installed
        if not (ROOT / path).is_symlink()
    }
    assert left_out == LEFT_OUT


def test_a_checkout_without_links_is_imported_all_the_same(setup, tmp_path):
    """As on Windows, where git writes a file with the link's words in its place."""
    for name in (*tracked(setup), Path("run_visualization.py")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            (tmp_path / name).write_text(os.readlink(ROOT / name))
        elif name.suffix == ".py":
            shutil.copy(ROOT / name, tmp_path / name)
    names = "capsnet_explorer.app.errors as a, capsnet_explorer.model.setting as m"
    run = subprocess.run(
        [sys.executable, "-c", f"import {names}; print(a.__file__, m.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [tmp_path / "app" / "errors.py", tmp_path / "model" / "setting.py"]
    assert run.stdout.split() == [str(file) for file in files]


@pytest.fixture(scope="module")
def installed(setup, tmp_path_factory):
    """The Python of an environment that the wheel was installed into.

    All else is found where this Python has it: nothing is downloaded.
    """
    top = tmp_path_factory.mktemp("wheel")
    source = top / "source"
    network = "weights/capsnet-mnist"  # the smallest build that runs
    for name in tracked(setup) | {
        Path(name)
        for name in ("setup.py", "pyproject.toml", "requirements.txt", "README.md")
    }:
        path = name.as_posix()
        if not path.startswith("weights/") or path.startswith(f"{network}."):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name, follow_symlinks=False)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    quiet = ["--quiet", "--no-deps", "--no-index"]
    build = ["wheel", *quiet, "--no-build-isolation", "-w", str(top), str(source)]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = top.glob("*.whl")
    venv.create(top / "own", with_pip=False)
    programs = top / "own" / ("Scripts" if sys.platform == "win32" else "bin")
    python = programs / "python"
    subprocess.run(
        [*pip, "--python", str(python), "install", *quiet, str(wheel)], check=True
    )
    (packages,) = (top / "own").glob("**/site-packages")
    (packages / "others.pth").write_text("\n".join(site.getsitepackages()))
    return python


@pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux keeps data")
def test_an_installed_explorer_keeps_peoples_things_with_their_data(
    installed, tmp_path
):
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("CAPSNET", "XDG", "PYTHON"))
    }
    packages = next(installed.parents[1].glob("**/site-packages/capsnet_explorer"))
    before = {file for file in packages.rglob("*") if "__pycache__" not in file.parts}
    with subprocess.Popen(
        [installed.parent / "capsnet-explorer", "--port", "0"],
        cwd=tmp_path,
        env=environment | {"HOME": str(home), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        watchdog = threading.Timer(START_S, server.kill)
        watchdog.start()
        output = ""
        try:
            while (address := re.search(r"http://\S+", output)) is None:
                line = server.stdout.readline()
                assert line, output
                output += line
            kept = home / ".local/share/capsnet-explorer/runs"
            request = urllib.request.Request(
                f"{address[0].rstrip('/')}/api/sets?name=shapes.zip",
                zipped(drawings()),
                {"Content-Type": "application/zip"},
            )
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                id = json.load(answer)["id"]
            assert (kept / "sets" / id / "request.json").exists()
        finally:
            watchdog.cancel()
            server.terminate()
            output += server.stdout.read()  # with what was read ahead
    assert str(kept) in output
    after = {file for file in packages.rglob("*") if "__pycache__" not in file.parts}
    assert after == before
