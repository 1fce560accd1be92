"""Arguments and options that several commands share, and how they are checked.

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
    """An option with a value, under this heading of the help; `more` as in `typer.Option`."""
    return typer.Option(metavar=metavar, help=help, rich_help_panel=heading, **more)


def number_option(
    metavar: str, help: str, least: float, most: float, heading: str | None = None
) -> Any:
    """An option with a number that may have decimals, within these limits."""

    def number_of(text: str | float) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if least <= number <= most:  # which holds of no NaN
            return number
        example = _WITH_COMMA.fullmatch(str(text))
        pointed = f"; decimals have a point: {example[1]}.{example[2]}" if example else ""
        raise typer.BadParameter(
            f'"{escape_controls(text)}" isn\'t a number from {least:g} to {most:g}{pointed}.'
        )

    within = f"{help.removesuffix('.')}, {least:g} to {most:g}."
    return value_option(metavar, within, heading, parser=number_of)


def flag(name: str, help: str, heading: str | None = None) -> Any:
    """An option without a value, that only switches something on."""
    return typer.Option(name, help=help, rich_help_panel=heading)


def file_to_write(text: str | Path) -> Path:
    """The path of a file to write.

    Raises:
        UsageError: it can only be a folder's.
    """
    if not str(text):
        raise UsageError("The name of the file to write is empty.")
    if os.path.basename(text) in ("", ".", ".."):
        raise UsageError(IS_FOLDER.format(escape_controls(text)))
    return Path(text)


def out_option(metavar: str, help: str, heading: str | None = None) -> Any:
    """The option that names a file to write."""
    return value_option(metavar, help, heading, parser=file_to_write)


def out_argument(metavar: str, help: str) -> Any:
    """The argument that names a file to write."""
    return typer.Argument(metavar=metavar, help=help, parser=file_to_write)


def _check_game(named: str) -> str:
    from tabletop.commands.agreement import game_id

    return game_id(named)


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
"""The folder of a record's game: the callback makes the game known, and the command itself does not
use it."""
Seats = Annotated[int, value_option("N", "Number of players; 0 for the fewest.")]


def _check_seed(seed: str) -> str:
    """A seed that a record can hold."""
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


def seats_of(kit: "GameKit", seats: int) -> int:
    """Return the number of players: the one named, or the smallest possible."""
    from tabletop.catalogue.catalogue import UnknownGame

    if seats and seats not in kit.box.seats:
        allowed = ", ".join(map(str, kit.box.seats))
        raise UnknownGame(f'"{kit.box.title}" seats {allowed}, not {seats}.')
    return seats or min(kit.box.seats)


def options_of(kit: "GameKit", chosen: list[str] | None, apart: bool = False) -> "dict[str, Value]":
    """The options of a match, from words like `slots=pile`; `apart` as `catalogue.options`."""
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


def size_of(size: str) -> tuple[int, int]:
    """The size of a picture, in pixels."""
    width, _, height = size.partition("x")
    if width.isdecimal() and height.isdecimal() and 0 < int(width) < 10_000 > int(height) > 0:
        return int(width), int(height)
    raise UsageError(f'"{size}" isn\'t a size; write it like 1280x800.')


def endpoint_of(option: str, where: str) -> tuple[str, int]:
    """Return the place to listen at: a port of the loopback, or an address as well, like
    "[::1]:18981"."""
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
    """See that an option has one of its values."""
    if value not in allowed:
        raise UsageError(f'{option} can\'t be "{value}": use {" or ".join(allowed)}.')
