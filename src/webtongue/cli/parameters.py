"""Declare the parameters of commands, and read a plain command line without Typer.

A command is a function whose parameters are annotated with an Option or an Argument. Importing Typer takes longer than
identifying a page, so `read_arguments` reads the usual command lines itself. For all others (help, mistakes, abbreviated forms)
it returns None, and Typer reads the same declarations (`cli/typer_application.py`) and answers.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

__all__ = ["Argument", "Option", "read_arguments", "unpack_annotation"]

INTEGER = re.compile(r"-?[0-9]{1,15}")
DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


class Argument:
    """A value that is given by its position."""

    def __init__(self, *, help: str, metavar: str | None = None) -> None:
        self.help = help
        self.metavar = metavar


class Option:
    """A value that is given by name: ``names``, or ``--`` and the name of the parameter.

    The name of a flag may hold its opposite: ``--full/--quick``.
    """

    def __init__(
        self, *names: str, help: str, metavar: str | None = None, min: float | None = None, max: float | None = None
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.min = min
        self.max = max

    def flags(self, parameter: str) -> dict[str, bool]:
        """Return every name of a flag with the value that it stands for."""
        long = f"--{parameter.replace('_', '-')}"
        names = self.names or (f"{long}/--no-{long[2:]}",)
        return {
            name: is_set
            for pair in names
            for name, is_set in zip(pair.split("/"), (True, False), strict=False)
        }  # fmt: skip

    def option_names(self, parameter: str) -> tuple[str, ...]:
        """Return every name of an option that takes a value."""
        return self.names or (f"--{parameter.replace('_', '-')}",)


def unpack_annotation(annotation: Any) -> tuple[Any, Argument | Option, bool]:
    """Return the type of a value, its declaration, and True if there may be several of it.

    >>> from typing import Annotated
    >>> unpack_annotation(Annotated[list[str] | None, Option(help="A language.")])[::2]
    (<class 'str'>, True)
    """
    kind, declaration = get_args(annotation)
    if NoneType in (members := get_args(kind)):
        (kind,) = (member for member in members if member is not NoneType)
    is_list = get_origin(kind) is list
    return get_args(kind)[0] if is_list else kind, declaration, is_list


def read_arguments(command: Callable[..., None], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of a command's parameters, or None if Typer has to read the command line.

    >>> from typing import Annotated
    >>> def command(*, paths: Annotated[list[str], Argument(help="Files.")], top: Annotated[int, Option(help="Rows.")] = 9): ...
    >>> read_arguments(command, ["a", "--top", "3", "b"])
    {'paths': ['a', 'b'], 'top': 3}
    >>> read_arguments(command, ["--help"]), read_arguments(command, ["a", "--top", "many"])
    (None, None)
    """
    parameters = inspect.signature(command, eval_str=True).parameters
    declared = {name: unpack_annotation(parameter.annotation) for name, parameter in parameters.items()}
    given = _collect_words(declared, words)
    if given is None:
        return None
    values: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if name in given:
            values[name] = given[name]
        elif parameter.default is inspect.Parameter.empty:
            return None
        else:
            values[name] = parameter.default
    return values


def _collect_words(
    declared: dict[str, tuple[Any, Argument | Option, bool]], words: Sequence[str]
) -> dict[str, Any] | None:
    """Return the values of the parameters that are given; None for a command line that is not plain."""
    flags, options, positions = _index_names(declared)
    values: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name in flags and not equals:
            parameter, is_set = flags[name]
            values[parameter] = is_set
            continue
        is_position = not word.startswith("-") or word == "-"
        parameter = (positions[0] if positions else "") if is_position else options.get(name, "")
        kind, declaration, is_list = declared.get(parameter, (str, None, False))
        value = word if is_position else value if equals else next(rest, "-?")
        converted = _convert(value, kind, declaration)
        if converted is None or (value.startswith("-") and value != "-" and not equals):
            return None
        if is_list and is_position and len(positions) > 1:
            return None
        if is_list:
            values.setdefault(parameter, []).append(converted)
        elif parameter in values:
            return None
        else:
            values[parameter] = converted
            if is_position:
                positions.pop(0)
    return values


def _index_names(
    declared: dict[str, tuple[Any, Argument | Option, bool]],
) -> tuple[dict[str, tuple[str, bool]], dict[str, str], list[str]]:
    """Return the flags with parameter and value, the other options with their parameter, and the names of the arguments."""
    flags: dict[str, tuple[str, bool]] = {}
    options: dict[str, str] = {}
    positions = []
    for parameter, (kind, declaration, _) in declared.items():
        if isinstance(declaration, Argument):
            positions.append(parameter)
        elif kind is bool:
            flags |= {name: (parameter, value) for name, value in declaration.flags(parameter).items()}
        else:
            options |= dict.fromkeys(declaration.option_names(parameter), parameter)
    return flags, options, positions


def _convert(text: str, kind: Any, declaration: Argument | Option | None) -> Any:
    """Return a word as a value of its type; None if it is not written in the usual way or is out of range."""
    if declaration is None or not text:
        return None
    if kind in (str, Path):
        return kind(text)
    if kind not in (int, float) or not (INTEGER if kind is int else DECIMAL).fullmatch(text):
        return None
    number = kind(text)
    low, high = (declaration.min, declaration.max) if isinstance(declaration, Option) else (None, None)
    return None if (low is not None and number < low) or (high is not None and number > high) else number
