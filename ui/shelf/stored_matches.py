"""Lists, describes and opens stored matches for the shelf and other screens."""

import logging
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.files.errors import (
    BadFile,
    Damaged,
    OpenElsewhere,
    RulesMismatch,
    StorageError,
    bad_file_error,
)
from tabletop.match.match import Match
from tabletop.storage import saved_matches
from tabletop.storage.record import SUFFIX, Record, read, read_record_header, record_of, replay
from tabletop.storage.saved_matches import SavedMatch
from ui.shelf.unfinished_card import UnfinishedMatch
from ui.shell.app_context import AppContext
from ui.shell.language import game_title, players_text
from ui.shell.player_names import clean_name

log = logging.getLogger("tabletop")


def list_unfinished(context: AppContext) -> tuple[tuple[SavedMatch, ...], tuple[BadFile, ...]]:
    """Return the unfinished matches, the last played first, and the errors of unreadable ones.

    A match of a game that isn't part of the program is described at once, to find out whether that
    game still exists. Other matches are described when they are shown.
    """
    matches = []
    saves, broken = saved_matches.unfinished_matches()
    for saved in saves:
        try:
            if saved.game not in catalogue.packaged_games():
                _describe_match(context, saved)
            matches.append(saved)
        except Exception as error:
            broken = (*broken, bad_file_error(error, saved.path.name))
    return tuple(matches), broken


def describe_match(context: AppContext, saved: SavedMatch) -> UnfinishedMatch:
    """Return the description of a match for the shelf.

    If the game fails to describe it, the file name is used.
    """
    try:
        return _describe_match(context, saved)
    except Exception as error:
        log.warning("%s", bad_file_error(error, saved.path.name), exc_info=error)
        return UnfinishedMatch(saved.path, saved.path.name, "", "", saved.changed)


def _describe_match(context: AppContext, saved: SavedMatch) -> UnfinishedMatch:
    kit = saved.header.load_kit()
    game = context.game_words(kit, saved.players)
    return UnfinishedMatch(
        saved.path,
        game_title(kit, game.language),
        game.heading(saved.view),
        players_text(game, saved.players),
        saved.changed,
        saved.name,
    )


def error_reason(context: AppContext, error: BadFile | StorageError) -> Reason:
    """Return the message about `error` in a match file.

    If the match is open in another window, the message names its game and players.
    """
    if not isinstance(error, OpenElsewhere):
        return error.reason
    try:
        head = read_record_header(error.path)
        kit = head.load_kit()
    except (BadFile, catalogue.BrokenGame, LookupError):
        return error.reason
    game = context.game_words(kit, head.players)
    return Reason(
        "{game} ({players}) is open in another window.",
        {"game": game_title(kit, game.language), "players": players_text(game, head.players)},
    )


def with_valid_players(context: AppContext, record: Record) -> Record:
    """Return `record` with players that can be displayed.

    Each player gets an existing symbol and a valid name. Bots get names in the current language.
    """
    seats = context.theme.seats
    known = {seat.symbol for seat in seats}
    players = tuple(
        replace(
            player,
            name=clean_name(player.name) or context.words("Player {n}", n=number + 1),
            symbol=player.symbol if player.symbol in known else seats[number % len(seats)].symbol,
        )
        for number, player in enumerate(map(context.words.player, record.header.players))
    )
    return replace(record, header=replace(record.header, players=players))


def open_copy(context: AppContext, file: Path, notify: Callable[[Reason], object]) -> Match | None:
    """Return the match in `file`, to be continued in a new journal. The file isn't changed.

    Returns None if the match can only be watched, because it is over, damaged or has other rules.
    `notify` is called with a notice if unknown parts of the record were replaced.

    Raises:
        BadFile: `file` isn't a readable match.
        StorageError: the journal can't be written.
    """
    try:
        return _open_unfinished(context, file, notify)
    except (RulesMismatch, Damaged):
        return None


def _open_unfinished(
    context: AppContext, file: Path, notify: Callable[[Reason], object]
) -> Match | None:
    record = with_valid_players(context, read(file))
    if record.end is not None:
        return None
    match = replay(record)
    if match.state.result is not None:
        return None
    home = folders.matches()
    if file.resolve().parent == home.resolve():
        return saved_matches.resume(file, notify)
    target = home / file.with_suffix(SUFFIX).name
    number = 1
    while target.exists():
        number += 1
        target = home / f"{file.stem}-{number}{SUFFIX}"
    taken = saved_matches.import_match_record(record_of(match, target), target)
    if record.unknown is not None:
        notify(record.unknown)
    return taken
