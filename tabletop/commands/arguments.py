"""Arguments and options shared by several commands, and their validation.

Games are loaded only by the commands that name one.
"""

import math
import os
import re
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.commands.usage import UsageError as UsageError
from tabletop.commands.usage import refuse as refuse
from tabletop.text.plain_text import escape_controls

if TYPE_CHECKING:
    from tabletop.catalogue.catalogue import GameKit
    from tabletop.engine.model import Value

IS_FOLDER = '"{}" is a folder: add the name of a file.'
_WITH_COMMA = re.compile(r"\s*([+-]?\d*),(\d+)\s*")
THEMES = ("light", "dark", "contrast")


def value_option(metavar: str, help: str, heading: str | None = None, **more: Any) -> Any:
    """Return an option with a value.

    Args:
        heading: the heading of the help page that lists the option.
        more: further arguments of `typer.Option`.
    """
    return typer.Option(metavar=metavar, help=help, rich_help_panel=heading, **more)


def number_option(
    metavar: str, help: str, minimum: float, maximum: float, heading: str | None = None
) -> Any:
    """Return an option for a number from `minimum` to `maximum`, which may have decimals."""

    def number_of(text: str | float) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if minimum <= number <= maximum:  # false for NaN
            return number
        example = _WITH_COMMA.fullmatch(str(text))
        pointed = f"; decimals have a point: {example[1]}.{example[2]}" if example else ""
        raise typer.BadParameter(
            f'"{escape_controls(text)}" isn\'t a number from {minimum:g} to {maximum:g}{pointed}.'
        )

    within = f"{help.removesuffix('.')}, {minimum:g} to {maximum:g}."
    return value_option(metavar, within, heading, parser=number_of)


def flag(name: str, help: str, heading: str | None = None) -> Any:
    """Return a boolean option that is off by default."""
    return typer.Option(name, help=help, rich_help_panel=heading)


def parse_output_path(text: str | Path) -> Path:
    """Return the path of a file to write.

    Raises:
        UsageError: `text` is empty or can only be the path of a folder.
    """
    if not str(text):
        raise UsageError("The name of the file to write is empty.")
    if os.path.basename(text) in ("", ".", ".."):
        raise UsageError(IS_FOLDER.format(escape_controls(text)))
    return Path(text)


def out_option(metavar: str, help: str, heading: str | None = None) -> Any:
    """Return an option for a file to write."""
    return value_option(metavar, help, heading, parser=parse_output_path)


def out_argument(metavar: str, help: str) -> Any:
    """Return an argument for a file to write."""
    return typer.Argument(metavar=metavar, help=help, parser=parse_output_path)


def _check_game(named: str) -> str:
    from tabletop.commands.agreement import permitted_game_id

    return permitted_game_id(named)


Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's id (see `tabletop games`) or its folder.",
        callback=_check_game,
    ),
]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A save or a replay (.tabletop).")]
RecordGame = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="DIR",
        help="Folder of the record's game.",
        callback=_check_game,
    ),
]
"""The folder of a record's game.

The callback registers the game, so commands don't use the value itself.
"""
Seats = Annotated[int, value_option("N", "Number of players; 0 for the fewest.")]


def _check_seed(seed: str) -> str:
    """Return `seed` if a record can store it; else raise UsageError."""
    from tabletop.storage.record import MAX_SEED_LENGTH

    if seed.isprintable() and 1 <= len(seed) <= MAX_SEED_LENGTH:
        return seed
    raise UsageError(f"A seed has 1 to {MAX_SEED_LENGTH} printable characters.")


Seed = Annotated[
    str,
    value_option(
        "TEXT", "Random seed; the same seed repeats the same games.", callback=_check_seed
    ),
]
Port = Annotated[
    int, value_option("PORT", "Port to listen on; 0 for any free one.", min=0, max=65535)
]
Folder = Annotated[Path | None, value_option("DIR", "Folder that keeps the tables.")]
Chosen = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="Set a game option; repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Moves = Annotated[int | None, typer.Option("--ply", metavar="N", help="Stop after N moves.")]


def resolve_seats(kit: "GameKit", seats: int) -> int:
    """Return `seats`, or the smallest possible number of players if it is 0.

    Raises:
        UnknownGame: the game can't be played by `seats` players.
    """
    from tabletop.catalogue.catalogue import UnknownGame

    if seats and seats not in kit.box.seats:
        allowed = ", ".join(map(str, kit.box.seats))
        raise UnknownGame(f'"{kit.box.title}" seats {allowed}, not {seats}.')
    return seats or min(kit.box.seats)


def parse_options(
    kit: "GameKit", chosen: list[str] | None, apart: bool = False
) -> "dict[str, Value]":
    """Return the options of a match, given words like `slots=pile`.

    `apart`: see `catalogue.options`.
    """
    from tabletop.catalogue import catalogue

    values = {str(c.value): c.value for option in kit.box.options for c in option.choices}
    pairs = [word.partition("=") for word in chosen or ()]
    named = {key: values.get(value, value) for key, _, value in pairs}
    agreed = catalogue.options(kit, named, apart)
    for option in kit.box.options:
        if option.key in named and not option.applies(agreed):
            beside = " ".join(f"{key}={agreed[key]}" for key in option.only)
            raise catalogue.UnknownGame(f'The option "{option.key}" has no effect with {beside}.')
    return agreed


def parse_size(size: str) -> tuple[int, int]:
    """Return width and height in pixels, given a text like "1280x800"."""
    width, _, height = size.partition("x")
    if width.isdecimal() and height.isdecimal() and 0 < int(width) < 10_000 > int(height) > 0:
        return int(width), int(height)
    raise UsageError(f'"{size}" isn\'t a size; write it like 1280x800.')


def parse_endpoint(option: str, where: str) -> tuple[str, int]:
    """Return the address and port to listen on, given "PORT" (on loopback) or "ADDRESS:PORT".

    Raises:
        UsageError: `where` is neither; the message names `option`.
    """
    address, _, port = where.rpartition(":")
    address = address.removeprefix("[").removesuffix("]") or "127.0.0.1"
    try:
        ip_address(address)
    except ValueError:
        address = ""
    if address and port.isascii() and port.isdecimal() and int(port) < 65536:
        return address, int(port)
    raise UsageError(f'{option} can\'t be "{where}": use PORT or ADDRESS:PORT.')


Language = Annotated[str, value_option("LANG", "en, ja, or another language of the game.")]


def check_choice(option: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise UsageError unless `value` is one of `allowed`."""
    if value not in allowed:
        raise UsageError(f'{option} can\'t be "{value}": use {" or ".join(allowed)}.')
