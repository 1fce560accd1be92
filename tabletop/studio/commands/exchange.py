"""The commands `share`, `export` and `import`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.catalogue import agreements, catalogue
from tabletop.commands.arguments import Game, Language, check_choice, flag, out_option, value_option
from tabletop.commands.output import (
    STANDARD_OUTPUT,
    Force,
    external_game_files,
    output,
    print_written,
)
from tabletop.commands.usage import UsageError
from tabletop.commands.window import import_ui_module
from tabletop.exchange import game_file
from tabletop.exchange.game_file import GameFile
from tabletop.files import folders
from tabletop.files.new_folder import write_new_folder
from tabletop.language.languages import languages_of
from tabletop.language.words import Words
from tabletop.studio.exchange import exports, free_game
from tabletop.studio.exchange.found_game import FoundGame
from tabletop.studio.exchange.guarded_import import guard_import
from tabletop.studio.exchange.import_record import find_earlier_import, read_record
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import escape_controls, plain_line, print_plain, shell_words


def share(
    game: Game,
    out: Annotated[
        Path | None, out_option("FILE", "File to write. [default: GAME.tabletop-game]")
    ] = None,
    force: Force = False,
) -> None:
    """Write a game without Python as one file for friends.

    They open it with a double click, drop it onto the window, or import it.
    """
    kit = catalogue.load(game)
    content = game_file.encode_shared_game(kit)
    file = out or Path(kit.id.partition("-")[0] + game_file.GAME_FILE_SUFFIX)
    with output(file, force, *external_game_files(kit)) as made:
        made.write_bytes(content)
    if file != STANDARD_OUTPUT:
        print_written(file, plain_line(kit.box.title))


def export(
    game: Game,
    out: Annotated[Path, out_option("ZIP", "File to write.")],
    kind: Annotated[
        str,
        typer.Option("--as", metavar="KIND", help="One of: " + ", ".join(exports.EXPORTERS) + "."),
    ] = "pictures",
    lang: Language = "en",
    force: Force = False,
) -> None:
    """Write all cards for other programs, as one zip.

    As pictures, as sheets with a saved object for Tabletop Simulator, or for a table of Udonarium.
    """
    check_choice("--as", kind, tuple(exports.EXPORTERS))
    kit = catalogue.load(game)
    check_choice("--lang", lang, languages_of(kit))
    draw = import_ui_module("ui.studio.paper.card_images").draw_cards
    title = plain_line(Words(lang, kit)(kit.box.title))
    with output(out, force, *external_game_files(kit)) as file:
        cards = draw(kit, lang)
        file.write_bytes(exports.EXPORTERS[kind](cards, title))
    print_written(out, f"{sum(card.copies for card in cards)} cards of {title}")


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file, or a folder.")],
    title: Annotated[str, value_option("TITLE", "Title on the box. [default: the file's]")] = "",
    folder: Annotated[
        Path | None, value_option("DIR", "Folder to create. [default: in your games folder]")
    ] = None,
    yes: Annotated[bool, flag("--yes", "Don't ask before adding a .tabletop-game.")] = False,
    new: Annotated[
        bool, flag("--new", "Make a new game, even if the file was imported before.")
    ] = False,
) -> None:
    """Make a game of a sheet of cards, or take one in from a file of this or another program.

    Reads sheets of cards (.csv, .tsv, .xlsx, .ods) and saves of Tabletop Simulator with the
    pictures beside them, zips of Udonarium and ccfolia, .pcio of playingcards.io, folders of Card
    Game Simulator, and pictures in a zip or a folder.
    They become free tables. Importing a file again updates the cards of its game. Nothing is
    downloaded.
    """
    found = guard_import(file).run()
    if isinstance(found, GameFile):
        if title:
            raise UsageError("A .tabletop-game has its own title: leave out --title.")
        _take_in(found, yes, folder)
    else:
        _make(found, title, folder, new)


def _make(found: FoundGame, title: str, folder: Path | None, new: bool) -> None:
    """Write `found` as a free table to `folder`, or update the game that an earlier import made,
    and print a summary.
    """
    found_before = None if title or folder else find_earlier_import(found)
    earlier = found_before.folder if found_before else folder
    if earlier is not None and not new and read_record(earlier) is not None:
        where = earlier
        _print_update(free_game.update(found, where), where)
    else:
        title = title or found.title
        where = folder if folder is not None else free_game.unused_folder(folders.games(), title)
        free_game.write(found, where, title)
        agreements.add_own_folder(where)
        print_plain(f"{escape_controls(title)}: {escape_controls(where)}")
    for deck in found.decks:
        different = len(deck.cards)
        more = f", {different} different" if different != deck.count else ""
        backs = len([back for back in deck.backs if back])
        print_plain(f"  {escape_controls(deck.name)}: {deck.count} cards{more}, {backs} backs")
    if found.missing:
        print_plain(f"  {found.missing} pictures aren't there: those cards show their names")
    for dice in found.dice:
        print_plain(
            f"  {dice.count} dice with {dice.sides} sides {escape_controls(dice.name)}".rstrip()
        )
    for counter in found.counters:
        print_plain(f"  counter {escape_controls(counter.name)}: {counter.start}")
    if found.board:
        print_plain("  a picture of the table")
    for each in found.left_out:
        print_plain(f"  {escape_controls(fill_gaps(each.text, each.args))}")
    print_plain(f"  play     tabletop {escape_controls(shell_words([str(where)]))}")


def _print_update(update: free_game.CardUpdate, where: Path) -> None:
    print_plain(f"Updated: {escape_controls(where)}")
    for name in update.added:
        print_plain(f"  free.toml has a new zone for the deck {escape_controls(name)}")
    for name in update.gone:
        print_plain(f"  free.toml names the deck {escape_controls(name)}, which has no cards now")
    for name in update.replaced:
        print_plain(f"  your edited {escape_controls(name)} is now in {free_game.REPLACED}/")


def _take_in(found: GameFile, yes: bool, folder: Path | None) -> None:
    """Install `found`, or write it to `folder`, after a confirmation unless `yes`."""
    known = found.installed_entry
    if known is not None and folder is None:
        print_plain(f"{plain_line(found.title)}: already here, as {known.id}")
        return
    if not yes:
        question = found.question
        _ask(fill_gaps(question.text, question.args))
    if folder is not None:
        write_new_folder(folder, found.files)
        agreements.add_own_folder(folder)
        print_plain(f"{plain_line(found.title)}: {escape_controls(folder)}")
        return
    name = game_file.import_game(found)
    catalogue.reread(name)
    print_plain(f"{plain_line(found.title)}: {name}")


def _ask(question: str) -> None:
    """Ask `question` on the terminal and return if the user agrees.

    Raises:
        UsageError: The user declined, or standard input isn't a terminal.
    """
    if not (sys.stdin and sys.stdin.isatty()):
        raise UsageError(f"{question} If you want that: --yes")
    print_plain(question)
    if input("[y/N] ").strip().lower() not in ("y", "yes"):
        raise UsageError("Nothing was taken in.")
