"""The Card tab: one enlarged card with its text and a link to the rulebook."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from tabletop.engine.model import is_face
from tabletop.games.layout import CARD_HEIGHT
from ui.shell.app_context import AppContext, name_widget
from ui.style.art import CARD_MARGIN_PX
from ui.style.rich_text import link
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import label, link_label, scale_pixels

MARGIN_PX = 14
MAX_CARD_WIDTH_PX = 300
"""The greatest width of the enlarged card."""


class CardPanel(QScrollArea):
    """One enlarged card, with its name, its text and a link to the rulebook."""

    rule_requested = Signal(str)
    """The user followed the link to the rulebook. The argument is the paragraph's number."""

    def __init__(self, context: AppContext, prints: CardPixmaps) -> None:
        """`prints`: renders the cards of the table beside this panel."""
        super().__init__()
        self._context, self._prints = context, prints
        self._card: int | None = None
        self.setWidgetResizable(True)
        self._picture = label()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._name = label("heading", wrap=True)
        self._note = label("caption", wrap=True)
        self._text = label(wrap=True)
        self._more = link_label()
        self._more.linkActivated.connect(self.rule_requested)
        inside = QWidget()
        rows = [self._picture, self._name, self._note, self._text, self._more, STRETCH]
        lay(QVBoxLayout(inside), rows, spacing=10, margins=MARGIN_PX)
        self.setWidget(inside)
        self.show_card(None)

    def show_card(self, card: int | None, note: str = "") -> None:
        """Show `card`, or a help text if it is None or face down.

        `note` says why the card can't be played.
        """
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._card = card if card is not None and is_face(card) else None
        self.refresh_appearance()

    @property
    def spoken_text(self) -> str:
        """The name and the texts of the card, for screen readers."""
        texts = (self._name.text(), self._note.text(), self._text.text())
        return self._prints.words.sentences(texts)

    def refresh_appearance(self) -> None:
        """Update picture and texts for the chosen language and theme."""
        words, card = self._prints.words, self._card
        name_widget(self, words("Card"))
        name, text, paragraph = "", words("Point at a card to see it here."), ""
        if card is not None:
            face, name = self._prints.kit.deck[card], words.card(card)
            text, paragraph = words(str(face.get("text", ""))), str(face.get("paragraph", ""))
        for each in (self._picture, self._name):
            each.setVisible(card is not None)
        self._picture.setPixmap(self._draw_card(card) if card is not None else QPixmap())
        name_widget(self._picture, name, words=words)
        self._name.setText(name)
        self._text.setText(text)
        for each in (self._name, self._text):
            name_widget(each, each.text(), words=words)
        rules = link(paragraph, words("→ Rules {n}", n=paragraph), self._context.theme.accent_2)
        self._more.setText(rules if paragraph else "")
        name_widget(self._more, words("Rules {n}", n=paragraph))
        self._more.setVisible(bool(paragraph))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._card is not None:
            self._picture.setPixmap(self._draw_card(self._card))

    def _draw_card(self, card: int) -> QPixmap:
        width = (
            min(self.viewport().width() - 2 * MARGIN_PX, scale_pixels(self, MAX_CARD_WIDTH_PX))
            - 2 * CARD_MARGIN_PX
        )
        width = max(120.0, min(width, (self.viewport().height() * 0.62) / CARD_HEIGHT))
        return self._prints.face_pixmap(card, width, ratio=self.devicePixelRatioF())
