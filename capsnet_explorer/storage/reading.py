"""Reading back JSON that the explorer wrote: against a schema, whatever it is now."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from capsnet_explorer.storage.regular import require_file

MOST = 64 << 20  # bytes; the largest that the explorer writes has a few MB

Kept = TypeVar("Kept")


class Unreadable(ValueError):
    """A file that cannot be read as what it is; the message names it, and no folder."""


def read_back(file: Path, schema: type[Kept]) -> Kept:
    """Read a file that the explorer wrote.

    Args:
        file: JSON.
        schema: what is in it: a pydantic model, or `dict[str, Any]` for any object.

    Raises:
        Unreadable: it is missing, damaged, or something else.
    """
    try:
        return TypeAdapter(schema).validate_json(_content(file))
    except ValidationError as error:
        raise Unreadable(f"{file.name} cannot be read: {_first_of(error)}") from None


def read_object(file: Path) -> dict[str, Any]:
    """Read a file that holds a JSON object of any kind, as `read_back` does."""
    return read_back(file, dict[str, Any])


def _content(file: Path) -> bytes:
    """Return what is in a file, of a size that the explorer may have written."""
    try:
        require_file(file)
        with file.open("rb") as opened:
            content = opened.read(MOST + 1)
    except OSError as error:
        raise Unreadable(f"{file.name} cannot be read: {error.strerror}") from None
    if len(content) > MOST:
        raise Unreadable(f"{file.name} cannot be read: it has more than {MOST} bytes")
    return content


def _first_of(error: ValidationError) -> str:
    """Return the first thing that is wrong, in words."""
    fault = error.errors(include_url=False)[0]
    field = ".".join(map(str, fault["loc"]))
    words = {
        "json_invalid": "it is not JSON",
        "missing": f"it lacks {field}",
        "model_type": "it must be an object",
        "dict_type": f"{field} must be an object" if field else "it must be an object",
    }
    return words.get(fault["type"], f"{field} is not what the explorer writes")
