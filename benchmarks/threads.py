"""The number of threads for the network."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from capsnet_explorer.model.device import leave_a_core


@contextmanager
def server_threads() -> Iterator[int]:
    """Use the server's number of threads within the block; yields that number."""
    with threads_set_to(torch.get_num_threads()):
        leave_a_core()
        yield torch.get_num_threads()


@contextmanager
def threads_set_to(count: int) -> Iterator[None]:
    """Compute with so many threads within the block."""
    threads = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
