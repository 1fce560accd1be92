"""A simulated player who answers by mouse, by keyboard, or in the list of actions.

It uses the pointer, keys, buttons and list of a real table. Moves are only recorded, not played.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt

from tabletop.engine.model import AUDIENCE, Move, Offer
from tabletop.engine.refusals import NOT_OFFERED
from tabletop.language.prompt import PromptChoice, game_prompt
from tabletop.language.table_status import HalfMade, people_at, status_at
from tabletop.language.words import Words
from tabletop.match.match import Match
from tabletop.match.seat import Seat
from tabletop.storage.settings import Settings
from ui.match.actions_panel import GROUP_ROLE, HEADING_ROLE, MOVE_ROLE, ActionsPanel
from ui.shell.app_context import AppContext
from ui.style.art import Art
from ui.style.theme import load_theme
from ui.table.input.focus import DIRECTIONS
from ui.table.input.targets import target_at, target_rect
from ui.table.items.card_item import CardItem
from ui.table.scene import TableScene

GRID = [(n + 0.5) / 12 for n in range(12)]
"""Relative positions, along either side of a rectangle, at which to look for an uncovered point."""
ANSWER_KINDS = ("play", "commit", "choose")
"""The kinds of prompt choices that answer the game's question."""
Spot = CardItem | str
"""What can have the focus: a card, or the name of a highlighted zone."""


class _SilentMatch:
    """A match that ignores all answers."""

    def __init__(self, match: Match) -> None:
        self.players, self.make_reset, self.add_listener = (
            match.players,
            match.make_reset,
            match.add_listener,
        )
        self.explain_refusal, self.preview = match.explain_refusal, match.preview

    def submit(self, seat: int, move: Move) -> None:
        """Do nothing."""

    def undo(self, seat: int) -> None:
        """Do nothing."""

    def concede(self, seat: int) -> None:
        """Do nothing."""


class RecordingSeat(Seat):
    """A seat that records answers without playing them."""

    def __init__(self, match: Match, seat: int) -> None:
        super().__init__(seat, match.players, match.make_reset(seat), _SilentMatch(match))
        self.answered: Move | None = None

    def send(self, move: Move) -> None:
        self.answered = move
        super().send(move)


class CannotAnswer(AssertionError):
    """Raised if an answer can't be given."""


