"""Matches for commands to work on: played by random bots, or read from a record."""

import sys
from collections.abc import Sequence
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.commands.arguments import UsageError, resolve_seats
from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.files.errors import Damaged
from tabletop.match.history import Ply
from tabletop.match.match import Match, Player
from tabletop.storage.plies import permitted_viewers, plies
from tabletop.storage.record import Record, read
from tabletop.storage.record import replay as play_through
from tabletop.storage.salvage import salvage_record
from tabletop.table.random_match import random_match
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import print_plain, shown_name


def play_random_match(
    kit: GameKit,
    seats: int,
    seed: str,
    upto: int | None = None,
    options: dict[str, Value] | None = None,
) -> Match:
    """Play a match with random bots to its end, or for `upto` moves, and return it.

    Raises:
        UsageError: the match has fewer than `upto` moves.
    """
    match = random_match(
        kit, resolve_seats(kit, seats), seed, options or catalogue.options(kit), upto
    )
    if upto is not None and not 0 <= upto <= len(match.record):
        raise no_such_move(match, upto)
    return match


def read_plies(file: Path) -> tuple[Record, tuple[Ply, ...]]:
    """Return a record and its plies.

    If the record is damaged, print a warning and read it up to its last valid move.
    """
    try:
        record = read(file)
        return record, plies(record)
    except Damaged as error:
        record = salvage_record(file)
        print_plain(f"{error} It's shown up to the last readable move.", sys.stderr)
        return record, plies(record)


def replay_record(written: Record, ply: int | None) -> Match:
    """Replay a record to its end, or for `ply` moves, and return the match.

    Raises:
        UsageError: the record has fewer than `ply` moves.
    """
    if written.unknown is not None:
        print_plain(fill_gaps(written.unknown.text, written.unknown.args), sys.stderr)
    if ply is not None and not 0 <= ply <= len(written.entries):
        raise no_such_move(play_through(written), ply)
    return play_through(written, ply)


def no_such_move(match: Match, ply: int) -> Exception:
    """Return the error for a move number that the match doesn't reach."""
    return UsageError(f"There is no move {ply}; the match has {len(match.record)}.")


def allowed_viewer(record: Record, last: State, seat: str) -> int | None:
    """Return the viewer for the option value `seat`; None for "all".

    Raises:
        UsageError: there is no such seat, or the record is sealed and doesn't permit that view.
    """
    viewer = None if seat == "all" else parse_seat(record.header.players, seat)
    if viewer not in permitted_viewers(record, last):
        raise UsageError(
            f"{shown_name(record.path)} is sealed until its match is over: "
            "only the audience's view can be shown (--seat audience)."
        )
    return viewer


def parse_seat(players: Sequence[Player], seat: str) -> int:
    """Return the seat for the option value `seat`, which is "audience" or a number counted from 1.

    Raises:
        UsageError: there is no such seat.
    """
    if seat == "audience":
        return AUDIENCE
    if seat.isdecimal() and 1 <= int(seat) <= len(players):
        return int(seat) - 1
    raise UsageError(f'There is no seat "{seat}": the seats are 1 to {len(players)}.')
