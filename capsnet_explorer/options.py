"""Command lines made of functions and their docstrings.

A parameter before `*` is an argument, one after it an option. The docstring's text is
the page that --help prints, and its `Args` say what each is, unless its type does.
"""

import argparse
import inspect
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, NoReturn, Union, get_args, get_origin, get_type_hints

Add = Callable[[argparse.ArgumentParser, Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class Option:
    """What an annotation says of a parameter, besides its type.

    Attributes:
        metavar: stands for the value in the help.
        help: in place of the docstring's words.
        read: makes the value of a text, or raises ValueError; without it, a list is of
            several texts.
        is_many: whether `read` makes each of a list.
        choices: what it can be.
        alone: the value of an option that is given without one.
        named: the option, where the parameter has another name.
        variable: of the environment, which has the default if it is set.
        shown: the default in the help, in place of the parameter's.
        add: of `**parameters`: adds their options to a parser, given all arguments.
    """

    metavar: str = ""
    help: str = ""
    read: Callable[[str], Any] | None = None
    is_many: bool = False
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
    function: Callable[..., Any], prog: str, arguments: Sequence[str]
) -> argparse.ArgumentParser:
    """Return the parser of a command.

    Args:
        function: the command.
        prog: what runs it.
        arguments: all that are given; some options depend on others.
    """
    page, helps = _documented(function)
    parser = Parser(
        prog=prog, description=page, formatter_class=_Page, allow_abbrev=False
    )
    parser.usage = f"{prog} [options]"
    hints = get_type_hints(function, include_extras=True)
    for name, each in inspect.signature(function).parameters.items():
        option, kind = _annotated(hints[name])
        if option.add is not None:
            option.add(parser, arguments)
            continue
        words = (option.help or helps[name]).replace("%", "%%")
        is_argument = each.kind is not inspect.Parameter.KEYWORD_ONLY
        if is_argument:
            option = replace(option, metavar=option.metavar or name.upper())
            is_needed = each.default is inspect.Parameter.empty
            parser.usage += (
                f" {option.metavar}" if is_needed else f" [{option.metavar}]"
            )
        _add(parser, name, each, option, kind, words)
    return parser


def _add(
    parser: argparse.ArgumentParser,
    name: str,
    parameter: inspect.Parameter,
    option: Option,
    kind: Any,
    words: str,
) -> None:
    default, is_list = parameter.default, get_origin(kind) in (list, tuple)
    is_many = is_list and (option.read is None or option.is_many)
    one = get_args(kind)[0] if is_list else kind
    more: dict[str, Any] = {"help": words}
    flag = f"--{(option.named or name).replace('_', '-')}"
    if one is bool:
        parser.add_argument(flag, dest=name, action="store_true", help=words)
        return
    is_needed = default is inspect.Parameter.empty
    if not is_needed:
        if option.variable:
            default = os.environ.get(option.variable, default)
            default = one(default) if default is not None else None
        shown = option.shown or ("" if default is None else str(parameter.default))
        either = f", or {option.variable}" if option.variable else ""
        if shown or either:
            more["help"] += f" ({shown}{either})".replace("(, or ", "(")
        more["default"] = default
    more |= {"type": _reader(option.read or one), "choices": option.choices}
    if option.metavar or option.choices is None:
        more["metavar"] = option.metavar or _metavar(one)
    if option.alone is not None:
        more |= {"nargs": "?", "const": option.alone}
    if is_many:
        more["nargs"] = "+"
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
        parser.add_argument(flag, dest=name, required=is_needed, **more)
    else:
        more |= {} if is_needed or is_many else {"nargs": "?"}
        parser.add_argument(name, **more)


def _annotated(hint: Any) -> tuple[Option, Any]:
    """Return what is said of a parameter, and its type without None."""
    option = Option()
    while get_origin(hint) in (Annotated, Union, UnionType):
        if get_origin(hint) is Annotated:
            hint, *said = get_args(hint)
            option = next((each for each in said if isinstance(each, Option)), option)
        else:
            hint = next(each for each in get_args(hint) if each is not type(None))
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


def _documented(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return a docstring's text, and what it says of each parameter."""
    text, _, rest = (inspect.getdoc(function) or "").partition("\n\nArgs:\n")
    section = re.split(r"\n\n\S", rest)[0]
    said = re.findall(r"^    \*{0,2}(\w+): (.*(?:\n {6,}.*)*)", section, re.MULTILINE)
    return text, {name: " ".join(words.split()).rstrip(".") for name, words in said}


def summary_of(function: Callable[..., Any]) -> str:
    """Return the first line of a command's help."""
    return _documented(function)[0].partition("\n")[0]
