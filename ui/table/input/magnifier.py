"""Shows an enlarged view of the card under the mouse or with the focus."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRectF, Qt, QTimer
from PySide6.QtWidgets import QGraphicsScene, QWidget

from ui.table.input.selection_view import SelectionView
from ui.table.input.targets import target_rect
from ui.table.items.card_item import CardItem
from ui.table.items.enlarged_item import EnlargedItem

LINGER_MS = 300
ENLARGED_Z = 1200.0


class Magnifier(QObject):
    """Shows one card enlarged, immediately or after the mouse has rested on it."""

    def __init__(self, look: SelectionView) -> None:
        super().__init__()
        self.selection_view = look
        self.choice = look.choice
        self.enlarged_item: EnlargedItem | None = None
        self._hover_timer = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._hover_timer.timeout.connect(self.show_card)
        self._is_beside = False
        """Whether the card is shown in the sidebar."""
        self.show_in_sidebar: Callable[[int | None, str], bool] = lambda card, note: False
        """Shows a card in the sidebar with the reason why it can't be played; None clears it.
        Returns whether the sidebar has space for it.
        """
        look.choice.refused.add(
            lambda _: self.hide_card()
        )  # the prompt line grows to show the reason

    def start_hover_timer(self) -> None:
        """Show the card under the mouse after a delay of `LINGER_MS`."""
        self._hover_timer.start()

    def show_card(self) -> None:
        """Show the card under the mouse, or the focused card if there is none."""
        look, stage = self.selection_view, self.selection_view.stage
        item = look.hovered_card or look.focus.card_item
        if item is None or not item.is_known or look.carried_card is not None or stage.view is None:
            return
        if self.show_beside(item):
            return
        self.hide_card()
        beside = item.mapToScene(item.card_rect).boundingRect()
        room = self._free_room(beside)
        lit = (target_rect(stage, zone) for zone in look.target_lights.lit_zones if zone)
        targets = [rect for rect in lit if rect is not None and not rect.intersects(beside)]
        covered = [*_covered_parts(stage.scene), *self._plaques(beside)]
        note = self._reason_against(item)
        self.enlarged_item = EnlargedItem(
            stage.pixmaps, item.card, beside, room, note, covered, targets
        )
        self.enlarged_item.setZValue(ENLARGED_Z)
        stage.scene.addItem(self.enlarged_item)

    def show_beside(self, item: CardItem) -> bool:
        """Show `item` in the sidebar. Return whether the sidebar has space for it."""
        self.selection_view.viewed_card_changed.emit(item.card)
        self._is_beside = self.show_in_sidebar(item.card, self._reason_against(item))
        return self._is_beside

    def hide_card(self) -> None:
        """Hide the enlarged card."""
        self._hover_timer.stop()
        if self._is_beside:
            self._is_beside = False
            self.show_in_sidebar(None, "")
        self.selection_view.stage.remove_item(self.enlarged_item)
        self.enlarged_item = None

    def _free_room(self, beside: QRectF) -> QRectF:
        """Return the part of the table that no open list covers."""
        room = QRectF(0, 0, *self.selection_view.stage.size)
        if self.selection_view.chooser is not None:
            taken = self.selection_view.chooser.list_rect
            if taken.left() >= beside.right():
                room.setRight(taken.left())
            elif taken.right() <= beside.left():
                room.setLeft(taken.right())
        return room

    def _plaques(self, beside: QRectF) -> list[QRectF]:
        """Return the rectangles of the plaques that
        `beside`, the card's rectangle, doesn't overlap.
        """
        plaques = self.selection_view.stage.plaques()
        return [rect for _, rect in plaques if not rect.intersects(beside)]

    def _reason_against(self, item: CardItem) -> str:
        view, choice = self.selection_view.stage.view, self.choice
        if view is None or not choice.offers or item.is_playable or item.zone in choice.targets:
            return ""
        if choice.multi_selection.draft_accepting(item.card) is not None:
            return ""
        reason = choice.reason_card_is_idle(item.card)
        return self.selection_view.stage.pixmaps.words.reason(reason, view.viewer) if reason else ""


def _covered_parts(scene: QGraphicsScene) -> list[QRectF]:
    """Return the parts of `scene` that other widgets cover, such as the prompt line."""
    rects = []
    for view in scene.views():
        around, seen = view.parentWidget(), view.viewport().rect()
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        others = around.findChildren(QWidget, options=direct) if around is not None else []
        for other in others:
            place = other.geometry().translated(-view.pos())
            if other is not view and other.isVisible() and place.intersects(seen):
                rects.append(view.mapToScene(place).boundingRect())
    return rects
