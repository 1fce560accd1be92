"""The match of a command: played at random, or read from a file."""

import sys
from collections.abc import Sequence
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.commands.arguments import UsageError, seats_of
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


def play_randomly(
    kit: GameKit,
    seats: int,
    seed: str,
    upto: int | None = None,
    options: dict[str, Value] | None = None,
) -> Match:
    """A game played by random bots, to its end or for a number of moves."""
    match = random_match(kit, seats_of(kit, seats), seed, options or catalogue.options(kit), upto)
    if upto is not None and not 0 <= upto <= len(match.record):
        raise too_far(match, upto)
    return match


def read_plies(file: Path) -> tuple[Record, tuple[Ply, ...]]:
    """A record to be looked at, and its tables; a damaged one up to its last good move, with a
    sentence about that."""
    try:
        record = read(file)
        return record, plies(record)
    except Damaged as error:
        record = salvage_record(file)
        print_plain(f"{error} It's shown up to the last readable move.", sys.stderr)
        return record, plies(record)


def replay_record(written: Record, ply: int | None) -> Match:
    """The match of a record, played through to its end or for a number of moves."""
    if written.unknown is not None:
        print_plain(fill_gaps(written.unknown.text, written.unknown.args), sys.stderr)
    if ply is not None and not 0 <= ply <= len(written.entries):
        raise too_far(play_through(written), ply)
    return play_through(written, ply)


def too_far(match: Match, ply: int) -> Exception:
    return UsageError(f"There is no move {ply}; the match has {len(match.record)}.")


def viewer_for(record: Record, last: State, seat: str) -> int | None:
    """The viewer for this seat, None for all; as far as the file allows."""
    viewer = None if seat == "all" else viewer_of(record.header.players, seat)
    if viewer not in permitted_viewers(record, last):
        raise UsageError(
            f"{shown_name(record.path)} is sealed until its match is over: "
            "only the audience's view can be shown (--seat audience)."
        )
    return viewer


def viewer_of(players: Sequence[Player], seat: str) -> int:
    """The seat of this name, or the audience."""
    if seat == "audience":
        return AUDIENCE
    if seat.isdecimal() and 1 <= int(seat) <= len(players):
        return int(seat) - 1
    raise UsageError(f'There is no seat "{seat}": the seats are 1 to {len(players)}.')
