"""A page of the settings: what the table's colours look like to other eyes, and in greys."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap, QShowEvent
from PySide6.QtWidgets import QLabel, QLayout, QVBoxLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.games.layout import CARD_HEIGHT
from ui.shell.app_context import AppContext, named
from ui.style.art import CARD_MARGIN
from ui.style.colour_vision import SIGHTS, as_seen
from ui.widgets.surface import label

SAMPLES = (("sun", (0, 8, 16, 24)), ("awss", (0, 15, 30, 45)))
"""Of these games the cards whose colours must be told apart: four suits, four seasons."""
CARD, BADGE, GAP = 38.0, 24.0, 5.0
"""Widths of a card and a seat's badge, and what lies between them, in pixels."""


class ColourPage(QWidget):
    """Every sight with a strip of seats and cards, drawn when they are first seen."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._drawn_for: object = None
        self._told = label("caption", wrap=True)
        self._captions = {sight: label("caption") for sight in SIGHTS}
        self.strips = {sight: QLabel() for sight in SIGHTS}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(3)
        column.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        column.addWidget(self._told)
        for sight in SIGHTS:
            column.addSpacing(5)
            column.addWidget(self._captions[sight])
            column.addWidget(self.strips[sight])
        column.addStretch()

    def dress(self) -> None:
        """Put texts on, and pictures in the room's theme if they are seen."""
        words = self._context.words
        self._told.setText(
            words(
                "How seats, suits and seasons look to different eyes. Every seat, suit "
                "and season also has its own symbol, so nothing depends on colour "
                "alone."
            )
        )
        for sight, text in SIGHTS.items():
            self._captions[sight].setText(words(text))
            named(self.strips[sight], words(text), words("Seats, suits and seasons"))
        if self.isVisible():
            self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def _draw(self) -> None:
        if self._drawn_for is self._context.art:
            return
        self._drawn_for = self._context.art
        notice_bar = self._notice_bar()
        for sight, place in self.strips.items():
            place.setPixmap(QPixmap.fromImage(as_seen(notice_bar, sight)))
            place.setFixedSize(notice_bar.deviceIndependentSize().toSize())

    def _notice_bar(self) -> QImage:
        """The seats in two rows, and beside them the cards."""
        context = self._context
        seats = context.theme.seats
        cards = [(game, catalogue.load(game).deck[n]) for game, some in SAMPLES for n in some]
        half = len(seats) // 2
        wide = half * (BADGE + GAP) + GAP + len(cards) * (CARD + GAP)
        high = CARD * CARD_HEIGHT + 4
        ratio = self.devicePixelRatioF()
        image = QImage(round(wide * ratio), round(high * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(QColor(context.theme.mat))
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number, seat in enumerate(seats):
                badge = context.art.seat_badge(seat.symbol, seat.colour, BADGE, ratio)
                x, y = GAP / 2 + number % half * (BADGE + GAP), 2 + number // half * (BADGE + 4)
                painter.drawPixmap(QPointF(x, y), badge)
            for number, (game, card) in enumerate(cards):
                x = half * (BADGE + GAP) + GAP + number * (CARD + GAP)
                face = context.art.card(game, card, CARD, ratio, simple=True)
                painter.drawPixmap(QPointF(x - CARD_MARGIN, 2 - CARD_MARGIN), face)
        return image
