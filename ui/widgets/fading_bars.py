"""Scroll bars that fade out when the user stops scrolling."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar

HIDDEN_PROPERTY = "still"
"""The widget property that makes the style sheet hide a scroll bar."""
FADE_DELAY_MS = 1200
"""Time in ms from the last movement until the scroll bars fade."""


class FadingBars(QObject):
    """Hides the scroll bars of one area while the user isn't scrolling.

    When the content changes, the bars appear briefly, so that the user sees that there is more.
    """

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._bars = (area.verticalScrollBar(), area.horizontalScrollBar())
        self._fade = QTimer(self, singleShot=True, interval=FADE_DELAY_MS)
        self._fade.timeout.connect(self._hide)
        for bar in self._bars:
            bar.valueChanged.connect(self._show)
            bar.rangeChanged.connect(self._show)
        self._set(still=False)

    def _show(self, *_: int) -> None:
        self._set(still=False)
        self._fade.start()

    def _hide(self) -> None:
        if any(bar.isSliderDown() for bar in self._bars):
            self._fade.start()
        else:
            self._set(still=True)

    def _set(self, still: bool) -> None:
        for bar in self._bars:
            is_hidden = still or bar.minimum() == bar.maximum()
            if bool(bar.property(HIDDEN_PROPERTY)) != is_hidden:
                _mark(bar, is_hidden)


def _mark(bar: QScrollBar, still: bool) -> None:
    bar.setProperty(HIDDEN_PROPERTY, still)
    bar.style().unpolish(bar)
    bar.style().polish(bar)
    bar.update()
