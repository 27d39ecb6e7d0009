"""The events that observers of the server receive: requests and traces."""

from dataclasses import dataclass
from typing import Literal

Source = Literal["cache", "joined", "pass", "batch"]


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """The outcome of one request. Contains neither the client nor the content.

    Attributes:
        id: the client's own id if well-formed, or a random one.
        method: one of the usual methods, or `other`.
        route: the template, such as `/api/models/<id>/trace`; `other` if none matches.
        status: of the response; 500 if there was none.
        seconds: from the request's arrival in the app until the response's last byte is
            handed to the server.
        bytes: length of the response; 0 if unknown.
    """

    id: str
    method: str
    route: str
    status: int
    seconds: float
    bytes: int


class Observer:
    """Ignores every event; subclasses override those they need."""

    def request_started(self) -> None:
        """Handle the arrival of a request."""

    def request_ended(self, record: RequestRecord) -> None:
        """Handle the end of a request."""

    def wait_started(self) -> None:
        """Handle a request that starts to wait for a network."""

    def wait_ended(self) -> None:
        """Handle the end of a wait, successful or not."""

    def networks_changed(self, count: int, size: int, dropped: int) -> None:
        """Handle that networks, or copies of them, were read or dropped.

        Args:
            count: number of them in memory now.
            size: their bytes, about.
            dropped: number that made room.
        """

    def image_answered(self, source: Source, together: int) -> None:
        """Handle the trace of one image.

        Args:
            source: `cache`; `joined`, a pass started by another request; `pass`, one
                started by this request; or `batch`, a pass for one chunk of a batch.
            together: number of images in the pass; 0 from the cache.
        """
