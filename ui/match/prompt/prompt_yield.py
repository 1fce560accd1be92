"""The prompt line makes way: for cards that cross it, and until the table is laid at the
beginning."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPropertyAnimation, Qt
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from ui.table.view import TableView

YIELDING = 0.25
"""Its opacity while a card crosses it."""
FADE_MS = 120


class PromptYield(QObject):
    """Lets the prompt line fade and come back. Nothing that it says or takes is different, but that
    before the table is laid a press goes to the table, which is laid at once."""

    def __init__(self, prompt: QWidget, view: TableView) -> None:
        super().__init__(prompt)
        self._prompt = prompt
        self._view = view
        self._animator = view.table.animator
        self._effect = QGraphicsOpacityEffect(prompt)
        self._effect.setEnabled(False)
        prompt.setGraphicsEffect(self._effect)
        self._fade = QPropertyAnimation(self._effect, b"opacity", self)
        self._fade.setDuration(FADE_MS)
        self._fade.finished.connect(self._drop_idle_effect)
        self._wanted = 1.0
        self._animator.started.connect(self._begin)
        self._animator.flights_moved.connect(self._follow)

    def _begin(self) -> None:
        self._view.table.settled.connect(self._end, Qt.ConnectionType.SingleShotConnection)
        if self._animator.is_opening:
            self._let_through(True)
            self._wanted = 0.0
            self._effect.setEnabled(True)
            self._effect.setOpacity(0.0)

    def _follow(self) -> None:
        if not self._animator.is_opening:
            self._go_to(YIELDING if self._is_crossed_by_card() else 1.0)

    def _end(self) -> None:
        self._let_through(False)
        self._go_to(1.0)

    def _is_crossed_by_card(self) -> bool:
        view, over = self._view, self._prompt.geometry().translated(-self._view.pos())
        cards = (
            view.mapFromScene(item.sceneBoundingRect()) for item in self._animator.flying_cards
        )
        return any(card.boundingRect().intersects(over) for card in cards)

    def _go_to(self, opacity: float) -> None:
        if opacity == self._wanted:
            return
        self._wanted = opacity
        self._effect.setEnabled(True)
        self._fade.stop()
        self._fade.setEndValue(opacity)
        self._fade.start()

    def _drop_idle_effect(self) -> None:
        """An effect that changes nothing costs nothing."""
        self._effect.setEnabled(self._wanted < 1.0)

    def _let_through(self, through: bool) -> None:
        self._prompt.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, through)
