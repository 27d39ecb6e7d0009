"""What must hold inside of the program, raised where it does not."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None, what: str) -> T:
    """Return a value that is there by now.

    Raises:
        RuntimeError: it is not, which is a mistake of the program.
    """
    if value is None:
        raise RuntimeError(f"{what} must be there by now")
    return value
