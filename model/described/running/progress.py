"""What `describe` is doing, told when it takes a while."""

import sys
import threading
from types import TracebackType

AFTER = 3.0  # seconds


class Progress:
    """Prints what is being done, while it takes longer than a few seconds.

    It goes to the error stream, as what a user's module prints is kept back.

    Attributes:
        doing: what is being done, for the end of a sentence.
    """

    def __init__(self, doing: str, after: float = AFTER) -> None:
        self.doing = doing
        self._after = after
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> "Progress":
        self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _tell(self) -> None:
        printed = ""
        while not self._ended.wait(self._after):
            if self.doing != printed:
                printed = self.doing
                print(f"describe: {printed} …", file=sys.stderr, flush=True)
