"""Commands about records: to write one, to see whether it fits the rules, to read it as text."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands.arguments import Chosen, File, Game, Moves, Seats, Seed, options_of
from tabletop.commands.match_source import eyes, played, replayed
from tabletop.engine.model import AUDIENCE
from tabletop.games import catalogue
from tabletop.match import Match
from tabletop.storage.errors import BadFile
from tabletop.storage.record import HEADER, kit_of, read, save_as
from tabletop.storage.record import replay as play_through
from tabletop.text_view import outcome, table
from tabletop.words import Words

LOG_LINES = 12


def record(
    game: Game,
    out: Annotated[Path, typer.Option(help="Where the record goes.")],
    seats: Seats = 0,
    seed: Seed = "1",
    ply: Moves = None,
    option: Chosen = None,
) -> None:
    """Play a random game and write its record; one that stops early goes on when it is opened."""
    kit = catalogue.load(game)
    match = played(kit, seats, seed, ply, options_of(kit, option))
    save_as(match, out)
    print(f"{out.name}: {_summary(match)}")


def verify(file: File) -> int:
    """Play a record through, and tell whether every line of it fits the rules."""
    written = read(file)
    try:
        match = play_through(written)
    except BadFile as error:
        if error.line == HEADER:
            raise  # nothing to hold its lines against: the game or its rules are others
        print(error, file=sys.stderr)
        return 1
    if written.unknown is not None:
        print(written.unknown.text.format(**written.unknown.args), file=sys.stderr)
        return 1
    torn = " Its last line is torn and was left out." if written.torn else ""
    print(f"{file.name}: {_summary(match)}{torn}")
    return 0


def show(
    file: File,
    ply: Moves = None,
    seat: Annotated[str, typer.Option(help="Who looks: 1, 2 ..., audience, or all.")] = "all",
) -> None:
    """Print the table of a record as text."""
    match = replayed(file, ply)
    kit = kit_of(match)
    viewer = eyes(file, match.players, seat)
    view = match.state if viewer is None else match.view(viewer)
    log = match.log(AUDIENCE if viewer is None else viewer)
    print(f"{kit.box.title}: {', '.join(_names(match))}")
    print(table(view, Words("en", kit, match.players), log[-LOG_LINES:]))


def _names(match: Match) -> list[str]:
    words = Words("en", None, match.players)
    return [words.seat(seat) for seat in range(len(match.players))]


def _summary(match: Match) -> str:
    """What a record holds, in a line."""
    kit = kit_of(match)
    back = f" ({match.takebacks} taken back)" if match.takebacks else ""
    result = match.state.result
    end = outcome(result, Words("en", kit, match.players)) if result else "Not finished."
    return f"{kit.box.title}, {len(match.players)} seats, {len(match.plies) - 1} moves{back}. {end}"
