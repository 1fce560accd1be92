"""Matches on the disk, as the screens need them."""

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
from ui.shell.language import title, versus
from ui.shell.player_names import clean_name

log = logging.getLogger("tabletop")


def list_unfinished(context: AppContext) -> tuple[tuple[SavedMatch, ...], tuple[BadFile, ...]]:
    """The unfinished matches, the last played first, and what is wrong with those that cannot be
    read. A game from outside the package may be gone, so its matches are described at once; the
    others are when they are seen."""
    matches = []
    saves, broken = saved_matches.unfinished_matches()
    for saved in saves:
        try:
            if saved.game not in catalogue.inside():
                _describe_match(context, saved)
            matches.append(saved)
        except Exception as error:
            broken = (*broken, bad_file_error(error, saved.path.name))
    return tuple(matches), broken


def describe_match(context: AppContext, saved: SavedMatch) -> UnfinishedMatch:
    """An unfinished match as the shelf shows it; one that a game's words cannot say, by its file's
    name."""
    try:
        return _describe_match(context, saved)
    except Exception as error:
        log.warning("%s", bad_file_error(error, saved.path.name), exc_info=error)
        return UnfinishedMatch(saved.path, saved.path.name, "", "", saved.changed)


def _describe_match(context: AppContext, saved: SavedMatch) -> UnfinishedMatch:
    kit = saved.header.load_kit()
    game = context.words_of(kit, saved.players)
    return UnfinishedMatch(
        saved.path,
        title(kit, game.language),
        game.heading(saved.view),
        versus(game, saved.players),
        saved.changed,
        saved.name,
    )


def trouble(context: AppContext, error: BadFile | StorageError) -> Reason:
    """The message about a match's file: one that another window has open is named by its game and
    players."""
    if not isinstance(error, OpenElsewhere):
        return error.reason
    try:
        head = read_record_header(error.path)
        kit = head.load_kit()
    except (BadFile, catalogue.BrokenGame, LookupError):
        return error.reason
    game = context.words_of(kit, head.players)
    return Reason(
        "{game} ({players}) is open in another window.",
        {"game": title(kit, game.language), "players": versus(game, head.players)},
    )


def make_showable(context: AppContext, record: Record) -> Record:
    """The record with players that can be shown: each has a symbol that exists, and a name, which
    for a bot is in this language."""
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


def open_copy(context: AppContext, file: Path, tell: Callable[[Reason], object]) -> Match | None:
    """The match of a file, to be played on in a journal of its own, so that the file stays what it
    was; None where it can only be watched: it is over, damaged or of other rules. `tell` gets a
    notice of what is not known here and was replaced.

    Raises:
        BadFile: there is none in it that could be read.
        StorageError: no journal can be written.
    """
    try:
        return _open_unfinished(context, file, tell)
    except (RulesMismatch, Damaged):
        return None


def _open_unfinished(
    context: AppContext, file: Path, tell: Callable[[Reason], object]
) -> Match | None:
    record = make_showable(context, read(file))
    if record.end is not None:
        return None
    match = replay(record)
    if match.state.result is not None:
        return None
    home = folders.matches()
    if file.resolve().parent == home.resolve():
        return saved_matches.resume(file, tell)
    target = home / file.with_suffix(SUFFIX).name
    number = 1
    while target.exists():
        number += 1
        target = home / f"{file.stem}-{number}{SUFFIX}"
    taken = saved_matches.import_match_record(record_of(match, target), target)
    if record.unknown is not None:
        tell(record.unknown)
    return taken
