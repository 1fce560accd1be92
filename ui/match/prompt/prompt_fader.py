"""Fades the prompt while moving cards cross it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPropertyAnimation, Qt
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from ui.table.view import TableView

FADED_OPACITY = 0.25
"""The prompt's opacity while a card crosses it, from 0 to 1."""
FADE_MS = 120


class PromptFader(QObject):
    """Fades the prompt while flying or dragged cards cross it.

    The prompt is hidden while the table is first laid out.

    During the initial layout, clicks pass through the prompt to the table, where they skip the
    animation.
    """

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
        self._target_opacity = 1.0
        self._animator.started.connect(self._on_animation_started)
        self._animator.flights_moved.connect(self._on_cards_moved)
        self._selection_view = view.table.selection_view
        self._selection_view.carried_card_moved.connect(self._on_cards_moved)

    def _on_animation_started(self) -> None:
        self._view.table.settled.connect(self._on_settled, Qt.ConnectionType.SingleShotConnection)
        if self._animator.is_opening:
            self._set_click_through(True)
            self._target_opacity = 0.0
            self._effect.setEnabled(True)
            self._effect.setOpacity(0.0)

    def _on_cards_moved(self) -> None:
        if not self._animator.is_opening:
            self._fade_to(FADED_OPACITY if self._is_crossed_by_card() else 1.0)

    def _on_settled(self) -> None:
        self._set_click_through(False)
        self._fade_to(1.0)

    def _is_crossed_by_card(self) -> bool:
        view, over = self._view, self._prompt.geometry().translated(-self._view.pos())
        carried = self._selection_view.carried_card
        moving = (*self._animator.flying_cards, *([carried] if carried is not None else ()))
        cards = (view.mapFromScene(item.sceneBoundingRect()) for item in moving)
        return any(card.boundingRect().intersects(over) for card in cards)

    def _fade_to(self, opacity: float) -> None:
        if opacity == self._target_opacity:
            return
        self._target_opacity = opacity
        self._effect.setEnabled(True)
        self._fade.stop()
        self._fade.setEndValue(opacity)
        self._fade.start()

    def _drop_idle_effect(self) -> None:
        """Disable the effect at full opacity, because an enabled one slows painting down."""
        self._effect.setEnabled(self._target_opacity < 1.0)

    def _set_click_through(self, through: bool) -> None:
        self._prompt.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, through)
