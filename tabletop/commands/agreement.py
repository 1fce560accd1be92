"""Games named by their folder, and permission to run their Python code."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, CodeNotAllowed
from tabletop.commands.usage import UsageError
from tabletop.games.game_kit import CatalogueEntry
from tabletop.text.plain_text import escape_controls, plain_line, shell_words


def game_id(named: str) -> str:
    """The id of a game that was named by it, or by its folder. A game without an agreement is asked
    about on a terminal; other faults are reported when it is loaded.

    Raises:
        UsageError: the folder isn't a game's, or nobody can be asked.
    """
    return _agreed_on(named_game(named))


def folder_ids(folder: Path) -> tuple[str, ...]:
    """The ids of all games in a folder, each agreed to. Raises as `game_id`."""
    return tuple(map(_agreed_on, _names_in(folder)))


def named_game(named: str) -> str:
    """The id of a game that was named by it, or by its folder.

    Raises:
        UsageError: the folder is no game's, or holds several.
    """
    if not named:
        return named
    if named in catalogue.names():
        _tell_of_folder(named)
        return named
    if not (set(named) & {os.sep, os.altsep, "."} or Path(named).exists()):
        return named  # loading it reports the error
    known = _names_in(Path(named))
    if len(known) > 1:
        raise UsageError(f'"{named}" holds several games: {", ".join(known)}.')
    return known[0]


def _tell_of_folder(named: str) -> None:
    """Say which game is meant, where a game folder of that name is here as well."""
    folder, known = Path(named), game_folders.folders_by_id().get(named)
    if not game_folders.is_game_folder(folder) or (known and known.path == folder.resolve()):
        return
    where = escape_controls(known.path) if known else "this program"
    here = escape_controls(shell_words([os.path.join(os.curdir, named)]))
    print(
        f'"{named}" is the game of {where}; for the folder of that name here, say {here}',
        file=sys.stderr,
    )


def _names_in(folder: Path) -> tuple[str, ...]:
    known = game_folders.add(folder) if folder.is_dir() else ()
    if not known:
        marks = ", ".join(game_folders.MARKER_FILES)
        raise UsageError(f'"{folder}" isn\'t a game folder: it has none of {marks}.')
    for each in known:
        if each.id in catalogue.inside():
            raise UsageError(
                f'The game in "{each.path}" has the id "{each.id}", as one of the program: '
                "give its box in cards.toml another id."
            )
    return tuple(each.id for each in known)


def _agreed_on(name: str) -> str:
    if name in game_folders.folders_by_id():
        try:
            catalogue.load(name)
        except CodeNotAllowed as error:
            _ask(error.entry)
        except BrokenGame:
            pass
    return name


def trust(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's folder or id.")],
    digest: Annotated[
        str, typer.Option(metavar="DIGEST", help="Digest to allow, instead of asking.")
    ] = "",
) -> int:
    """Allow a game folder to run its own Python code.

    You are asked again whenever its code changes.
    """
    name = named_game(game)
    entry: CatalogueEntry
    try:
        entry = catalogue.load(name)
    except CodeNotAllowed as error:
        entry = error.entry
        if not digest:
            _ask(entry)
        elif digest.lower() != entry.waits_for:
            raise UsageError(f"The digest has changed: {entry.waits_for}") from error
        else:
            _agree(entry)
    print(f'"{plain_line(entry.box.title)}" may run.')
    return 0


def _ask(game: CatalogueEntry) -> None:
    """Ask the person at the terminal to agree.

    Raises:
        UsageError: they don't, or nobody is there.
    """
    means = agreements.AGREEMENT_WARNING.format(title=plain_line(game.box.title))
    if not (sys.stdin and sys.stdin.isatty()):
        folder = shell_words([str(game.folder)])
        raise UsageError(f"{means} If you do: tabletop trust {folder} --digest {game.waits_for}")
    print(f"{means}\n  {escape_controls(game.folder)}\n  {game.waits_for}")
    if input("May it run? [y/N] ").strip().lower() not in ("y", "yes"):
        raise UsageError("Nothing was run.")
    _agree(game)


def _agree(game: CatalogueEntry) -> None:
    agreements.allow_digest(game.waits_for, game.box.title)
    catalogue.reread(game.id)
