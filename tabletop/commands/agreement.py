"""Games specified by their folder, and the user's permission to run their Python code."""

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


def permitted_game_id(named: str) -> str:
    """Return the ID of a game given by ID or folder, after getting permission to run its code.

    Errors in the game's files are reported later, when the game is loaded.

    Raises:
        UsageError: `named` is a folder without a game, or the user refuses or can't be asked.
    """
    return _ensure_permission(resolve_game_id(named))


def permitted_ids_in(folder: Path) -> tuple[str, ...]:
    """Return the IDs of all games in `folder`, after getting permission to run their code.

    Raises:
        UsageError: `folder` has no game, or the user refuses or can't be asked.
    """
    return tuple(map(_ensure_permission, _game_ids_in(folder)))


def resolve_game_id(named: str) -> str:
    """Return the ID of a game specified by its ID or folder.

    Raises:
        UsageError: `named` is a folder with no game, or with several.
    """
    if not named:
        return named
    if named in catalogue.names():
        _print_chosen_game(named)
        return named
    if not (set(named) & {os.sep, os.altsep, "."} or Path(named).exists()):
        return named  # loading the game reports the error
    known = _game_ids_in(Path(named))
    if len(known) > 1:
        raise UsageError(f'"{named}" holds several games: {", ".join(known)}.')
    return known[0]


def _print_chosen_game(named: str) -> None:
    """If `named` is the ID of one game and a folder with another, print which game is used."""
    folder, known = Path(named), game_folders.folders_by_id().get(named)
    if not game_folders.is_game_folder(folder) or (known and known.path == folder.resolve()):
        return
    where = escape_controls(known.path) if known else "this program"
    here = escape_controls(shell_words([os.path.join(os.curdir, named)]))
    print(
        f'"{named}" is the game of {where}; for the folder of that name here, say {here}',
        file=sys.stderr,
    )


def _game_ids_in(folder: Path) -> tuple[str, ...]:
    known = game_folders.add(folder) if folder.is_dir() else ()
    if not known:
        marks = ", ".join(game_folders.MARKER_FILES)
        raise UsageError(f'"{folder}" isn\'t a game folder: it has none of {marks}.')
    for each in known:
        if each.id in catalogue.packaged_games():
            raise UsageError(
                f'The game in "{each.path}" has the id "{each.id}", as one of the program: '
                "give its box in cards.toml another id."
            )
    return tuple(each.id for each in known)


def _ensure_permission(name: str) -> str:
    if name in game_folders.folders_by_id():
        try:
            catalogue.load(name)
        except CodeNotAllowed as error:
            _ask_permission(error.entry)
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
    name = resolve_game_id(game)
    entry: CatalogueEntry
    try:
        entry = catalogue.load(name)
    except CodeNotAllowed as error:
        entry = error.entry
        if not digest:
            _ask_permission(entry)
        elif digest.lower() != entry.waits_for:
            raise UsageError(f"The digest has changed: {entry.waits_for}") from error
        else:
            _grant_permission(entry)
    print(f'"{plain_line(entry.box.title)}" may run.')
    return 0


def _ask_permission(game: CatalogueEntry) -> None:
    """Ask the user in the terminal for permission to run the game's code, and store the permission.

    Raises:
        UsageError: the user refuses, or there is no terminal.
    """
    means = agreements.AGREEMENT_WARNING.format(title=plain_line(game.box.title))
    if not (sys.stdin and sys.stdin.isatty()):
        folder = shell_words([str(game.folder)])
        raise UsageError(f"{means} If you do: tabletop trust {folder} --digest {game.waits_for}")
    print(f"{means}\n  {escape_controls(game.folder)}\n  {game.waits_for}")
    if input("May it run? [y/N] ").strip().lower() not in ("y", "yes"):
        raise UsageError("Nothing was run.")
    _grant_permission(game)


def _grant_permission(game: CatalogueEntry) -> None:
    agreements.allow_digest(game.waits_for, game.box.title)
    catalogue.reread(game.id)