class SimulatedPlayer:
    """A simulated player at one seat of a table."""

    def __init__(self, match: Match, art: Art, size: tuple[int, int] = (1280, 800)) -> None:
        self.kit, self.match = match.kit, match
        self.words = Words("en", match.kit, match.players)
        self.scene = TableScene(match.kit, art, self.words, load_theme("light"))
        self.scene.set_speed("off")
        self.scene.set_size(*size)
        self.panel = ActionsPanel(AppContext(Settings(language="en")))
        self.panel.move_chosen.connect(self.scene.choice.play)
        self.seat = RecordingSeat(match, AUDIENCE)

    def sit(self, seat: int) -> None:
        self.seat.close()
        self.seat = RecordingSeat(self.match, seat)
        self.scene.show_seat(self.seat)
        self.panel.show_moves(self.scene.choice.legal_moves(), self.words, self.seat.view)

    def look_away(self) -> None:
        """Stop showing the moves of the seat."""
        self.scene.clear_seat()

    def answer(self, way: Callable[[Offer, Move], None], offer: Offer, move: Move) -> Move | None:
        """Try to give the answer `move` by the input method `way`. Return the move that was sent,
        or None.

        The question stays open.
        """
        self.seat.answered = None
        try:
            way(offer, move)
        except CannotAnswer:
            return None
        finally:
            self.scene.choice.multi_selection.draft = None
            self.seat.refuse(NOT_OFFERED)
            self.scene.choice.multi_selection.update_draft(self.scene.stage.view)
            self.scene.cancel()
        return self.seat.answered

    def is_beneath(self, move: Move) -> bool:
        """Return whether a card of `move` is below another card in a pile."""
        stage = self.scene.stage
        piles = (
            zone for zone in stage.zones if (at := stage.zone_place(zone)) and at.form == "pile"
        )
        beneath = {item.card for zone in piles for item in stage.zones[zone][:-1]}
        return not beneath.isdisjoint(move.cards)

    # By mouse

    def by_mouse(self, offer: Offer, move: Move) -> None:
        """Answer by clicking cards, highlighted zones and buttons."""
        if not move.cards:
            self._act_without_card(move, self._click_place)
        elif offer.spots or offer.most > 1:
            for card, spot in zip(move.cards, offer.spots or [""] * len(move.cards), strict=True):
                self._click_card(card)
                if spot:
                    self._click_place(spot)
            self._commit(move, self._click_place)
        else:
            self._click_card(move.cards[0])
            if self.seat.answered is None and self.scene.choice.undecided is None:
                if move.target:
                    self._click_place(move.target)
                else:
                    self._click_card(move.cards[0])
        while self.seat.answered is None:
            self._click_choice(move)

    def _points(self, rect: QRectF | None) -> Iterator[QPointF]:
        """Return points in `rect` that the mouse can reach. Overridden by tests."""
        return _points(rect)

    def _click(self, point: QPointF) -> None:
        self.scene.gesture.press(Qt.MouseButton.LeftButton, point, point)
        self.scene.gesture.release(Qt.MouseButton.LeftButton)

    def _click_card(self, card: int) -> None:
        item = self._item(card)
        pointer, frame = self.scene.gesture, item.sceneBoundingRect()
        places = (p for p in self._points(frame) if pointer.card_at(p) is item)
        self._click(_first(p for p in places if not self._in_chooser(p)))

    def _click_place(self, zone: str) -> None:
        choice, stage = self.scene.choice, self.scene.stage
        targets, picked = choice.targets, choice.picked_up
        if zone not in targets:
            raise CannotAnswer
        places = self._points(target_rect(stage, zone))
        free = (p for p in places if target_at(stage, targets, p) == zone)
        free = (p for p in free if not self._in_chooser(p))
        item = stage.item_of(picked) if picked is not None else None
        over = self.scene.gesture.card_at
        self._click(_first(p for p in free if item is None or over(p) is not item))

    def _in_chooser(self, point: QPointF) -> bool:
        return (
            self.scene.selection_view.chooser is not None
            and self.scene.selection_view.chooser.contains(point)
        )

    def _click_choice(self, move: Move) -> None:
        chooser, number = self.scene.selection_view.chooser, self._choice(move)
        if chooser is None:
            raise CannotAnswer
        place = chooser.list_rect
        columns = (
            place.left() + place.width() * (n + 0.5) / chooser.columns
            for n in range(chooser.columns)
        )
        heights = range(int(place.top()), int(place.bottom()), 4)
        rows = (QPointF(x, y) for x in columns for y in heights)
        self._click(_first(p for p in rows if chooser.option_at(p) == number))

    # By keys

    def by_keys(self, offer: Offer, move: Move) -> None:
        """Answer by moving the focus with Tab and arrow keys and confirming with Enter."""
        keys, choice = self.scene.keyboard, self.scene.choice
        if not move.cards:
            self._act_without_card(move, self._confirm_place)
        elif offer.spots or offer.most > 1:
            for card in move.cards:
                self._walk_to(self._item(card))
                keys.confirm()
            self._commit(move, self._confirm_place)
        else:
            self._walk_to(self._item(move.cards[0]))
            keys.confirm()
            if self.seat.answered is None and choice.undecided is None:
                self._confirm_place(move.target)
        while self.seat.answered is None:
            number = self._choice(move)
            options = self.scene.choice.options
            while (
                options is not None
                and self.scene.selection_view.chooser is not None
                and options.highlighted != number
            ):
                keys.press_arrow(Qt.Key.Key_Right)
            keys.confirm()

    def _confirm_place(self, zone: str) -> None:
        self._walk_to(zone)
        self.scene.keyboard.confirm()

    def _walk_to(self, goal: Spot) -> None:
        """Move the focus to `goal` by arrow keys.

        Raises:
            CannotAnswer: No sequence of keys leads there.
        """
        focus, choice = self.scene.selection_view.focus, self.scene.choice
        places_only = choice.picked_up is not None and not choice.multi_selection.is_active
        here = focus.card_item if focus.card_item is not None else focus.zone
        starts: list[Spot] = [here] if here is not None else []
        if not places_only:
            starts += [
                items[0] for items in focus.focusable_zones()
            ] + self.scene.own_cards.main_hand()[:1]
        if not starts:  # the first arrow key focuses the first highlighted zone
            focus.clear()
            focus.move(Qt.Key.Key_Down, places_only)
            starts = [focus.zone] if focus.zone is not None else []
        seen, ahead = list(starts), list(starts)
        while goal not in seen and ahead:
            spot = ahead.pop(0)
            for key in DIRECTIONS:
                self._stand(spot)
                if focus.move(key, places_only):
                    found = focus.card_item if focus.card_item is not None else focus.zone
                    if found is not None and found not in seen:
                        seen.append(found)
                        ahead.append(found)
        if goal not in seen:
            raise CannotAnswer
        self._stand(goal)

    def _stand(self, spot: Spot) -> None:
        focus = self.scene.selection_view.focus
        if isinstance(spot, CardItem):
            focus.focus_card(spot)
        else:
            focus.focus_zone(spot)

    # By the list

    def by_list(self, offer: Offer, move: Move) -> None:
        """Answer by the list of actions, expanding groups and "More actions…" as needed."""
        shown = self.panel.action_list
        row = 0
        while row < shown.count():
            item = shown.item(row)
            listed = item.data(MOVE_ROLE)
            if item.data(HEADING_ROLE) is not None:
                below = shown.item(row + 1)
                if below is None or below.data(GROUP_ROLE) != item.data(GROUP_ROLE):
                    shown.item_activated.emit(item)  # expand the collapsed group
                row += 1
                continue
            if listed is None:
                shown.item_activated.emit(item)
                continue
            if (listed.ask, listed.verb) == (move.ask, move.verb) and offer.admits(listed):
                shown.item_activated.emit(item)
                return
            row += 1
        raise CannotAnswer

    # Shared by mouse and keys

    def _act_without_card(self, move: Move, come_to: Callable[[str], None]) -> None:
        """Press a button for `move`, or call `come_to` with the target zone of `move`."""
        if any(self._presses(each, move) for each in self.buttons()):
            return
        if not move.target:
            raise CannotAnswer
        come_to(move.target)

    def _commit(self, move: Move, come_to: Callable[[str], None]) -> None:
        """Send the selected cards by pressing their button, or call `come_to` with the target zone
        of `move`.
        """
        if move.target:
            come_to(move.target)
            return
        if not any(self._presses(each, move) for each in self.buttons()):
            raise CannotAnswer

    def _presses(self, each: PromptChoice, move: Move) -> bool:
        """Press the button `each`. Return whether it sent `move` or opened a chooser."""
        self.seat.answered = None
        if not each.enabled:
            return False
        if each.moves and (move not in each.moves or self.scene.choice.options is not None):
            return False
        if each.moves:
            self.scene.choice.toggle_move_list(each.moves)
        elif each.move is not None:
            self.scene.choice.play(each.move)
        else:
            self.scene.choice.send_selection(each.name)
        if self.seat.answered == move or self.scene.selection_view.chooser is not None:
            return True
        self.seat.answered = None
        self.seat.refuse(NOT_OFFERED)
        return False

    def _choice(self, move: Move) -> int:
        """Return the index of the option that leads to `move`."""
        options = self.scene.choice.options
        if options is None:
            raise CannotAnswer
        choices = [each.choice for each in options.moves]
        if move in options.moves:
            return options.moves.index(move)
        begun = [n for n, choice in enumerate(choices) if move.choice.startswith(f"{choice},")]
        if not begun:
            raise CannotAnswer
        return begun[-1]

    def _item(self, card: int) -> CardItem:
        item = self.scene.stage.item_of(card)
        if item is None or not item.is_known or not item.isVisible() or item.slot is None:
            raise CannotAnswer
        return item

    def buttons(self) -> Sequence[PromptChoice]:
        """Return the prompt choices that answer the question."""
        status = status_at(
            self.words,
            self.kit,
            people_at(None, (self.seat.number,)),
            self.seat,
            half_made=HalfMade(arranged=self.scene.choice.multi_selection.verbs),
        )
        return [each for each in game_prompt(status).choices if each.kind in ANSWER_KINDS]


def without_rotation(offer: Offer, move: Move) -> Move:
    """Return `move` with all cards in their original orientation, because
    rotating cards isn't tested.
    """
    lies = offer.spots and offer.choices and len(offer.choices[0]) == len(offer.spots)
    return replace(move, choice=offer.choices[0]) if lies else move


def _points(rect: QRectF | None) -> Iterator[QPointF]:
    """Yield points in `rect` at whole pixels."""
    if rect is not None:
        for y in GRID:
            for x in GRID:
                point = QPointF(rect.left() + x * rect.width(), rect.top() + y * rect.height())
                yield QPointF(point.toPoint())


def _first(points: Iterator[QPointF]) -> QPointF:
    found = next(points, None)
    if found is None:
        raise CannotAnswer
    return found
