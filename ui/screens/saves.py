"""Matches on the disk, as the screens need them."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from tabletop.games import catalogue
from tabletop.match import Match
from tabletop.storage import folders, matches
from tabletop.storage.record import SUFFIX, Record, kit_of, read, replay, save_as
from tabletop.storage.trouble import BadFile
from ui.screens.continued import Waiting
from ui.screens.names import plain
from ui.screens.picture import keep_picture
from ui.screens.room import Room
from ui.words import title, versus

SHOWN = 2
"""Matches that the shelf lays out."""


def waiting(room: Room) -> tuple[tuple[Waiting, ...], tuple[BadFile, ...]]:
    """The unfinished matches, the last played first, and what is wrong with those that cannot be
    read."""
    found = []
    saves, unreadable = matches.waiting()
    for saved in saves:
        kit = catalogue.load(saved.game)
        game = room.of(kit, saved.players)
        found.append(
            Waiting(
                saved.path,
                title(kit, game.language),
                game.heading(saved.view),
                versus(game, saved.players),
                saved.changed,
                saved.picture,
                saved.name,
            )
        )
    return tuple(found), unreadable


def draw_late(room: Room, found: Sequence[Waiting]) -> bool:
    """Draw the pictures that are older than what happened at their tables, or were never drawn;
    gives whether there were any. Only of as many matches as the shelf shows."""
    late = [each for each in found[:SHOWN] if _late(each)]
    for each in late:
        with suppress(BadFile):  # gone meanwhile: then it needs no picture
            match = replay(read(each.file))
            keep_picture(room, kit_of(match), match, each.file)
    return bool(late)


def _late(each: Waiting) -> bool:
    if each.picture is None:
        return True
    with suppress(OSError):
        return each.picture.stat().st_mtime < each.file.stat().st_mtime
    return False


def seated(room: Room, record: Record) -> Record:
    """The record with players that can be shown: each has a symbol that there is, and a name."""
    seats = room.theme.seats
    known = {seat.symbol for seat in seats}
    players = tuple(
        replace(
            player,
            name=plain(player.name) or room.words("Player {n}", n=number + 1),
            symbol=player.symbol if player.symbol in known else seats[number % len(seats)].symbol,
        )
        for number, player in enumerate(record.header.players)
    )
    return replace(record, header=replace(record.header, players=players))


def opened(room: Room, file: Path) -> Match | None:
    """The match of a file, to be played on in a journal of its own, so that the file stays what it
    was; None where it is over.

    Raises:
        OtherRules: these rules cannot play on.
        BadFile: there is none in it that could be read.
        StorageError: no journal can be written.
    """
    record = seated(room, read(file))
    if record.end is not None:
        return None
    match = replay(record)
    if match.state.result is not None:
        return None
    home = folders.matches()
    if file.resolve().parent == home.resolve():
        return matches.resume(file)
    target = home / file.with_suffix(SUFFIX).name
    number = 1
    while target.exists():
        number += 1
        target = home / f"{file.stem}-{number}{SUFFIX}"
    save_as(match, target)
    return matches.resume(target)
