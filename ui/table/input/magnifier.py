"""Looking closer: the card under the pointer or the focus, enlarged beside itself."""

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
    """Shows one card enlarged, at once or after the pointer has lingered on it."""

    def __init__(self, look: SelectionView) -> None:
        super().__init__()
        self.look = look
        self.choice = look.choice
        self.shown: EnlargedItem | None = None
        self._lingering = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._lingering.timeout.connect(self.show)
        self._is_beside = False
        """Whether the card is shown beside the table."""
        self.elsewhere: Callable[[int | None, str], bool] = lambda card, note: False
        """Shows a card large beside the table, with why it cannot be played, or with None none any
        more; whether there is a place for it there."""
        look.choice.refused.add(lambda _: self.close())  # the prompt line grows to say why

    def linger(self) -> None:
        """Show the card under the pointer if it is still there in a moment."""
        self._lingering.start()

    def show(self) -> None:
        """Show the card under the pointer, else the one the focus is on."""
        look, stage = self.look, self.look.stage
        item = look.hovered or look.focus.card
        if item is None or not item.is_known or look.held is not None or stage.view is None:
            return
        if self.show_beside(item):
            return
        self.close()
        beside = item.mapToScene(item.card_rect).boundingRect()
        room = self._free_room(beside)
        lit = (target_rect(stage, zone) for zone in look.lights.zones if zone)
        targets = [rect for rect in lit if rect is not None and not rect.intersects(beside)]
        covered = [*_covered_parts(stage.scene), *self._plaques(beside)]
        note = self._reason_against(item)
        self.shown = EnlargedItem(stage.pixmaps, item.card, beside, room, note, covered, targets)
        self.shown.setZValue(ENLARGED_Z)
        stage.scene.addItem(self.shown)

    def show_beside(self, item: CardItem) -> bool:
        """Show a card beside the table, where there is a place for it; whether there is."""
        self.look.looked.emit(item.card)
        self._is_beside = self.elsewhere(item.card, self._reason_against(item))
        return self._is_beside

    def close(self) -> None:
        """Show none."""
        self._lingering.stop()
        if self._is_beside:
            self._is_beside = False
            self.elsewhere(None, "")
        self.look.stage.remove_item(self.shown)
        self.shown = None

    def _free_room(self, beside: QRectF) -> QRectF:
        """The table, or the part of it that no open list takes."""
        room = QRectF(0, 0, *self.look.stage.size)
        if self.look.chooser is not None:
            taken = self.look.chooser.place
            if taken.left() >= beside.right():
                room.setRight(taken.left())
            elif taken.right() <= beside.left():
                room.setLeft(taken.right())
        return room

    def _plaques(self, beside: QRectF) -> list[QRectF]:
        """The names and scores on the table; not one that the card itself lies on."""
        plaques = self.look.stage.plaques()
        return [rect for _, rect in plaques if not rect.intersects(beside)]

    def _reason_against(self, item: CardItem) -> str:
        view, choice = self.look.stage.view, self.choice
        if view is None or not choice.offers or item.is_playable or item.zone in choice.targets:
            return ""
        if choice.gathering.joins(item.card) is not None:
            return ""
        reason = choice.reason_against(item.card)
        return self.look.stage.pixmaps.words.reason(reason, view.viewer) if reason else ""


def _covered_parts(scene: QGraphicsScene) -> list[QRectF]:
    """Return the parts of the scene under other things in the window, as the prompt line."""
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
