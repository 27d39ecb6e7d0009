"""The files of one run, and the record of how it was started."""

import json
import os
import platform
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import torch

from capsnet_explorer import ROOT
from capsnet_explorer.datasets.catalogue import file_name
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.storage.reading import Unreadable, read_object
from capsnet_explorer.storage.writing import replace_file


class RunFolder:
    """One run's files.

    Attributes:
        path: the folder.
        checkpoint: in a folder of its own, so that the explorer ignores it.
        log: one `LogRow` a line.
        record: the run's settings and its sittings.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoint = path / "checkpoint" / "checkpoint.safetensors"
        self.log = path / "log.csv"
        self.record = path / "run.json"

    def weights(self, architecture: str, dataset: str) -> Path:
        """The weight file, unless the command line names another."""
        return self.path / f"{architecture}-{file_name(dataset)}.safetensors"


def record_sitting(
    folder: RunFolder, settings: dict[str, Any], command: str, computing: Computing
) -> None:
    """Write the run's settings, and add this sitting to the earlier ones.

    Raises:
        OSError: the folder cannot be written to.
    """
    sitting = {
        "date": date.today().isoformat(),
        "command": command,
        "commit": _commit(),
        "device": _device_name(computing.device),
        "bfloat16": computing.bfloat16,
        "winograd": computing.winograd,
        "compiled": computing.compiled,
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }
    record = {**settings, "sittings": [*_earlier_sittings(folder), sitting]}
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    replace_file(folder.record, text.encode(), makes_folder=True)


def _earlier_sittings(folder: RunFolder) -> list[Any]:
    if not folder.checkpoint.exists():
        return []  # without a checkpoint, the run starts again
    try:
        return list(read_object(folder.record)["sittings"])
    except (Unreadable, LookupError, TypeError):
        return []  # the checkpoint alone decides whether a run can be resumed


def _device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _commit() -> str | None:
    """Return the commit of the checked-out code; None if unknown."""
    git = ROOT / ".git"
    try:
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        branch = head.removeprefix("ref: ")
        if (git / branch).exists():
            return (git / branch).read_text().strip()
        packed = (git / "packed-refs").read_text().splitlines()
    except OSError:
        return None
    return next((line.split()[0] for line in packed if line.endswith(branch)), None)
