"""What a fork on GitHub runs: workflows that are ones, and commands that are there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RUN = re.compile(r"^ *- run: (.*)$", re.MULTILINE)
PACKAGE = re.compile(r"(onnxruntime-web)@([\d.]+)")


def test_workflows_fit_githubs_schema():
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    files = [str(file) for file in WORKFLOWS]
    done = subprocess.run(
        [*command, "vendor.github-workflows", *files], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert len(files) == 2


def test_the_first_run_is_the_readmes_on_every_system():
    tests = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
    readme = (ROOT / "README.md").read_text()
    assert "python install.py" in RUN.findall(tests)
    assert "\npython install.py " in readme
    assert "\npython run_visualization.py " in readme  # what tests.first_run starts
    for system in ("ubuntu", "macos", "windows"):
        assert f"{system}-latest" in tests


def test_a_command_of_a_workflow_names_what_is_there():
    makefile = (ROOT / "Makefile").read_text()
    package = (ROOT / "package.json").read_text()
    lines = [line for file in WORKFLOWS for line in RUN.findall(file.read_text())]
    assert len(lines) == 7
    for line in lines:
        match line.split():
            case ["make", target]:
                assert f"\n{target}:" in makefile
            case ["python", "-m", module, *_]:
                path = ROOT / module.replace(".", "/")
                assert path.is_dir() or path.with_suffix(".py").is_file()
            case ["python", script]:
                assert (ROOT / script).is_file()
            case ["pip", "install", "-r", file, *_]:
                assert (ROOT / file).is_file()
            case ["npm", *_]:
                name, version = PACKAGE.findall(line)[0]
                assert f'"{name}": "{version}"' in package
            case _:
                pytest.fail(f"nobody checks {line}")


def test_networks_of_the_published_site_are_shipped():
    pages = (ROOT / ".github" / "workflows" / "pages.yml").read_text()
    networks = re.findall(r"--network (\S+)", pages)
    assert networks
    for network in networks:
        assert (ROOT / "weights" / f"{network}.safetensors").is_file()
