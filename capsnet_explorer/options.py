"""Command lines made of functions, or dataclasses, and their docstrings.

A parameter before `*` is an argument, one after it an option. The docstring's text is
the page that --help prints, and its `Args`, or `Attributes`, say what each is, unless
its type does. A list is of several texts, a tuple made of one. What is not given is
not among the parsed parameters, and so has its own default.
"""

import argparse
import inspect
import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NoReturn,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

Add = Callable[[argparse.ArgumentParser, Sequence[str]], None]
YES, NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


@dataclass(frozen=True, slots=True)
class Option:
    """What an annotation says of a parameter, besides its type.

    Attributes:
        metavar: stands for the value in the help.
        help: in place of the docstring's words.
        read: makes the value, or each of a list, of a text, or raises ValueError.
        choices: what it can be, where its type, a literal, does not say so.
        alone: the value of an option that is given without one.
        named: the option, where the parameter has another name.
        variable: of the environment, which has the default if it is set.
        shown: the default in the help, in place of the parameter's.
        add: of `**parameters`: adds their options to a parser, given all arguments.
    """

    metavar: str = ""
    help: str = ""
    read: Callable[[str], Any] | None = None
    choices: Sequence[Any] | None = None
    alone: Any = None
    named: str = ""
    variable: str = ""
    shown: str = ""
    add: Add | None = None


class Parser(argparse.ArgumentParser):
    """Raises what is wrong, in place of ending the program."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print.

        Raises:
            ValueError: always.
        """
        raise ValueError(message)


class _Page(argparse.RawDescriptionHelpFormatter):
    """Help that keeps its text as written and aligns its options in one column."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


def parser_of(
    function: Callable[..., Any], prog: str, arguments: Sequence[str] = ()
) -> argparse.ArgumentParser:
    """Return the parser of a command.

    Args:
        function: the command.
        prog: what runs it.
        arguments: all that are given; some options depend on others.

    Raises:
        ValueError: a variable of the environment is neither on nor off.
    """
    page, helps = _read_docstring(function)
    parser = Parser(
        prog=prog,
        description=page,
        formatter_class=_Page,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
    )
    parser.usage = f"{prog} [options]"
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        option, kind = _read_annotation(hints[name])
        if option.add is not None:
            option.add(parser, arguments)
            continue
        words = option.help or helps[name]
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            option = replace(option, metavar=option.metavar or name.upper())
            is_needed = parameter.default is inspect.Parameter.empty
            parser.usage += (
                f" {option.metavar}" if is_needed else f" [{option.metavar}]"
            )
        _add(parser, name, parameter, option, kind, words)
    return parser


def _add(
    parser: argparse.ArgumentParser,
    name: str,
    parameter: inspect.Parameter,
    option: Option,
    kind: Any,
    words: str,
) -> None:
    is_many = get_origin(kind) in (list, Sequence)
    item = get_args(kind)[0] if is_many else kind
    choices = option.choices
    if get_origin(item) is Literal:
        item, choices = str, get_args(item)
    is_needed = parameter.default is inspect.Parameter.empty
    is_untold = is_needed or is_many or item is bool or parameter.default is None
    usual = option.shown or ("" if is_untold else str(parameter.default))
    is_either = item is bool and bool(option.variable)
    variable = f"{option.variable}=1" if is_either else option.variable
    defaults = ", or ".join(filter(None, (usual, variable)))
    words = f"{words} ({defaults})" if defaults else words
    more: dict[str, Any] = {"help": words.replace("%", "%%")}
    if item is bool:
        more["action"] = argparse.BooleanOptionalAction if is_either else "store_true"
    else:
        more |= {"type": _reader(option.read or item), "choices": choices}
        if option.metavar or choices is None:
            more["metavar"] = option.metavar or _metavar(item)
        if is_many:
            more |= {"nargs": "+", "action": "extend"}
        elif option.alone is not None:
            more |= {"nargs": "?", "const": option.alone}
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
        flag = f"--{(option.named or name).replace('_', '-')}"
        added = parser.add_argument(flag, dest=name, required=is_needed, **more)
    else:
        more |= {"action": "store"} if is_many else {}
        if not is_needed:
            more |= {"nargs": "*" if is_many else "?", "default": parameter.default}
        added = parser.add_argument(name, **more)
    value = os.environ.get(option.variable)
    if value is not None:
        added.default = _is_yes(option.variable, value) if item is bool else value


def _is_yes(variable: str, text: str) -> bool:
    """Return whether the text of an environment variable says yes."""
    if text.lower() not in (*YES, *NO):
        raise ValueError(f"{variable} must be 1 or 0, got {text!r}")
    return text.lower() in YES


def _read_annotation(hint: Any) -> tuple[Option, Any]:
    """Return what is said of a parameter, and its type without None."""
    option = Option()
    while get_origin(hint) in (Annotated, Union, UnionType):
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            option = next((note for note in notes if isinstance(note, Option)), option)
        else:
            hint = next(member for member in get_args(hint) if member is not type(None))
    return option, hint


def _reader(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Have argparse say what a reader raises."""
    if isinstance(read, type):
        return read

    def reader(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reader


def _metavar(kind: type) -> str:
    return {Path: "FILE", int: "N", float: "N"}.get(kind, "NAME")


def _read_docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return a docstring's text, and what it says of each parameter."""
    text, *rest = re.split(
        r"\n\n(?:Args|Attributes):\n", inspect.getdoc(function) or ""
    )
    section = re.split(r"\n\n\S", "".join(rest))[0]
    notes = re.findall(r"^    \*{0,2}(\w+): (.*(?:\n {6,}.*)*)", section, re.MULTILINE)
    return text, {name: " ".join(words.split()).rstrip(".") for name, words in notes}


def whole_number(low: int, high: float = math.inf) -> Callable[[str], int]:
    """Return what reads a whole number within these limits."""
    limits = f"of at least {low}" if high == math.inf else f"from {low} to {high}"

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number {limits}, got {text!r}")
        return int(text)

    return read
