"""Write records, verify them against the rules, and print them as text."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.commands.arguments import (
    Chosen,
    File,
    Game,
    Moves,
    RecordGame,
    Seats,
    Seed,
    out_option,
    parse_options,
    value_option,
)
from tabletop.commands.match_source import (
    allowed_viewer,
    play_random_match,
    read_plies,
    replay_record,
)
from tabletop.commands.output import Force, external_game_files, output, print_written
from tabletop.engine.model import AUDIENCE
from tabletop.files.errors import Damaged
from tabletop.language.table_text import outcome_text, table_dump
from tabletop.language.words import Words
from tabletop.match.history import Ply
from tabletop.match.match import Match, Player
from tabletop.storage.plies import plies
from tabletop.storage.record import kit_for, read, save_as, to_bytes
from tabletop.storage.salvage import salvage_record
from tabletop.storage.verification import verify_record
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import print_plain, shown_name

LOG_LINES = 12
"""The number of log lines that `show` prints."""
COMPLETE_NOTE = "No line is missing at its end."
UNMARKED_END = (
    '"{file}" fits the rules as far as it goes, but it has neither an end nor a closing mark: its '
    "match is being played, broke off, or its last lines are missing."
)
CRLF_NOTE = (
    "Its line breaks became CRLF, as some editors and mail programs write them; the lines "
    "themselves are as they were written."
)
OLD_VERSION_NOTE = (
    "The game has changed since: this was checked against the version that was kept for the match."
)
UNKNOWN_END_NOTE = "Nothing marks its end, so whether lines are missing there can't be known."


def record(
    game: Game,
    out: Annotated[Path, out_option("FILE", "File to write.")],
    seats: Seats = 0,
    seed: Seed = "1",
    ply: Moves = None,
    option: Chosen = None,
    force: Force = False,
) -> None:
    """Play a random game and write its record.

    With --ply the game stops early and can be continued in the window.
    """
    kit = catalogue.load(game)
    match = play_random_match(kit, seats, seed, ply, parse_options(kit, option))
    with output(out, force, *external_game_files(kit)) as file:
        save_as(match, file)
    print_written(out, _summary(kit, match.players, match.plies, match.undone_plies))


def verify(
    file: File,
    salvage: Annotated[
        Path | None, out_option("OUT", "Save the undamaged part of the record to a new file.")
    ] = None,
    game: RecordGame = "",
    force: Force = False,
) -> int:
    """Check a record against the rules and its digests.

    Every move is replayed by the rules, every line is compared with its digest, the shuffle is
    compared with the shares of all players, and lines missing at the end are detected.
    """
    try:
        whole = read(file)
        tables = verify_record(whole)
    except Damaged as error:
        print_plain(error, sys.stderr)
        if salvage is not None:
            _salvage(file, salvage, force)
        return 1
    fair = ""
    if whole.fair is not None:
        from tabletop.protocol.fairness import verify_fair_start

        verdict = verify_fair_start(whole.fair, whole.header.seed, whole.header.players)
        if not verdict.fair:
            print_plain(f"{shown_name(file)}: {verdict.reason.text}", sys.stderr)
            return 1
        fair = f" {fill_gaps(verdict.reason.text, verdict.reason.args)}"
    if not (whole.end or whole.closed) and whole.header.closes:
        print_plain(UNMARKED_END.format(file=shown_name(file)), sys.stderr)
        return 1
    bare = whole.undigested
    old = f" Of its lines, {bare} carry no digest, as those of older versions." if bare else ""
    if whole.crlf:
        old += " " + CRLF_NOTE
    if not (whole.end or whole.closed):
        old += " " + UNKNOWN_END_NOTE
    elif whole.end is None:
        old += " " + COMPLETE_NOTE
    takebacks = sum(entry.undo for entry in whole.entries)
    summary = _summary(kit_for(whole), whole.header.players, tables, takebacks)
    if kit_for(whole).is_old_version:
        old += " " + OLD_VERSION_NOTE
    print_plain(f"{shown_name(file)}: {summary}{fair}{old}")
    return 0


def _salvage(damaged: Path, out: Path, force: bool) -> None:
    """Write the undamaged part of the record `damaged` to the new file `out`."""
    record = salvage_record(damaged)
    with output(out, force, damaged, *external_game_files(kit_for(record))) as file:
        file.write_bytes(to_bytes(record))
    takebacks = sum(entry.undo for entry in record.entries)
    print_written(out, _summary(kit_for(record), record.header.players, plies(record), takebacks))


def show(
    file: File,
    ply: Moves = None,
    seat: Annotated[str, value_option("SEAT", "Point of view: 1, 2 …, audience or all.")] = "all",
    game: RecordGame = "",
) -> None:
    """Print a record's table as text."""
    record, tables = read_plies(file)
    match = replay_record(record, ply)
    kit = match.kit
    viewer = allowed_viewer(record, tables[-1].state, seat)
    view = match.state if viewer is None else match.view(viewer)
    log = match.log(AUDIENCE if viewer is None else viewer)
    print_plain(f"{kit.box.title}: {', '.join(_names(match))}")
    print_plain(table_dump(view, Words("en", kit, match.players), log[-LOG_LINES:]))


def _names(match: Match) -> list[str]:
    words = Words("en", None, match.players)
    return [words.seat(seat) for seat in range(len(match.players))]


def _summary(kit: GameKit, players: Sequence[Player], tables: Sequence[Ply], takebacks: int) -> str:
    back = f" ({takebacks} taken back)" if takebacks else ""
    result = tables[-1].state.result
    end = outcome_text(result, Words("en", kit, players)) if result else "Not finished."
    return f"{kit.box.title}, {len(players)} seats, {len(tables) - 1} moves{back}. {end}"
