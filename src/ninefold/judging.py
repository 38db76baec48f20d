"""`ninefold judge GAME …`: turns the question that a game's judge declares into a command.

Knows no game: the question and the answer are data (model/judge.py).
"""

from __future__ import annotations

import json
from typing import Any

import click

from ninefold.model.facts import Flag, Number, Option, read_options
from ninefold.model.judge import Argument, Question


def command(game: str, question: Question) -> click.Command:
    """Make the command that asks a game's judge."""

    def ask(json_: bool, pairs: tuple[str, ...] = (), **given: Any) -> None:
        texts = {name: " ".join(part) if isinstance(part, tuple) else part for name, part in given.items()}
        settings = {"options": read_options(pairs)} if question.settings else {}
        found = question.answer(**texts, **settings)
        click.echo(json.dumps(found.data) if json_ else "\n".join(found.lines))

    parameters = [*map(_argument, question.arguments), *map(_option, question.options)]
    if question.settings:
        names, of = ["--option", "-o", "pairs"], "An option of the game."
        parameters.append(click.Option(names, multiple=True, metavar="NAME=VALUE", help=of))
    parameters.append(click.Option(["--json", "json_"], is_flag=True, help="As JSON."))
    example = f"Example: ninefold judge {game} {question.example}"
    return click.Command(
        game,
        params=parameters,
        callback=ask,
        help=question.text,
        epilog=example,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _argument(argument: Argument) -> click.Parameter:
    kind = int if argument.kind == "number" else str
    number = -1 if argument.kind == "words" else 1
    return click.Argument([argument.name], type=kind, nargs=number, required=True)


def _option(option: Option) -> click.Parameter:
    name, text = f"--{option.name.replace('_', '-')}", f"{option.label}."
    if isinstance(option, Flag) and not option.default:
        return click.Option([name], is_flag=True, help=text)
    given = "N" if isinstance(option, Number) else option.allowed.replace(" or ", "|")
    default = "on" if option.default is True else option.default

    def read(_: object, __: object, value: str | None) -> Any:
        """Let the option itself read its value, and say what is allowed."""
        return None if value is None else option.value(value)

    return click.Option([name], metavar=given, default=default, show_default=True, help=text, callback=read)
