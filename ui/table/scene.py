"""The table as a scene: one seat goes in, what a person does at it comes out.

Gesture and keys tell the choice what a person does, the look draws it; the stage says where things
are, the animator how they get there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QGraphicsScene,
    QGraphicsSceneContextMenuEvent,
    QGraphicsSceneMouseEvent,
    QMenu,
)

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Said
from tabletop.engine.model import Move, State
from tabletop.language.words import Words
from tabletop.match.choice import PlayerSelection
from tabletop.match.match import Reset, Update
from tabletop.match.seat import Seat
from ui.style.art import Art
from ui.style.table_look import table_pixmap
from ui.style.theme import Theme
from ui.table.animation.animator import Animator
from ui.table.animation.lights import LightMarks
from ui.table.input.card_menu import card_menu
from ui.table.input.focus import DIRECTIONS
from ui.table.input.gesture import PointerGesture
from ui.table.input.keyboard import KeyboardController
from ui.table.input.magnifier import Magnifier
from ui.table.input.own_cards import OwnCards
from ui.table.input.physical_keys import digit_index, logical_key
from ui.table.input.selection_view import SelectionView
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage
from ui.table.layout.geometry import clear_layout_caches

GRIP_KEYS = {Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter}
"""Keys with which something is taken hold of; the first to ninth card besides."""
SHIFT_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
"""Directions in which Ctrl and an arrow lay a card among one's own."""


class ShownState(NamedTuple):
    """What a viewer has been told: a view and its log. The rest of the news is still to come."""

    view: State
    log: Sequence[Said]


