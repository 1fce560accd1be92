"""A shared table that waits for somebody of this computer to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from tabletop.games import catalogue
from tabletop.games.catalogue import BrokenGame, UnknownGame
from ui.screens.continued import PICTURE, when_text
from ui.screens.room import Room
from ui.screens.surface import Paper, Shortened, button, label
from ui.screens.thumbnail import front_of
from ui.words import title

if TYPE_CHECKING:
    from tabletop.net.keyring import Return

FRONT = QSize(68, PICTURE.height())


class Returning(Paper):
    """One sheet over the shelf."""

    wanted = Signal(object)
    unwanted = Signal(str)

    def __init__(self, room: Room, back: Return, first: bool) -> None:
        super().__init__()
        self._room = room
        self._back = back
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._picture = label()
        self._title, self._game, self._when = (
            Shortened("heading"),
            Shortened(),
            Shortened("caption"),
        )
        self.go, self._forget = button("primary" if first else ""), button("quiet")
        self.go.clicked.connect(lambda: self.wanted.emit(back))
        self._forget.clicked.connect(lambda: self.unwanted.emit(back.ticket.table))
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addStretch()
        for each in (self._title, self._game, self._when):
            texts.addWidget(each)
        texts.addStretch()
        buttons = QVBoxLayout()
        buttons.setSpacing(4)
        buttons.addStretch()
        buttons.addWidget(self.go)
        buttons.addWidget(self._forget)
        buttons.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 16, 10)
        row.setSpacing(16)
        row.addWidget(self._picture)
        row.addLayout(texts, 1)
        row.addLayout(buttons)
        self.dress()

    def dress(self) -> None:
        """Put the texts on in the room's language."""
        words, back = self._room.words, self._back
        game = back.game
        try:
            kit = catalogue.load(back.game)
        except (UnknownGame, BrokenGame):
            self._picture.clear()
        else:
            game = title(kit, words.language)
            self._picture.setPixmap(front_of(self._room, kit, FRONT, self))
        self._title.setText(words("Return to “{name}”", name=back.name or game))
        self._game.setText(game)
        self._when.setText(
            words("Your seat is kept · last there {when}", when=when_text(words, back.visited))
        )
        self.go.setText(words("Return"))
        self.go.setAccessibleName(self._title.text())
        self._forget.setText(words("Forget"))
        self._forget.setAccessibleName(words("Forget “{name}”", name=back.name or game))
