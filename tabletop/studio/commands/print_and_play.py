"""The command `print`, which writes a game as a PDF for cutting out."""

from pathlib import Path
from typing import Annotated

from tabletop.catalogue import catalogue
from tabletop.catalogue.printed_box import parse_card_size
from tabletop.commands.arguments import (
    Game,
    Language,
    UsageError,
    check_choice,
    number_option,
    out_option,
    value_option,
)
from tabletop.commands.output import Force, external_game_files, output
from tabletop.commands.window import import_ui_module
from tabletop.language.languages import languages_of

PAPERS = ("a4", "letter")


def print(  # named after the command
    game: Game,
    out: Annotated[Path, out_option("PDF", "File to write.")],
    paper: Annotated[str, value_option("SIZE", "Paper size: " + " or ".join(PAPERS) + ".")] = "a4",
    card: Annotated[str, value_option("WxH", "Card size in millimetres.")] = "63x88",
    bleed: Annotated[
        float, number_option("MM", "Bleed around each card, in millimetres.", 0, 10)
    ] = 0.0,
    lang: Language = "en",
    force: Force = False,
) -> None:
    """Make printable sheets: cards, boards, pieces and the rulebook."""
    check_choice("--paper", paper.lower(), PAPERS)
    kit = catalogue.load(game)
    check_choice("--lang", lang, languages_of(kit))
    sheets = import_ui_module("ui.studio.paper.print_and_play")
    try:
        size = parse_card_size(card)
        with output(out, force, *external_game_files(kit)) as file:
            sheets.print_and_play(kit, file, paper.lower(), size, bleed, lang)
    except ValueError as error:
        raise UsageError(str(error)) from error
