"""A picture of the whole window at a match, as the person at one seat sees it, or of the
public table beside it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.files import folders
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Match
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.pictures.shot import application, draw
from ui.public.public_table import PublicTable
from ui.style.broken_drawing import BrokenDrawing

HOME = "TABLETOP_HOME"


def window_shot(
    match: Match,
    seat: int,
    size: tuple[int, int] = (1280, 800),
    scale: float = 1.0,
    language: str = "en",
    theme: Literal["light", "dark", "contrast"] = "light",
    out: Path | str = "window.png",
    choosing: str = "",
    public: bool = False,
) -> None:
    """Draw the window into a PNG of `size` pixels, `scale` device pixels to each: the seat's player
    sits alone at this computer. Nothing is kept of the match. `choosing` is the verb of a move that
    they are about to make: the choices left to make are shown. `public`: the public table instead.

    Raises:
        ValidationError: there is no such language or theme.
        LookupError: the player cannot do this now.
        BrokenDrawing: a drawing of the game cannot be drawn.
        OSError: the file cannot be written.
    """
    kit = match.kit
    with staged_window(kit, language, theme) as window:
        window.resize(*size)
        seat_alone(match, seat, window.context.words)
        window.matches.show_match(match)
        QApplication.processEvents()
        if public and window.table is not None:
            refuse_broken(window, kit)
            _draw_public(PublicTable(window.context, window.table.seated), size, scale, out)
            return
        if choosing and window.table is not None:
            _open_choice(window.table, choosing)
        QApplication.processEvents()
        refuse_broken(window, kit)
        draw(window, scale, out)


@contextmanager
def staged_window(kit: GameKit, language: str, theme: str) -> Iterator[Window]:
    """A window in which this game is shown, in a home of its own.

    Raises:
        ValidationError: there is no such language or theme.
        BrokenDrawing: at the end, where a drawing of the game could not be drawn.
    """
    application()
    if kit.is_external:
        game_folders.add(Path(str(kit.folder)))  # it may belong to the home that is being left
    with _home_of_its_own():
        wanted = {"language": language, "theme": theme, "animation": "off"}
        settings.save(msgspec.convert(wanted, Settings))
        window = Window(boxes=(kit,))
        try:
            window.show()
            yield window
            refuse_broken(window, kit)
        finally:
            window.close()
            window.deleteLater()


def refuse_broken(window: Window, kit: GameKit) -> None:
    """Raise BrokenDrawing where a drawing of the game could not be drawn in the window."""
    if error := window.context.broken_drawings.get(kit.id):
        raise BrokenDrawing(error)


def seat_alone(match: Match, seat: int, words: Words) -> None:
    """Put a person on this seat among bots, and names for all; below 0 there are bots alone."""
    players = [
        replace(
            player,
            name=player.name or words("Player {n}", n=number + 1),
            symbol=player.symbol or SYMBOLS[number % len(SYMBOLS)],
            kind="bot",
        )
        for number, player in enumerate(match.players)
    ]
    if seat >= 0:
        players[seat] = replace(players[seat], kind="person")
    match.players = tuple(players)


def _draw_public(table: PublicTable, size: tuple[int, int], scale: float, out: Path | str) -> None:
    """Draw the public table alone, and take it away."""
    table.resize(*size)
    table.show()
    QApplication.processEvents()
    try:
        draw(table, scale, out)
    finally:
        table.close()
        table.clear_table()
        table.deleteLater()


def _open_choice(screen: TableScreen, verb: str) -> None:
    """Open what a person has open who is about to make such a move."""
    choice, moves = screen.scene.choice, screen.scene.choice.legal_moves()
    moves = [move for move in moves if move.verb == verb]
    if not moves:
        raise LookupError(f'"{verb}" cannot be done now.')
    first = moves[0]
    if len(first.cards) == 1:
        choice.pick_up(first.cards[0])
    if sum((move.cards, move.target) == (first.cards, first.target) for move in moves) > 1:
        choice.play_to(first.target)


@contextmanager
def _home_of_its_own() -> Iterator[None]:
    """A folder for the program's files meanwhile: nothing of the user's is read or changed."""
    before, agreed = os.environ.get(HOME), folders.agreements()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ[HOME] = home
        if agreed.is_file():  # for the bots' processes
            shutil.copy(agreed, folders.agreements())
        try:
            yield
        finally:
            if before is None:
                del os.environ[HOME]
            else:
                os.environ[HOME] = before
