"""Numbers of bytes as people write them."""

KILO, MEGA, GIGA = 1000, 1 << 20, 1 << 30  # bytes
MOST = 999.5  # of a unit; what is more rounds to 1000, and is told in the next one


def size_words(size: int | None) -> str:
    """Write a number of bytes as people do: 20 MB, 1.5 GB, 500 kB.

    Args:
        size: bytes; None where there is no limit.
    """
    if size is None:
        return "any number of bytes"
    if size >= MOST * MEGA:
        return f"{_short(size / GIGA)} GB"
    if size >= MOST * KILO:
        return f"{_short(size / MEGA)} MB"
    return f"{round(size / KILO)} kB" if size >= KILO else f"{size} bytes"


def _short(number: float) -> str:
    """Write a number with three digits, and none that say nothing."""
    digits = 0 if number >= 100 else 1 if number >= 10 else 2
    text = f"{number:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
