"""The table as a scene: takes what a person does, sends what they decide, shows what they are told.

It knows no rules and no game: what may be done comes as offers, why not as a reason, what would
come of it as a preview, all by the link of the seat.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsScene,
    QGraphicsSceneContextMenuEvent,
    QGraphicsSceneMouseEvent,
    QMenu,
)

from tabletop.engine.model import AUDIENCE, Move, Reason, State
from tabletop.engine.play import NOT_ASKED, NOT_OFFERED, Illegal
from tabletop.games.catalogue import Kit
from tabletop.link import Link
from tabletop.match import Reset, Update
from tabletop.words import Words
from ui.art import Art
from ui.table import geometry, offered
from ui.table.animator import HOME_MS, NUDGE_MS, Animator
from ui.table.card_item import DIMMED, CardItem
from ui.table.chooser import Chooser
from ui.table.drag import Drag
from ui.table.enlarged_item import EnlargedItem
from ui.table.focus import DIRECTIONS, Focus
from ui.table.geometry import Rect
from ui.table.lights import Lights
from ui.table.offered import Arrangement
from ui.table.stage import Stage
from ui.theme import Theme

LEGAL_CAP = 300
MENU_CAP = 12
ENLARGE_MS = 300
ENLARGED_Z = 1200.0
GRAIN = 512
NOT_THERE = Reason("It cannot be put there.")


class TableScene(QGraphicsScene):
    """One seat's table."""

    refused = Signal(object)
    """Something could not be done: a Reason."""
    prompted = Signal()
    """What the seat is asked has changed."""
    focused = Signal(object)
    """The card a person looks at (its number), or None."""
    about = Signal(int)
    """Somebody wants to read about this card."""
    ruled = Signal(str)
    """Somebody wants to read this paragraph of the rules."""
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
        self.stage = Stage(self, geometry.read(kit.layout), kit, art, words, theme)
        self.animator = Animator(self.stage)
        self.animator.over.connect(self._settle)
        self.lights = Lights(self.stage)
        self.focus = Focus(self.stage, self.lights)
        self.arrangement: Arrangement | None = None
        self._stop: Callable[[], None] | None = None
        self._selected: CardItem | None = None
        self._chances: list[offered.Chance] = []
        self._chooser: Chooser | None = None
        self._laid: tuple[int, str] | None = None
        """The card that lies on a target while a choice is still open."""
        self._sent: list[tuple[int, str]] = []
        """Cards that wait on their targets until the answer has been heard."""
        self._drag: Drag | None = None
        self._pressed: tuple[CardItem | None, QPointF, QPointF] | None = None
        self._hovered: CardItem | None = None
        self._enlarged: EnlargedItem | None = None
        self._menu: QMenu | None = None
        self._linger = QTimer(self)
        self._linger.setSingleShot(True)
        self._linger.setInterval(ENLARGE_MS)
        self._linger.timeout.connect(self._enlarge)
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self._lay_cloth()
        self.set_size(1280, 800)

    # Sitting down and getting up

    def sit(self, link: Link) -> None:
        """Show the table of this link's seat; nothing of the former seat is left."""
        self.leave()
        self.link = link
        self.stage.players = link.players
        self._stop = link.on_update(self._hear)
        self.offers = link.offers
        self.stage.view = link.view
        self._settle()

    def leave(self) -> None:
        """Get up: take every card, light, list and picture off the table."""
        if self._stop is not None:
            with suppress(ValueError):  # the link may have been closed before
                self._stop()
        self._stop, self.link, self.offers = None, None, {}
        self._drop_everything()
        self.animator.stop()
        self.focus.clear()
        self.arrangement, self._sent = None, []
        self.stage.clear()
        self.focused.emit(None)

    def set_words(self, words: Words) -> None:
        """Speak another language."""
        self._pause()
        self.stage.prints.words = words
        self._reprint()
        self.renamed.emit()

    def set_theme(self, theme: Theme, art: Art | None = None) -> None:
        """Wear other colours; `art` prints in them."""
        self._pause()
        self.stage.prints.theme = theme
        self.stage.prints.art = art or Art(theme)
        self._lay_cloth()
        self._reprint()

    def set_speed(self, speed: str) -> None:
        """How fast things move: off, fast, normal or slow."""
        self.animator.speed = speed

    def set_size(self, width: float, height: float, rough: bool = False) -> None:
        """Lay the table out for a viewport of this size, in pixels; `rough` while it still changes.

        What is rough is drawn afresh by `sharpen`.
        """
        if self.stage.size == (width, height) and not self.stage.rough:
            return
        self._pause()
        self.stage.size = (float(width), float(height))
        self.stage.rough = rough
        self.setSceneRect(0, 0, width, height)
        if self.stage.view is not None:
            self.stage.arrange()
            self._mark()

    def sharpen(self, ratio: float) -> None:
        """Draw for this many device pixels a pixel of the scene."""
        prints = self.stage.prints
        if ratio == prints.ratio and not self.stage.rough:
            return
        self._pause()
        self.stage.rough = False
        if ratio != prints.ratio:
            prints.ratio = ratio
            self._lay_cloth()
        self._reprint()

    def name(self) -> str:
        """What the table is called for those who cannot see it."""
        return self.stage.prints.words("The table")

    def prompt_rect(self) -> QRectF:
        """Where the layout leaves room for the prompt line, in pixels."""
        setting = self.stage.setting
        if setting is None or setting.surface.prompt is None:
            return QRectF()
        return self.stage.pixels(setting.surface.prompt)

    # Deciding

    def play(self, move: Move) -> None:
        """Answer with this move. The cards wait on its target until the answer is heard."""
        if self.link is None:
            return
        seen = self.stage.view
        self._drop_everything(relay=False)
        self._sent = [(card, move.target) for card in move.cards if move.target]
        try:
            self.link.send(move)
        except Illegal as illegal:
            self.refuse(illegal.reason)
            return
        self.acted.emit(move)
        if self.stage.view is seen and not self.animator.running:
            self._relay()

    def refuse(self, reason: Reason) -> None:
        """The answer was not taken: what waited goes back, and the reason is told."""
        self._sent = []
        self._relay()
        self.refused.emit(reason)

    def commit(self) -> None:
        """Send what was put together, where it is an answer."""
        moves = self.arrangement.moves() if self.arrangement else []
        if len(moves) == 1:
            self.play(moves[0])
        elif moves:
            self._choose(moves, QPointF(*self._middle()))

    def light(self, move: Move) -> None:
        """Show a move without playing it: its cards, where they go, what would come of it."""
        self.cancel()
        items = [item for item in self.stage.items if item.card in move.cards]
        if items:
            self._select(items[0])
            for item in items[1:]:
                item.mark(selected=True)
        self.lights.show([move.target] if move.target else [])
        self.lights.near(move.target)
        if self._chooser is not None and move in self._chooser.moves:
            self._chooser.point(self._chooser.moves.index(move))

    def legal(self) -> list[Move]:
        """What may be done now, at most LEGAL_CAP moves of it."""
        return offered.listed(self.offers, LEGAL_CAP)

    def legal_of(self, card: int) -> list[Move]:
        """What may be done with this card alone."""
        chances = offered.single(self.offers, card)
        return [
            move
            for target in offered.targets(chances)
            for move in offered.moves_to(chances, (card,), target)
        ]

    def cancel(self) -> None:
        """Put down, choose nothing, close what is open."""
        self._drop_everything()
        self._light_bare()

    def skip(self) -> None:
        """Let what moves arrive at once."""
        self.animator.skip()

    # What the pointer does

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.skip()
        self._hide_enlarged()
        if event.button() is Qt.MouseButton.RightButton:
            self._pressed = None
            if self._drag is not None:
                self.cancel()
            return
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        point = event.scenePos()
        if self._chooser is not None and self._chooser.covers(point):
            number = self._chooser.at(point)
            if number is not None and self._chooser_open:
                self._chooser.choose(number)
            return
        self._pressed = (self.card_at(point), point, QPointF(event.screenPos()))

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        point = event.scenePos()
        if self._drag is not None:
            self._drag.move(point)
            return
        if self._pressed is None:
            self._weigh(point)
            return
        item, start, screen = self._pressed
        way = QPointF(event.screenPos()) - screen
        if way.manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            if item is not None:
                self._lift(item, start)
            if self._drag is not None:
                self._drag.move(point)

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if self._drag is not None:
            self._put_down()
        elif self._pressed is not None:
            item, point, _ = self._pressed
            self._pressed = None
            self._click(item, point)

    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        """The one obvious legal action of the card; where there are several, the choice."""
        event.accept()
        self.skip()
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        point = event.scenePos()
        item = self.card_at(point)
        if self._chooser is not None and self._chooser.covers(point):
            self.mousePressEvent(event)
            return
        if item is None or not item.known:
            return
        if self._gathers(item):
            self._toggle(item)
            return
        chances = offered.single(self.offers, item.card)
        targets = offered.targets(chances)
        if len(targets) == 1:
            self._drop(item, targets[0], offered.moves_to(chances, (item.card,), targets[0]), point)

    def contextMenuEvent(self, event: QGraphicsSceneContextMenuEvent) -> None:
        event.accept()
        item = self.card_at(event.scenePos()) or self.focus.card
        if item is None or self._drag is not None:
            return
        self._hide_enlarged()
        self._menu = self.menu(item)
        self._menu.popup(event.screenPos())

    def card_at(self, point: QPointF) -> CardItem | None:
        """The card that lies uppermost at this point."""
        for item in self.items(point):
            if isinstance(item, CardItem) and item.holds(point):
                return item
        return None

    def hover(self, item: CardItem | None) -> None:
        """The pointer is over this card now, or over none."""
        if item is self._hovered:
            return
        self._hide_enlarged()
        self._hovered = item
        self._raise()
        if item is not None and item.known:
            self._linger.start()

    def menu(self, item: CardItem) -> QMenu:
        """What can be done with a card: the legal actions, then the others and why not."""
        words, view = self.stage.prints.words, self.stage.view
        menu = QMenu()
        seat = view.viewer if view else None
        moves = self.legal_of(item.card) if item.known else []
        for move in moves[:MENU_CAP]:
            action = menu.addAction(words.move(move, seat))
            action.triggered.connect(lambda _=False, move=move: self.play(move))
        reason = self.why(item) if not moves and item.known else None
        if reason is not None:
            menu.addAction(words.reason(reason, seat)).setEnabled(False)
        menu.addSeparator()
        if item.known:
            about = menu.addAction(words("About this card"))
            about.triggered.connect(lambda: self.about.emit(item.card))
        paragraph = reason.paragraph if reason else ""
        if item.known and not paragraph:
            paragraph = str(self.kit.deck[item.card].get("paragraph", ""))
        rules = menu.addAction(words("Rules"))
        rules.triggered.connect(lambda: self.ruled.emit(paragraph))
        return menu

    def why(self, item: CardItem, to: str = "") -> Reason | None:
        """Why this card cannot go there (or anywhere); None where nothing is known against it."""
        if self.link is None:
            return None
        if not self.offers:
            return NOT_ASKED
        for ask in self.offers:
            reason = self.link.why(ask, item.card, to)
            if reason is not None:
                return reason
        return NOT_OFFERED

    def _weigh(self, point: QPointF) -> None:
        """The pointer moves freely."""
        if self._chooser is not None and self._chooser.covers(point):
            number = self._chooser.at(point)
            if number is not None:
                self._chooser.point(number)
            self.hover(None)
            return
        if self.lights and not self._gathering:
            self.lights.near(self.lights.at(point))
        self.hover(self.card_at(point))

    def _click(self, item: CardItem | None, point: QPointF) -> None:
        zone = self.lights.at(point)
        if zone is not None and item is not self._selected and self._act(zone, point):
            return
        if item is None:
            self.cancel()
        elif item is self._selected:
            target = offered.targets(self._chances)
            if target == [""]:
                self._act("", point)
            else:
                self.cancel()
        else:
            self._pick(item)

    def _pick(self, item: CardItem) -> None:
        """Choose a card: light where it may go, or say why it may not."""
        self.cancel()
        if not item.known:
            return
        self.focused.emit(item.card)
        if self._gathers(item) and self.arrangement and not self.arrangement.placed:
            self._toggle(item)
        elif self._gathers(item) or offered.single(self.offers, item.card):
            self._select(item)
        elif self._mine(item) and self.offers:
            self._cannot(item)

    def _cannot(self, item: CardItem) -> None:
        self.animator.tilt(item)
        reason = self.why(item)
        if reason is not None:
            self.refused.emit(reason)

    def _select(self, item: CardItem) -> None:
        """The card is chosen: all its targets light up."""
        self._selected = item
        self._chances = offered.single(self.offers, item.card)
        item.mark(selected=True)
        self._raise()
        targets = self._targets(item)
        self.lights.show(targets)
        places = offered.targets(self._chances)
        if places:
            moves = offered.moves_to(self._chances, (item.card,), places[0])
            verbs = self.kit.layout.get("verbs", {})
            if moves and verbs.get(moves[0].verb, {}).get("chooser") == "dial":
                self._open(moves, None)
                if len(moves) == 1 and self._chooser is not None:
                    self._chooser.point(0)

    def _targets(self, item: CardItem) -> list[str]:
        """Where a card may go now."""
        if self._gathers(item) and self.arrangement is not None:
            spot = self.arrangement.spot_of(item.card)
            zones = [zone for zone in self.arrangement.zones() if zone != spot]
            return [*zones, self._source(item.card)] if spot else zones
        return offered.targets(offered.single(self.offers, item.card))

    def _source(self, card: int) -> str:
        """The zone a card lies in as the view tells, wherever it has been put since."""
        view = self.stage.view
        zones = view.cards.items() if view else ()
        return next((zone for zone, cards in zones if card in cards), "")

    def _act(self, zone: str, point: QPointF) -> bool:
        """Bring the chosen card (or, without one, the choice itself) to a lit place."""
        item = self._selected
        if item is None:
            chances = [c for c in offered.all_of(self.offers) if not c.offer.least]
            moves = offered.moves_to(chances, (), zone)
            if len(moves) == 1:
                self.play(moves[0])
            elif moves:
                self._choose(moves, point)
            return bool(moves)
        if self._gathers(item):
            self._arrange(item, zone)
            return True
        moves = offered.moves_to(self._chances, (item.card,), zone)
        self._drop(item, zone, moves, point)
        return bool(moves)

    def _drop(self, item: CardItem, zone: str, moves: list[Move], point: QPointF) -> None:
        """A card has come to a place that takes it: play, or let the rest be chosen."""
        if len(moves) == 1:
            self.play(moves[0])
        elif moves:
            self._unselect()
            self._selected, self._chances = item, offered.single(self.offers, item.card)
            self._laid = (item.card, zone)
            self._relay()
            item.mark(selected=True)
            self._choose(moves, point)

    # Carrying a card

    def _lift(self, item: CardItem, point: QPointF) -> None:
        if not item.known:
            return
        gathers = self._gathers(item)
        chances = offered.single(self.offers, item.card)
        if not gathers and not chances and (self.offers or not self._sortable(item.zone)):
            if self.offers and (self._mine(item) or self._sortable(item.zone)):
                self.cancel()
                self._cannot(item)
            return
        if self._selected is not item:
            self.cancel()
            if gathers or chances:
                self._select(item)
        self.hover(None)
        self.focused.emit(item.card)
        self._drag = Drag(self.stage, item, point, self.lights)

    def _put_down(self) -> None:
        drag = self._drag
        assert drag is not None
        item, zone, rect = drag.item, drag.under, drag.rect
        point = rect.center()
        self._drag = None
        drag.end()
        self.stage.rest(item)
        if zone is not None and self._gathers(item):
            self._arrange(item, zone)
            return
        chances = offered.single(self.offers, item.card)
        moves = offered.moves_to(chances, (item.card,), zone) if zone is not None else []
        if zone is not None and moves:
            self._drop(item, zone, moves, point)
            return
        under = self._zone_under(rect)
        self._drop_everything(relay=False)
        if self._sortable(item.zone) and under in (item.zone, None):
            self._sort(item, point)
            return
        self._relay()
        if under != item.zone:
            self.refused.emit(self.why(item, under or "") or NOT_THERE)

    def _zone_under(self, rect: QRectF) -> str | None:
        """The zone a card over `rect` covers most, whether it may lie there or not."""
        setting = self.stage.setting
        assert setting is not None
        x, y = setting.card_units(rect.x(), rect.y())
        card = Rect(x, y, rect.width() / setting.unit, rect.height() / setting.unit)
        return geometry.drop_target(setting, card, list(setting.spreads))

    def _sortable(self, zone: str) -> bool:
        """Whether the viewer may lay the cards of this zone in another order."""
        view = self.stage.view
        if view is None or zone not in view.zones or not self.arrangement_is_home(zone):
            return False
        return view.zones[zone].loose and view.zones[zone].owner == view.viewer

    def arrangement_is_home(self, zone: str) -> bool:
        """Whether no card of this zone is there only for the time being."""
        return self.arrangement is None or zone not in self.arrangement.zones()

    def _sort(self, item: CardItem, point: QPointF) -> None:
        """Lay a card of one's own between those where it was let go."""
        items = self.stage.zones[item.zone]
        others = [one for one in items if one is not item]
        place = sum(one.pos().x() < point.x() for one in others if one.slot is not None)
        others.insert(place, item)
        self.stage.order[item.zone] = [one.card for one in others]
        self._relay()

    # Choosing what is left

    @property
    def _chooser_open(self) -> bool:
        """Whether a choice would decide, because the place is decided."""
        return self._laid is not None or len(offered.targets(self._chances)) < 2

    def _open(self, moves: list[Move], at: QPointF | None) -> None:
        self._close_chooser()
        if self.link is None:
            return
        self._chooser = Chooser(self.stage, self.link, moves, at=at)
        self._chooser.chosen.connect(self.play)

    def _choose(self, moves: list[Move], point: QPointF) -> None:
        self._open(moves, point)
        self.lights.clear()
        if self._chooser is not None:
            self._chooser.point(0)

    def _close_chooser(self) -> None:
        if self._chooser is not None:
            self._chooser.close()
            self._chooser = None

    # Putting several cards together

    @property
    def _gathering(self) -> bool:
        return self.arrangement is not None

    def _gathers(self, item: CardItem) -> bool:
        """Whether this card is one of those that are being put together."""
        return self.arrangement is not None and item.card in self.arrangement.chance.offer.cards

    def _toggle(self, item: CardItem) -> None:
        assert self.arrangement is not None
        self.arrangement.toggle(item.card)
        self._rearranged()

    def _arrange(self, item: CardItem, zone: str) -> None:
        assert self.arrangement is not None
        if zone in self.arrangement.zones():
            self.arrangement.put(item.card, zone)
            self._rearranged()
        elif zone == self._source(item.card):
            self.arrangement.take(item.card)
            self._rearranged()
        else:
            self._relay()

    def _rearranged(self) -> None:
        arrangement = self.arrangement
        assert arrangement is not None
        focus = self.focus.card
        self._drop_everything(relay=False)
        self._relay()
        if focus is not None:
            self.focus.on_card(focus)
        self.arranged.emit(arrangement.ready)

    def _take_up_arrangement(self) -> None:
        """Have an arrangement while, and only while, a question asks for several cards."""
        chance = offered.several(self.offers)
        view = self.stage.view
        old = self.arrangement
        if chance is None:
            answered = old is not None and view is not None and old.chance.ask in view.answers
            if not answered:
                self.arrangement = None
        elif old is None or old.chance != chance:
            self.arrangement = Arrangement(chance)
        if (self.arrangement is None) != (old is None) or self.arrangement is not old:
            self.arranged.emit(self.arrangement is not None and self.arrangement.ready)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        key = Qt.Key(event.key())
        if self.animator.running:
            self.skip()
        number = event.key() - Qt.Key.Key_1.value
        if event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        ):
            event.ignore()
        elif key in DIRECTIONS:
            self._walk(key)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._confirm()
        elif key is Qt.Key.Key_Escape:
            self.cancel()
        elif key is Qt.Key.Key_Shift:
            self._enlarge()
        elif key is Qt.Key.Key_Menu and self.focus.card is not None:
            self._menu = self.menu(self.focus.card)
            views = self.views()
            corner = views[0].mapFromScene(self.focus.card.pos()) if views else None
            if corner is not None:
                self._menu.popup(views[0].viewport().mapToGlobal(corner))
        elif 0 <= number <= 8:
            self._nth(number)
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Shift:
            self._hide_enlarged()

    def next_zone(self, forward: bool) -> bool:
        """Move the focus to the next zone; whether there is one."""
        zones = self.focus.zones()
        here = self.focus.card
        place = next((i for i, items in enumerate(zones) if here in items), None)
        if place is None:
            place = -1 if forward else len(zones)
        place += 1 if forward else -1
        if not 0 <= place < len(zones):
            self.focus.clear()
            return False
        self._look_at(zones[place][0])
        return True

    def _walk(self, key: Qt.Key) -> None:
        if self._chooser is not None and (self._laid is not None or not self.lights):
            back = key in (Qt.Key.Key_Left, Qt.Key.Key_Up)
            self._chooser.step(-1 if back else 1)
            return
        held = self._selected is not None and not self._gathering
        if self.focus.card is None and self.focus.place is None:
            hand = self._hand()
            if hand and not held:
                self._look_at(hand[0])
                return
        if self.focus.move(key, places_only=held and bool(self.lights)) and self.focus.card:
            self._look_at(self.focus.card)

    def _look_at(self, item: CardItem) -> None:
        self.focus.on_card(item)
        self.hover(None)
        self._raise()
        if item.known:
            self.focused.emit(item.card)

    def _confirm(self) -> None:
        """Pick up, put down, or take the choice being weighed."""
        if self._chooser is not None and (self._laid is not None or not self.lights):
            self._chooser.choose(self._chooser.pointed or 0)
            return
        place, item = self.focus.place, self.focus.card
        if place is not None:
            rect = self.lights.rect(place)
            if not self._act(place, rect.center() if rect else QPointF()):
                self.cancel()
        elif item is not None and item.known:
            self._confirm_card(item)

    def _confirm_card(self, item: CardItem) -> None:
        if self._gathers(item):
            self._toggle(item)
            return
        if item is self._selected:
            targets = offered.targets(self._chances)
            if len(targets) == 1:
                self._act(targets[0], item.pos())
            else:
                self.cancel()
            return
        self._pick(item)
        if self.lights.zones and self._selected is not None:
            self.focus.on_place(self.lights.zones[0])

    def _hand(self) -> list[CardItem]:
        """The viewer's own cards, in the zone with most of those that may be played."""
        view, setting = self.stage.view, self.stage.setting
        if view is None or setting is None:
            return []
        own = [
            items
            for zone, items in self.stage.zones.items()
            if view.zones[zone].owner == view.viewer and zone in setting.spreads and items
        ]
        playable = offered.playable(self.offers)
        return max(own, key=lambda items: sum(one.card in playable for one in items), default=[])

    def _nth(self, number: int) -> None:
        if self._chooser is not None and self._chooser_open and self._laid is not None:
            self._chooser.choose(number)
            return
        hand = self._hand()
        if number < len(hand):
            self._look_at(hand[number])
            self._confirm_card(hand[number])

    # What is told

    def _hear(self, message: Update | Reset) -> None:
        assert self.link is not None
        self._drop_everything(relay=False)
        self.offers = message.offers
        self._sent = []
        for item in self.stage.items:
            item.mark(playable=False)
        match message:
            case Reset(view=view):
                self.animator.stop()
                self.arrangement = None
                self.stage.view = view
                self._settle()
            case Update(events=events):
                self.animator.play(events)

    def _settle(self) -> None:
        """Make the table equal to the view."""
        if self.link is None or self.stage.view is None:
            return
        self._take_up_arrangement()
        self.stage.show(self.stage.view, self._shown())
        self._mark()
        self.focus.renew()
        self._light_bare()
        self.prompted.emit()
        self.settled.emit()

    def _shown(self) -> State:
        """The view with what this seat has put elsewhere for the time being."""
        view = self.stage.view
        assert view is not None
        if self.arrangement is not None:
            view = self.arrangement.applied(view)
        for card, target in (*([self._laid] if self._laid else []), *self._sent):
            view = replace(view, cards=offered.carried(view.cards, card, target))
        return view

    def _relay(self) -> None:
        """Bring every card to where it lies now, from wherever it is."""
        view = self.stage.view
        if view is None or self.link is None or self.animator.running:
            return
        self.stage.gather(self._shown())
        self.stage.raised = self._raised()
        self.stage.lay_out()
        self.animator.glide(self.stage.slots(), HOME_MS)
        self._mark()

    def _mark(self) -> None:
        """Show which cards may be played, which are chosen and which wait."""
        playable = offered.playable(self.offers)
        chosen = set(self.arrangement.chosen) if self.arrangement else set()
        placed = set(self.arrangement.placed) if self.arrangement else set()
        waiting = {card for card, _ in self._sent}
        for item in self.stage.items:
            selected = item is self._selected or item.card in chosen
            free = item.card in playable and item.card not in placed
            item.mark(playable=free, selected=selected)
            item.setOpacity(DIMMED if item.card in waiting else 1.0)

    def _light_bare(self) -> None:
        """Places that may be chosen without a card are lit while none is chosen."""
        if self._selected is None and not self.animator.running:
            self.lights.show(offered.bare_targets(self.offers))

    def _raise(self) -> None:
        """The card under the pointer, else the focused or chosen one, is held up a little."""
        if self.animator.running or self._drag is not None or self.stage.view is None:
            return
        raised = self._raised()
        if raised != self.stage.raised:
            self.stage.raised = raised
            self.stage.lay_out()
            self.animator.glide(self.stage.slots(), NUDGE_MS)

    def _raised(self) -> dict[str, int]:
        raised = {}
        for item in (self._selected, self.focus.card, self._hovered):
            items = self.stage.zones.get(item.zone, []) if item is not None else []
            if item is not None and item in items:
                raised[item.zone] = items.index(item)
        return raised

    # Looking closer

    def _enlarge(self) -> None:
        item = self._hovered or self.focus.card
        if item is None or not item.known or self._drag is not None or self.stage.view is None:
            return
        self._hide_enlarged()
        note = ""
        if self._mine(item) and self.offers and not item.playable and not self._gathers(item):
            reason = self.why(item)
            if reason is not None:
                note = self.stage.prints.words.reason(reason, self.stage.view.viewer)
        beside = item.mapToScene(item.sheet).boundingRect()
        room = QRectF(0, 0, *self.stage.size)
        self._enlarged = EnlargedItem(self.stage.prints, item.card, beside, room, note)
        self._enlarged.setZValue(ENLARGED_Z)
        self.addItem(self._enlarged)
        self.focused.emit(item.card)

    def _hide_enlarged(self) -> None:
        self._linger.stop()
        if self._enlarged is not None:
            self.removeItem(self._enlarged)
            self._enlarged = None

    # Small matters

    def _mine(self, item: CardItem) -> bool:
        view = self.stage.view
        return view is not None and view.zones[item.zone].owner == view.viewer != AUDIENCE

    def _middle(self) -> tuple[float, float]:
        return self.stage.size[0] / 2, self.stage.size[1] / 2

    def _unselect(self) -> None:
        if self._selected is not None:
            self._selected.mark(selected=False)
        self._selected, self._chances = None, []
        self._close_chooser()
        self.lights.clear()
        if self.focus.place is not None:
            self.focus.clear()

    def _drop_everything(self, relay: bool = True) -> None:
        """End whatever a person has begun; with `relay`, what was moved goes back."""
        moved = self._laid is not None or self._drag is not None
        self._pressed = None
        self._hide_enlarged()
        self._hovered = None
        if self._menu is not None:
            self._menu.close()
            self._menu = None
        if self._drag is not None:
            drag, self._drag = self._drag, None
            drag.end()
            self.stage.rest(drag.item)
        self._unselect()
        self._laid = None
        raised, self.stage.raised = self.stage.raised, {}
        if relay and (moved or raised):
            self._relay()

    def _pause(self) -> None:
        """End what moves and what was begun, before everything is drawn anew."""
        self.animator.skip()
        self._drop_everything(relay=False)

    def _reprint(self) -> None:
        self.stage.reprint()
        if self.stage.view is not None:
            self._mark()
            self.focus.renew()
            self._light_bare()

    def _lay_cloth(self) -> None:
        """The surface: flat, with a barely visible grain."""
        prints = self.stage.prints
        side = round(GRAIN * prints.ratio)
        cloth = QPixmap(side, side)
        cloth.setDevicePixelRatio(prints.ratio)
        cloth.fill(QColor(prints.theme.table))
        with QPainter(cloth) as painter:
            grain = prints.art.pixmap("common/grain.svg", GRAIN, GRAIN, prints.ratio)
            painter.drawPixmap(0, 0, grain)
        self.setBackgroundBrush(QBrush(cloth))
