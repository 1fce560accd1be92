"""Arguments and options that several commands share, and their validation.

Game modules are imported only inside the functions that need a game.
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
"""A decimal number with a comma instead of a point."""
THEMES = ("light", "dark", "contrast")


def value_option(metavar: str, help: str, heading: str | None = None, **more: Any) -> Any:
    """Return a Typer option that takes a value.

    Args:
        heading: the heading in the help under which the option is listed.
        more: further arguments of `typer.Option`.
    """
    return typer.Option(metavar=metavar, help=help, rich_help_panel=heading, **more)


def number_option(
    metavar: str, help: str, minimum: float, maximum: float, heading: str | None = None
) -> Any:
    """Return an option that takes a number from `minimum` to `maximum`, possibly with decimals."""

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
    """Return a Boolean option that is off by default."""
    return typer.Option(name, help=help, rich_help_panel=heading)


def parse_output_path(text: str | Path) -> Path:
    """Return the path of an output file.

    Raises:
        UsageError: `text` is empty or can only be the path of a folder.
    """
    if not str(text):
        raise UsageError("The name of the file to write is empty.")
    if os.path.basename(text) in ("", ".", ".."):
        raise UsageError(IS_FOLDER.format(escape_controls(text)))
    return Path(text)


def out_option(metavar: str, help: str, heading: str | None = None) -> Any:
    """Return an option that takes the path of an output file."""
    return value_option(metavar, help, heading, parser=parse_output_path)


def out_argument(metavar: str, help: str) -> Any:
    """Return an argument that takes the path of an output file."""
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
"""The option for the folder of a record's game.

Its callback registers the game, so commands don't need the value.
"""
Seats = Annotated[int, value_option("N", "Number of players; 0 for the fewest.")]


def _check_seed(seed: str) -> str:
    """Return `seed` if a record can store it.

    Raises:
        UsageError: `seed` is empty, too long, or contains unprintable characters.
    """
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
    """Return `seats`, or the smallest possible number of players if `seats` is 0.

    Raises:
        UnknownGame: the game doesn't allow `seats` players.
    """
    from tabletop.catalogue.catalogue import UnknownGame

    if seats and seats not in kit.box.seats:
        allowed = ", ".join(map(str, kit.box.seats))
        raise UnknownGame(f'"{kit.box.title}" seats {allowed}, not {seats}.')
    return seats or min(kit.box.seats)


def parse_options(
    kit: "GameKit", chosen: list[str] | None, apart: bool = False
) -> "dict[str, Value]":
    """Return all options of a match, given words such as `slots=pile`.

    `apart`: see `catalogue.options`.

    Raises:
        UnknownGame: an option or its value doesn't exist, or the option has no effect.
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
    """Return the width and height in pixels, given a text such as "1280x800".

    Raises:
        UsageError: `size` has another format.
    """
    width, _, height = size.partition("x")
    if width.isdecimal() and height.isdecimal() and 0 < int(width) < 10_000 > int(height) > 0:
        return int(width), int(height)
    raise UsageError(f'"{size}" isn\'t a size; write it like 1280x800.')


def parse_endpoint(option: str, where: str) -> tuple[str, int]:
    """Return the address and port to listen on, given "ADDRESS:PORT", or "PORT" for loopback.

    Raises:
        UsageError: `where` has another format; the message names `option`.
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
    """Raise UsageError unless `value` is one of the values `allowed` for `option`."""
    if value not in allowed:
        raise UsageError(f'{option} can\'t be "{value}": use {" or ".join(allowed)}.')
