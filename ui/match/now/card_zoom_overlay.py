"""Shows the hovered or focused card enlarged in the lower half of the sidebar."""

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

HIDE_DELAY_MS = 400
"""How long a card stays after the pointer has left it, which avoids flicker between two cards."""
GAP_PX = 8
PADDING_PX = 10
MAX_CARD_WIDTH_PX = 330
"""The greatest width of the enlarged card."""


class CardZoomOverlay(Paper):
    """An overlay at the bottom of `parent` that is transparent to the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.card: int | None = None
        """The enlarged card, or None while the overlay is hidden."""
        self._picture, self._name, self._note = label(), label("heading"), label(wrap=True)
        for each in (self._picture, self._name, self._note):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        rows = [self._picture, self._name, self._note]
        lay(QVBoxLayout(self), rows, spacing=2, margins=PADDING_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._leaving = QTimer(self, singleShot=True, interval=HIDE_DELAY_MS)
        self._leaving.timeout.connect(self.hide_now)
        self.hide()

    def show_card(
        self, card: int, note: str, prints: CardPixmaps, words: Words, room: QRect
    ) -> None:
        """Show `card` and `note` at the bottom of `room`, as large as possible."""
        self._leaving.stop()
        self.card = card
        self._name.setText(words.card(card))
        self._note.setText(note)
        self._note.setVisible(bool(note))
        wide = room.width() - 2 * GAP_PX
        inner = wide - 2 * PADDING_PX
        written = self._name.heightForWidth(inner) + 2
        if self._name.heightForWidth(inner) < 0:
            written = self._name.sizeHint().height() + 2
        if note:
            written += self._note.heightForWidth(inner) + 2
        high = room.height() - 2 * GAP_PX - 2 * PADDING_PX - written
        width = (
            min(inner, high / CARD_HEIGHT, scale_pixels(self, MAX_CARD_WIDTH_PX))
            - 2 * CARD_MARGIN_PX
        )
        wide_card, ratio = float(max(60, round(width))), self.devicePixelRatioF()
        self._picture.setPixmap(prints.face_pixmap(card, wide_card, ratio=ratio))
        tall = self._picture.pixmap().deviceIndependentSize().height() + written + 2 * PADDING_PX
        bottom = room.bottom() - GAP_PX
        self.setGeometry(room.left() + GAP_PX, round(bottom - tall), wide, round(tall))
        name_widget(self, words.card(card), words=words)
        name_widget(self._name, words.card(card), words=words)
        self.show()
        self.raise_()

    def hide_soon(self) -> None:
        """Hide the overlay after a short delay, unless another card is shown first."""
        if not self.isHidden():
            self._leaving.start()

    def hide_now(self) -> None:
        """Hide the overlay at once."""
        self._leaving.stop()
        self.card = None
        self.hide()
