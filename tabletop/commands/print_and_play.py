"""Print a game on paper."""

import re
from pathlib import Path
from typing import Annotated

from tabletop.catalogue import catalogue
from tabletop.commands.arguments import Game, Language, UsageError, check_choice, value_option
from tabletop.commands.output import Force, output
from tabletop.commands.window import screens
from tabletop.language.words import languages_of

PAPERS = ("a4", "letter")
LEAST, MOST = 20.0, 200.0
"""The limits of a card's sides, in millimetres."""


def print(  # the command is called so
    game: Game,
    out: Annotated[Path, value_option("PDF", "File to write.")],
    paper: Annotated[str, value_option("SIZE", "Paper size: " + " or ".join(PAPERS) + ".")] = "a4",
    card: Annotated[str, value_option("WxH", "Card size in millimetres.")] = "63x88",
    bleed: Annotated[
        float, value_option("MM", "Bleed around each card, in millimetres.", min=0, max=10)
    ] = 0.0,
    lang: Language = "en",
    force: Force = False,
) -> None:
    """Make printable sheets: cards, boards, pieces and the rulebook."""
    check_choice("--paper", paper.lower(), PAPERS)
    size = _card_size(card)
    kit = catalogue.load(game)
    check_choice("--lang", lang, languages_of(kit))
    sheets = screens("ui.paper.print_and_play")
    try:
        with output(out, force) as file:
            sheets.print_and_play(kit, file, paper.lower(), size, bleed, lang)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _card_size(text: str) -> tuple[float, float]:
    """Width and height of a card, in millimetres, of a text like "63x88"."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)x(\d{1,3}(?:\.\d+)?)", text)
    size = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not all(LEAST <= side <= MOST for side in size):
        raise UsageError(
            f'"{text}" isn\'t a card size; write millimetres like 63x88, '
            f"from {LEAST:g} to {MOST:g}."
        )
    return size
