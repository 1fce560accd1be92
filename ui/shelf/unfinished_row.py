"""What was begun and waits to be gone on with, side by side over the shelf."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from ui.shelf.rejoin_card import RejoinCard
from ui.shelf.unfinished_card import UnfinishedCard
from ui.widgets.surface import discard, muted

NARROWEST = 500
"""Width of a sheet where there are several, in pixels; those that find no room are scrolled to."""
BAR = 12
"""Left free for the scroll bar, in pixels."""


class UnfinishedRow(QScrollArea):
    """A row of sheets, of which a wheel or Tab brings those into sight that lie beyond the edge."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[UnfinishedCard | RejoinCard] = []
        inside = QWidget()
        inside.installEventFilter(self)
        self._row = QHBoxLayout(inside)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(16)
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        muted(self.viewport())
        muted(inside)
        self.hide()

    def clear(self) -> None:
        """Take all sheets away."""
        for card in self.cards:
            discard(card, self._row)
        self.cards = []
        self.hide()

    def lay(self, card: UnfinishedCard | RejoinCard) -> None:
        """Lay one more sheet at the end."""
        self._row.addWidget(card, 1)
        self.cards.append(card)
        for each in self.cards:
            each.setMinimumWidth(NARROWEST if len(self.cards) > 1 else 0)
        self.show()
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        bar = self.horizontalScrollBar()
        turned = event.angleDelta().x() or event.angleDelta().y()
        if bar.maximum() and turned:
            bar.setValue(bar.value() - turned)
            event.accept()
        else:
            super().wheelEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # sheets become higher where they are narrow
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wanted = self._row.sizeHint().height()
        scrolled = self._row.minimumSize().width() > self.width()
        self.setFixedHeight(wanted + (BAR if scrolled else 0))
