"""Draws a dragged card over the prompt."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from ui.style.theme import SMOOTH_HINTS
from ui.table.view import TableView


class CarriedCardOverlay(QWidget):
    """The part of a dragged card that crosses the prompt.

    The prompt is a widget and covers everything in the scene. The overlay has the same parent and
    is visible only while a dragged card crosses the prompt.
    """

    def __init__(self, prompt: QWidget, view: TableView) -> None:
        super().__init__(prompt.parentWidget())
        self._prompt = prompt
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        view.table.selection_view.carried_card_moved.connect(self._follow)

    def _follow(self) -> None:
        """Cover the part of the prompt that the dragged card crosses."""
        item = self._view.table.selection_view.carried_card
        if item is None or self._prompt.isHidden():
            self.hide()
            return
        shown = self._view.mapFromScene(item.sceneBoundingRect()).boundingRect()
        covered = shown.translated(self._view.pos()).intersected(self._prompt.geometry())
        self.setVisible(not covered.isEmpty())
        if not covered.isEmpty():
            self.setGeometry(covered)
            self.raise_()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        item = self._view.table.selection_view.carried_card
        if item is None:
            return
        offset = self._view.pos() - self.pos()
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.translate(offset)
            for part in (item, *item.childItems()):
                painter.save()
                painter.setTransform(
                    part.deviceTransform(self._view.viewportTransform()), combine=True
                )
                part.paint(painter, QStyleOptionGraphicsItem(), self)
                painter.restore()
