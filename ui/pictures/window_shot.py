"""Renders pictures of the whole window during a
match, as one player sees it, or of the public table.
"""

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
from ui.pictures.shot import ensure_application, render_to_png
from ui.public.public_table import PublicTable
from ui.style.broken_drawing import BrokenDrawing

HOME_VARIABLE = "TABLETOP_HOME"


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
    """Render the window to a PNG file, with the player
    at `seat` as the only person at this computer.

    The match isn't saved.

    Args:
        match: the match. Its players are replaced by one person and bots.
        seat: the viewer's seat; negative if all players are to be bots.
        size: width and height in logical pixels.
        scale: device pixels per logical pixel.
        language: the language code of the texts.
        theme: the name of the theme.
        out: the path of the PNG file.
        choosing: the verb of a move that the player is making, whose remaining choices are shown;
            empty for no move.
        public: whether to render the public table instead.

    Raises:
        ValidationError: `language` or `theme` is unknown.
        LookupError: the player has no legal move with the verb `choosing`.
        BrokenDrawing: a drawing of the game can't be rendered.
        OSError: the file can't be written.
    """
    kit = match.kit
    with staged_window(kit, language, theme) as window:
        window.resize(*size)
        seat_one_person(match, seat, window.context.words)
        window.matches.show_match(match)
        QApplication.processEvents()
        if public and window.table is not None:
            raise_if_broken(window, kit)
            _draw_public(PublicTable(window.context, window.table.seated), size, scale, out)
            return
        if choosing and window.table is not None:
            _open_choice(window.table, choosing)
        QApplication.processEvents()
        raise_if_broken(window, kit)
        render_to_png(window, scale, out)


@contextmanager
def staged_window(kit: GameKit, language: str, theme: str) -> Iterator[Window]:
    """Within the context, open a window with the one game `kit` and a temporary home folder.

    Raises:
        ValidationError: `language` or `theme` is unknown.
        BrokenDrawing: on exit, if a drawing of the game couldn't be rendered.
    """
    ensure_application()
    if kit.is_external:
        game_folders.add(Path(str(kit.folder)))  # it may belong to the home folder being left
    with _home_of_its_own():
        wanted = {"language": language, "theme": theme, "animation": "off"}
        settings.save(msgspec.convert(wanted, Settings))
        window = Window(boxes=(kit,))
        try:
            window.show()
            yield window
            raise_if_broken(window, kit)
        finally:
            window.close()
            window.deleteLater()


def raise_if_broken(window: Window, kit: GameKit) -> None:
    """Raise BrokenDrawing if the window couldn't render a drawing of the game."""
    if error := window.context.broken_drawings.get(kit.id):
        raise BrokenDrawing(error)


def seat_one_person(match: Match, seat: int, words: Words) -> None:
    """Make the player at `seat` a person and all others bots, and name players without a name.

    If `seat` is negative, all players are bots.
    """
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
    """Render the public table to a PNG file, then close it."""
    table.resize(*size)
    table.show()
    QApplication.processEvents()
    try:
        render_to_png(table, scale, out)
    finally:
        table.close()
        table.clear_table()
        table.deleteLater()


def _open_choice(screen: TableScreen, verb: str) -> None:
    """Start a move with the verb `verb` as the user would, and leave its remaining choices open."""
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
    """Within the context, use a temporary home folder, so that no user data is read or changed."""
    before, agreed = os.environ.get(HOME_VARIABLE), folders.agreements()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ[HOME_VARIABLE] = home
        if agreed.is_file():  # for the bots' processes
            shutil.copy(agreed, folders.agreements())
        try:
            yield
        finally:
            if before is None:
                del os.environ[HOME_VARIABLE]
            else:
                os.environ[HOME_VARIABLE] = before
