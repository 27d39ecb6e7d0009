"""The container's recipe names only what is there, and runs as nobody."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
RECIPE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LEFT_IN = [
    line.removeprefix("!")
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    if line.startswith("!")
]


def test_all_that_goes_into_the_image_is_there():
    for name in LEFT_IN:
        assert (ROOT / name).exists(), name


def test_all_that_serving_reads_goes_in():
    needed = {
        *("app", "capsnet_explorer", "model"),
        *("static", "templates", "weights", "gunicorn.conf.py"),
    }
    assert needed <= set(LEFT_IN)


def test_the_pins_that_it_picks_are_pinned():
    picked = re.findall(r"grep -E '(.+?)' ([\w.-]+)", RECIPE)
    assert len(picked) == 2
    for pattern, name in picked:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        assert len([line for line in lines if re.search(pattern, line)]) == 1


def test_it_runs_as_nobody_in_particular():
    user = re.findall(r"^USER (\d+):(\d+)$", RECIPE, re.MULTILINE)
    assert all(int(number) > 0 for number in user[-1])
    assert RECIPE.index("\nUSER") < RECIPE.index("\nCMD")
