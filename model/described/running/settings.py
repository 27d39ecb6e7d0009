"""What a program may change for the whole process: noted, and put back."""

import contextlib
import gc
import logging
import os
import random
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn.modules import module as modules


class Setting(NamedTuple):
    """Something of the process, and how it is read and set."""

    name: str
    get: Callable[[], Any]
    put: Callable[[Any], object]


def _attribute(name: str, owner: Any, attribute: str) -> Setting:
    return Setting(
        name,
        lambda: getattr(owner, attribute),
        lambda value: setattr(owner, attribute, value),
    )


def _contents(name: str, owner: Any) -> Setting:
    """Describe a list or a dictionary, which stays the same object."""

    def put(value: Any) -> None:
        owner.clear()
        owner.extend(value) if isinstance(owner, list) else owner.update(value)

    return Setting(name, owner.copy, put)


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
    Setting(
        "search for anomalies", torch.is_anomaly_enabled, torch.set_anomaly_enabled
    ),
    _attribute("use of oneDNN", torch.backends.mkldnn, "enabled"),
    _attribute("use of cuDNN", torch.backends.cudnn, "enabled"),
    *(
        _contents("hooks of all modules", hooks)
        for name, hooks in vars(modules).items()
        if name.startswith("_global_") and isinstance(hooks, dict)
    ),
)
"""What changes how any network computes. Default device and gradients are a
thread's."""

OF_THE_PROCESS = (
    # A thread does not see that another one has set it.
    Setting("threads of torch", torch.get_num_threads, torch.set_num_threads),
    Setting("random numbers of torch", torch.get_rng_state, torch.set_rng_state),
    Setting("random numbers of NumPy", np.random.get_state, np.random.set_state),
    Setting("random numbers", random.getstate, random.setstate),
    Setting("errors of NumPy", np.geterr, lambda kinds: np.seterr(**kinds)),
    Setting("folder", os.getcwd, os.chdir),
    Setting("environment", os.environ.copy, lambda all: _put_environment(all)),
    Setting("timeout", socket.getdefaulttimeout, socket.setdefaulttimeout),
    Setting("recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    Setting("garbage", gc.isenabled, lambda is_on: (gc.disable, gc.enable)[is_on]()),
    _contents("path of imports", sys.path),
    _contents("arguments", sys.argv),
    _contents("handlers of logs", logging.root.handlers),
    Setting("level of logs", lambda: logging.root.level, logging.root.setLevel),
    _attribute("logs", logging.root.manager, "disable"),
    *(_attribute(name, sys, name) for name in ("argv", "excepthook", "displayhook")),
    *(_attribute(name, sys, name) for name in ("stdin", "stdout", "stderr")),
    _attribute("hook of threads", threading, "excepthook"),
)


def _put_environment(variables: dict[str, str]) -> None:
    if os.environ != variables:
        os.environ.clear()
        os.environ.update(variables)


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
