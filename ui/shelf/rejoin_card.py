"""A shared table that waits for somebody of this computer to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, Kit, UnknownGame
from ui.shelf.resting_pointer import RestingPointer
from ui.shelf.unfinished_card import LOW_PICTURE, PICTURE
from ui.shell.app_context import AppContext
from ui.shell.language import title, when_text
from ui.widgets.box_thumbnail import front_of
from ui.widgets.surface import Paper, Shortened, button, change_kind, in_the_middle, label

if TYPE_CHECKING:
    from tabletop.net.guest.known_hosts import Rejoin

FRONT = QSize(68, PICTURE.height())
LOW_FRONT = QSize(40, LOW_PICTURE.height())


class RejoinCard(Paper):
    """One sheet over the shelf."""

    wanted = Signal(object)
    unwanted = Signal(str)
    pointed = Signal(object)
    """The pointer rests where somebody returns to a table of this kit, or the keys have come
    there."""

    def __init__(self, context: AppContext, back: Rejoin, first: bool) -> None:
        super().__init__()
        self._context = context
        self._back = back
        self._kit: Kit | None = None
        """What is played there, where it is known here."""
        self._low = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._picture = label()
        self._title, self._game, self._when = (
            Shortened("heading"),
            Shortened(),
            Shortened("caption"),
        )
        self.go, self._forget = button("primary" if first else ""), button("quiet")
        self.go.clicked.connect(lambda: self.wanted.emit(back))
        RestingPointer(self.go).rested.connect(self._point)
        self._forget.clicked.connect(lambda: self.unwanted.emit(back.ticket.table))
        self.buttons = (self.go, self._forget)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 16, 6)
        row.setSpacing(16)
        row.addWidget(self._picture)
        row.addLayout(in_the_middle(1, self._title, self._game, self._when), 1)
        row.addWidget(self._forget)
        row.addWidget(self.go)
        self.dress()

    def set_low(self, low: bool) -> None:
        """Whether it has little height."""
        if low != self._low:
            self._low = low
            self.dress()

    def _point(self) -> None:
        if self._kit is not None:
            self.pointed.emit(self._kit)

    def dress(self) -> None:
        """Put the texts on in the chosen language."""
        words, back = self._context.words, self._back
        game = back.game
        try:
            self._kit = kit = catalogue.load(back.game)
        except (UnknownGame, BrokenGame):
            self._kit = None
            self._picture.clear()
        else:
            game = title(kit, words.language)
            size = LOW_FRONT if self._low else FRONT
            self._picture.setPixmap(front_of(self._context, kit, size, self))
        self._title.setText(words("Return to “{name}”", name=back.name or game))
        self._game.setText(game)
        change_kind(self._title, "strong" if self._low else "heading")
        change_kind(self._game, "reading" if self._low else "")
        self._when.setText(
            words("Your seat is kept · last seen {when}", when=when_text(words, back.visited))
        )
        self.go.setText(words("Return"))
        self.go.setAccessibleName(self._title.text())
        self._forget.setText(words("Delete"))
        self._forget.setAccessibleName(words("Forget “{name}”", name=back.name or game))
