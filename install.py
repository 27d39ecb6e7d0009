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
PATIENCE_S = 5  # for each step of connecting, and for each answer
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
        and f"torch=={_installed()}" not in _pinned(requirements)
    )


def install(
    index: str | None,
    requirements: Path = REQUIREMENTS,
    *,
    patience_s: int = PATIENCE_S,
) -> int:
    """Install the requirements, with PyTorch's CPU build if the index has it.

    Args:
        index: address of PyTorch's index of CPU builds; None asks the registry alone.
        requirements: file of them, which pins torch.
        patience_s: seconds for each step of connecting to the index, and each answer.

    Returns:
        pip's exit status.
    """
    usual = (*PIP, "install", "--quiet")
    if index is not None:
        builds = _pinned(requirements)
        limits = ("--timeout", str(patience_s), "--retries", "0", "-qq")
        # What they need comes from the registry with all else.
        alone = (*usual, "--no-deps", "--index-url", index, *limits, *builds)
        if subprocess.run(alone).returncode != 0:
            print(
                f"{index} has no {' and '.join(builds)} for here: the package "
                "registry's PyTorch follows.",
                file=sys.stderr,
            )
    return subprocess.run((*usual, "-r", str(requirements))).returncode


def _pinned(requirements: Path) -> list[str]:
    """Return what is required of PyTorch, such as torch==2.13.0."""
    text = requirements.read_text("utf-8")
    return re.findall(r"^torch(?:vision)?==\S+", text, re.MULTILINE)


def _installed() -> str | None:
    """Return the version of torch that is here, without what build it is."""
    try:
        return importlib.metadata.version("torch").partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
