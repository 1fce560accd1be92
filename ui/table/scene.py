"""The table as a scene: owns the items, takes what a person does, shows what a link tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsScene, QGraphicsSceneMouseEvent

from tabletop.engine.model import AUDIENCE, Move
from tabletop.engine.play import Illegal
from tabletop.games.catalogue import Kit
from tabletop.link import Link
from tabletop.match import Reset, Update
from tabletop.words import Words
from ui.art import Art
from ui.table import geometry, offered
from ui.table.card_item import CardItem
from ui.table.stage import Stage
from ui.table.zone_item import LightItem
from ui.theme import Theme

LEGAL_CAP = 300
LIGHT_Z = 300.0


class TableScene(QGraphicsScene):
    """One seat's table. It knows no rules and no game: offers, reasons and previews come by link."""

    refused = Signal(object)
    """Something could not be done: a Reason."""
    prompted = Signal()
    """What the seat is asked has changed."""
    focused = Signal(object)
    """The card a person looks at (its number), or None."""
    settled = Signal()
    """The table lies as the view tells."""
    arranged = Signal(bool)
    """The cards put together so far are an answer (`commit` sends it), or are not yet."""
    acted = Signal(object)
    """A Move was sent."""
    renamed = Signal()
    """The language, and so the name of the table, is a different one."""

    def __init__(self, kit: Kit, art: Art, words: Words, theme: Theme) -> None:
        super().__init__()
        self.kit = kit
        self.link: Link | None = None
        self.offers: dict[int, tuple[Any, ...]] = {}
        self._stop: Callable[[], None] | None = None
        self._theme = theme
        self.stage = Stage(self, geometry.read(kit.layout), kit, art, words, theme)
        self._selected: CardItem | None = None
        self._lights: dict[str, LightItem] = {}
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self._lay_cloth()
        self.set_size(1280, 800)

    # Sitting down

    def sit(self, link: Link) -> None:
        """Show the table of this link's seat; nothing of the former seat is left."""
        self.leave()
        self.link = link
        self.stage.players = link.players
        self._stop = link.on_update(self._hear)
        self.offers = link.offers
        self.stage.show(link.view)
        self._settle()

    def leave(self) -> None:
        """Get up: take every card, light and picture off the table."""
        if self._stop is not None:
            self._stop()
        self._stop, self.link, self.offers = None, None, {}
        self.cancel()
        self.stage.clear()

    def set_words(self, words: Words) -> None:
        """Speak another language."""
        self.stage.prints.words = words
        self.stage.reprint()
        self.renamed.emit()

    def set_theme(self, theme: Theme, art: Art) -> None:
        """Wear other colours."""
        self._theme = theme
        self.stage.prints.theme, self.stage.prints.art = theme, art
        self._lay_cloth()
        self.stage.reprint()

    def set_speed(self, speed: str) -> None:
        """How fast things move: off, fast, normal or slow."""

    def set_size(self, width: float, height: float) -> None:
        """Lay the table out for a viewport of this size, in pixels."""
        self.stage.size = (float(width), float(height))
        self.setSceneRect(0, 0, width, height)
        if self.stage.view is not None:
            self.stage.arrange()

    def set_ratio(self, ratio: float) -> None:
        """Draw for this many device pixels a pixel of the scene."""
        if ratio != self.stage.prints.ratio:
            self.stage.prints.ratio = ratio
            self._lay_cloth()
            self.stage.reprint()

    def name(self) -> str:
        """What the table is called for those who cannot see it."""
        return self.stage.prints.words("The table")

    def prompt_rect(self) -> QRectF:
        """Where the layout leaves room for the prompt line, in pixels."""
        setting = self.stage.setting
        if setting is None or setting.surface.prompt is None:
            return QRectF()
        return self.stage.pixels(setting.surface.prompt)

    # Doing things

    def play(self, move: Move) -> None:
        """Answer with this move."""
        if self.link is None:
            return
        self.cancel()
        try:
            self.link.send(move)
        except Illegal as illegal:
            self.refused.emit(illegal.reason)
            return
        self.acted.emit(move)

    def commit(self) -> None:
        """Send what was put together."""

    def light(self, move: Move) -> None:
        """Show a move without playing it: its cards and where they go."""

    def legal(self) -> list[Move]:
        """What may be done now, at most LEGAL_CAP moves of it."""
        return offered.listed(self.offers, LEGAL_CAP)

    def cancel(self) -> None:
        """Put down, choose nothing, close what is open."""
        if self._selected is not None:
            self._selected.mark(selected=False)
            self._selected = None
        for light in self._lights.values():
            self.removeItem(light)
        self._lights = {}

    def skip(self) -> None:
        """Let what moves arrive at once."""

    def hover(self, item: CardItem | None) -> None:
        """The pointer is over this card."""

    def next_zone(self, forward: bool) -> bool:
        """Move the focus to the next zone; whether there is one."""
        return False

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:  # noqa: N802
        point = event.scenePos()
        for zone, light in self._lights.items():
            if light.rect.contains(point) and self._selected is not None:
                chances = offered.single(self.offers, self._selected.card)
                moves = offered.moves_to(chances, (self._selected.card,), zone)
                if moves:
                    self.play(moves[0])
                    return
        item = self.card_at(point)
        self.cancel()
        if item is not None:
            self._select(item)

    def card_at(self, point: QPointF) -> CardItem | None:
        """The card that lies uppermost at this point."""
        for item in self.items(point):
            if isinstance(item, CardItem) and item.holds(point):
                return item
        return None

    def _select(self, item: CardItem) -> None:
        if item.known:
            self.focused.emit(item.card)
        chances = offered.single(self.offers, item.card)
        if not chances:
            return
        self._selected = item
        item.mark(selected=True)
        for zone in offered.targets(chances):
            rect = self.stage.rect(zone)
            if rect is not None:
                self._lights[zone] = LightItem(rect, self._theme, zone)
                self._lights[zone].setZValue(LIGHT_Z)
                self.addItem(self._lights[zone])

    def _hear(self, message: Update | Reset) -> None:
        assert self.link is not None
        self.cancel()
        self.offers = message.offers
        self.stage.show(self.link.view)
        self._settle()

    def _settle(self) -> None:
        playable = offered.playable(self.offers)
        for item in self.stage.items:
            item.mark(playable=item.card in playable)
        self.prompted.emit()
        self.settled.emit()

    def _lay_cloth(self) -> None:
        """The surface: flat, with a barely visible grain."""
        prints = self.stage.prints
        side = 512
        cloth = QPixmap(round(side * prints.ratio), round(side * prints.ratio))
        cloth.setDevicePixelRatio(prints.ratio)
        cloth.fill(QColor(self._theme.table))
        with QPainter(cloth) as painter:
            grain = prints.art.pixmap("common/grain.svg", side, side, prints.ratio)
            painter.drawPixmap(0, 0, grain)
        self.setBackgroundBrush(QBrush(cloth))


__all__ = ["AUDIENCE", "Qt", "TableScene"]
