"""What some tests need and not every machine has: data, and the site's packages."""

import os
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.parts import is_there

ROOT = Path(__file__).parent.parent
SITE = "site"
PACKAGES = ("onnx", "onnxscript", "onnxruntime")  # of requirements-site.txt
RUNTIME = ROOT / "node_modules" / "onnxruntime-web"

# Only a test that asks is told where the data are: whatever else it starts or reads
# finds none, here as on a machine that has none. Workers are told by the first process.
FOLDER = Path(
    os.environ.setdefault(
        "CAPSNET_TESTS_DATA", os.environ.get("CAPSNET_DATA", str(ROOT / "data"))
    )
)
EMPTY = Path(tempfile.gettempdir()) / "capsnet-tests-without-data"
EMPTY.mkdir(exist_ok=True)
os.environ["CAPSNET_DATA"] = str(EMPTY)


@cache
def has(name: str) -> bool:
    """Tell whether a data set is there: to look through its pictures takes seconds."""
    return is_there(DATASETS[name], FOLDER)


def needed(name: str) -> Path:
    """Return the folder of what a test needs; skip the test where it is not there.

    Args:
        name: a data set's, or `site` for all that writing a site takes.
    """
    if name == SITE:
        missing = [package for package in PACKAGES if find_spec(package) is None]
        if missing:
            pytest.skip(f"needs requirements-site.txt: {', '.join(missing)} is missing")
        if not RUNTIME.is_dir():
            pytest.skip("needs onnxruntime-web: run `npm install`")
        return RUNTIME
    if not has(name):
        pytest.skip(f"needs {DATASETS[name].title} in the folder of CAPSNET_DATA")
    return FOLDER
