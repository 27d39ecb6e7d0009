"""Resource limits of the decoding process, enforced by the operating system.

Windows has none of these limits, and macOS lacks the one on memory. On every system,
the declared size of a picture is checked before decoding, and callers have a timeout.
"""

import contextlib
import signal
from collections.abc import Iterator

try:
    import resource
except ImportError:  # Windows
    resource = None

MEMORY = 380 << 20  # bytes
PROCESSOR_S = 0.8  # for one file


def limit_memory() -> None:
    """Make allocations beyond `MEMORY` fail, and disable core dumps."""
    if resource is None:
        return
    # On Linux RLIMIT_DATA limits allocations; RLIMIT_AS would count libraries too.
    for limit, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # a lower limit is already set
            resource.setrlimit(limit, (most, most))


@contextlib.contextmanager
def limited_time() -> Iterator[None]:
    """End this process if the block takes more than `PROCESSOR_S` of processor time.

    This works even if the block hangs in a decoder's loop.
    """
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
