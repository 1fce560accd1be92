"""One line over the table: what the game is won by."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import State
from tabletop.language.words import Words
from ui.shell.app_context import AppContext
from ui.style.theme import bar
from ui.widgets.surface import Shortened, grown, grown_font

LETTERS = 12
HIGH = 20
"""In pixels."""


class WinLine(Shortened):
    """Hidden in a game that does not say what it is won by."""

    def __init__(self, context: AppContext, kit: Kit) -> None:
        super().__init__("caption")
        self._context = context
        self._kit = kit
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_goal(self, view: State, words: Words) -> None:
        """Show what is to be reached at this table."""
        win = self._kit.meaning.win
        if win is not None:
            look = self._context.look(self._kit)
            self.setStyleSheet(f"background: {bar(look)}; color: {look.table_soft};")
            self.setFont(grown_font(self, LETTERS))
            alone = win.alone and view.seats == 1
            self.setText(words.with_values(win.alone if alone else win.text, view))

    def sizeHint(self) -> QSize:
        return QSize(0, grown(self, HIGH))
