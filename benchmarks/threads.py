"""How many threads the network computes with."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from model.device import leave_a_core


@contextmanager
def server_threads() -> Iterator[int]:
    """Compute with as many threads as the server does, for as long as this lasts."""
    threads = torch.get_num_threads()
    leave_a_core()
    try:
        yield torch.get_num_threads()
    finally:
        torch.set_num_threads(threads)
