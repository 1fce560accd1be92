"""Matches on the disk, as the screens need them."""

from pathlib import Path

from tabletop.games import catalogue
from tabletop.match import Match
from tabletop.storage import folders, matches
from tabletop.storage.record import SUFFIX, read, replay, save_as
from ui.screens.continued import Waiting
from ui.screens.room import Room
from ui.words import title, versus


def waiting(room: Room) -> tuple[Waiting, ...]:
    """The unfinished matches, the last played first."""
    found = []
    for saved in matches.unfinished():
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
            )
        )
    return tuple(found)


def opened(file: Path) -> Match:
    """The match of a file: a finished one as it is, an unfinished one to be played on in a journal
    of its own, so that the file stays what it was.

    Raises:
        BadFile: there is none in it that could be read.
        StorageError: no journal can be written.
    """
    match = replay(read(file))
    if match.state.result is not None:
        return match
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
