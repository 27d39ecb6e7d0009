"""What a program may change for all networks of the process: noted, and put back."""

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch


class Setting(NamedTuple):
    """Something of the process, and how it is read and set."""

    name: str
    get: Callable[[], Any]
    put: Callable[[Any], object]


def _put_path(path: list[str]) -> None:
    sys.path[:] = path


OF_TORCH = (
    Setting("default dtype", torch.get_default_dtype, torch.set_default_dtype),
    Setting(
        "determinism",
        torch.get_deterministic_debug_mode,
        torch.set_deterministic_debug_mode,
    ),
    Setting(
        "precision of products",
        torch.get_float32_matmul_precision,
        torch.set_float32_matmul_precision,
    ),
)
"""What changes how any network computes. Default device and gradients are a
thread's."""

OF_THE_PROCESS = (
    # A thread does not see that another one has set it.
    Setting("threads of torch", torch.get_num_threads, torch.set_num_threads),
    Setting("folder", os.getcwd, os.chdir),
    Setting("path of imports", sys.path.copy, _put_path),
    *(
        Setting(
            name,
            lambda name=name: getattr(sys, name),
            lambda stream, name=name: setattr(sys, name, stream),
        )
        for name in ("stdin", "stdout", "stderr")
    ),
)


@contextmanager
def settings_kept() -> Iterator[list[str]]:
    """Put all settings back in the end.

    Yields:
        A list that has the names of torch's settings that had changed, in the end.
    """
    before = [(setting, setting.get()) for setting in (*OF_TORCH, *OF_THE_PROCESS)]
    changed: list[str] = []
    with warnings.catch_warnings():
        try:
            yield changed
        finally:
            for setting, value in before:
                if setting in OF_TORCH:
                    if setting.get() == value:
                        continue  # to set some takes torch seconds
                    changed.append(setting.name)
                with contextlib.suppress(Exception):  # the folder may be gone
                    setting.put(value)
