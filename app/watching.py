"""What can be heard of a shared engine: where its answers come from, who waits."""

from typing import Literal, Protocol

Source = Literal["cache", "joined", "pass"]


class Watcher(Protocol):
    """Hears where answers come from, and who waits for them."""

    def waits(self) -> None:
        """Hear that a question waits for a pass."""
        ...

    def waited(self) -> None:
        """Hear that it waits no longer, answered or not."""
        ...

    def answered(self, source: Source, together: int) -> None:
        """Hear that a question was answered.

        Args:
            source: the cache, a pass that another question waited for, or its own.
            together: how many questions that pass answered; 0 from the cache.
        """
        ...


class Unwatched:
    """A watcher that hears nothing."""

    def waits(self) -> None:
        """Hear nothing."""

    def waited(self) -> None:
        """Hear nothing."""

    def answered(self, source: Source, together: int) -> None:
        """Hear nothing."""
