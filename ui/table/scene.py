"""The graphics scene of one seat's table.

Pointer and keyboard input change the selection, which `SelectionView` draws. The stage holds the
items, and the animator moves them.
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
    QToolTip,
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
from ui.table.input.physical_keys import digit_index
from ui.table.input.selection_view import SelectionView
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage
from ui.table.layout.geometry import clear_layout_caches

GRIP_KEYS = {Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter}
"""Keys besides the digits that pick up a card."""
SHIFT_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
"""Number of positions by which Ctrl and an arrow key move a card within the hand."""


class ShownState(NamedTuple):
    """The view and the log shown so far; later events are still waiting to be animated."""

    view: State
    log: Sequence[Said]


class TableScene(QGraphicsScene):
    """The graphics scene of one seat's table."""

    interaction_started = Signal()
    """Emitted when the user presses a mouse button or key on the table."""
    seat_menu_requested = Signal(int, QPoint)
    """Emitted with a seat and a screen position when the
    user opens the context menu of the seat's plaque.
    """
    card_details_requested = Signal(int)
    """Emitted with a card number when the user asks to read about the card."""
    rule_requested = Signal(str)
    """Emitted with a paragraph of the rulebook that the user asks to read."""
    player_board_requested = Signal(int)
    """Emitted with a seat whose board the user wants to see enlarged."""
    settled = Signal()
    """Emitted when the table shows the current view and nothing moves."""
    arrangement_changed = Signal(bool)
    """Emitted when the cards of a draft move change;
    the argument is whether `commit` can send the move.
    """
    selection_changed = Signal()
    """Emitted when a card is picked up or put down,
    or when an unfinished move needs another choice.
    """
    name_changed = Signal()
    """Emitted when a new language changes the table's accessible name."""

    def __init__(self, kit: GameKit, art: Art, words: Words, theme: Theme) -> None:
        super().__init__()
        self.kit = kit
        self.stage = Stage(self, kit.layouts, kit, art, words, theme)
        self.animator = Animator(self.stage)
        self.animator.finished.connect(self._settle_after_film)
        self.choice = PlayerSelection(kit)
        self.choice.answer_sent.add(self._on_acted)
        self.selection_view = SelectionView(self.stage, self.animator, self.choice)
        self.choice.changed.add(self._on_selection_changed)
        self.own_cards = OwnCards(self.stage, self.choice)
        self.magnifier = Magnifier(self.selection_view)
        self._highlights = LightMarks(self.stage)
        """Highlights on the cards, zones or players that a widget beside the table refers to."""
        self.keyboard = KeyboardController(self.selection_view, self.own_cards, self.magnifier)
        self.gesture = PointerGesture(
            self.selection_view, self.own_cards, self.magnifier, self.player_board_requested.emit
        )
        self._last_selection: tuple[object, ...] = ()
        """The selection of the latest notification: the verb, the card and the draft move."""
        self._key_actions: Mapping[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_Return: self.keyboard.confirm,
            Qt.Key.Key_Enter: self.keyboard.confirm,
            Qt.Key.Key_Space: self.keyboard.confirm,
            Qt.Key.Key_Escape: self.cancel,
            Qt.Key.Key_R: self.keyboard.turn_card,
            Qt.Key.Key_Shift: self.magnifier.show_card,
        }
        """Action by key, for keys without a modifier."""
        self._orders: dict[int, dict[str, list[int]]] = {}
        """The user's card order in each zone, by seat, for seats shown so far."""
        self._unsubscribe: Callable[[], None] = lambda: None
        self._drag_cancelled = False
        """Whether the right button has just cancelled a drag, so that it opens no menu."""
        self._menu: QMenu | None = None
        self._background = QPixmap()
        """The picture of the table beneath all items."""
        self._is_printing = False
        """Whether the background is left out for printing."""
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.set_size(1280, 800)

    @property
    def seat(self) -> Seat | None:
        """The seat whose table is shown, or None."""
        return self.choice.seat

    @property
    def shown_state(self) -> ShownState | None:
        """The view and log shown so far; None if no table is shown."""
        seat, view = self.seat, self.stage.view
        if seat is None or view is None:
            return None
        untold = self.animator.pending_sentences
        return ShownState(view, seat.log[:-untold] if untold else seat.log)

    # Changing the seat

    def show_seat(self, seat: Seat, boxed: bool = False) -> None:
        """Show the table of `seat` instead of the current one.

        If `boxed`, no card is visible until `play_opening` is called.
        """
        self._leave_seat()
        self.stage.is_boxed = boxed
        self.choice.set_seat(seat)
        self.stage.pixmaps.players = seat.players
        self.stage.card_order = self._orders.setdefault(seat.number, {})
        self._unsubscribe = seat.on_update(self._on_update)
        self.stage.view = seat.view
        self._settle_table()
        self._repaint_background()

    def play_opening(self, box: QPixmap, shelf: QPointF | None = None) -> None:
        """Animate how the table is set up from `box`, which was at `shelf` in scene coordinates,
        and how the hands are dealt.

        Any mouse press, key or move ends the animation.
        """
        self.stage.is_boxed = False
        if self.stage.view is not None and self.animator.duration_factor:
            self.selection_view.clear()
            self.animator.play_opening(box, shelf)

    def clear_seat(self) -> None:
        """Remove everything from the table and clear the layout caches."""
        self._leave_seat()
        clear_layout_caches()

    def _leave_seat(self) -> None:
        """Detach from the current seat. Layout caches are
        kept, because the next seat has the same layout.
        """
        self._unsubscribe()
        self._end_actions()
        self.animator.stop()
        self.highlight()
        self.choice.set_seat(None)
        self.stage.clear()
        self.selection_view.viewed_card_changed.emit(None)

    def set_appearance(self, words: Words, theme: Theme, art: Art) -> None:
        """Switch to the language of `words`, the colours of `theme` and the pictures of `art`."""
        self._end_movements()
        self.stage.pixmaps.set_appearance(words, theme, art)
        self._repaint_background()
        if self.stage.view is not None:  # the cards may have changed size
            self.stage.arrange()
        self._redraw_items()
        self.name_changed.emit()

    def set_speed(self, speed: str) -> None:
        """Set the animation speed: off, fast, normal or slow."""
        self.animator.speed = speed

    def set_size(self, width: float, height: float, rough: bool = False) -> None:
        """Lay out the table for a viewport of `width` x `height` pixels.

        If `rough`, the size is still changing, and pixmaps
        are only scaled until `sharpen` redraws them.
        """
        if self.stage.size == (width, height) and not self.stage.is_resizing:
            return
        self._end_movements()
        self.stage.size = (float(width), float(height))
        # without a view there is nothing to scale
        self.stage.is_resizing = rough and self.stage.view is not None
        self.setSceneRect(0, 0, width, height)
        if self.stage.view is not None:
            self.stage.arrange()
            self._show_choice_again()

    def sharpen(self, ratio: float) -> None:
        """Redraw all pixmaps for `ratio` device pixels per scene pixel."""
        pixmaps = self.stage.pixmaps
        if ratio == pixmaps.ratio and not self.stage.is_resizing:
            return
        self._end_movements()
        self.stage.is_resizing = False
        pixmaps.ratio = ratio
        self._repaint_background()
        self._redraw_items()

    def accessible_name(self) -> str:
        """Return the table's name for screen readers."""
        return self.stage.pixmaps.words("The table")

    @property
    def unit(self) -> float:
        """The number of pixels per card width; 0 if nothing is laid out."""
        return self.stage.unit

    def prompt_rect(self) -> QRectF:
        """Return the rectangle that the layout reserves for the prompt line, in pixels."""
        placed = self.stage.placed
        if placed is None or placed.surface.prompt is None:
            return QRectF()
        return self.stage.to_pixels(placed.surface.prompt)

    def sort_hand(self) -> None:
        """Sort the viewer's own cards in deck order."""
        self.skip_animations()
        self.cancel()
        self.own_cards.reset_order()
        self.selection_view.return_cards()

    # User actions

    def cancel(self) -> None:
        """Deselect all cards, and close menus, lists and the enlarged card."""
        self._close_popups()
        self.gesture.cancel()
        if self.selection_view.focus.zone is not None:
            self.selection_view.focus.clear()
        self.choice.cancel()

    def highlight_log_line(self, said: Said) -> bool:
        """Highlight the cards, zones or players that the log line `said` names. Return whether any
        of them is visible.
        """
        self.skip_animations()
        return self.animator.marks.show_log_line(said)

    def highlight(
        self, cards: Sequence[int] = (), zones: Sequence[str] = (), seats: Sequence[int] = ()
    ) -> None:
        """Highlight `cards` and `zones`, or the plaques of `seats` if none of those is visible.

        Replaces the previous highlight. While animations run, nothing is highlighted.
        """
        if self.animator.is_running:
            cards, zones, seats = (), (), ()
        self._highlights.highlight(cards, zones, seats)

    def skip_animations(self) -> None:
        """Finish all running animations at once."""
        self.animator.skip()

    # Pointer

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.interaction_started.emit()
        self.animator.marks.clear()
        if self.animator.skip_to_next_page():
            self.gesture.cancel()
            return
        self.skip_animations()
        self.magnifier.hide_card()
        point, screen = event.scenePos(), QPointF(event.screenPos())
        self._drag_cancelled = self.gesture.press(event.button(), point, screen)

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.gesture.move(event.scenePos(), QPointF(event.screenPos()), event.buttons())

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.gesture.release(event.button())

    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if self.animator.is_running:  # the first press has skipped the animation already
            return
        self.animator.marks.clear()
        if event.button() is Qt.MouseButton.LeftButton:
            self.gesture.double_click(event.scenePos())

    def contextMenuEvent(self, event: QGraphicsSceneContextMenuEvent) -> None:
        event.accept()
        item = self.gesture.card_at(event.scenePos())
        if item is None:  # a long press has no pointer that could rest on the label
            explained = self.stage.background.explanation_at(event.scenePos())
            QToolTip.showText(event.screenPos(), explained)
        if item is None and (seat := self.stage.background.seat_at(event.scenePos())) is not None:
            self.seat_menu_requested.emit(seat, event.screenPos())
            return
        item = item or self.selection_view.focus.card_item
        if item is None or self.gesture.carried_card is not None or self._drag_cancelled:
            return
        self.magnifier.hide_card()
        self._menu = self.make_card_menu(item)
        self._menu.popup(event.screenPos())

    def make_card_menu(self, item: CardItem) -> QMenu:
        """Return the context menu of a card: its legal moves, or the reason why there are none."""
        return card_menu(
            self.stage,
            self.choice,
            item,
            self.card_details_requested.emit,
            self.rule_requested.emit,
        )

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        key, number = Qt.Key(event.key()), digit_index(event)
        if key in GRIP_KEYS or number is not None:
            self.interaction_started.emit()
        if event.isAutoRepeat() and self.animator.is_running:  # a held key skips only once
            return
        self.animator.marks.clear()
        if key is not Qt.Key.Key_Escape and self.animator.skip_to_next_page():
            return
        skipped = self.animator.is_running
        if skipped:
            self.skip_animations()
        if event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        ):
            if key not in SHIFT_STEPS or not self.keyboard.move_focused_card(SHIFT_STEPS[key]):
                event.ignore()
        elif key in DIRECTIONS:
            self.keyboard.press_arrow(key)
        elif key in self._key_actions:
            self._key_actions[key]()
        elif key is Qt.Key.Key_Menu and self.selection_view.focus.card_item is not None:
            self.open_card_menu(self.selection_view.focus.card_item)
        elif number is not None:
            if not (
                skipped and self.keyboard.is_question_open()
            ):  # the question wasn't readable yet
                self.keyboard.press_number(number)
        else:
            event.ignore()

    def open_card_menu(self, item: CardItem) -> None:
        """Open the context menu of `item` beside the card."""
        self._menu = self.make_card_menu(item)
        for view in self.views()[:1]:
            self._menu.popup(view.viewport().mapToGlobal(view.mapFromScene(item.pos())))
            self._menu.setActiveAction(self._menu.actions()[0])  # read out, and chosen with Enter

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Shift:
            self.magnifier.hide_card()

    def set_print_theme(self, theme: Theme) -> None:
        """Use the colours of `theme` and leave out the painted table, to save ink."""
        self._is_printing, self.stage.pixmaps.theme = True, theme

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Paint the table beneath all items, from a pixmap that is cached for each size."""
        if self._is_printing:
            return
        pixmaps, whole = self.stage.pixmaps, self.sceneRect()
        if (
            not self.stage.is_resizing or self._background.isNull()
        ):  # while resizing, scale the old pixmap
            size, centre = whole.size().toSize(), self.stage.drawing_centre()
            self._background = table_pixmap(
                pixmaps.art, pixmaps.theme, pixmaps.kit.id, size, pixmaps.ratio, centre, self.unit
            )
        painter.fillRect(rect, QColor(pixmaps.theme.table))
        self.paint_background(painter, whole)

    def paint_background(self, painter: QPainter, place: QRectF | QRect) -> None:
        """Paint the most recent picture of the table into `place`."""
        painter.drawPixmap(QRectF(place), self._background, QRectF(self._background.rect()))

    # Updates

    def _on_update(self, message: Update | Reset) -> None:
        self.gesture.suspend()
        self.highlight()
        self._close_popups()
        self.choice.clear_picked()
        self.selection_view.clear()
        match message:
            case Reset(view=view):
                self.animator.stop()
                self.choice.multi_selection.draft = None
                self.stage.view = view
                self._settle_table()
            case Update(events=events):
                self.stage.record_turned_angles()
                self.animator.play(events)

    def _settle_table(self, glides: bool = False) -> None:
        if self.seat is None or self.stage.view is None:
            return
        self.choice.multi_selection.update_draft(self.stage.view)
        self.selection_view.settle(glides)
        self._on_selection_changed()
        self.settled.emit()

    def _settle_after_film(self) -> None:
        self._settle_table(glides=True)

    def _on_acted(self, _: Move) -> None:
        self._close_popups()
        self.animator.end_opening()

    def _on_selection_changed(self, _: None = None) -> None:
        """Emit signals for what has changed since the latest notification."""
        arrangement, before = self.choice.multi_selection.draft, self._last_selection
        key = arrangement.state_key if arrangement is not None else ()
        self._last_selection = (self.choice.listed_verb, self.choice.picked_card, key)
        if before[:2] != self._last_selection[:2]:
            self.selection_changed.emit()
        if before[2:] != self._last_selection[2:] and arrangement is not None:
            self.arrangement_changed.emit(self.choice.multi_selection.is_complete)

    def _end_movements(self) -> None:
        """Finish animations and cancel unfinished actions before a complete redraw."""
        self.animator.skip()
        self.animator.marks.remove_items()
        self.highlight()
        self._end_actions()
        if self.seat is not None and self.stage.view is not None:
            self.stage.sync_cards(self.selection_view.tentative_view())

    def _redraw_items(self) -> None:
        self.stage.redraw()
        if self.stage.view is not None:
            self._show_choice_again()

    def _show_choice_again(self) -> None:
        """Redraw the selection, and the highlights of the latest events, on the redrawn cards."""
        self.selection_view.redraw()
        self.animator.marks.redraw()

    def _close_popups(self) -> None:
        self.magnifier.hide_card()
        if self._menu is not None:
            self._menu.close()
            self._menu = None

    def _end_actions(self) -> None:
        """Cancel the user's unfinished actions. Cards stay at their positions."""
        self._close_popups()
        self.gesture.cancel()
        self.choice.clear_picked()
        self.selection_view.clear()

    def _repaint_background(self) -> None:
        self.invalidate(self.sceneRect(), QGraphicsScene.SceneLayer.BackgroundLayer)
