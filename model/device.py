"""The device to compute on: its choice, precision, threads and memory allocator."""

import contextlib
import ctypes
import sys
from collections.abc import Iterator

import torch

# glibc's mallopt parameters (malloc.h).
_M_TRIM_THRESHOLD = -1
_M_TOP_PAD = -2
_M_MMAP_MAX = -4
_KEEP_BYTES = 512 * 2**20


def best_device() -> torch.device:
    """Return a CUDA device, else Apple's MPS, else the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def chosen_device(name: str) -> torch.device:
    """Return the named device, or the best one for `auto`.

    Raises:
        ValueError: this machine, or this build of torch, has no such device.
    """
    if name == "auto":
        return best_device()
    available = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if not available.get(name, False):
        raise ValueError(f"device {name} is not available here")
    return torch.device(name)


def has_fast_bfloat16(device: torch.device) -> bool:
    """Return whether the hardware computes bfloat16 products itself."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    if device.type == "cpu":
        capabilities = torch.cpu.get_capabilities()
        return bool(
            capabilities.get("avx512_bf16", False)
            or capabilities.get("amx_bf16", False)
        )
    return False


def leave_a_core() -> None:
    """Compute with one thread fewer than torch's default, but at least one.

    A matrix product waits for the slowest of its threads. Where the server and a
    browser compete for the same cores, leaving one of them free makes it faster.
    """
    torch.set_num_threads(max(1, torch.get_num_threads() - 1))


@contextlib.contextmanager
def single_thread() -> Iterator[None]:
    """Compute on one thread meanwhile: small products are slower on several."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def keep_large_buffers() -> bool:
    """Make glibc reuse large buffers in place of returning them to the system.

    By default glibc maps and unmaps every buffer above 32 MB anew. Faulting the pages
    in again costs a training step about a quarter of its speed on a CPU.

    Returns:
        Whether the setting took effect, which needs Linux with glibc.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return all(
        mallopt(parameter, value) == 1
        for parameter, value in (
            (_M_MMAP_MAX, 0),
            (_M_TRIM_THRESHOLD, _KEEP_BYTES),
            (_M_TOP_PAD, _KEEP_BYTES),
        )
    )
