"""What the process that reads files may use; the system ends it if it takes more.

Windows has none of these limits, and macOS not the one to memory: what a file declares
is checked anywhere before it is decoded, and whoever asks waits only so long.
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
    """Let what needs more than `MEMORY` fail, and leave no image of it on the disk."""
    if resource is None:
        return
    # All that is allocated, on Linux; not the libraries, as RLIMIT_AS would.
    for limit, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # a lower limit holds already
            resource.setrlimit(limit, (most, most))


@contextlib.contextmanager
def limited_time() -> Iterator[None]:
    """End this process if what is done within takes more than `PROCESSOR_S`.

    It needs no help from what is done, which may be a loop in a decoder.
    """
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
