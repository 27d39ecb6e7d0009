"""How tests and checks come by Node.js."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import node

ROOT = Path(__file__).parent.parent


def program(folder, name, prints):
    """Put a program into a folder that prints one line."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {prints}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare_machine(tmp_path, monkeypatch):
    """Hide every program and the wheel; yield the folder that the PATH leads to."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(node, "find_spec", lambda module: None)
    return folder


@pytest.fixture
def installs(monkeypatch):
    """Keep anything from being installed, and note what would be."""
    commands = []
    monkeypatch.setattr(node, "_run", lambda *command: commands.append(command))
    return commands


@pytest.mark.skipif(sys.platform == "win32", reason="writes programs for a Unix shell")
@pytest.mark.parametrize(
    ("version", "npm", "enough"),
    [
        ("v20.0.0", True, True),
        ("v26.1.0", True, True),
        ("v18.20.4", True, False),
        ("v20.0.0", False, False),
        ("no version", True, False),
    ],
)
def test_a_machines_own_node_is_taken_if_it_is_new_and_has_npm(
    bare_machine, installs, version, npm, enough
):
    program(bare_machine, "node", version)
    if npm:
        program(bare_machine, "npm", "10.0.0")
    assert node.path_with_node() == (str(bare_machine) if enough else None)
    assert bool(installs) is not enough


def test_without_any_it_tries_to_install_one_and_then_says_what_to_do(
    bare_machine, installs, capsys
):
    assert node.main(["npm", "--version"]) == 1
    ((*_, installed),) = installs
    assert installed == node.WHEEL
    assert "Node.js 20 or newer with npm" in capsys.readouterr().err


def test_an_installed_wheel_comes_first_on_the_path(
    bare_machine, installs, tmp_path, monkeypatch
):
    wheel = tmp_path / node.MODULE
    for name, place in node.PROGRAMS.items():
        (wheel / place).parent.mkdir(parents=True, exist_ok=True)
        program(wheel / Path(place).parent, Path(place).name, f"wheel {name}")
    (wheel / "__init__.py").touch()

    class Found:
        origin = str(wheel / "__init__.py")

    monkeypatch.setattr(node, "find_spec", lambda module: Found)
    program(bare_machine, "node", "v18.0.0")
    path = node.path_with_node()
    assert path is not None
    assert not installs
    for name in node.PROGRAMS:
        said = subprocess.run(
            [name], env={"PATH": path}, capture_output=True, text=True, check=True
        )
        assert said.stdout == f"wheel {name}\n"
    assert node.path_with_node() == path  # what was linked once is left alone


def test_a_command_gets_its_arguments_and_answers_itself():
    """With a Node.js that is there, be it the machine's or the wheel's."""
    if not node.machine_has_node() and node.installed_folder() is None:
        pytest.skip("needs Node.js")
    script = "console.log(process.argv[1]); process.exit(3)"
    answer = subprocess.run(
        [sys.executable, "-m", "tests.node", "node", "-e", script, "a b"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert (answer.stdout, answer.returncode) == ("a b\n", 3)


def test_a_command_that_is_not_there_is_named(monkeypatch, capsys):
    monkeypatch.setattr(node, "path_with_node", lambda: os.environ["PATH"])
    monkeypatch.setenv("PATH", os.environ["PATH"])
    assert node.main(["no-such-command"]) == 1
    assert capsys.readouterr().err.startswith("no-such-command: No such file")
