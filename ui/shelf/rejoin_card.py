"""The card of a shared table to which the user can return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from ui.shelf.waiting_card import WaitingCard
from ui.shell.app_context import AppContext
from ui.shell.language import game_title, when_text
from ui.widgets.box_sides import FRONT, natural_size
from ui.widgets.box_thumbnail import front_picture
from ui.widgets.styled_widgets import label

if TYPE_CHECKING:
    from tabletop.home.known_hosts import RejoinableTable


class RejoinCard(WaitingCard):
    """The card of a shared table, with the front of the game's box as its picture."""

    rejoin_requested = Signal(object)
    """A request to return to the table: its RejoinableTable."""
    forget_requested = Signal(str)
    """A request to forget the table: its ID."""

    def __init__(self, context: AppContext, back: RejoinableTable, first: bool) -> None:
        self._front = label()
        self._front.setAlignment(Qt.AlignmentFlag.AlignCenter)
        super().__init__(context, self._front, first, quiet=1)
        self._back = back
        self.main_button.clicked.connect(lambda: self.rejoin_requested.emit(back))
        self.buttons[1].clicked.connect(lambda: self.forget_requested.emit(back.ticket.table))
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words, back, forget = self.context.words, self._back, self.buttons[1]
        game = back.game
        try:
            kit = catalogue.entry_of(back.game)
        except (UnknownGame, BrokenGame):
            self._front.clear()
        else:
            game = game_title(kit, words.language)
            size = natural_size(self.context, kit, FRONT).toSize()
            size.scale(self.picture_size, Qt.AspectRatioMode.KeepAspectRatio)
            self._front.setPixmap(front_picture(self.context, kit, size, self))
        self.title.setText(words("Return to “{name}”", name=back.name or game))
        self.second.setText(game)
        self.third.setText(
            words("Your seat is kept · you are told when the host is there again")
            if back.awaited
            else words("Your seat is kept · last seen {when}", when=when_text(words, back.visited))
        )
        self.main_button.setText(words("Return"))
        self.main_button.setAccessibleName(self.title.text())
        forget.setText(words("Delete"))
        forget.setAccessibleName(words("Forget “{name}”", name=back.name or game))
