"""The server's log, on standard error.

The style `quiet` logs problems only; `text` adds a line for each request. No line
contains an image or a client's address.
"""

import logging
import sys
from typing import TextIO

# The lowest level that each style logs.
LEVELS = {"quiet": logging.WARNING, "text": logging.INFO}


def start_logging(style: str) -> None:
    """Send everything that this process logs to standard error, in one style.

    Raises:
        ValueError: the style is unknown.
    """
    level = level_of(style)
    logging.basicConfig(handlers=[log_handler()], level=level, force=True)


def level_of(style: str) -> int:
    """Return the lowest level that a style logs.

    Raises:
        ValueError: the style is unknown.
    """
    if style not in LEVELS:
        raise ValueError(f"the log must be one of {', '.join(LEVELS)}, got {style!r}")
    return LEVELS[style]


def log_handler() -> "_Lines":
    """Return a handler that writes lines with the time of day to standard error."""
    handler = _Lines(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    return handler


class _Lines(logging.StreamHandler[TextIO]):
    """Drops lines that cannot be written, on a full disk or into a closed pipe."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore the error: there is nowhere to report it."""
