"""A strip over the table that says what everybody waits for, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from tabletop.words import Words
from ui.screens.prompt import Choice
from ui.screens.room import Room, named
from ui.screens.surface import Paper, button, label

if TYPE_CHECKING:
    from ui.screens.visit import Visit

WIDEST = 860
EDGE = 12
TOP = 8


class Strip(Paper):
    """It stays as long as what it tells of; unlike a banner nobody can put it away."""

    resized = Signal()
    """It has come, gone, or is higher or lower than before."""

    def __init__(self, room: Room, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = room
        self._sign = label()
        self._text = label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._shown: tuple[str, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 6, 8, 6)
        self._row.setSpacing(8)
        self._row.addWidget(self._sign)
        self._row.addSpacing(4)
        self._row.addWidget(self._text, 1)
        self.hide()

    @property
    def text(self) -> str:
        """What it says, while it is there."""
        return "" if self.isHidden() else self._text.text()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    def tell(self, text: str, sign: str, choices: Sequence[Choice] = ()) -> None:
        """Say this with these buttons. Only the text may change while the buttons stay."""
        theme = self._room.theme
        colour = theme.warn if sign in ("warning", "clock") else theme.accent_2
        self._sign.setPixmap(self._room.icon(sign, colour).pixmap(22, 22))
        if self._text.text() != text:
            self._text.setText(text)
        texts = tuple(choice.text for choice in choices)
        if texts != self._shown:
            self._shown = texts
            self._lay(choices)
        named(self, text)
        before = self.size() if self.isVisible() else None
        self.show()
        self.raise_()
        self.place()
        if self.size() != before:
            self.resized.emit()

    def end(self) -> None:
        """There is nothing to wait for any more."""
        if self.isHidden():
            return
        self.hide()
        self._shown = ()
        self._lay(())
        self.resized.emit()

    def place(self) -> None:
        """Lie at the top of the parent, in the middle."""
        parent = self.parentWidget()
        wide = min(WIDEST, parent.width() - 2 * EDGE)
        self.setFixedWidth(wide)
        self.adjustSize()
        self.move((parent.width() - wide) // 2, TOP)

    def _lay(self, choices: Sequence[Choice]) -> None:
        for each in self._buttons:
            self._row.removeWidget(each)
            each.hide()
            each.deleteLater()
        self._buttons = []
        for choice in choices:
            made = button("primary" if choice.primary else "")
            made.setStyleSheet("QPushButton { padding: 3px 14px; border-radius: 13px; }")
            made.setText(choice.text)
            made.setAccessibleName(choice.text)
            made.clicked.connect(lambda _=False, press=choice.press: press())
            self._row.addWidget(made)
            self._buttons.append(made)


def lost_line(visit: Visit, words: Words) -> tuple[str, str, list[Choice]]:
    """What a strip tells of a broken line: that nothing is lost, when it is tried again."""
    seconds = visit.again_in
    text = words("The connection is lost. Your seat is kept.")
    if seconds is None:
        return text, "warning", []
    more = words("Trying again in {n} s.", n=seconds) if seconds else words("Trying again…")
    return f"{text} {more}", "warning", [Choice(words("Try now"), visit.try_again)]
