"""What the server says of its work, on standard error.

`quiet` tells of problems only, `text` adds a line for each request, `json` writes all
that as JSON, one object a line. No line holds an image or a client's address.
"""

import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

from pythonjsonlogger.orjson import OrjsonFormatter

from app.recorder import RequestRecord, current_request_id

# The least grave lines that each style writes.
LEVELS = {"quiet": logging.WARNING, "text": logging.INFO, "json": logging.INFO}

REQUESTS = logging.getLogger("capsnet.requests")


def start_logging(style: str) -> None:
    """Send what every part of this process logs to standard error, in one style.

    Raises:
        ValueError: no such style.
    """
    handler = log_handler(style)
    logging.basicConfig(handlers=[handler], level=LEVELS[style], force=True)


def log_handler(style: str) -> logging.Handler:
    """Return what writes lines of a style to standard error.

    Raises:
        ValueError: no such style.
    """
    if style not in LEVELS:
        raise ValueError(f"the log must be one of {', '.join(LEVELS)}, got {style!r}")
    handler = _Lines(sys.stderr)
    handler.setFormatter(JsonLine() if style == "json" else TextLine())
    handler.addFilter(_ToldApart())
    return handler


class _Lines(logging.StreamHandler[TextIO]):
    """Loses lines on a full disk or into a closed pipe, and nothing but lines."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Say nothing: where would it be read?"""


class RequestLog:
    """Writes one line for each request that has ended."""

    def started(self) -> None:
        """Write nothing yet."""

    def ended(self, record: RequestRecord) -> None:
        """Write what became of a request."""
        if REQUESTS.isEnabledFor(logging.INFO):
            milliseconds = round(1000 * record.seconds, 2)
            REQUESTS.info(
                "%s %s %d %.1f ms",
                record.method,
                record.route,
                record.status,
                milliseconds,
                extra={
                    "request_id": record.id,
                    "method": record.method,
                    "route": record.route,
                    "status": record.status,
                    "milliseconds": milliseconds,
                    "bytes": record.bytes,
                },
            )


class _ToldApart(logging.Filter):
    """Tells which request a line belongs to, whoever wrote it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add `request_id` to lines written while a request is answered."""
        if not hasattr(record, "request_id") and (id := current_request_id()):
            record.request_id = id
        return True


class TextLine(logging.Formatter):
    """A line for people: the time of day, what happened, the request it belongs to."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Write the first line; a traceback may follow it."""
        id = getattr(record, "request_id", None)
        line = super().formatMessage(record)
        return line if id is None else f"{line} [request {id}]"


class JsonLine(OrjsonFormatter):
    """A line for machines: one JSON object, a traceback included in it."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "exc_info": "traceback"}
        super().__init__(["levelname", "name", "message"], rename_fields=names)

    def add_fields(
        self,
        log_data: dict[str, Any],
        record: logging.LogRecord,
        message_dict: dict[str, Any],
    ) -> None:
        """Begin with the time, in UTC."""
        time = datetime.fromtimestamp(record.created, UTC)
        log_data["time"] = time.isoformat(timespec="milliseconds")
        super().add_fields(log_data, record, message_dict)
