"""Install what running the explorer needs: `python install.py`, as `make run` does.

On Linux, the package registry's PyTorch brings gigabytes for NVIDIA's cards. Where
there is none, PyTorch's own index has a build without them, which is asked for first.
Where that index does not answer within seconds, or has none, the registry's follows.
With TORCH=default in the environment, only the registry is asked.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).parent / "requirements.txt"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
CONNECTING = 4  # seconds for a step of connecting, and of waiting for an answer
ANSWERING = 10  # seconds for the whole answer, a list of files
CARD = ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/usr/lib/wsl/lib/nvidia-smi")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def main() -> int:
    """Install, and return pip's exit status."""
    return install(CPU_INDEX if suits_cpu_build(REQUIREMENTS) else None)


def suits_cpu_build(requirements: Path) -> bool:
    """Tell whether to look for PyTorch's build without parts for graphics cards."""
    choice = os.environ.get("TORCH", "")
    if choice not in ("", "default"):
        sys.exit(f"TORCH must be default or absent, got {choice}")
    return (
        choice == ""
        and sys.platform == "linux"
        and shutil.which("nvidia-smi") is None
        and not any(Path(each).exists() for each in CARD)
        and _installed() != _pinned(requirements)
    )


def install(
    index: str | None,
    requirements: Path = REQUIREMENTS,
    *,
    connecting: float = CONNECTING,
    answering: float = ANSWERING,
) -> int:
    """Install the requirements, with PyTorch's CPU build if the index has it.

    Args:
        index: address of PyTorch's index of CPU builds; None asks the registry alone.
        requirements: file of them, which pins torch.
        connecting: seconds for a step of connecting to the index.
        answering: seconds for its whole answer.

    Returns:
        pip's exit status.
    """
    usual = (*PIP, "install", "--quiet", "-r", str(requirements))
    if index is not None:
        build = f"{_pinned(requirements)}+cpu"
        if _offers(index, build, connecting, answering):
            own = ("--extra-index-url", index, f"torch=={build}")
            if subprocess.run((*usual, *own)).returncode == 0:
                return 0
            print(f"torch {build} could not be installed.", file=sys.stderr)
        else:
            print(f"{index} has no torch {build} for here.", file=sys.stderr)
        print("The package registry's PyTorch follows.", file=sys.stderr)
    return subprocess.run(usual).returncode


def _offers(index: str, build: str, connecting: float, answering: float) -> bool:
    """Tell whether an index has a build of torch for this Python.

    pip asks, through the proxy and with the certificates that it is configured for, but
    looks nowhere else: where only a folder of its configuration has the build, asking
    an index that is out of reach for each package would take minutes.
    """
    only = {"PIP_EXTRA_INDEX_URL": index, "PIP_FIND_LINKS": str(Path(__file__).parent)}
    limits = ("--timeout", str(connecting), "--retries", "0")
    try:
        found = subprocess.run(
            (*PIP, "index", "versions", "torch", "--index-url", index, *limits),
            capture_output=True,
            env={**os.environ, **only},
            text=True,
            timeout=answering,
        )
    except subprocess.TimeoutExpired:
        return False
    listed = re.search(r"^Available versions: (.*)$", found.stdout, re.MULTILINE)
    return listed is not None and build in listed[1].split(", ")


def _pinned(requirements: Path) -> str:
    """Return the version of torch that is required."""
    found = re.search(r"^torch==(\S+)", requirements.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{requirements} must pin torch, as torch==2.13.0")
    return found[1]


def _installed() -> str | None:
    """Return the version of torch that is here, without what build it is."""
    try:
        return importlib.metadata.version("torch").partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
