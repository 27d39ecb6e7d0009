"""The server's log, on standard error.

The style `quiet` logs problems only, `text` adds a line for each request, and `json`
writes the same as one JSON object a line. No line contains an image or a client's
address.
"""

import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

from pythonjsonlogger.orjson import OrjsonFormatter

from capsnet_explorer.app.http.recorder import current_request_id
from capsnet_explorer.app.observing import Observer, RequestRecord

# The lowest level that each style logs.
LEVELS = {"quiet": logging.WARNING, "text": logging.INFO, "json": logging.INFO}

REQUESTS = logging.getLogger("capsnet.requests")


def start_logging(style: str) -> None:
    """Send everything that this process logs to standard error, in one style.

    Raises:
        ValueError: the style is unknown.
    """
    handler = log_handler(style)
    logging.basicConfig(handlers=[handler], level=LEVELS[style], force=True)


def log_handler(style: str) -> logging.Handler:
    """Return a handler that writes lines of one style to standard error.

    Raises:
        ValueError: the style is unknown.
    """
    if style not in LEVELS:
        raise ValueError(f"the log must be one of {', '.join(LEVELS)}, got {style!r}")
    handler = _Lines(sys.stderr)
    handler.setFormatter(JsonLine() if style == "json" else TextLine())
    handler.addFilter(_AddRequestId())
    return handler


class _Lines(logging.StreamHandler[TextIO]):
    """Drops lines that cannot be written, on a full disk or into a closed pipe."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore the error: there is nowhere to report it."""


class RequestLog(Observer):
    """Logs one line for each request."""

    def request_ended(self, record: RequestRecord) -> None:
        """Log method, route, status and duration of a request."""
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


class _AddRequestId(logging.Filter):
    """Adds the id of the request during which a line was logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Set `request_id` on lines logged while a request is handled."""
        if not hasattr(record, "request_id") and (id := current_request_id()):
            record.request_id = id
        return True


class TextLine(logging.Formatter):
    """A line for people: time of day, message, request id."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Write the first line; a traceback may follow it."""
        id = getattr(record, "request_id", None)
        line = super().formatMessage(record)
        return line if id is None else f"{line} [request {id}]"


class JsonLine(OrjsonFormatter):
    """A line for machines: one JSON object, which includes any traceback."""

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