class TableScene(QGraphicsScene):
    """One seat's table."""

    gripped = Signal()
    """Somebody takes hold of something at the table, or tries to."""
    seat_menu = Signal(int, QPoint)
    """The menu of a player's plaque is wanted, at a point of the screen."""
    about = Signal(int)
    """Somebody wants to read about this card."""
    ruled = Signal(str)
    """Somebody wants to read this paragraph of the rules."""
    examined = Signal(int)
    """Somebody wants to see the board of the player at this seat larger."""
    settled = Signal()
    """The table shows the view; nothing moves."""
    arranged = Signal(bool)
    """The cards put together so far are an answer (`commit` sends it), or are not yet."""
    half_made = Signal()
    """A card was picked up or put down, or a choice of an unfinished move is open (`choosing`)."""
    renamed = Signal()
    """The language, and so the name of the table, is a different one."""

    def __init__(self, kit: GameKit, art: Art, words: Words, theme: Theme) -> None:
        super().__init__()
        self.kit = kit
        self.stage = Stage(self, kit.layouts, kit, art, words, theme)
        self.animator = Animator(self.stage)
        self.animator.over.connect(self._settle_after_film)
        self.choice = PlayerSelection(kit)
        self.choice.acted.add(self._note_acted)
        self.look = SelectionView(self.stage, self.animator, self.choice)
        self.choice.changed.add(self._note_changed)
        self.own = OwnCards(self.stage, self.choice)
        self.closer = Magnifier(self.look)
        self._pointed = LightMarks(self.stage)
        """What is pointed at from beside the table."""
        self.keys = KeyboardController(self.look, self.own, self.closer)
        self.gesture = PointerGesture(self.look, self.own, self.closer, self.examined.emit)
        self._said: tuple[object, ...] = ()
        """What the prompt was told last: the verb being chosen for, the card picked up, the cards
        put together."""
        self._pressed: Mapping[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_Return: self.keys.confirm,
            Qt.Key.Key_Enter: self.keys.confirm,
            Qt.Key.Key_Space: self.keys.confirm,
            Qt.Key.Key_Escape: self.cancel,
            Qt.Key.Key_R: self.keys.turn,
            Qt.Key.Key_Shift: self.closer.show,
        }
        """Actions of keys that need nothing else."""
        self._orders: dict[int, dict[str, list[int]]] = {}
        """The order in which each seat that has sat here keeps its own cards."""
        self._stop: Callable[[], None] = lambda: None
        self._called_off = False
        """Whether the right button has just ended a drag, and so opens no menu."""
        self._menu: QMenu | None = None
        self._cloth = QPixmap()
        """The table under everything."""
        self._on_paper = False
        """Whether there is no table under it."""
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.set_size(1280, 800)

    @property
    def seat(self) -> Seat | None:
        """The seat whose table is shown."""
        return self.choice.seat

    @property
    def told(self) -> ShownState | None:
        """What has been told of the table that is shown; None where none is."""
        seat, view = self.seat, self.stage.view
        if seat is None or view is None:
            return None
        untold = self.animator.untold
        return ShownState(view, seat.log[:-untold] if untold else seat.log)

    # Sitting down and getting up

    def sit(self, seat: Seat, boxed: bool = False) -> None:
        """Show the table of this seat; nothing of the former seat is left. One that is `boxed` is
        still to be opened: no card is seen before."""
        self._get_up()
        self.stage.boxed = boxed
        self.choice.sit(seat)
        self.stage.prints.players = seat.players
        self.stage.order = self._orders.setdefault(seat.number, {})
        self._stop = seat.on_update(self._hear)
        self.stage.view = seat.view
        self._settle_table()
        self._lay_cloth()

    def open(self, box: QPixmap, shelf: QPointF | None = None) -> None:
        """Show how the table that was sat down at is laid out of its box, and the hands dealt; the
        box stood at this point of the scene. Nothing waits for it: a press, a key or a move is done
        with it."""
        self.stage.boxed = False
        if self.stage.view is not None and self.animator.factor:
            self.look.clear()
            self.animator.open(box, shelf)

    def leave(self) -> None:
        """Get up: take every card, light, list and picture off the table."""
        self._get_up()
        clear_layout_caches()

    def _get_up(self) -> None:
        """Leave the table to another seat, whose places are the same."""
        self._stop()
        self._end_all()
        self.animator.stop()
        self.point_at()
        self.choice.sit(None)
        self.stage.clear()
        self.look.looked.emit(None)

    def set_looks(self, words: Words, theme: Theme, art: Art) -> None:
        """Speak this language and wear these colours; `art` prints in them."""
        self._end_movements()
        self.stage.prints.wear(words, theme, art)
        self._lay_cloth()
        if self.stage.view is not None:  # the cards may have changed size
            self.stage.arrange()
        self._reprint()
        self.renamed.emit()

    def set_speed(self, speed: str) -> None:
        """Set the speed of animations: off, fast, normal or slow."""
        self.animator.speed = speed

    def set_size(self, width: float, height: float, rough: bool = False) -> None:
        """Lay the table out for a viewport of this size, in pixels; `rough` while it still changes.

        `sharpen` draws it again in full.
        """
        if self.stage.size == (width, height) and not self.stage.rough:
            return
        self._end_movements()
        self.stage.size = (float(width), float(height))
        # otherwise there is nothing to stretch
        self.stage.rough = rough and self.stage.view is not None
        self.setSceneRect(0, 0, width, height)
        if self.stage.view is not None:
            self.stage.arrange()
            self._show_choice_again()

    def sharpen(self, ratio: float) -> None:
        """Draw for this many device pixels a pixel of the scene."""
        prints = self.stage.prints
        if ratio == prints.ratio and not self.stage.rough:
            return
        self._end_movements()
        self.stage.rough = False
        prints.ratio = ratio
        self._lay_cloth()
        self._reprint()

    def name(self) -> str:
        """The table's name for screen readers."""
        return self.stage.prints.words("The table")

    @property
    def unit(self) -> float:
        """Pixels per card width; 0 where nothing is laid out."""
        return self.stage.unit

    def prompt_rect(self) -> QRectF:
        """The room that the layout leaves for the prompt line, in pixels."""
        setting = self.stage.setting
        if setting is None or setting.surface.prompt is None:
            return QRectF()
        return self.stage.pixels(setting.surface.prompt)

    def sort_hand(self) -> None:
        """Lay the viewer's own cards in the order of the deck again."""
        self.skip()
        self.cancel()
        self.own.sort()
        self.look.bring_home()

    # What a person does

    def cancel(self) -> None:
        """Put down, choose nothing, close what is open."""
        self._close_all()
        self.gesture.cancel()
        if self.look.focus.place is not None:
            self.look.focus.clear()
        self.choice.cancel()

    def recall(self, said: Said) -> bool:
        """Light the cards that a line of the log names until something else is done; return whether
        any of them is seen."""
        self.skip()
        return self.animator.marks.recall(said)

    def point_at(
        self, cards: Sequence[int] = (), zones: Sequence[str] = (), seats: Sequence[int] = ()
    ) -> None:
        """Light these cards and places, or where none of them is seen the plaques of these players,
        until something else is pointed at. Nothing lights up while anything moves."""
        if self.animator.running:
            cards, zones, seats = (), (), ()
        self._pointed.point(cards, zones, seats)

    def skip(self) -> None:
        """Let what moves arrive at once."""
        self.animator.skip()

    # Pointer

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.gripped.emit()
        self.animator.marks.clear()
        if self.animator.turn_page():
            self.gesture.cancel()
            return
        self.skip()
        self.closer.close()
        point, screen = event.scenePos(), QPointF(event.screenPos())
        self._called_off = self.gesture.press(event.button(), point, screen)

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.gesture.move(event.scenePos(), QPointF(event.screenPos()), event.buttons())

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.gesture.release(event.button())

    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if self.animator.running:  # the first press of the double click has skipped already
            return
        self.animator.marks.clear()
        if event.button() is Qt.MouseButton.LeftButton:
            self.gesture.press_twice(event.scenePos())

    def contextMenuEvent(self, event: QGraphicsSceneContextMenuEvent) -> None:
        event.accept()
        item = self.gesture.card_at(event.scenePos())
        if item is None and (seat := self.stage.ground.seat_at(event.scenePos())) is not None:
            self.seat_menu.emit(seat, event.screenPos())
            return
        item = item or self.look.focus.card
        if item is None or self.gesture.carried is not None or self._called_off:
            return
        self.closer.close()
        self._menu = self.menu(item)
        self._menu.popup(event.screenPos())

    def menu(self, item: CardItem) -> QMenu:
        """Return the menu of a card: the legal actions, then the others and why not."""
        return card_menu(self.stage, self.choice, item, self.about.emit, self.ruled.emit)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        key, number = logical_key(event), digit_index(event)
        if key in GRIP_KEYS or number is not None:
            self.gripped.emit()
        if event.isAutoRepeat() and self.animator.running:  # a key that is held skips once
            return
        self.animator.marks.clear()
        if key is not Qt.Key.Key_Escape and self.animator.turn_page():
            return
        skipped = self.animator.running
        if skipped:
            self.skip()
        if event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        ):
            if key not in SHIFT_STEPS or not self.keys.shift(SHIFT_STEPS[key]):
                event.ignore()
        elif key in DIRECTIONS:
            self.keys.walk(key)
        elif key in self._pressed:
            self._pressed[key]()
        elif key is Qt.Key.Key_Menu and self.look.focus.card is not None:
            self.open_menu(self.look.focus.card)
        elif number is not None:
            if not (skipped and self.keys.asked()):  # nobody can have read the question yet
                self.keys.nth(number)
        else:
            event.ignore()

    def open_menu(self, item: CardItem) -> None:
        """Open a card's menu beside it."""
        self._menu = self.menu(item)
        for view in self.views()[:1]:
            self._menu.popup(view.viewport().mapToGlobal(view.mapFromScene(item.pos())))

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Shift:
            self.closer.close()

    def print_on_paper(self, theme: Theme) -> None:
        """Draw in these colours from now on, without the game's table: in ink that is white, or a
        table that is dark, much of a page would be black."""
        self._on_paper, self.stage.prints.theme = True, theme

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Paint the table under everything: a picture of it, made once for each size."""
        if self._on_paper:
            return
        prints, whole = self.stage.prints, self.sceneRect()
        if not self.stage.rough or self._cloth.isNull():  # otherwise it is stretched
            size, centre = whole.size().toSize(), self.stage.centre()
            self._cloth = table_pixmap(
                prints.art, prints.theme, prints.kit.id, size, prints.ratio, centre, self.unit
            )
        painter.fillRect(rect, QColor(prints.theme.table))
        self.paint_ground(painter, whole)

    def paint_ground(self, painter: QPainter, place: QRectF | QRect) -> None:
        """Paint the table as it was last seen, without what lies on it."""
        painter.drawPixmap(QRectF(place), self._cloth, QRectF(self._cloth.rect()))

    # Updates

    def _hear(self, message: Update | Reset) -> None:
        self.gesture.interrupt()
        self.point_at()
        self._close_all()
        self.choice.put_down()
        self.look.clear()
        match message:
            case Reset(view=view):
                self.animator.stop()
                self.choice.gathering.arrangement = None
                self.stage.view = view
                self._settle_table()
            case Update(events=events):
                self.stage.expect_turns()
                self.animator.play(events)

    def _settle_table(self, glides: bool = False) -> None:
        if self.seat is None or self.stage.view is None:
            return
        self.choice.gathering.renew(self.stage.view)
        self.look.settle(glides)
        self._note_changed()
        self.settled.emit()

    def _settle_after_film(self) -> None:
        self._settle_table(glides=True)

    def _note_acted(self, _: Move) -> None:
        self._close_all()
        self.animator.end_opening()

    def _note_changed(self, _: None = None) -> None:
        """Tell the prompt of what it says about a choice."""
        arrangement, before = self.choice.gathering.arrangement, self._said
        key = arrangement.key if arrangement is not None else ()
        self._said = (self.choice.choosing, self.choice.picked, key)
        if before[:2] != self._said[:2]:
            self.half_made.emit()
        if before[2:] != self._said[2:] and arrangement is not None:
            self.arranged.emit(self.choice.gathering.ready)

    def _end_movements(self) -> None:
        """End all movements and unfinished actions, before everything is drawn again."""
        self.animator.skip()
        self.animator.marks.lift()
        self.point_at()
        self._end_all()
        if self.seat is not None and self.stage.view is not None:
            self.stage.gather(self.look.shown())

    def _reprint(self) -> None:
        self.stage.reprint()
        if self.stage.view is not None:
            self._show_choice_again()

    def _show_choice_again(self) -> None:
        """Show the choice and the last events on cards that are laid or drawn again."""
        self.look.renew()
        self.animator.marks.renew()

    def _close_all(self) -> None:
        self.closer.close()
        if self._menu is not None:
            self._menu.close()
            self._menu = None

    def _end_all(self) -> None:
        """End any unfinished action of a person; nothing goes back by itself."""
        self._close_all()
        self.gesture.cancel()
        self.choice.put_down()
        self.look.clear()

    def _lay_cloth(self) -> None:
        """Have the table under everything painted again."""
        self.invalidate(self.sceneRect(), QGraphicsScene.SceneLayer.BackgroundLayer)
