"""The card under the pointer or the focus, large in the lower half of the sidebar."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.games.layout import CARD_HEIGHT
from tabletop.language.words import Words
from ui.shell.app_context import name_widget
from ui.style.art import CARD_MARGIN_PX
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper, label, scale_pixels

LINGERS = 400
"""Milliseconds for which a card stays that nobody points at any more: the next one takes its place
without a gap."""
EDGE, PAD = 8, 10
WIDEST = 330
"""The gap round it, that round what it shows, and the greatest width of a card, in pixels."""


class CardZoomOverlay(Paper):
    """Lies over the foot of its parent, and takes no presses; hidden while it is empty."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.card: int | None = None
        """The card that is shown."""
        self._picture, self._name, self._note = label(), label("heading"), label(wrap=True)
        for each in (self._picture, self._name, self._note):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        rows = [self._picture, self._name, self._note]
        lay(QVBoxLayout(self), rows, spacing=2, margins=PAD)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._leaving = QTimer(self, singleShot=True, interval=LINGERS)
        self._leaving.timeout.connect(self.forget)
        self.hide()

    def show_card(
        self, card: int, note: str, prints: CardPixmaps, words: Words, room: QRect
    ) -> None:
        """Show this card as large as it fits into the room, at its foot."""
        self._leaving.stop()
        self.card = card
        self._name.setText(words.card(card))
        self._note.setText(note)
        self._note.setVisible(bool(note))
        wide = room.width() - 2 * EDGE
        inner = wide - 2 * PAD
        written = self._name.heightForWidth(inner) + 2
        if self._name.heightForWidth(inner) < 0:
            written = self._name.sizeHint().height() + 2
        if note:
            written += self._note.heightForWidth(inner) + 2
        high = room.height() - 2 * EDGE - 2 * PAD - written
        width = min(inner, high / CARD_HEIGHT, scale_pixels(self, WIDEST)) - 2 * CARD_MARGIN_PX
        wide_card, ratio = float(max(60, round(width))), self.devicePixelRatioF()
        self._picture.setPixmap(prints.face_pixmap(card, wide_card, ratio=ratio))
        tall = self._picture.pixmap().deviceIndependentSize().height() + written + 2 * PAD
        bottom = room.bottom() - EDGE
        self.setGeometry(room.left() + EDGE, round(bottom - tall), wide, round(tall))
        name_widget(self, words.card(card), words=words)
        name_widget(self._name, words.card(card), words=words)
        self.show()
        self.raise_()

    def let_go(self) -> None:
        """Nobody looks at it any more."""
        if not self.isHidden():
            self._leaving.start()

    def forget(self) -> None:
        """Show nothing, at once."""
        self._leaving.stop()
        self.card = None
        self.hide()
