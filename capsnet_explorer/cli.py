"""The commands of `python -m capsnet_explorer`, each imported when it is run.

A command is a function, and `options` makes its command line of it. An OSError or a
ValueError that it raises is told in one line.
"""

import io
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from capsnet_explorer.options import parser_of

PROGRAM = "python -m capsnet_explorer"
_OF_MODEL = (*("train", "evaluate", "trace", "measure", "data", "toys"),)
COMMANDS = {name: f"model.commands:{name}" for name in _OF_MODEL} | {
    "figures": "figures:figures",
    "site": "app.site.command:site",
}
FAILED = 2
INTERRUPTED = 130  # the shell's exit code for Ctrl-C
OUT_OF_MEMORY = (
    "memory has run out: a smaller --batch-size, smaller images or a smaller network "
    "need less"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    name, *options = sys.argv[1:] if arguments is None else arguments or [""]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names may be in any script
            stream.reconfigure(errors="backslashreplace")
    try:
        run = function(name)
        run(**vars(parser_of(run, f"{PROGRAM} {name}", options).parse_args(options)))
    except OSError as error:
        path = "" if error.filename is None else f"{error.filename}: "
        return _fail(f"{path}{error.strerror or error}")
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        words = str(error) if isinstance(error, ValueError) else _explain(error)
        if words is None:
            raise
        return _fail(words)
    return 0


def function(name: str) -> Callable[..., None]:
    """Return a command's function.

    Raises:
        ValueError: there is no such command.
    """
    if name not in COMMANDS:
        raise ValueError(
            f"the command must be one of {', '.join(COMMANDS)}, got {name!r}"
        )
    module, _, attribute = COMMANDS[name].partition(":")
    return getattr(import_module(f"capsnet_explorer.{module}"), attribute)


def _explain(error: Exception) -> str | None:
    """Return what is told of an error that comes late; None of one that is a bug."""
    from capsnet_explorer.model.data.files import DataError

    if isinstance(error, DataError):
        return str(error)
    from capsnet_explorer.model.training.checkpoint import CheckpointError
    from capsnet_explorer.model.training.memory import is_out_of_memory

    if isinstance(error, CheckpointError):
        return str(error)
    return OUT_OF_MEMORY if is_out_of_memory(error) else None


def _fail(words: str) -> int:
    print(f"{PROGRAM}: {words}", file=sys.stderr)
    return FAILED
